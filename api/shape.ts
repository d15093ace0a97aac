/**
 * The types with which the tables of endpoints and events are written. They say what a field is in the API and what it is
 * in an n8n item.
 */

/** Stands for a request or response whose fields the API document does not show. */
export const UNDOCUMENTED = 'not shown';

/**
 * What a response or webhook field holds.
 * - `text`: text, kept as sent
 * - `code`: code of a currency or coin; upper case in items
 * - `status`: state or other word; lower case in items
 * - `number`: amount, rate or fee sent as a JSON number; exact decimal text in items
 * - `decimal`: amount, rate or fee sent as text; exact decimal text in items
 * - `money`: decimal text that may carry its coin (`0.5 usdt`); becomes two fields, `fee` and `feeCoin`
 * - `list`: comma-separated codes; a list in items
 * - `time`: ISO 8601 timestamp in UTC, kept as sent
 * - `choice`: one of the words in its key (`credit/debit`), in upper or lower case; lower case in items
 */
export type FieldKind =
	| 'text'
	| 'code'
	| 'status'
	| 'number'
	| 'decimal'
	| 'money'
	| 'list'
	| 'time'
	| 'choice';

/** The kind; or also the name in items, where it is not the key in camelCase. */
export type Field = FieldKind | readonly [name: string, kind: FieldKind];

/** Key in the API, exactly as sent -> field, or the shape of an object under that key; items hold its fields one level up. */
export interface RecordShape {
	readonly [key: string]: Field | RecordShape;
}

export function isField(entry: Field | RecordShape): entry is Field {
	return typeof entry === 'string' || Array.isArray(entry);
}

/** The name in items and the kind of the field under a key. */
export function fieldOf(key: string, field: Field): readonly [name: string, kind: FieldKind] {
	return typeof field === 'string' ? [camelCase(key), field] : field;
}

/** The name in items of a key in the API: `account_alias` and `Account Alias` -> `accountAlias`. */
export function camelCase(key: string): string {
	const words = key.trim().replace(/[\s_-]+(\w)/g, (_, letter: string) => letter.toUpperCase());
	return words.charAt(0).toLowerCase() + words.slice(1);
}

/** A response with a list of records under one key. Each record becomes an item. */
export interface ListShape {
	readonly listKey: string;
	readonly element: RecordShape;
}

export type ResponseShape = RecordShape | ListShape | typeof UNDOCUMENTED;

export function listOf<const S extends RecordShape>(listKey: string, element: S) {
	return { listKey, element } as const;
}

export function isList(shape: RecordShape | ListShape): shape is ListShape {
	return Object.hasOwn(shape, 'listKey');
}

/**
 * What a request field accepts.
 * - `text`, `code`: text that is not empty
 * - `url`: absolute http or https URL
 * - `amount`: decimal text above zero, sent as a JSON number with all its digits
 * - `signedAmount`: the same, and negative values are allowed
 */
export type RequestFieldKind = 'text' | 'code' | 'url' | 'amount' | 'signedAmount';

export interface RequestField {
	readonly kind: RequestFieldKind;
	readonly label: string;
	readonly description: string;
	readonly placeholder: string;
	/** Name of the list from which the user can choose the value (lookups.ts). */
	readonly lookup?: string;
}

/** Field name in the API -> field. Without fields, the request has no body. */
export interface RequestShape {
	readonly [key: string]: RequestField;
}
