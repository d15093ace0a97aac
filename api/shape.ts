/** The types of the tables of endpoints and events: what a field is in the API, and what it is in an n8n item. */

/** Stands for a request or response whose fields the API document does not show. */
export const UNDOCUMENTED = 'not shown';

/** What a response or webhook field holds, and what becomes of it in items. */
export type FieldKind =
	| 'text' // kept as sent
	| 'id' // the same; the service's identifier of the payment or the event
	| 'code' // of a currency or coin; upper case in items
	| 'status' // state or other word; lower case in items
	| 'number' // amount, rate or fee sent as a JSON number; exact decimal text in items
	| 'decimal' // the same, sent as text
	| 'ownMoney' // decimal text that may repeat the code of its record (`0.5 usdt` beside `usdt`); no other code
	| 'money' // decimal text that may carry its coin (`0.5 usdt`); becomes two fields, `fee` and `feeCoin`
	| 'list' // comma-separated codes; a list in items
	| 'time' // ISO 8601 timestamp in UTC, kept as sent
	| 'choice'; // one of the words in its key (`credit/debit`), in any case; lower case in items

/**
 * What a field of an event says, whatever its name is. Fields with a role tell events apart, and the others do not. `id`: names the
 * event. `subject`: names what the event is about, where no id names the event. `status`, `currency` and `amount`: what the filters of
 * the trigger ask for. `account`: which wallet or account. `fee` and `txHash`: what may become known later.
 */
export type EventRole = 'id' | 'subject' | 'status' | 'currency' | 'amount' | 'account' | 'fee' | 'txHash';

/** What a field of the answer about a conversion says: what goes out, what comes in, and what one unit has brought. */
export type ConversionRole = 'given' | 'received' | 'rate';

/**
 * `name`: in items, where it is not the key in camelCase. `role`: only in an event, and in the answer about a conversion. `isSender`: names
 * who has sent the money of an event.
 */
export interface DescribedField {
	readonly kind: FieldKind;
	readonly name?: string;
	readonly role?: EventRole | ConversionRole | 'none';
	readonly isSender?: true;
}

/** The kind alone, if there is no more to say. */
export type Field = FieldKind | DescribedField;

/** The shape of an object under a key. Items hold its fields one level up. */
export interface NestedRecord {
	readonly record: RecordShape;
}

/** Key in the API, exactly as sent -> what is under it. */
export interface RecordShape {
	readonly [key: string]: Field | NestedRecord;
}

export function isField(entry: Field | NestedRecord): entry is Field {
	return typeof entry === 'string' || Object.hasOwn(entry, 'kind');
}

/** The names of keys in the tables. To work them out again takes a fifth of the time of a delivery. */
const names = new Map<string, string>();

/** The name in items and the kind of a field of the tables. */
export function fieldOf(key: string, field: Field): readonly [name: string, kind: FieldKind] {
	if (typeof field !== 'string') return [field.name ?? nameOf(key), field.kind];
	return [nameOf(key), field];
}

function nameOf(key: string): string {
	const name = names.get(key) ?? camelCase(key);
	names.set(key, name);
	return name;
}

type Role = EventRole | ConversionRole;

/** The keys by role of the fields of the tables. They are asked for with each delivery. */
const keysByRole = new WeakMap<RecordShape, Map<Role, string[]>>();

/** The keys of the fields with this role, in the order of the table. */
export function keysWithRole(fields: RecordShape, role: Role): string[] {
	const known = keysByRole.get(fields) ?? new Map<EventRole, string[]>();
	keysByRole.set(fields, known);
	const keys = known.get(role) ?? findKeys(fields, role);
	known.set(role, keys);
	return keys;
}

function findKeys(fields: RecordShape, role: Role): string[] {
	return Object.entries(fields)
		.filter(([, field]) => isField(field) && typeof field !== 'string' && field.role === role)
		.map(([key]) => key);
}

/** The names in items of the fields with this role. */
export function namesWithRole(fields: RecordShape, role: Role): string[] {
	return keysWithRole(fields, role).map((key) => fieldOf(key, fields[key] as Field)[0]);
}

/** The second field that a `money` field becomes: `fee` -> `feeCoin`. */
export function coinFieldName(name: string): string {
	return `${name}Coin`;
}

/** The name in items of a key in the API: `account_alias` and `Account Alias` -> `accountAlias`. */
export function camelCase(key: string): string {
	const words = key.trim().replace(/(?<![\s_-])[\s_-]+(\w)/g, (_, letter: string) => letter.toUpperCase());
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

/** What a request field accepts. */
export type RequestFieldKind =
	| 'text' // not empty
	| 'code' // not empty
	| 'url' // absolute, http or https
	| 'amount' // decimal text above zero, sent as a JSON number with all its digits
	| 'signedAmount'; // the same, and negative values are allowed

/**
 * What a field of a payment's request says about the money. `currency`: what the amount is counted in, a currency, a coin or a
 * contract that implies it. `destination`: an alias or a contract.
 */
export type MoneyRole = 'amount' | 'currency' | 'destination';

export const MONEY_ROLES: readonly MoneyRole[] = ['amount', 'currency', 'destination'];

interface ShownField {
	readonly label: string;
	readonly description: string;
	readonly placeholder: string;
	/** Name of the list from which the user can choose the value (lookups.ts). */
	readonly lookup?: string;
}

/** What a payment moves. The compiler asks for the role: without it, limits and keys would not see the amount. */
interface AmountField extends ShownField {
	readonly kind: 'amount';
	readonly roles: readonly ['amount'];
}

interface OtherRequestField extends ShownField {
	readonly kind: Exclude<RequestFieldKind, 'amount'>;
	/** Only in an operation that moves money. */
	readonly roles?: ReadonlyArray<Exclude<MoneyRole, 'amount'>>;
}

export type RequestField = AmountField | OtherRequestField;

/** Field name in the API -> field. Without fields, the request has no body. */
export interface RequestShape {
	readonly [key: string]: RequestField;
}
