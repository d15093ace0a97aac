/** Reads one item of a run: what goes out for it, or everything that is wrong with it. Sends nothing. */
import { moneyFieldsOf, movesMoney, requestFieldsOf } from '../../../api/catalog.ts';
import type { MoneyFields, Operation } from '../../../api/catalog.ts';
import { UNDOCUMENTED } from '../../../api/shape.ts';
import { connectionOf } from '../../shared/http/client.ts';
import { limitsOfTool, OPTIONS_OF_PAYMENT } from './paymentOptions.ts';
import { buildRequest } from './buildRequest.ts';
import { furtherFieldsIn } from './itemParameters.ts';
import type { ItemParameters } from './itemParameters.ts';
import { INPUT } from './messages.ts';
import { inexact } from './readInput.ts';
import type { ValidationIssue } from '../../shared/result.ts';
import type { ServiceRequest } from '../../shared/serviceRequest.ts';
import { checkToolCall } from '../agent/toolArguments.ts';
import type { ToolCall } from '../agent/toolArguments.ts';
import { expressionsWithin, isPartOfKey, onlyExpression } from './expressions.ts';
import { readKeyText } from '../../shared/paymentKey/keyText.ts';
import type { GivenKey } from '../../shared/paymentKey/keyText.ts';
import { checkLimits, checkLimitsOfOpenBody, keysIn } from './limits.ts';
import { CONNECTION, EXPRESSION, KEY_FIELD } from './paymentMessages.ts';
import { issuesOfNames, readOptions } from './options.ts';
import type { PaymentOptions } from './options.ts';
import type { Payment } from './payment.ts';

/** The parameters of one item. */
export interface PaymentParameters extends ItemParameters {
	/** The value of an expression for this item. */
	evaluate(expression: string): unknown;
	/** What the model has sent to a tool. */
	call?: ToolCall;
}

/** `isTool`: a model calls. It pays only within limits. */
export function readPayment(operation: Operation, given: PaymentParameters, isTool: boolean): Payment {
	const item = new GuardedItem(given);
	const isPayment = movesMoney(operation);
	const { options, issues: ofOptions } = readOptions(
		isPayment ? item.expression('options') : {},
		() => (isPayment ? item.value('options') : {}),
		isTool ? limitsOfTool(operation) : undefined,
	);
	if (isPayment) ofOptions.unshift(...issuesOfNames(item, OPTIONS_OF_PAYMENT));
	const { request, issues: ofRequest } = buildRequest(operation, item, {
		names: namesOf(operation, options),
		amountFormat: options.amountFormat,
	});
	const read = isPayment ? item.attempt(() => readKey(item)) : undefined;
	// Read here, because an expression that fails must not stop a run halfway.
	const isAlwaysSimple = isTool || operation.response === UNDOCUMENTED;
	const simplify = isAlwaysSimple || item.value('simplify') !== false;
	const connection = connectionOf(() => item.given.value('requestOptions'));

	const issues = [...ofRequest, ...ofOptions];
	if (connection === undefined) issues.push(CONNECTION.cannotBeUsed());
	if (given.call !== undefined) issues.push(...checkToolCall(given.call));
	// What is read of a wrong item is not to be judged further.
	if (isPayment && issues.length === 0) {
		issues.push(...limitIssues(operation, { request, options, item }));
		if (read?.issue !== undefined) issues.push(read.issue);
		issues.push(...(item.attempt(() => lostWithin(item, textsOf(operation, item))) ?? []));
	}
	const found = item.failure === undefined ? issues : [item.failure];
	return {
		operation,
		request,
		options,
		simplify,
		connection: connection ?? {},
		key: read?.key,
		issues: found,
	};
}

/** The parameters of an item. An expression that fails gives nothing, and the first failure is kept. */
export class GuardedItem implements ItemParameters {
	readonly given: PaymentParameters;
	failure: ValidationIssue | undefined;

	constructor(given: PaymentParameters) {
		this.given = given;
	}

	expression(name: string): unknown {
		return this.given.expression(name);
	}

