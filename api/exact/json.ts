/**
 * Reads and writes JSON with exact numbers. `JSON.parse` turns 9007199254740993 into 9007199254740992; `parseExact` keeps
 * each number as the text that was sent, and `JSON.stringify` writes the same digits again. Needs Node.js 22, for
 * `JSON.rawJSON` and the source text that a reviver gets.
 */
import { canonical, isSameNumber, readDecimal } from './decimal.ts';

/** A JSON number with its exact digits. */
export interface ExactNumber {
	readonly rawJSON: string;
}

// The types of TypeScript 5.8 do not have this part of ES2025.
const exactJson = JSON as unknown as {
	parse(
		text: string,
		reviver: (key: string, value: unknown, context: { source: string }) => unknown,
	): unknown;
	rawJSON: (text: string) => ExactNumber;
	isRawJSON: (value: unknown) => value is ExactNumber;
};

/** A JSON number with all the digits of a plain decimal text. Throws a SyntaxError for any other text. */
export const exactNumber = exactJson.rawJSON;

/** Whether the value is a number read by `parseExact` or made by `exactNumber`. */
export const isExactNumber = exactJson.isRawJSON;

/** Levels of lists and objects that are read. Documented values have two or three; thousands exhaust the stack. */
const MAX_DEPTH = 500;

/** The value of a JSON text, with exact numbers. Throws a SyntaxError, or a RangeError if it is nested too deeply. */
export function parseExact(text: string): unknown {
	const value = exactJson.parse(text, (_key, inner, { source }) =>
		typeof inner === 'number' ? exactJson.rawJSON(source) : inner,
	);
	return inDepth(value);
}

/** The value, if it can be read without exhausting the stack. */
function inDepth(value: unknown): unknown {
	if (isDeeperThan(value, MAX_DEPTH)) throw new RangeError('The JSON text is nested too deeply');
	return value;
}

function isDeeperThan(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null || isExactNumber(value)) return false;
	return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}

/** The same value as n8n needs it: a number that a double holds exactly, in 100 digits at most, or else its text. */
export function toPlain(value: unknown): unknown {
	if (isExactNumber(value)) {
		const double = Number(value.rawJSON);
		return isSameNumber(value.rawJSON, String(double)) ? double : value.rawJSON;
	}
	if (Array.isArray(value)) return value.map(toPlain);
	if (!isRecord(value)) return value;
	// Assigning to a key `__proto__` would change the prototype; fromEntries adds an ordinary property.
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toPlain(inner)]));
}

/** Whether an object in the text has a key twice, of which `value`, the parsed text, has the last one only. */
export function repeatsKey(text: string, value: unknown): boolean {
	return keysIn(text) !== keysOf(value);
}

/** A text, with the colon behind it if it is a key. */
const TEXT = /"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?/g;

function keysIn(text: string): number {
	return (text.match(TEXT) ?? []).filter((token) => token.endsWith(':')).length;
}

function keysOf(value: unknown): number {
	if (typeof value !== 'object' || value === null || isExactNumber(value)) return 0;
	const inner = Object.values(value);
	return inner.reduce<number>((sum, each) => sum + keysOf(each), isRecord(value) ? inner.length : 0);
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;

/** An object or a list that is being read. The members of a list have no key. */
interface OpenValue {
	isList: boolean;
	members: Array<[key: string, value: unknown]>;
	/** Of the member that is being read. */
	key: string;
}

/** The value of an object or list in JSON. A key of an object that is there twice has the list of its values. */
function allValuesIn(text: string): unknown {
	const open: OpenValue[] = [];
	// Where the text of the next key or value begins, and the value that has just been closed there.
	let [from, closed]: [number, unknown] = [0, undefined];
	for (const { 0: token, index } of text.matchAll(TOKEN)) {
		if (token.startsWith('"')) continue;
		const [part, last] = [text.slice(from, index).trim(), open.at(-1)];
		from = index + 1;
		if (token === '{' || token === '[') open.push({ isList: token === '[', members: [], key: '' });
		else if (token === ':') last!.key = JSON.parse(part) as string;
		else {
			if (closed !== undefined) last!.members.push([last!.key, closed]);
			else if (part !== '') last!.members.push([last!.key, parseExact(part)]);
			closed = token === ',' ? undefined : valueOf(open.pop()!);
		}
	}
	return closed;
}

function valueOf({ isList, members }: OpenValue): unknown {
	if (isList) return members.map(([, value]) => value);
	const entries = [...Map.groupBy(members, ([key]) => key)].map(([key, same]) => {
		const values = same.map(([, value]) => value);
		return [key, values.length === 1 ? values[0] : values] as const;
	});
	// Assigning to a key `__proto__` would change the prototype; fromEntries adds an ordinary property.
	return Object.fromEntries(entries);
}

/**
 * The same as `parseExact`, but a key that is there twice in any object has the list of its values. `JSON.parse` keeps the last one,
 * other readers the first: nobody knows which one is meant.
 */
export function parseAllValues(text: string): unknown {
	let value: unknown;
	try {
		value = parseExact(text);
	} catch {
		// V8 may lose the source of a number in a text that has a key twice.
		value = JSON.parse(text);
		if (!repeatsKey(text, value)) return parseExact(text);
	}
	return repeatsKey(text, value) ? inDepth(allValuesIn(text)) : value;
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
