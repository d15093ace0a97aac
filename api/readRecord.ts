/**
 * Reads a record of a response or a webhook by its shape. A value that cannot be read is reported as unreadable; it never
 * becomes '' or 0.
 */
import { readDecimal } from './decimal.ts';
import { isExactNumber, isRecord } from './json.ts';
import { fieldOf, isField } from './shape.ts';
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

type Pairs<V> = Array<[string, V]>;

/** `record` is a JSON object read by `parseExact`. Nested objects are lifted up into the same fields. */
export function readRecord(shape: RecordShape, record: Record<string, unknown>): ReadRecord {
	const fields: Pairs<string | string[]> = [];
	const unreadable: Pairs<unknown> = [];
	const unknown = Object.entries(record).filter(([key]) => !Object.hasOwn(shape, key));
	for (const [key, entry] of Object.entries(shape)) {
		if (!Object.hasOwn(record, key)) continue;
		const value = record[key];
		if (isField(entry)) {
			const [name, kind] = fieldOf(key, entry);
			const read = readField(name, kind, key, value);
			if (read.length > 0) fields.push(...read);
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

/** Characters of a value that is not free text. No code, status, amount or list of codes is longer. */
const MAX_LENGTH = 10_000;

/** A coin has a letter: `1 000` is not an amount of a coin named 000. */
const NUMBER_SPACE_COIN = /^(\S+)\s+(\d*[a-z][a-z\d]*)$/i;
/** `5e3` is a number in exponent notation, not 5 of a coin E3. */
const NUMBER_COIN = /^([+-]?[\d.]+)((?!e\d)[a-z][a-z\d]*)$/i;

/** The fields of the item that a value becomes; none if it cannot be read. */
function readField(name: string, kind: FieldKind, key: string, value: unknown): Pairs<string | string[]> {
	// The service may send a number where the document shows text.
	const sent = isExactNumber(value) ? value.rawJSON : value;
	if (typeof sent !== 'string') return [];
	if (kind === 'text') return [[name, sent]];
	const text = sent.trim();
	if (text === '' || text.length > MAX_LENGTH) return [];
	const [upper, lower] = [text.toUpperCase(), text.toLowerCase()];
	switch (kind) {
		case 'code':
			return [[name, upper]];
		case 'status':
			return [[name, lower]];
		case 'number':
		case 'decimal':
			return readAmount(name, text);
		case 'money': {
			const [, number = text, coin] = NUMBER_SPACE_COIN.exec(text) ?? NUMBER_COIN.exec(text) ?? [];
			return readAmount(name, number, coin);
		}
		case 'list': {
			const codes = upper.split(',').map((code) => code.trim());
			return [[name, codes.filter((code) => code !== '')]];
		}
		case 'time':
			return Number.isNaN(Date.parse(text)) ? [] : [[name, text]];
		case 'choice':
			return key.split('/').includes(lower) ? [[name, lower]] : [];
	}
}

function readAmount(name: string, number: string, coin?: string): Pairs<string> {
	const amount = readDecimal(number);
	if (amount === undefined) return [];
	const fields: Pairs<string> = [[name, amount]];
	if (coin !== undefined) fields.push([`${name}Coin`, coin.toUpperCase()]);
	return fields;
}
