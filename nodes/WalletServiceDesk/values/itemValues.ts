/** Values of items, which may have any type. Nothing here becomes 0. */
import type { IDataObject } from 'n8n-workflow';

import { isExactDouble, isPlainDecimal, readDecimal } from '../../../api/exact/decimal.ts';

/** Text as it was written, with its spaces, or a number as a plain decimal. '' for any other value. */
export function writtenText(value: unknown): string {
	if (typeof value === 'number') return readDecimal(String(value)) ?? String(value);
	if (typeof value === 'bigint') return String(value);
	return typeof value === 'string' ? value : '';
}

/** The same without spaces at its ends. */
export function textOf(value: unknown): string {
	return writtenText(value).trim();
}

/** The text of any value: a date as ISO 8601, a list or an object as JSON. '' for none. */
export function anyText(value: unknown): string {
	if (!isThere(value)) return '';
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
	if (typeof value === 'boolean') return String(value);
	return typeof value === 'object' ? JSON.stringify(value) : textOf(value);
}

/** Whether a field has a value. A sub-workflow of n8n gives null for what its caller leaves out. */
export function isThere(value: unknown): boolean {
	return value !== undefined && value !== null;
}

/** The fields that have a value. */
export function fieldsThere<Value>(record: Record<string, Value>): Record<string, Value> {
	return Object.fromEntries(Object.entries(record).filter(([, value]) => isThere(value)));
}

/** The text of the first of these fields that has one. */
export function firstText(item: IDataObject, names: readonly string[]): string {
	return names.map((name) => textOf(item[name])).find((text) => text !== '') ?? '';
}

/** The plain decimal of an amount. Undefined if nobody can be sure of its digits, such as in `1,250` or `1e5`. */
export function amountOf(value: unknown): string | undefined {
	// A longer number may have lost digits before it came here.
	if (typeof value === 'number') return isExactDouble(value) ? readDecimal(String(value)) : undefined;
	const text = textOf(value);
	return isPlainDecimal(text) ? text : undefined;
}

/** A code in capitals; '' if there is none. */
export function codeOf(value: unknown): string {
	return textOf(value).toUpperCase();
}

/** The names of all fields, in the order in which they come. Nodes leave out empty fields, so that items have different ones. */
export function fieldNames(items: readonly IDataObject[]): Set<string> {
	const names = new Set<string>();
	for (const item of items) for (const name of Object.keys(item)) names.add(name);
	return names;
}
