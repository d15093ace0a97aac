/** Builds the exact text of a request body from the parameters of one item. Sends nothing. */
import { isResourceLocatorValue } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

import { isPlainDecimal, readDecimal } from '../../../../api/decimal.ts';
import type { Endpoint, MoneyFields } from '../../../../api/endpoints.ts';
import { isExactNumber, isRecord, parseExact, repeatsKey } from '../../../../api/json.ts';
import { UNDOCUMENTED } from '../../../../api/shape.ts';
import { INPUT } from './messages.ts';
import type { ValidationIssue } from '../result.ts';
import { isExactDouble, longLiteral, readInput, spellingOf } from './readInput.ts';
import type { AmountFormat, Input } from './readInput.ts';

/** The parameters of one item. */
export interface ItemParameters {
	/** The value, with its expression evaluated. */
	value(name: string): unknown;
	/** What the author wrote: a text that begins with `=` is an expression. */
	expression(name: string): unknown;
}

/** What a payment moves, as far as fields name it. */
export interface Money {
	/** Decimal text. */
	amount?: string;
	/** Currency, coin or contract that the amount is counted in. */
	currency?: string;
	/** Alias or contract. */
	destination?: string;
}

const ROLES = ['amount', 'currency', 'destination'] as const;

/** The money under the names of these fields. What is not known is left out. */
export function underNames(names: MoneyFields, money: Money): Record<string, string> {
	const known = ROLES.map((role) => [names[role], money[role]]);
	return Object.fromEntries(known.filter((field) => field.every((text) => text !== undefined)));
}

/** What goes out for one item, and what it says about the money that it moves. */
export interface ServiceRequest extends Money {
	/** JSON text; undefined: no body. */
	body: string | undefined;
	/** The fields of the body. */
	fields: Record<string, unknown>;
	/** Those of them that hold amount, currency and destination, as they are sent. */
	moneyFields: Record<string, string>;
	/** Everything that is wrong with the input. With any, the request has what can be read, and must not be sent. */
	issues: ValidationIssue[];
}

/** `money` names the fields of a payment. `amountFormat` says how amounts in parameters are written. */
export function buildRequest(
	endpoint: Endpoint,
	parameters: ItemParameters,
	money: MoneyFields = endpoint.movesMoney ?? {},
	amountFormat?: AmountFormat,
): ServiceRequest {
	const { request, suggestedFields = {}, movesMoney } = endpoint;
	const isDocumented = request !== UNDOCUMENTED;
	if (!isDocumented && parameters.value('specifyBody') === 'json') {
		return buildJsonRequest(movesMoney !== undefined, parameters, money);
	}
	// Without a prototype, a field may have any name, such as __proto__.
	const fields = Object.create(null) as Record<string, unknown>;
	const issues: ValidationIssue[] = [];
	const add = (key: string, input: Input) => {
		if (!('value' in input)) issues.push(input);
		else if (Object.hasOwn(fields, key)) issues.push(INPUT.fieldIsTwice(key));
		else fields[key] = input.value;
	};
	for (const [name, field] of Object.entries(isDocumented ? request : suggestedFields)) {
		const [value, expression] = [parameters.value(name), parameters.expression(name)];
		const isOptional = !isDocumented && movesMoney === undefined;
		if (isOptional && isEmptyInput(expression)) continue;
		add(keyOf(name, money, movesMoney), readInput(field, value, expression, amountFormat));
	}
	for (const { name, value, expression } of isDocumented ? [] : bodyFieldsOf(parameters)) {
		if (name === '') issues.push(INPUT.fieldHasNoName());
		else if (!isEmptyInput(expression)) add(name, readBodyField(name, value, expression));
	}
	// A GET, and a request without documented fields, have no body unless the user writes one.
	const hasBody = Object.keys(fields).length > 0 || !(isDocumented || endpoint.route.startsWith('GET'));
	return requestOf(hasBody ? fields : undefined, money, issues);
}

/** The key that a suggested field has in the account's documentation, if the author has written another one. */
function keyOf(name: string, money: MoneyFields, suggested: MoneyFields = {}): string {
	const role = ROLES.find((each) => suggested[each] === name);
	return (role && money[role]) ?? name;
}

/** The rows of *Body Fields*. None if they are one expression. */
export function rowsIn(collection: unknown): Array<{ name?: unknown; value?: unknown }> {
	const { field } = Object(collection) as { field?: unknown };
	return Array.isArray(field) ? field : [];
}

