/** Reads a record of a list whose fields the document does not show. */
import { camelCase } from './shape.ts';

/** The service may write `Bank Name` or `bank_name`. */
export function inCamelCase<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
	return Object.fromEntries(Object.entries(record).map(([key, value]) => [camelCase(key), value]));
}

/** The texts and numbers under these names, in their order. `record` has names in camelCase. */
export function textsUnder(names: readonly string[], record: Readonly<Record<string, unknown>>): string[] {
	return names.flatMap((name) => {
		const value = record[name];
		const isText = typeof value === 'string' || typeof value === 'number';
		return isText && String(value).trim() !== '' ? [String(value)] : [];
	});
}