	value(name: string): unknown {
		return this.attempt(() => {
			// White space around its one expression would make a text of a number.
			const only = onlyExpression(this.expression(name));
			return only === undefined ? this.given.value(name) : this.evaluate(only);
		});
	}

	/** Throws if the expression fails. */
	evaluate(expression: string): unknown {
		return this.given.evaluate(expression);
	}

	attempt<T>(read: () => T): T | undefined {
		try {
			return read();
		} catch (error) {
			this.failure ??= EXPRESSION.expressionFails((error as Error).message);
			return undefined;
		}
	}
}

/** The fields of the body that hold the money. The author says which, where the document does not. */
export function namesOf(operation: Operation, options: PaymentOptions): MoneyFields {
	if (!movesMoney(operation) || operation.request !== UNDOCUMENTED) return moneyFieldsOf(operation);
	const { amountField, coinField, destinationField } = options;
	return { amount: amountField, currency: coinField, destination: destinationField };
}

interface LimitedItem {
	request: ServiceRequest;
	options: PaymentOptions;
	item: GuardedItem;
}

function limitIssues(operation: Operation, { request, options, item }: LimitedItem): ValidationIssue[] {
	if (operation.request !== UNDOCUMENTED) return checkLimits(options, request);
	return checkLimitsOfOpenBody(options, request, fieldsOfAuthor(item));
}

/** The names of fields that the author has written, not an expression: a model or the data cannot add them. */
function fieldsOfAuthor(item: ItemParameters): string[] {
	if (item.expression('specifyBody') === 'json') {
		try {
			// An expression begins with `=`, so it is no JSON.
			return keysIn(JSON.parse(String(item.expression('requestBody'))));
		} catch {
			return [];
		}
	}
	const names = furtherFieldsIn(item.expression('bodyFields')).map(({ name }) => String(name ?? ''));
	return names.filter((name) => !name.startsWith('='));
}

/** What the author wrote for each field of the request. */
function textsOf(operation: Operation, item: ItemParameters): unknown[] {
	const names = [...Object.keys(requestFieldsOf(operation)), 'requestBody'];
	const further = furtherFieldsIn(item.expression('bodyFields'));
	return [...names.map((name) => item.expression(name)), ...further.map(({ value }) => value)];
}

interface ReadKey {
	key?: GivenKey;
	/** What is wrong with it. */
	issue?: ValidationIssue;
}

/** An empty parameter means no key. An expression that gives nothing refuses the item. */
function readKey(item: GuardedItem): ReadKey {
	const expression = item.expression('paymentKey');
	if (expression === undefined || (typeof expression === 'string' && expression.trim() === '')) return {};
	const value = item.value('paymentKey');
	// Two long numbers that lost digits would be the same key.
	const lost = inexact(value, expression);
	if (lost !== undefined) return { issue: INPUT.lostDigits({ label: 'Payment Key', value: lost }) };
	if (!isPartOfKey(value)) return { issue: KEY_FIELD.isEmpty() };
	if (typeof value !== 'string' && typeof value !== 'number') return { issue: KEY_FIELD.isNotText() };
	const written = String(value).trim();
	const [rounded] = lostWithin(item, [expression], 'Payment Key');
	if (rounded !== undefined) return { key: { written }, issue: rounded };
	const empty = expressionsWithin(expression).find((part) => !isPartOfKey(item.evaluate(part)));
	if (empty !== undefined)
		return { key: { written }, issue: KEY_FIELD.hasEmptyPart({ key: written, expression: empty }) };
	const read = readKeyText(written);
	return 'compared' in read ? { key: read } : { key: { written }, issue: read };
}

/** Numbers that may have lost digits in one of several expressions, or between other text, where it looks exact. */
function lostWithin(item: GuardedItem, texts: unknown[], label?: string): ValidationIssue[] {
	const issues: ValidationIssue[] = [];
	for (const part of texts.flatMap(expressionsWithin)) {
		const lost = inexact(item.evaluate(part), part);
		if (lost !== undefined) issues.push(INPUT.lostDigits({ label: label ?? part, value: lost }));
	}
	return issues;
}
