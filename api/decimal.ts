/**
 * Exact arithmetic on decimal text. Money never becomes a floating-point number in this package:
 * it is text such as `1250.50` on the outside and a scaled integer in here.
 */

/** `units` × 10^-`scale`. */
interface Scaled {
	units: bigint;
	scale: number;
}

const PLAIN = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const LOOSE = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/;

/** Whether the text is a decimal as JSON writes it, without an exponent: `-12.50`, `0.1`, `7`. */
export function isPlainDecimal(text: string): boolean {
	return PLAIN.test(text);
}

/**
 * Reads what a service may have written as a number (`+5`, `007.10`, `1e-7`) into plain decimal text.
 * Every digit is kept, trailing zeros included. Undefined when it is no decimal; exponents beyond four digits
 * count as none, so that nobody makes us write out a billion zeros.
 */
export function readDecimal(text: string): string | undefined {
	if (PLAIN.test(text)) return text;
	const match = LOOSE.exec(text);
	if (match === null) return undefined;
	const [, sign, whole, fraction = '', exponent = '0'] = match;
	const point = whole.length + Number(exponent);
	const digits = (whole + fraction).padEnd(point, '0');
	const padded = point > 0 ? digits : '0'.repeat(1 - point) + digits;
	const split = Math.max(point, 1);
	const integer = padded.slice(0, split).replace(/^0+(?=\d)/, '');
	const rest = padded.slice(split);
	return (sign === '-' ? '-' : '') + integer + (rest === '' ? '' : `.${rest}`);
}

function scaled(decimal: string): Scaled {
	const [integer, fraction = ''] = decimal.split('.');
	return { units: BigInt(integer + fraction), scale: fraction.length };
}

function text({ units, scale }: Scaled): string {
	const sign = units < 0n ? '-' : '';
	const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
	const split = digits.length - scale;
	return sign + digits.slice(0, split) + (scale === 0 ? '' : `.${digits.slice(split)}`);
}

function aligned(a: string, b: string): { left: bigint; right: bigint; scale: number } {
	const [x, y] = [scaled(a), scaled(b)];
	const scale = Math.max(x.scale, y.scale);
	const raise = (value: Scaled) => value.units * 10n ** BigInt(scale - value.scale);
	return { left: raise(x), right: raise(y), scale };
}

/** Negative, zero or positive, as `a` is less than, equal to or greater than `b`. Both plain decimals. */
export function compare(a: string, b: string): number {
	const { left, right } = aligned(a, b);
	return left < right ? -1 : left > right ? 1 : 0;
}

/** The exact sum of two plain decimals. */
export function add(a: string, b: string): string {
	const { left, right, scale } = aligned(a, b);
	return text({ units: left + right, scale });
}

/** The exact difference of two plain decimals. */
export function subtract(a: string, b: string): string {
	const { left, right, scale } = aligned(a, b);
	return text({ units: left - right, scale });
}

/** The exact product of two plain decimals; its scale is the sum of theirs. */
export function multiply(a: string, b: string): string {
	const [x, y] = [scaled(a), scaled(b)];
	return text({ units: x.units * y.units, scale: x.scale + y.scale });
}

/** The same value without trailing zeros: `1.50` -> `1.5`, `2.00` -> `2`, `-0.0` -> `0`. */
export function canonical(decimal: string): string {
	const short = decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
	return short === '-0' ? '0' : short;
}
