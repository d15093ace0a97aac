/** Reads one item of a run: what goes out for it, or everything that is wrong with it. Sends nothing. */
import type { IDataObject } from 'n8n-workflow';

import type { Operation } from '../../../../../api/catalog.ts';
import { canonical } from '../../../../../api/decimal.ts';
import { canonicalJson } from '../../../../../api/json.ts';
import { camelCase, UNDOCUMENTED } from '../../../../../api/shape.ts';
import { EXPRESSION, KEY_TEXT } from './messages.ts';
import { INPUT } from '../../request/messages.ts';
import { buildRequest, rowsIn, underNames } from '../../request/buildRequest.ts';
import type { ItemParameters, ServiceRequest } from '../../request/buildRequest.ts';
import { inexact } from '../../request/readInput.ts';
import type { ValidationIssue } from '../../result.ts';
import { checkToolCall } from '../../tool/toolArguments.ts';
import type { ToolCall } from '../../tool/toolArguments.ts';
import { limitsOfTool } from '../../parameters/payments.ts';
import { expressionsWithin, isPartOfKey, onlyExpression, readKeyText } from './keyText.ts';
import { checkLimits, checkUndocumentedBody, keysIn } from './limits.ts';
import { readOptions } from './options.ts';
import type { PaymentOptions } from './options.ts';
import type { KeyedPayment, PaymentDetails } from '../remember/paymentKeys.ts';

/** The parameters of one item. */
export interface PaymentParameters extends ItemParameters {
	/** The value of an expression for this item. */
	evaluate(expression: string): unknown;
	/** What the model has sent to a tool. */
	call?: ToolCall;
}

/** One item, read. A change that moves no money is one without amount, key and limits. */
export interface Payment {
	request: ServiceRequest;
	options: PaymentOptions;
	simplify: boolean;
	/** Undefined without a key, and with an issue. */
	keyed?: KeyedPayment;
	/** What can be read of it: `paymentKey`, and amount, currency or coin and destination under the names of a paid row. */
	row: IDataObject;
	/** Nothing is sent for any item of the run while one has an issue. */
	issues: ValidationIssue[];
}

/** `isTool`: a model calls. It pays only within limits. */
export function readPayment(operation: Operation, given: PaymentParameters, isTool: boolean): Payment {
	const failing: ValidationIssue[] = [];
	const attempt = <T>(read: () => T): T | undefined => {
		try {
			return read();
		} catch (error) {
			failing.push(EXPRESSION.expressionFails((error as Error).message));
			return undefined;
		}
	};
	const parameters = { ...given, value: (name: string) => attempt(() => valueOf(given, name)) };
	const isPayment = operation.movesMoney !== undefined;
	const isUndocumented = operation.request === UNDOCUMENTED;
	const read = readOptions(
		isPayment ? given.expression('options') : {},
		() => (isPayment ? parameters.value('options') : {}),
		isTool ? limitsOfTool(operation) : [],
	);
	const { options } = read;
	const { amountField: amount, destinationField: destination, coinField: currency } = options;
	const named = isPayment && isUndocumented ? { amount, destination, currency } : undefined;
	const request = buildRequest(operation, parameters, named, options.amountFormat);
	const { text, key, sent, issue }: ReadKey = (isPayment && attempt(() => readKey(parameters))) || {};
	// Read here, because an expression that fails must not stop a run halfway.
	const simplify = isTool || operation.response === UNDOCUMENTED || parameters.value('simplify') !== false;

	const issues = [...request.issues, ...read.issues];
	if (given.call !== undefined) issues.push(...checkToolCall(given.call));
	if (issues.length === 0) {
		issues.push(...checkLimits(options, request));
		if (named !== undefined) issues.push(...checkUndocumentedBody(options, request, fieldsOfAuthor(given)));
		if (issue !== undefined) issues.push({ kind: 'key', ...issue });
		const own = isUndocumented ? { ...operation.suggestedFields } : operation.request;
		const texts = [...Object.keys(own), 'requestBody'].map((name) => given.expression(name));
		texts.push(...rowsIn(given.expression('bodyFields')).map(({ value }) => value));
		if (isPayment) issues.push(...(attempt(() => lostWithin(given, texts)) ?? []));
	}
	const found = failing.length > 0 ? failing.slice(0, 1) : issues;
	const isKeyed = key !== undefined && found.length === 0;
	return {
		request,
		options,
		simplify,
		...(isKeyed && { keyed: { key, sent, details: detailsOf(operation, request) } }),
		row: rowOf(operation, request, text),
		issues: found,
	};
}

