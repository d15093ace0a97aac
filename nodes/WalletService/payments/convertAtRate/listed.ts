/** What fields of the service's contracts and rates may hold. */
import { compare, isPlainDecimal, isZero } from '../../../../api/exact/decimal.ts';

/** Codes of currencies or coins: what is given, and what is received. */
export interface Pair {
	from: string;
	to: string;
}

/** Whether it is decimal text above zero: `1250.50`. A number may have lost digits. */
export function isAmount(value: unknown): value is string {
	return isDecimalText(value) && !isZero(value);
}

/** Whether it is decimal text from 0 to less than 1: `0.005` is half a percent. */
export function isShare(value: unknown): value is string {
	return isDecimalText(value) && compare(value, '1') < 0;
}

export function isDecimalText(value: unknown): value is string {
	return typeof value === 'string' && isPlainDecimal(value) && !value.startsWith('-');
}

/** Codes and directions have no case. */
export function isCode(given: unknown, code: string): boolean {
	return typeof given === 'string' && given.trim().toUpperCase() === code.trim().toUpperCase();
}
