/**
 * Reads a record, from a response or from a webhook, by the table that describes it. What cannot be read is left out:
 * nothing ever becomes '' or 0.
 */
import { readDecimal } from './decimal.ts';
import { isExactNumber, isRecord } from './json.ts';
import { coinFieldName, isField } from './shape.ts';
import type { FieldKind, RecordShape } from './shape.ts';

export interface Reading {
	/** The fields under their names in items. */
	fields: Record<string, string | string[]>;
	/** What the table does not name, with keys and values as sent. */
	unknown: Record<string, unknown>;
	/** What the table names but whose value is not of the kind it says, with keys and values as sent. */
	unreadable: Record<string, unknown>;
}

/** Reads a parsed JSON object (`parseExact`) by its shape. */
export function readRecord(shape: RecordShape, record: Record<string, unknown>): Reading {
	const fields: Entries<string | string[]> = [];
	const unreadable: Entries<unknown> = [];
	const unknown = Object.entries(record).filter(([key]) => !Object.hasOwn(shape, key));
	for (const [key, entry] of Object.entries(shape)) {
		if (!Object.hasOwn(record, key)) continue;
		const value = record[key];
		if (isField(entry)) {
			const read = readField(entry[0], entry[1], value);
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
	// fromEntries defines properties; assignment would let a key `__proto__` change the object instead.
	return {
		fields: Object.fromEntries(fields),
		unknown: Object.fromEntries(unknown),
		unreadable: Object.fromEntries(unreadable),
	};
}

type Entries<V> = Array<[string, V]>;

function readField(name: string, kind: FieldKind, value: unknown): Entries<string | string[]> {
	// A number where text is documented still says what it says.
	const sent = isExactNumber(value) ? value.rawJSON : value;
	if (typeof sent !== 'string') return [];
	if (kind === 'text') return [[name, sent]];
	const text = sent.trim();
	if (text === '') return [];
	switch (kind) {
		case 'code':
			return [[name, text.toUpperCase()]];
		case 'status':
			return [[name, text.toLowerCase()]];
		case 'number':
		case 'decimal':
			return named(name, readDecimal(text));
		case 'money':
			return readMoney(name, text);
		case 'list':
			return [
				[
					name,
					text
						.split(',')
						.map((code) => code.trim().toUpperCase())
						.filter((code) => code !== ''),
				],
			];
		case 'time':
			return named(name, Number.isNaN(Date.parse(text)) ? undefined : text);
		default:
			return named(
				name,
				kind.oneOf.find((word) => word === text.toLowerCase()),
			);
	}
}

function named(name: string, text: string | undefined): Entries<string> {
	return text === undefined ? [] : [[name, text]];
}

/** `0.5`, `0.5 usdt`, `0.5usdt`: the number, and the coin where there is one. `5e3` is a number, not 5 of a coin E3. */
function readMoney(name: string, text: string): Entries<string> {
	const match = /^(\S+)\s+([a-z\d]+)$/i.exec(text) ??
		/^([+-]?[\d.]+)((?!e\d)[a-z][a-z\d]*)$/i.exec(text) ?? [text, text];
	const amount = readDecimal(match[1]);
	const coin: string | undefined = match[2];
	return amount === undefined ? [] : [[name, amount], ...named(coinFieldName(name), coin?.toUpperCase())];
}
