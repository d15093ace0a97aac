/** Exact arithmetic on plain decimals that only the sandbox needs. */
import { add, decimalOf } from '../../api/exact/decimal.ts';

/** The exact difference of two plain decimals. */
export function subtract(a: string, b: string): string {
	return add(a, b.startsWith('-') ? b.slice(1) : `-${b}`);
}

/** The exact product of two plain decimals. It has as many decimal places as both together. */
export function multiply(a: string, b: string): string {
	const units = (decimal: string) => BigInt(decimal.replace('.', ''));
	const places = (decimal: string) => decimal.split('.')[1]?.length ?? 0;
	return decimalOf(units(a) * units(b), places(a) + places(b));
}
