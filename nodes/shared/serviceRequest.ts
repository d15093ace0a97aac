/** A request on its way to the service. Its body is made last, when it is sent or shown. All nodes use these types. */
import type { MoneyRole } from '../../api/shape.ts';
import { exactNumber, isExactNumber } from '../../api/exact/json.ts';

/** What a payment moves. It is read once from the parameters of its item, and held nowhere else. */
export interface Money {
	/** Plain decimal text, with every digit that is sent. */
	readonly amount?: string;
	/** Currency, coin, or contract that the amount is counted in. */
	readonly currency?: string;
	/** Alias, or contract. */
	readonly destination?: string;
}

/** A field of a body that holds a part of the money. With two roles, both parts are one text. */
export interface MoneyField {
	readonly roles: readonly [MoneyRole, ...MoneyRole[]];
	/** Sent as text, not as a JSON number. */
	readonly isText: boolean;
}

/** Any other field. A number in it is exact: its digits as text, or a double that has lost none. */
export interface OtherField {
	readonly value: unknown;
	/** The value is a plain decimal as text, and sent as a JSON number. */
	readonly isNumber?: true;
	/** The node has chosen the value for this run. It does not say which payment this is. */
	readonly isChosen?: true;
}

export interface ServiceRequest {
	/** Empty for what moves no money. A part that no field holds in a readable form is absent. */
	readonly money: Money;
	/** By their names, in the order of the body. Undefined: without a body. */
	readonly fields?: ReadonlyMap<string, MoneyField | OtherField>;
	/** What one unit of the amount must bring after the fee, at least, as decimal text. The service is not told. */
	readonly leastRate?: string;
}

/** A request that has no body. */
export const WITHOUT_BODY: ServiceRequest = { money: {} };

/** A request of an endpoint that takes a body whose fields are not known. */
export const WITH_EMPTY_BODY: ServiceRequest = { money: {}, fields: new Map() };

/** The exact JSON text that is sent; undefined: no body. Only here an amount becomes a number. */
export function bodyOf({ fields, money }: ServiceRequest): string | undefined {
	if (fields === undefined) return undefined;
	const values = [...fields].map(([name, field]) => [name, valueIn(field, money)]);
	return JSON.stringify(Object.fromEntries(values));
}

/** The fields that hold money, with their texts: what an answer may repeat. */
export function moneySent({ fields, money }: ServiceRequest): Map<string, string> {
	const sent = new Map<string, string>();
	for (const [name, field] of fields ?? []) if (isMoney(field)) sent.set(name, textIn(field, money));
	return sent;
}

/** The fields that do not say what is moved, with the values that the user has given. */
export function otherFieldsOf({ fields }: ServiceRequest): Map<string, unknown> {
	const others = new Map<string, unknown>();
	for (const [name, field] of fields ?? [])
		if (!isMoney(field) && field.isChosen !== true) others.set(name, field.value);
	return others;
}

/** The names of all fields of a request, and their values as texts: what a refusal may repeat. */
export function partsOf({ fields, money }: ServiceRequest): { names: string[]; values: string[] } {
	const parts = [...(fields ?? [])].map(([name, field]) => partsIn(name, valueIn(field, money)));
	return { names: parts.flatMap(({ names }) => names), values: parts.flatMap(({ values }) => values) };
}

function partsIn(name: string, value: unknown): { names: string[]; values: string[] } {
	if (isExactNumber(value)) return { names: [name], values: [value.rawJSON] };
	if (typeof value !== 'object' || value === null) return { names: [name], values: [String(value ?? '')] };
	const parts = Object.entries(value).map(([inner, entry]) => partsIn(inner, entry));
	return {
		names: [name, ...parts.flatMap(({ names }) => names)],
		values: parts.flatMap(({ values }) => values),
	};
}

/** Whether one field is the destination and what the amount is counted in, such as the contract of a conversion. */
export function isCountedInDestination({ fields }: ServiceRequest): boolean {
	const all = [...(fields?.values() ?? [])].filter(isMoney);
	return all.some(({ roles }) => roles.includes('currency') && roles.includes('destination'));
}

function isMoney(field: MoneyField | OtherField): field is MoneyField {
	return 'roles' in field;
}

function valueIn(field: MoneyField | OtherField, money: Money): unknown {
	if (!isMoney(field)) return field.isNumber === true ? exactNumber(String(field.value)) : field.value;
	const text = textIn(field, money);
	return field.isText ? text : exactNumber(text);
}

function textIn({ roles: [role] }: MoneyField, money: Money): string {
	const text = money[role];
	if (text === undefined) throw new Error(`A field of the request has lost its ${role}`);
	return text;
}