function bodyFieldsOf(parameters: ItemParameters) {
	const expressions = rowsIn(parameters.expression('bodyFields'));
	return rowsIn(parameters.value('bodyFields')).map(({ name, value }, index) => ({
		name: String(name ?? '').trim(),
		value,
		expression: expressions[index]?.value,
	}));
}

/** What the author wrote for a parameter, also in a field with a list to choose from. */
export function writtenIn({ parameters }: INode, name: string): unknown {
	const written = parameters[name];
	return isResourceLocatorValue(written) ? written.value : written;
}

function isEmptyInput(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

/** Text goes out as text. An expression may give another value, such as a number, if it has lost no digits. */
function readBodyField(name: string, value: unknown, expression: unknown): Input {
	if (isEmptyInput(value)) return INPUT.isEmpty({ label: name, placeholder: 'or remove the field' });
	const lost = longLiteral(expression) ?? inexactNumber(value);
	return lost === undefined ? { value } : INPUT.lostDigits({ label: name, value: lost });
}

/** The user writes the body. An amount in it is always strict. */
function buildJsonRequest(
	isPayment: boolean,
	{ value, expression }: ItemParameters,
	money: MoneyFields,
): ServiceRequest {
	const written = value('requestBody');
	const refused = (what: string) => requestOf(undefined, money, [INPUT.bodyIs(what)]);
	if (isEmptyInput(typeof written === 'string' ? written.trim() : written)) {
		// An expression that gives nothing must not send an empty request.
		const isMeant = !isPayment && isEmptyInput(expression('requestBody'));
		return isMeant ? requestOf(undefined, money, []) : refused('empty');
	}
	let body = written;
	let isAmbiguous = false;
	try {
		if (typeof written === 'string') {
			body = parseExact(written);
			isAmbiguous = repeatsKey(written, body);
		}
	} catch {
		return refused('not valid JSON');
	}
	if (!isRecord(body)) return refused('not a JSON object');
	// Data inside the text may have brought the second one.
	if (isAmbiguous) return refused('JSON with a key twice');
	if (isPayment && Object.keys(body).length === 0) return refused('empty');
	const lost = longLiteral(expression('requestBody')) ?? inexactNumber(body);
	const named = isPayment ? ROLES.flatMap((role) => money[role] ?? []) : [];
	const empty = named.find((name) => Object.hasOwn(body, name) && isEmptyInput(body[name]));
	return requestOf(body, money, [
		...(lost === undefined ? [] : [INPUT.bodyLostDigits(lost)]),
		...(empty === undefined ? [] : [INPUT.isEmpty({ label: empty, placeholder: 'or remove the field' })]),
		...(isPayment ? amountIssues(money.amount ?? '', scalarText(body, money.amount)) : []),
	]);
}

/** What is wrong with the amount of a body, if it has one. */
function amountIssues(name: string, amount: string | undefined): ValidationIssue[] {
	if (amount === undefined) return [];
	if (!isPlainDecimal(amount))
		return [
			INPUT.isNotPlainDecimal({
				label: name,
				reason: spellingOf(amount),
				value: amount,
				placeholder: 'e.g. 12.50',
			}),
		];
	return /^[^-]*[1-9]/.test(amount)
		? []
		: [
				INPUT.hasWrongSign({
					label: name,
					reason: 'is not above zero',
					value: amount,
					placeholder: 'e.g. 12.50',
				}),
			];
}

/** The request with these fields; undefined: without a body. */
function requestOf(
	fields: Record<string, unknown> | undefined,
	money: MoneyFields,
	issues: ValidationIssue[],
): ServiceRequest {
	const moved: Money = {
		amount: readDecimal(scalarText(fields, money.amount) ?? ''),
		currency: scalarText(fields, money.currency),
		destination: scalarText(fields, money.destination),
	};
	const body = fields && JSON.stringify(fields);
	return { body, fields: fields ?? {}, ...moved, moneyFields: underNames(money, moved), issues };
}

/** The text of a field that holds text or a number. */
function scalarText(fields: Record<string, unknown> = {}, name?: string): string | undefined {
	const value = name !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
	const scalar = isExactNumber(value) ? value.rawJSON : value;
	return typeof scalar === 'string' || typeof scalar === 'number' ? String(scalar) : undefined;
}

/** The first number of a body that a double may have rounded. Numbers from JSON text are exact. */
function inexactNumber(value: unknown): string | undefined {
	if (typeof value === 'number') return isExactDouble(value) ? undefined : String(value);
	if (!Array.isArray(value) && !isRecord(value)) return undefined;
	return Object.values(value)
		.map(inexactNumber)
		.find((found) => found !== undefined);
}
