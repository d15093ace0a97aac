/**
 * Exact arithmetic on decimal text such as `1250.50`. This package never holds money as a floating-point number; this file
 * calculates with scaled integers.
 */

/** Its value is `units` × 10^-`scale`. */
interface Scaled {
	units: bigint;
	scale: number;
}

const PLAIN = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const ANY_NOTATION = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Digits of the longest decimal. The largest integers of blockchains have 78; `1e-9999` would fill the memory with zeros. */
const MAX_DIGITS = 100;
/** A longer text is not read. A sign, a point and an exponent may come with the digits. */
const MAX_LENGTH = MAX_DIGITS + 10;

/** Whether the text is a decimal in JSON's notation, without an exponent and of 100 digits at most: `-12.50`, `0.1`, `7`. */
export function isPlainDecimal(text: string): boolean {
	return text.length <= MAX_LENGTH && PLAIN.test(text) && text.replace(/[-.]/g, '').length <= MAX_DIGITS;
}

/**
 * The plain decimal text of a number that may be written as `+5`, `007.10` or `1e-7`. Every digit is kept, trailing zeros
 * included. Undefined if the text is not a decimal, or if the text or the result has more than 100 digits.
 */
export function readDecimal(text: string): string | undefined {
	if (isPlainDecimal(text)) return text;
	if (text.length > MAX_LENGTH) return undefined;
	const match = ANY_NOTATION.exec(text);
	if (match === null) return undefined;
	const [, sign, integerDigits = '', fractionDigits = '', exponent = '0'] = match;
	const digits = integerDigits + fractionDigits;
	// The point may lie before the first digit or behind the last one; zeros fill the gap.
	const pointAt = integerDigits.length + Number(exponent);
	if (Math.max(pointAt, digits.length, digits.length + 1 - pointAt) > MAX_DIGITS) return undefined;
	const padded = pointAt > 0 ? digits.padEnd(pointAt, '0') : '0'.repeat(1 - pointAt) + digits;
	const integerLength = Math.max(pointAt, 1);
	const integer = padded.slice(0, integerLength).replace(/^0+(?=\d)/, '');
	const fraction = padded.slice(integerLength);
	return (sign === '-' ? '-' : '') + integer + (fraction === '' ? '' : `.${fraction}`);
}

function toScaled(decimal: string): Scaled {
	const [integer = '', fraction = ''] = decimal.split('.');
	return { units: BigInt(integer + fraction), scale: fraction.length };
}

function toText({ units, scale }: Scaled): string {
	const sign = units < 0n ? '-' : '';
	const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
	const integerLength = digits.length - scale;
	return sign + digits.slice(0, integerLength) + (scale === 0 ? '' : `.${digits.slice(integerLength)}`);
}

/** Both values in units of the same scale. */
function align(a: string, b: string): { left: bigint; right: bigint; scale: number } {
	const [scaledA, scaledB] = [toScaled(a), toScaled(b)];
	const scale = Math.max(scaledA.scale, scaledB.scale);
	const unitsAtScale = (value: Scaled) => value.units * 10n ** BigInt(scale - value.scale);
	return { left: unitsAtScale(scaledA), right: unitsAtScale(scaledB), scale };
}

/** -1, 0 or 1 if `a` is less than, equal to or greater than `b`. Both are plain decimals. */
export function compare(a: string, b: string): number {
	const { left, right } = align(a, b);
	return left < right ? -1 : left > right ? 1 : 0;
}

/** The exact sum of two plain decimals. */
export function add(a: string, b: string): string {
	const { left, right, scale } = align(a, b);
	return toText({ units: left + right, scale });
}

/** The exact difference of two plain decimals. */
export function subtract(a: string, b: string): string {
	const { left, right, scale } = align(a, b);
	return toText({ units: left - right, scale });
}

/** The exact product of two plain decimals. It has as many decimal places as both together. */
export function multiply(a: string, b: string): string {
	const [left, right] = [toScaled(a), toScaled(b)];
	return toText({ units: left.units * right.units, scale: left.scale + right.scale });
}

/** The same value, always in the same text: `1.50` -> `1.5`, `2.00` -> `2`, `-0.0` -> `0`. */
export function canonical(decimal: string): string {
	const short = decimal.includes('.') ? withoutTrailingZeros(decimal) : decimal;
	return short === '-0' ? '0' : short;
}

/** The time of `/0+$/` grows with the square of the number of zeros, and 1e-9999 has ten thousand of them. */
function withoutTrailingZeros(decimal: string): string {
	let end = decimal.length;
	while (decimal[end - 1] === '0') end -= 1;
	if (decimal[end - 1] === '.') end -= 1;
	return decimal.slice(0, end);
}

/** Whether two numbers in any notation have the same value: `1e3` and `1000.0`. Takes any length and exponent. */
export function isSameNumber(a: string, b: string): boolean {
	const [left, right] = [toScientific(a), toScientific(b)];
	return left !== undefined && left === right;
}

/** `<sign><digits>e<exponent>` without zeros at the ends of the digits; `0` for zero. Undefined for other text. */
function toScientific(text: string): string | undefined {
	const match = ANY_NOTATION.exec(text);
	if (match === null) return undefined;
	const [, sign = '', integer = '', fraction = '', exponent = '0'] = match;
	const digits = integer + fraction;
	let [start, end] = [0, digits.length];
	while (digits[start] === '0') start += 1;
	if (start === end) return '0';
	while (digits[end - 1] === '0') end -= 1;
	// The value is 0.<digits> × 10^power.
	const power = integer.length - start + Number(exponent);
	return `${sign.replace('+', '')}${digits.slice(start, end)}e${power}`;
}