/** The fields that every item of a payment has, whatever its result, so that a table of them has one row shape. */
function rowOf({ movesMoney = {} }: Operation, money: ServiceRequest, paymentKey?: string): IDataObject {
	const fields = Object.entries(underNames(movesMoney, money)).map(([name, text]) => [camelCase(name), text]);
	return { ...(paymentKey !== undefined && { paymentKey }), ...Object.fromEntries(fields) };
}

/** The value of a parameter. White space around its one expression would make a text of a number. */
function valueOf({ expression, evaluate, value }: PaymentParameters, name: string): unknown {
	const only = onlyExpression(expression(name));
	return only === undefined ? value(name) : evaluate(only);
}

/** The names of fields that the author has written, not an expression: a model or the data cannot add them. */
function fieldsOfAuthor(parameters: PaymentParameters): string[] {
	const body = parameters.expression('requestBody');
	if (parameters.expression('specifyBody') === 'json') {
		try {
			// An expression begins with `=`, so it is no JSON.
			return keysIn(JSON.parse(String(body)));
		} catch {
			return [];
		}
	}
	const names = rowsIn(parameters.expression('bodyFields')).map(({ name }) => String(name ?? ''));
	return names.filter((name) => !name.startsWith('='));
}

/** The key as the user sees it, as it is compared and as a header carries it, or what is wrong with it. */
type ReadKey = { text?: string; key?: string; sent?: string; issue?: ValidationIssue };

/** An empty parameter means no key. An expression that gives nothing refuses the item. */
function readKey(parameters: PaymentParameters): ReadKey {
	const expression = parameters.expression('paymentKey');
	if (expression === undefined || (typeof expression === 'string' && expression.trim() === '')) return {};
	const value = parameters.value('paymentKey');
	// Two long numbers that lost digits would be the same key.
	const lost = inexact(value, expression);
	if (lost !== undefined) return { issue: INPUT.lostDigits({ label: 'Payment Key', value: lost }) };
	if (!isPartOfKey(value)) return { issue: KEY_TEXT.isEmpty() };
	if (typeof value !== 'string' && typeof value !== 'number') return { issue: KEY_TEXT.isNotText() };
	const text = String(value).trim();
	const [rounded] = lostWithin(parameters, [expression], 'Payment Key');
	if (rounded !== undefined) return { text, issue: rounded };
	const empty = expressionsWithin(expression).find((part) => !isPartOfKey(parameters.evaluate(part)));
	if (empty !== undefined) return { text, issue: KEY_TEXT.hasEmptyPart({ key: text, expression: empty }) };
	const read = readKeyText(text);
	return 'key' in read ? { text, ...read } : { text, issue: read };
}

/** Numbers that may have lost digits in one of several expressions, or between other text, where it looks exact. */
const lostWithin = ({ evaluate }: PaymentParameters, texts: unknown[], label?: string): ValidationIssue[] =>
	texts.flatMap(expressionsWithin).flatMap((part) => {
		const lost = inexact(evaluate(part), part);
		return lost === undefined ? [] : [INPUT.lostDigits({ label: label ?? part, value: lost })];
	});

/** What a payment must share with another one to be the same payment. The account is added when it is known. */
function detailsOf(
	{ id }: Operation,
	{ amount, currency = '', destination = '', fields, moneyFields }: ServiceRequest,
): PaymentDetails {
	const others = Object.entries(fields).filter(([name]) => !Object.hasOwn(moneyFields, name));
	return {
		operation: id,
		amount: amount === undefined ? '' : canonical(amount),
		currency: currency.toUpperCase(),
		destination,
		'field of the request': canonicalJson(Object.fromEntries(others)),
	};
}
