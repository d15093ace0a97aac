/** Exact arithmetic on decimal text such as `1250.50`, by integers: money is never a floating-point number. */

const PLAIN = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const ANY_NOTATION = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Digits of the longest decimal. The largest integers of blockchains have 78; `1e-9999` would fill the memory with zeros. */
const MAX_DIGITS = 100;

/** Whether the text is a decimal in JSON's notation, without an exponent and of 100 digits at most: `-12.50`, `0.1`, `7`. */
export function isPlainDecimal(text: string): boolean {
	return PLAIN.test(text) && text.replace(/[-.]/g, '').length <= MAX_DIGITS;
}

/**
 * The plain decimal text of a number that may be written as `+5`, `007.10` or `1e-7`. Every digit is kept, trailing zeros
 * included. Undefined if the text is not a decimal, or if the text or the result has more than 100 digits.
 */
export function readDecimal(text: string): string | undefined {
	if (isPlainDecimal(text)) return text;
	const match = ANY_NOTATION.exec(text);
	if (match === null) return undefined;
	const [, sign, integer = '', fraction = '', exponent = '0'] = match;
	const digits = integer + fraction;
	const point = integer.length + Number(exponent);
	if (Math.max(point, digits.length, digits.length + 1 - point) > MAX_DIGITS) return undefined;
	// The point may lie before the first digit or behind the last one; zeros fill the gap.
	const scale = Math.max(digits.length - point, 0);
	return (sign === '-' ? '-' : '') + decimalOf(BigInt(digits.padEnd(point, '0')), scale);
}

/** Significant decimal digits that every double keeps. */
export const EXACT_DIGITS = 15;

/** Whether a double can hold exactly the digits that it prints. */
export function isExactDouble(value: number): boolean {
	if (Number.isInteger(value)) return Number.isSafeInteger(value);
	const digits = value.toExponential().replace(/e.*|[-.]/g, '');
	return Number.isFinite(value) && digits.length <= EXACT_DIGITS;
}

/** Both values in units of 10^-scale. */
function align(a: string, b: string): { left: bigint; right: bigint; scale: number } {
	const [[integerA = '', fractionA = ''], [integerB = '', fractionB = '']] = [a.split('.'), b.split('.')];
	const scale = Math.max(fractionA.length, fractionB.length);
	const left = BigInt(integerA + fractionA.padEnd(scale, '0'));
	const right = BigInt(integerB + fractionB.padEnd(scale, '0'));
	return { left, right, scale };
}

/** -1, 0 or 1 if `a` is less than, equal to or greater than `b`. Both are plain decimals. */
export function compare(a: string, b: string): number {
	const { left, right } = align(a, b);
	return left < right ? -1 : left > right ? 1 : 0;
}

/** The exact sum of two plain decimals. */
export function add(a: string, b: string): string {
	const { left, right, scale } = align(a, b);
	return decimalOf(left + right, scale);
}

/** `a` - `b`, exactly. Both are plain decimals. */
export function subtract(a: string, b: string): string {
	return add(a, negate(b));
}

/** The plain decimal with the other sign. Zero has none. */
export function negate(decimal: string): string {
	if (isZero(decimal)) return decimal.replace('-', '');
	return decimal.startsWith('-') ? decimal.slice(1) : `-${decimal}`;
}

/** The decimal without its minus. Any other text stays as it is. */
export function withoutSign(decimal: string): string {
	return decimal.startsWith('-') ? decimal.slice(1) : decimal;
}

/** Whether a plain decimal is zero: `0.00`. */
export function isZero(decimal: string): boolean {
	return !/[1-9]/.test(decimal);
}

/** The exact product of two plain decimals. */
export function multiply(a: string, b: string): string {
	return decimalOf(digitsOf(a) * digitsOf(b), placesOf(a) + placesOf(b));
}

/** `a` / `b` with so many decimal places, cut off and not rounded. Both are plain decimals, and `b` is not zero. */
export function divide(a: string, b: string, places: number): string {
	const { left, right } = align(a, b);
	return decimalOf((left * 10n ** BigInt(places)) / right, places);
}

/** How many digits a plain decimal has behind its point. */
export function placesOf(decimal: string): number {
	return (decimal.split('.')[1] ?? '').length;
}

/** A plain decimal in units of its last digit: `-1.50` is -150. */
function digitsOf(decimal: string): bigint {
	return BigInt(decimal.replace('.', ''));
}

/** The plain decimal of `units` × 10^-`scale`. */
export function decimalOf(units: bigint, scale: number): string {
	const sign = units < 0n ? '-' : '';
	const digits = String(units)
		.replace('-', '')
		.padStart(scale + 1, '0');
	const point = digits.length - scale;
	return sign + digits.slice(0, point) + (scale === 0 ? '' : `.${digits.slice(point)}`);
}

/** The same value, always in the same text: `1.50` -> `1.5`, `2.00` -> `2`, `-0.0` -> `0`. Takes a plain decimal. */
export function canonical(decimal: string): string {
	const short = decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
	return short === '-0' ? '0' : short;
}

/** Whether two numbers that `readDecimal` reads have the same value: `1e3` and `1000.0`. */
export function isSameNumber(a: string, b: string): boolean {
	const [left, right] = [readDecimal(a), readDecimal(b)];
	return left !== undefined && right !== undefined && compare(left, right) === 0;
}
