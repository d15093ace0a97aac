/**
 * Reads a record of a response or a webhook by its shape. A value that cannot be read is reported as unreadable; it never
 * becomes '' or 0.
 */
import { readDecimal } from './decimal.ts';
import { isExactNumber, isRecord } from './json.ts';
import { coinFieldName, isField } from './shape.ts';
import type { FieldKind, RecordShape } from './shape.ts';

/** What was read of a record. */
export interface ReadRecord {
	/** The fields that could be read, under their names in items. */
	fields: Record<string, string | string[]>;
	/** Fields that the shape does not name, with keys and values as sent. */
	unknown: Record<string, unknown>;
	/** Fields that the shape names but whose value is not of their kind, with keys and values as sent. */
	unreadable: Record<string, unknown>;
}

/** `record` is a JSON object read by `parseExact`. Nested objects are lifted up into the same fields. */
export function readRecord(shape: RecordShape, record: Record<string, unknown>): ReadRecord {
	const fields: Pairs<string | string[]> = [];
	const unreadable: Pairs<unknown> = [];
	const unknown = Object.entries(record).filter(([key]) => !Object.hasOwn(shape, key));
	for (const [key, entry] of Object.entries(shape)) {
		if (!Object.hasOwn(record, key)) continue;
		const value = record[key];
		if (isField(entry)) {
			const [name, kind] = entry;
			const entries = readField(name, kind, value);
			if (entries.length > 0) fields.push(...entries);
			else unreadable.push([key, value]);
		} else if (isRecord(value)) {
			const nested = readRecord(entry, value);
			fields.push(...Object.entries(nested.fields));
			if (Object.keys(nested.unknown).length > 0) unknown.push([key, nested.unknown]);
			if (Object.keys(nested.unreadable).length > 0) unreadable.push([key, nested.unreadable]);
		} else {
			unreadable.push([key, value]);
		}
	}
	// Assigning to a key `__proto__` would change the prototype; fromEntries adds an ordinary property.
	return {
		fields: Object.fromEntries(fields),
		unknown: Object.fromEntries(unknown),
		unreadable: Object.fromEntries(unreadable),
	};
}

type Pairs<V> = Array<[string, V]>;

/** Characters of a value that is not free text. No code, status, amount or list of codes is longer. */
const MAX_LENGTH = 10_000;

/** The fields of the item that a value becomes; none if it cannot be read. */
function readField(name: string, kind: FieldKind, value: unknown): Pairs<string | string[]> {
	// The service may send a number where the document shows text.
	const sent = isExactNumber(value) ? value.rawJSON : value;
	if (typeof sent !== 'string') return [];
	if (kind === 'text') return [[name, sent]];
	const text = sent.trim();
	if (text === '' || text.length > MAX_LENGTH) return [];
	switch (kind) {
		case 'code':
			return [[name, text.toUpperCase()]];
		case 'status':
			return [[name, text.toLowerCase()]];
		case 'number':
		case 'decimal':
			return optionalEntry(name, readDecimal(text));
		case 'money':
			return readMoney(name, text);
		case 'list':
			return [[name, readCodes(text)]];
		case 'time':
			return optionalEntry(name, Number.isNaN(Date.parse(text)) ? undefined : text);
		default:
			return optionalEntry(
				name,
				kind.oneOf.find((word) => word === text.toLowerCase()),
			);
	}
}

function optionalEntry(name: string, text: string | undefined): Pairs<string> {
	return text === undefined ? [] : [[name, text]];
}

/** `usdt, btc,` -> `['USDT', 'BTC']` */
function readCodes(text: string): string[] {
	const codes = text.split(',').map((code) => code.trim().toUpperCase());
	return codes.filter((code) => code !== '');
}

/** A coin has a letter: `1 000` is not an amount of a coin named 000. */
const NUMBER_SPACE_COIN = /^(\S+)\s+(\d*[a-z][a-z\d]*)$/i;
/** `5e3` is a number in exponent notation, not 5 of a coin E3. */
const NUMBER_COIN = /^([+-]?[\d.]+)((?!e\d)[a-z][a-z\d]*)$/i;

/** `0.5`, `0.5 usdt` or `0.5usdt` -> the number, and the coin if there is one. */
function readMoney(name: string, text: string): Pairs<string> {
	const match = NUMBER_SPACE_COIN.exec(text) ?? NUMBER_COIN.exec(text);
	const amount = readDecimal(match?.[1] ?? text);
	if (amount === undefined) return [];
	return [[name, amount], ...optionalEntry(coinFieldName(name), match?.[2]?.toUpperCase())];
}
