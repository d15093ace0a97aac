/** Reads a record by its shape. A value that cannot be read is reported as unreadable; it never becomes '' or 0. */
import { readDecimal } from './exact/decimal.ts';
import { isExactNumber, isRecord } from './exact/json.ts';
import { coinFieldName, fieldOf, isField } from './shape.ts';
import type { Field, RecordShape } from './shape.ts';

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
	const fields: ReadRecord['fields'] = {};
	const unreadable: ReadRecord['unreadable'] = {};
	const unknown = Object.entries(record).filter(([key]) => !Object.hasOwn(shape, key));
	for (const [key, entry] of Object.entries(shape)) {
		if (!Object.hasOwn(record, key)) continue;
		const value = record[key];
		if (isField(entry)) {
			const read = readField(key, entry, value, () => codesIn(shape, record));
			if (read === undefined) unreadable[key] = value;
			else Object.assign(fields, read);
		} else if (isRecord(value)) {
			const nested = readRecord(entry.record, value);
			Object.assign(fields, nested.fields);
			if (Object.keys(nested.unknown).length > 0) unknown.push([key, nested.unknown]);
			if (Object.keys(nested.unreadable).length > 0) unreadable[key] = nested.unreadable;
		} else {
			unreadable[key] = value;
		}
	}
	// Assigning to a key `__proto__` would change the prototype; fromEntries adds an ordinary property.
	return { fields, unknown: Object.fromEntries(unknown), unreadable };
}

/** Characters of a value that is not free text. No code, status, amount or list of codes is longer. */
const MAX_LENGTH = 10_000;

/** A coin has a letter: `1 000` is not an amount of a coin named 000. */
const NUMBER_SPACE_COIN = /^(\S+)\s+(\d*[a-z][a-z\d]*)$/i;
/** `5e3` is a number in exponent notation, not 5 of a coin E3. */
const NUMBER_COIN = /^([+-]?[\d.]+)((?!e\d)[a-z][a-z\d]*)$/i;

/** The fields of the item that a value becomes. Undefined if it cannot be read. */
function readField(
	key: string,
	field: Field,
	value: unknown,
	codesOfRecord: () => string[],
): ReadRecord['fields'] | undefined {
	const [name, kind] = fieldOf(key, field);
	const sent = textIn(value);
	if (sent === undefined) return undefined;
	if (kind === 'text' || kind === 'id') return { [name]: sent };
	const text = sent.trim();
	if (text === '' || text.length > MAX_LENGTH) return undefined;
	const [upper, lower] = [text.toUpperCase(), text.toLowerCase()];
	switch (kind) {
		case 'code':
			return { [name]: upper };
		case 'status':
			return { [name]: lower };
		case 'number':
		case 'decimal':
			return readAmount(name, text);
		case 'money': {
			const [, number = text, coin] = NUMBER_SPACE_COIN.exec(text) ?? NUMBER_COIN.exec(text) ?? [];
			return readAmount(name, number, coin);
		}
		case 'ownMoney':
			return readAmount(name, text) ?? readAmount(name, withoutCode(text, codesOfRecord()));
		case 'list': {
			const codes = upper.split(',').map((code) => code.trim());
			return { [name]: codes.filter((code) => code !== '') };
		}
		case 'time':
			return Number.isNaN(Date.parse(text)) ? undefined : { [name]: text };
		case 'choice':
			return key.split('/').includes(lower) ? { [name]: lower } : undefined;
	}
}

/** The service may send a number where the document shows text. */
function textIn(value: unknown): string | undefined {
	const sent = isExactNumber(value) ? value.rawJSON : value;
	return typeof sent === 'string' ? sent : undefined;
}

function withoutCode(text: string, codes: string[]): string {
	const code = codes.find((each) => text.toUpperCase().endsWith(each)) ?? '';
	return text.slice(0, text.length - code.length).trim();
}

/** The codes that a record names in fields of their own. */
function codesIn(shape: RecordShape, record: Record<string, unknown>): string[] {
	return Object.entries(shape)
		.filter(
			([key, entry]) => isField(entry) && fieldOf(key, entry)[1] === 'code' && Object.hasOwn(record, key),
		)
		.map(([key]) => (textIn(record[key]) ?? '').trim().toUpperCase());
}

function readAmount(name: string, number: string, coin?: string): Record<string, string> | undefined {
	const amount = readDecimal(number);
	if (amount === undefined) return undefined;
	return { [name]: amount, ...(coin !== undefined && { [coinFieldName(name)]: coin.toUpperCase() }) };
}
