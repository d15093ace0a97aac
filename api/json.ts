/**
 * Reads and writes JSON with exact numbers. `JSON.parse` turns 9007199254740993 into 9007199254740992; `parseExact` keeps
 * each number as the text that was sent, and `JSON.stringify` writes the same digits again. Needs Node.js 22, for
 * `JSON.rawJSON`.
 */
import { canonical, isSameNumber, readDecimal } from './decimal.ts';

/** A JSON number with its exact digits, made by `JSON.rawJSON`. */
export interface ExactNumber {
	readonly rawJSON: string;
}

// The types of TypeScript 5.8 do not have this part of ES2025.
interface ExactJson {
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

/** Finds text that may hold a number; it may also find digits inside a string. */
const MAY_HOLD_NUMBER = /(?:^|[:[,\s])[-\d]/;

/** Levels of lists and objects that are read. Documented values have two or three; thousands exhaust the stack. */
export const MAX_DEPTH = 500;

/**
 * The value of a JSON text, with its numbers as `ExactNumber`. Throws a SyntaxError for text that is not JSON, and a
 * RangeError for values that are nested too deeply.
 */
export function parseExact(text: string): unknown {
	const value = MAY_HOLD_NUMBER.test(text) ? parseWithNumbers(text) : (JSON.parse(text) as unknown);
	if (isDeeperThan(value, MAX_DEPTH)) throw new RangeError('The JSON text is nested too deeply');
	return value;
}

/**
 * Each string gets the prefix `s`, and each number becomes a string with the prefix `n`. So `JSON.parse` still checks the
 * grammar, but does not round. A reviver, which gets the source of each number, takes two to four times as long.
 */
function parseWithNumbers(text: string): unknown {
	const prefixed = text.replace(TOKEN, (token) => {
		if (token.startsWith('"')) return `"${TEXT}${token.slice(1)}`;
		if (token.startsWith('\\')) return token;
		// Of two members with one name JSON.parse drops the first, so nobody would look at it later.
		if (!JSON_NUMBER.test(token)) throw new SyntaxError('The JSON text has a malformed number');
		return `"${NUMBER}${token}"`;
	});
	return mapJson(JSON.parse(prefixed), withoutPrefix, keyWithoutPrefix);
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const [TEXT, NUMBER] = ['s', 'n'];

/**
 * A string, the rest of a string, or a number. A regular expression takes stack for each escape, so a string with more
 * than 1,000 of them is several tokens.
 */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*){0,1000}"?|(?:\\.[^"\\]*){1,1000}"?|-?\d[\d.eE+-]*/gs;

function withoutPrefix(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	return value.startsWith(NUMBER) ? exactJson.rawJSON(value.slice(1)) : value.slice(1);
}

function keyWithoutPrefix(key: string): string {
	if (key.startsWith(NUMBER)) throw new SyntaxError('The JSON text has a key without quotes');
	return key.slice(1);
}

/** The same lists and objects with other values, and other keys if `changeKey` is given. */
function mapJson(
	value: unknown,
	change: (value: unknown) => unknown,
	changeKey = (key: string): string => key,
): unknown {
	if (Array.isArray(value)) return value.map((element) => mapJson(element, change, changeKey));
	if (!isRecord(value)) return change(value);
	// Assigning to a key `__proto__` would change the prototype; fromEntries adds an ordinary property.
	return Object.fromEntries(
		Object.entries(value).map(([key, member]) => [changeKey(key), mapJson(member, change, changeKey)]),
	);
}

function isDeeperThan(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null || isExactNumber(value)) return false;
	return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}

/**
 * The same value without exact numbers, as n8n's items need it. An exact number becomes an ordinary number if a double
 * holds its value exactly, otherwise text.
 */
export function toPlain(value: unknown): unknown {
	return mapJson(value, (leaf) => (isExactNumber(leaf) ? doubleOrText(leaf.rawJSON) : leaf));
}

/** A double holds every number of so many characters without an exponent: it has 15 exact digits. */
const ALWAYS_EXACT = /^[-\d.]{1,15}$/;

function doubleOrText(source: string): number | string {
	const double = Number(source);
	return ALWAYS_EXACT.test(source) || isSameNumber(source, String(double)) ? double : source;
}

/** Whether the value is a JSON object: not a list, null or an exact number. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);
}

/** JSON text that is the same for the same value: without white space, keys in order, `1.50` as 1.5. */
export function canonicalJson(value: unknown): string {
	if (isExactNumber(value) || typeof value === 'number') {
		const source = isExactNumber(value) ? value.rawJSON : String(value);
		const decimal = readDecimal(source);
		return decimal === undefined ? source : canonical(decimal);
	}
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
	if (!isRecord(value)) return JSON.stringify(value) ?? 'null';
	const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
	entries.sort(([a], [b]) => (a < b ? -1 : 1));
	return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join()}}`;
}
