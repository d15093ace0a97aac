/** Values of items, which may have any type. Nothing here becomes 0. */
import type { IDataObject } from 'n8n-workflow';

import { isPlainDecimal, readDecimal } from '../../../../../api/decimal.ts';

/** So many digits of a decimal survive as a number of JavaScript. */
const EXACT_DIGITS = 15;

/** A text or number without spaces at its ends; '' for any other value. */
export function textOf(value: unknown): string {
	if (typeof value === 'number' || typeof value === 'bigint') return String(value);
	return typeof value === 'string' ? value.trim() : '';
}

/** The text of the first of these fields that has one. */
export function firstText(item: IDataObject, names: readonly string[]): string {
	return names.map((name) => textOf(item[name])).find((text) => text !== '') ?? '';
}

/** The plain decimal of an amount. Undefined if nobody can be sure of its digits, such as in `1,250` or `1e5`. */
export function amountOf(value: unknown): string | undefined {
	if (typeof value === 'number') return amountOfNumber(value);
	const text = textOf(value);
	return isPlainDecimal(text) ? text : undefined;
}

/** A longer number may have lost digits before it came here. */
function amountOfNumber(value: number): string | undefined {
	const decimal = readDecimal(String(value));
	const digits = decimal?.replace(/\D/g, '').replace(/^0+|0+$/g, '') ?? '';
	return digits.length <= EXACT_DIGITS ? decimal : undefined;
}
