/**
 * The types with which the tables of endpoints and events are written. They say what a field is in the API and what it is
 * in an n8n item.
 */

/** Stands for a request or response whose fields the API document does not show. */
export const UNDOCUMENTED = 'not shown';
export type Undocumented = typeof UNDOCUMENTED;

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
 * - `oneOf`: one of these words, in upper or lower case; lower case in items
 */
export type FieldKind = 'text' | 'code' | 'status' | 'number' | 'decimal' | 'money' | 'list' | 'time' | OneOf;

interface OneOf {
	readonly oneOf: readonly string[];
}

/** One word for each kind. A `Record` with these keys does not compile if a kind is missing. */
export type FieldKindName = Exclude<FieldKind, OneOf> | 'oneOf';

export function kindNameOf(kind: FieldKind): FieldKindName {
	return typeof kind === 'string' ? kind : 'oneOf';
}

/** The second field that a `money` field becomes: `fee` -> `feeCoin`. */
export function coinFieldName(name: string): string {
	return `${name}Coin`;
}

/** The name in items of a key in the API: `account_alias` and `Account Alias` -> `accountAlias`. */
export function camelCase(key: string): string {
	const words = key.trim().replace(/[\s_-]+(\w)/g, (_, letter: string) => letter.toUpperCase());
	return words.charAt(0).toLowerCase() + words.slice(1);
}

/** The name in items, and the kind. */
export type Field = readonly [name: string, kind: FieldKind];

/** Key in the API -> field, or the shape of an object under that key; items hold its fields one level up. */
export interface RecordShape {
	readonly [key: string]: Field | RecordShape;
}

/** A response with a list of records under one key. Each record becomes an item. */
export interface ListShape {
	readonly listKey: string;
	readonly element: RecordShape;
}

export type ResponseShape = RecordShape | ListShape | Undocumented;

export function listOf<const S extends RecordShape>(listKey: string, element: S) {
	return { listKey, element } as const;
}

export function isList(shape: RecordShape | ListShape): shape is ListShape {
	return typeof shape.listKey === 'string';
}

export function isField(entry: Field | RecordShape): entry is Field {
	return Array.isArray(entry);
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

/** Type of a response in the API, inferred from its shape. `N` is the type for a JSON number. */
export type Wire<S, N> = S extends Undocumented
	? unknown
	: S extends { listKey: infer K extends string; element: infer E }
		? { [key in K]: Array<Wire<E, N>> }
		: { [key in keyof S]: S[key] extends readonly [string, infer K] ? WireValue<K, N> : Wire<S[key], N> };

type WireValue<K, N> = K extends 'number' ? N : string;

/** Type of a request in the API, inferred from its shape. `N` is the type for a JSON number. */
export type WireRequest<S, N> = S extends Undocumented
	? Record<string, unknown>
	: { [key in keyof S]: S[key] extends { kind: 'amount' | 'signedAmount' } ? N : string };
