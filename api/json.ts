/**
 * JSON with exact numbers, in and out. `JSON.parse` turns 9007199254740993 into ...992; here every number of a text
 * stays what was written, as a raw JSON number that `JSON.stringify` writes back digit for digit.
 * Needs Node.js 22 (`JSON.rawJSON`, and the source text in the reviver).
 */
import { canonical, readDecimal } from './decimal.ts';

/** A number exactly as JSON text has it; made by `JSON.rawJSON`. */
export interface ExactNumber {
	readonly rawJSON: string;
}

// ES2025; TypeScript 5.8 does not describe it yet.
interface ExactJson {
	parse(
		text: string,
		reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
	): unknown;
	rawJSON(text: string): ExactNumber;
	isRawJSON(value: unknown): value is ExactNumber;
}
const exactJson = JSON as unknown as ExactJson;

/** Whether the value is a number read by `parseExact` or made by `exactNumber`. */
export function isExactNumber(value: unknown): value is ExactNumber {
	return exactJson.isRawJSON(value);
}

/** A JSON number with all the digits of a plain decimal text. Throws a SyntaxError for any other text. */
export function exactNumber(decimal: string): ExactNumber {
	return exactJson.rawJSON(decimal);
}

/** Where a number may begin. */
const NUMBER = /(?:^|[:[,\s])[-\d]/;

/** Parses JSON text; numbers come as `ExactNumber`. Throws a SyntaxError for text that is not JSON. */
export function parseExact(text: string): unknown {
	// A reviver takes four times as long, and most of what the service sends has its amounts as text.
	if (!NUMBER.test(text)) return JSON.parse(text);
	return exactJson.parse(text, (_key, value, { source }) =>
		typeof value === 'number' && source !== undefined ? exactJson.rawJSON(source) : value,
	);
}

/**
 * The same value for places that know only ordinary numbers (n8n's items): an exact number becomes a number where a
 * double gives back the same digits, and text where it would not.
 */
export function toPlain(value: unknown): unknown {
	if (isExactNumber(value)) return doubleOrText(value.rawJSON);
	if (Array.isArray(value)) return value.map(toPlain);
	if (isRecord(value)) {
		// fromEntries defines properties; assignment would let a key `__proto__` change the object instead.
		return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, toPlain(entry)]));
	}
	return value;
}

function doubleOrText(source: string): number | string {
	const double = Number(source);
	const [written, held] = [readDecimal(source), readDecimal(String(double))];
	const same = written !== undefined && held !== undefined && canonical(written) === canonical(held);
	return same ? double : source;
}

/** Whether the value is a JSON object (no list, no null, no exact number). */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);
}
