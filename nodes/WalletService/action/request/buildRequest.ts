/** Builds the exact text of a request body from the parameters of one item. Sends nothing. */
import { isPlainDecimal, readDecimal } from '../../../../api/decimal.ts';
import type { Endpoint, MoneyFields } from '../../../../api/endpoints.ts';
import { isExactNumber, isRecord, parseExact } from '../../../../api/json.ts';
import { UNDOCUMENTED } from '../../../../api/shape.ts';
import { INPUT } from '../messages.ts';
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

/** What is sent for one item, and what it says about the money it moves. */
export interface ServiceRequest {
	/** JSON text; undefined: no body. */
	body: string | undefined;
	/** The fields of the body. */
	fields: Record<string, unknown>;
	/** Decimal text, if a field names it. */
	amount?: string;
	/** Currency, coin or contract that the amount is counted in, if a field names it. */
	currency?: string;
	/** Alias or contract, if a field names it. */
	destination?: string;
	/** The fields with amount, currency and destination, as they are sent. */
	money: Record<string, string>;
	/** All other fields. */
	otherFields: Record<string, unknown>;
}

/** A request with issues has the fields that can be read, and must not be sent. */
export type BuiltRequest =
	| { ok: true; request: ServiceRequest }
	| { ok: false; request: ServiceRequest; issues: ValidationIssue[] };

/**
 * Builds the request, or lists everything that is wrong with the input. `money` names the fields of a payment, and `amountFormat`
 * says how amounts in parameters are written.
 */
export function buildRequest(
	endpoint: Endpoint,
	parameters: ItemParameters,
	money: MoneyFields | undefined = endpoint.movesMoney,
	amountFormat?: AmountFormat,
): BuiltRequest {
	if (endpoint.request === UNDOCUMENTED) {
		return buildUndocumentedRequest(endpoint, parameters, money, amountFormat);
	}
	const documented = Object.entries(endpoint.request);
	if (documented.length === 0) return { ok: true, request: NO_BODY };
	const fields: Record<string, unknown> = {};
	const issues: ValidationIssue[] = [];
	for (const [name, field] of documented) {
		const input = readInput(field, parameters.value(name), parameters.expression(name), amountFormat);
		if ('value' in input) fields[name] = input.value;
		else issues.push(input);
	}
	return built(requestOf(fields, money), issues);
}

const NO_BODY: ServiceRequest = { body: undefined, fields: {}, money: {}, otherFields: {} };

function built(request: ServiceRequest, issues: ValidationIssue[]): BuiltRequest {
	return issues.length > 0 ? { ok: false, request, issues } : { ok: true, request };
}

/** The user writes JSON, or fills in the suggested fields and adds others. */
function buildUndocumentedRequest(
	endpoint: Endpoint,
	parameters: ItemParameters,
	money: MoneyFields | undefined,
	amountFormat: AmountFormat | undefined,
): BuiltRequest {
	if (parameters.value('specifyBody') === 'json') return buildJsonRequest(endpoint, parameters, money);
	const { suggestedFields = {}, movesMoney = {} } = endpoint;
	// Without a prototype, a field may have any name, such as __proto__.
	const fields = Object.create(null) as Record<string, unknown>;
	const issues: ValidationIssue[] = [];
	const add = (key: string, input: Input) => {
		if (!('value' in input)) issues.push(input);
		else if (Object.hasOwn(fields, key)) issues.push(INPUT.fieldIsTwice(key));
		else fields[key] = input.value;
	};
	for (const [name, field] of Object.entries(suggestedFields)) {
		const [value, expression] = [parameters.value(name), parameters.expression(name)];
		const isLeftOut = endpoint.movesMoney === undefined && isEmptyInput(expression);
		if (!isLeftOut) add(keyOf(name, movesMoney, money), readInput(field, value, expression, amountFormat));
	}
	for (const { name, value, expression } of rowsOf(parameters)) {
		if (name === '') issues.push(INPUT.fieldHasNoName());
		else if (!isEmptyInput(expression)) add(name, readRow(name, value, expression));
	}
	const isEmpty = Object.keys(fields).length === 0;
	// A GET has no body unless the user writes one.
	const hasBody = !isEmpty || !endpoint.route.startsWith('GET');
	return built(hasBody ? requestOf(fields, money) : NO_BODY, issues);
}

/** The key that a suggested field has in the account's documentation, if the author has written another one. */
function keyOf(name: string, suggested: MoneyFields, money: MoneyFields = {}): string {
	if (name === suggested.amount) return money.amount ?? name;
	if (name === suggested.currency) return money.currency ?? name;
	if (name === suggested.destination) return money.destination ?? name;
	return name;
}

