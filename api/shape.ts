/**
 * The vocabulary in which the tables of endpoints and events are written: what a field is on the wire and what it is
 * called in an n8n item.
 */

/** Said of a request or response that the document names but does not describe. */
export const UNDOCUMENTED = 'not shown';
export type Undocumented = typeof UNDOCUMENTED;

/**
 * What the value of a field is.
 * - `text`: text, kept as sent
 * - `code`: currency or coin code; upper case in items
 * - `status`: state word; lower case in items
 * - `number`: amount, rate or fee sent as a JSON number; exact decimal text in items
 * - `decimal`: the same, sent as text
 * - `money`: decimal text that may carry its coin (`0.5 usdt`); becomes two fields, `fee` and `feeCoin`
 * - `list`: comma-separated codes; a list in items
 * - `time`: ISO 8601 timestamp in UTC, kept as sent
 * - `oneOf`: one of a few words, in any case; lower case in items
 */
export type FieldKind = 'text' | 'code' | 'status' | 'number' | 'decimal' | 'money' | 'list' | 'time' | OneOf;

interface OneOf {
	readonly oneOf: readonly string[];
}

/** Each kind by one word. A table with these keys does not compile if a kind is missing. */
export type FieldKindName = Exclude<FieldKind, OneOf> | 'oneOf';

export function kindNameOf(kind: FieldKind): FieldKindName {
	return typeof kind === 'string' ? kind : 'oneOf';
}

/** The second field that a `money` field becomes: `fee` -> `feeCoin`. */
export function coinFieldName(name: string): string {
	return `${name}Coin`;
}

/** The name in items, and the kind. The key as sent is the key of the shape. */
export type Field = readonly [name: string, kind: FieldKind];

/** Key as sent -> field, or the shape of an object nested under that key (its fields are lifted up in items). */
export interface RecordShape {
	readonly [key: string]: Field | RecordShape;
}

/** A response whose records stand in a list under one key; each becomes an item. */
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
 * What a request field takes.
 * - `text`, `code`, `url`: text that may not be empty (a URL must be absolute http or https)
 * - `amount`: decimal text above zero, sent as a JSON number with all its digits
 * - `signedAmount`: the same, negative values allowed
 */
export type RequestFieldKind = 'text' | 'code' | 'url' | 'amount' | 'signedAmount';

export interface RequestField {
	readonly kind: RequestFieldKind;
	readonly label: string;
	readonly description: string;
	readonly placeholder: string;
	/** Name of the list that it can be chosen from (lookups.ts). */
	readonly lookup?: string;
}

/** Field name as the API has it -> field. Empty: the request has no body. */
export interface RequestShape {
	readonly [key: string]: RequestField;
}

/** Types of what goes over the wire, inferred from a shape. `N` is how the program at hand holds a JSON number. */
export type Wire<S, N> = S extends Undocumented
	? unknown
	: S extends { listKey: infer K extends string; element: infer E }
		? { [key in K]: Array<Wire<E, N>> }
		: { [key in keyof S]: S[key] extends readonly [string, infer K] ? WireValue<K, N> : Wire<S[key], N> };

type WireValue<K, N> = K extends 'number' ? N : string;

export type WireRequest<S, N> = S extends Undocumented
	? Record<string, unknown>
	: { [key in keyof S]: S[key] extends { kind: 'amount' | 'signedAmount' } ? N : string };