interface BodyRow {
	name: string;
	value: unknown;
	expression: unknown;
}

function rowsOf(parameters: ItemParameters): BodyRow[] {
	const rowsIn = (collection: unknown) =>
		((collection as { field?: Array<{ name?: unknown; value?: unknown }> } | undefined) ?? {}).field ?? [];
	const expressions = rowsIn(parameters.expression('bodyFields'));
	return rowsIn(parameters.value('bodyFields')).map(({ name, value }, index) => ({
		name: String(name ?? '').trim(),
		value,
		expression: expressions[index]?.value,
	}));
}

function isEmptyInput(written: unknown): boolean {
	const value = isRecord(written) && '__rl' in written ? written.value : written;
	return value === undefined || value === null || value === '';
}

/** Text goes out as text. An expression may give another value, such as a number, if it has lost no digits. */
function readRow(name: string, value: unknown, expression: unknown): Input {
	if (value === undefined || value === null || value === '') {
		return INPUT.isEmpty(name, 'or remove the field');
	}
	const lost = longLiteral(expression) ?? inexactNumber(value);
	return lost === undefined ? { value } : INPUT.lostDigits(name, lost);
}

function buildJsonRequest(
	{ movesMoney }: Endpoint,
	parameters: ItemParameters,
	money: MoneyFields | undefined,
): BuiltRequest {
	const value = parameters.value('requestBody');
	if (isEmptyInput(typeof value === 'string' ? value.trim() : value)) {
		// An expression that gives nothing must not send an empty request.
		const isMeant = movesMoney === undefined && isEmptyInput(parameters.expression('requestBody'));
		return built(NO_BODY, isMeant ? [] : [INPUT.bodyIsEmpty()]);
	}
	let body: unknown = value;
	if (typeof value === 'string') {
		try {
			body = parseExact(value);
		} catch {
			return built(NO_BODY, [INPUT.bodyIsNotJson()]);
		}
	}
	if (!isRecord(body)) return built(NO_BODY, [INPUT.bodyIsNotObject()]);
	if (movesMoney !== undefined && Object.keys(body).length === 0)
		return built(NO_BODY, [INPUT.bodyIsEmpty()]);
	const lost = longLiteral(parameters.expression('requestBody')) ?? inexactNumber(body);
	const amount = movesMoney === undefined ? undefined : scalarText(body, money?.amount);
	return built(requestOf(body, money), [
		...(lost === undefined ? [] : [INPUT.bodyLostDigits(lost)]),
		...(amount === undefined ? [] : strictness(money?.amount ?? '', amount)),
	]);
}

/** What is wrong with an amount in a JSON body, which is always strict. */
function strictness(name: string, amount: string): ValidationIssue[] {
	return isPlainDecimal(amount)
		? []
		: [INPUT.isNotPlainDecimal(name, spellingOf(amount), amount, 'e.g. 12.50')];
}

/** The request with these fields. `money` names the fields of a payment. */
function requestOf(fields: Record<string, unknown>, money: MoneyFields = {}): ServiceRequest {
	const amount = readDecimal(scalarText(fields, money.amount) ?? '');
	const currency = scalarText(fields, money.currency);
	const destination = scalarText(fields, money.destination);
	const named = Object.fromEntries(
		[
			[money.amount, amount],
			[money.currency, currency],
			[money.destination, destination],
		].filter(([name, value]) => name !== undefined && value !== undefined),
	) as Record<string, string>;
	return {
		body: JSON.stringify(fields),
		fields,
		...(amount === undefined ? {} : { amount }),
		...(currency === undefined ? {} : { currency }),
		...(destination === undefined ? {} : { destination }),
		money: named,
		otherFields: Object.fromEntries(Object.entries(fields).filter(([name]) => !Object.hasOwn(named, name))),
	};
}

/** The text of a field that holds text or a number. */
function scalarText(fields: Record<string, unknown>, name: string | undefined): string | undefined {
	const value = name !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
	const scalar = isExactNumber(value) ? value.rawJSON : value;
	return typeof scalar === 'string' || typeof scalar === 'number' ? String(scalar) : undefined;
}

/** The first number of a body that a double may have rounded. Numbers from JSON text are exact. */
function inexactNumber(value: unknown): string | undefined {
	if (typeof value === 'number') return isExactDouble(value) ? undefined : String(value);
	if (Array.isArray(value) || isRecord(value)) {
		for (const entry of Object.values(value)) {
			const found = inexactNumber(entry);
			if (found !== undefined) return found;
		}
	}
	return undefined;
}
