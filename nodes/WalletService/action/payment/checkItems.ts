/** Checks all items of a run before the first payment: requests, limits, totals and the texts of their keys. Sends nothing. */
import { sleep } from 'n8n-workflow';

import type { CatalogEntry } from '../../../../api/catalog.ts';
import { canonical } from '../../../../api/decimal.ts';
import type { Endpoint } from '../../../../api/endpoints.ts';
import { canonicalJson } from '../../../../api/json.ts';
import { UNDOCUMENTED } from '../../../../api/shape.ts';
import { buildRequest } from '../request/buildRequest.ts';
import type { BuiltRequest, ItemParameters, ServiceRequest } from '../request/buildRequest.ts';
import { invalid, nothingDone, unusableCredential } from '../call/failure.ts';
import { inexact } from '../request/readInput.ts';
import { INPUT, PAYMENT_KEY } from '../messages.ts';
import { itemsInWords } from '../numbering.ts';
import type { Failure, ValidationIssue } from '../result.ts';
import type { ExecutionLedger } from './executionLedger.ts';
import { expressionsWithin, isPartOfKey, readKeyText } from './keyText.ts';
import { checkLimits, checkTotal, checkUndocumentedBody, keysIn, totalOf } from './limits.ts';
import { checkToolLimits, readOptions } from './options.ts';
import type { PaymentOptions } from './options.ts';
import type { KeyedPayment, PaymentDetails } from './paymentKeys.ts';
import { rowOf } from './row.ts';
import type { Row } from './row.ts';
import { checkToolCall } from '../tool/toolArguments.ts';
import type { ToolCall } from '../tool/toolArguments.ts';

/** Milliseconds that the checks keep n8n from everything else. */
const MAX_BLOCK = 20;

/** The items of a run, and what is known of earlier payments. */
export interface Batch {
	entry: CatalogEntry;
	items: PaymentParameters[];
	ledger: ExecutionLedger;
	/** Why nothing is sent for any item. */
	heldBack?: Failure;
	/** Whether an AI model calls. Such a run pays only within limits. */
	isTool?: boolean;
	/** Reads who pays, for Payment Keys. */
	readAccount: () => Promise<PayingAccount>;
}

/** The parameters of one item. */
export interface PaymentParameters extends ItemParameters {
	/** The value of an expression for this item. */
	evaluate(expression: string): unknown;
	/** What the model has sent to a tool. */
	call?: ToolCall;
}

/** What the credential says about the account that pays. */
export interface PayingAccount {
	/** Base URL and n8n's id of the credential. */
	account: string;
}

/** A payment that can be sent. */
export interface Plan {
	request: ServiceRequest;
	options: PaymentOptions;
	simplify: boolean;
	keyed?: KeyedPayment;
	row: Row;
}

/** An item that cannot be sent, and what is known of it. */
export interface Refused {
	failure: Failure;
	row: Row;
	/** What is wrong with the item; undefined if nothing is. */
	issues?: ValidationIssue[];
}

export interface Checked {
	plans: Map<number, Plan>;
	/** In the order of the items. One refused item holds back all of them. */
	refused: Map<number, Refused>;
}

/** What was read of an item: a plan unless there are issues. */
interface Reading {
	issues: ValidationIssue[];
	row: Row;
	plan?: Plan;
}

/** Checks every item that was not sent in an earlier try, or that a person has decided about since. */
export async function checkItems(run: Batch): Promise<Checked> {
	const plans = new Map<number, Plan>();
	if (run.heldBack !== undefined) {
		const failure = run.heldBack;
		const all = run.items.map((parameters) => ({ failure, row: readItem(run, parameters).row }));
		return { plans, refused: new Map(all.entries()) };
	}
	const issues = new Map<number, ValidationIssue[]>();
	const rows = new Map<number, Row>();
	let begun = performance.now();
	for (const [item, parameters] of run.items.entries()) {
		if (run.ledger.isFinal(item)) continue;
		// Expressions of a long list take seconds. n8n answers others meanwhile.
		if (performance.now() - begun > MAX_BLOCK) {
			await sleep(0);
			begun = performance.now();
		}
		const reading = readItem(run, parameters);
		rows.set(item, reading.row);
		if (reading.plan !== undefined) plans.set(item, reading.plan);
		else issues.set(item, reading.issues);
	}
	const result = run.ledger.all().length === 0 ? nothingDone(run.entry.endpoint) : undefined;
	try {
		await addDetails(run, plans);
	} catch (error) {
		const failure = unusableCredential(error);
		const keyed = [...plans].filter(([, plan]) => plan.keyed !== undefined);
		const refused = new Map(keyed.map(([item, { row }]) => [item, { failure, row }]));
		return { plans, refused };
	}
	const repeated = compareKeys(plans, issues);
	// A total is checked only if every item is valid.
	if (issues.size === 0) {
		for (const [item, found] of checkTotals(run.ledger, plans, repeated)) issues.set(item, found);
	}
	const refused = [...issues]
		.sort(([a], [b]) => a - b)
		.map(([item, found]): [number, Refused] => [
			item,
			{ failure: invalid(found, result), row: rows.get(item) ?? {}, issues: found },
		]);
	return { plans, refused: new Map(refused) };
}

/** Reads what can be read of an item, also if something else is wrong with it. */
function readItem({ entry: { endpoint }, isTool }: Batch, given: PaymentParameters): Reading {
	const issues: ValidationIssue[] = [];
	const failing: ValidationIssue[] = [];
	const attempt = <T>(read: () => T): T | undefined => {
		try {
			return read();
		} catch (error) {
			failing.push(INPUT.expressionFails((error as Error).message));
			return undefined;
		}
	};
	const parameters = { ...given, value: (name: string) => attempt(() => given.value(name)) };
	const isPayment = endpoint.movesMoney !== undefined;
	const { options, ...read } = isPayment
		? readOptions(given.expression('options'), () => parameters.value('options'), isTool === true)
		: readOptions({}, () => ({}), false);
	issues.push(...read.issues);
	const { request, ...built } = buildPayment(endpoint, parameters, options);
	const key = isPayment ? attempt(() => readKey(parameters)) : undefined;
	const row = rowOf(endpoint, request, key?.text);
	// Read here, because an expression that fails must not stop a run halfway.
	const simplify =
		isTool === true || endpoint.response === UNDOCUMENTED || parameters.value('simplify') !== false;
	if (failing.length > 0) return { issues: failing.slice(0, 1), row };
	if (!built.ok) issues.unshift(...built.issues);
	if (isTool === true) {
		const { call } = parameters;
		issues.push(...(call === undefined ? [] : checkToolCall(call)));
		if (isPayment) issues.push(...checkToolLimits(options));
	}
	if (issues.length > 0) return { issues, row };
	issues.push(...checkLimits(options, request));
	if (isPayment && endpoint.request === UNDOCUMENTED) {
		issues.push(...checkUndocumentedBody(options, request, fieldsOfAuthor(given)));
	}
	if (key?.issue !== undefined) issues.push(key.issue);
	if (issues.length > 0) return { issues, row };
	const keyed = key?.key === undefined ? undefined : { key: key.key, sent: key.sent, details: {} };
	return { issues, row, plan: { request, options, simplify, row, ...(keyed && { keyed }) } };
}

/** The names of fields that the author has written, not an expression: a model or the data cannot add them. */
function fieldsOfAuthor(parameters: PaymentParameters): string[] {
	const body = parameters.expression('requestBody');
	if (parameters.expression('specifyBody') === 'json') {
		if (typeof body !== 'string' || body.startsWith('=')) return [];
		try {
			return keysIn(JSON.parse(body));
		} catch {
			return [];
		}
	}
	const { field } = Object(parameters.expression('bodyFields')) as { field?: Array<{ name?: unknown }> };
	const names = Array.isArray(field) ? field.map(({ name }) => String(name ?? '')) : [];
	return names.filter((name) => !name.startsWith('='));
}

/** The keys of the money in an undocumented body come from the options. */
function buildPayment(endpoint: Endpoint, parameters: ItemParameters, options: PaymentOptions): BuiltRequest {
	const { amountField: amount, destinationField: destination, coinField: currency, amountFormat } = options;
	const isNamed = endpoint.movesMoney !== undefined && endpoint.request === UNDOCUMENTED;
	const money = isNamed ? { amount, destination, currency } : undefined;
	return buildRequest(endpoint, parameters, money, amountFormat);
}

/** The key as the user sees it, as it is compared and as a header carries it, or what is wrong with it. */
interface ReadKey {
	text?: string;
	key?: string;
	sent?: string;
	issue?: ValidationIssue;
}

/** An empty parameter means no key. An expression that gives nothing refuses the item. */
function readKey(parameters: PaymentParameters): ReadKey | undefined {
	const expression = parameters.expression('paymentKey');
	if (expression === undefined || (typeof expression === 'string' && expression.trim() === ''))
		return undefined;
	const value = parameters.value('paymentKey');
	// Two long numbers that lost digits would be the same key.
	const lost = inexact(value, expression);
	if (lost !== undefined) return { issue: INPUT.lostDigits('Payment Key', lost) };
	if (!isPartOfKey(value)) return { issue: PAYMENT_KEY.isEmpty() };
	if (typeof value !== 'string' && typeof value !== 'number') return { issue: PAYMENT_KEY.isNotText() };
	const text = String(value).trim();
	const empty = expressionsWithin(expression).find((part) => !isPartOfKey(parameters.evaluate(part)));
	if (empty !== undefined) return { text, issue: PAYMENT_KEY.hasEmptyPart(text, empty) };
	const read = readKeyText(text);
	return 'key' in read ? { text, ...read } : { text, issue: read };
}

/** Adds what each key stands for. Throws if the credential cannot be used. */
async function addDetails({ entry: { id }, readAccount }: Batch, plans: Map<number, Plan>): Promise<void> {
	const keyed = [...plans.values()].filter((plan) => plan.keyed !== undefined);
	if (keyed.length === 0) return;
	const { account } = await readAccount();
	for (const { keyed: payment, request } of keyed)
		if (payment !== undefined) payment.details = { account, operation: id, ...detailsOf(request) };
}

/** What a payment must share with another one to be the same payment. */
function detailsOf({ amount, currency, destination, otherFields }: ServiceRequest): PaymentDetails {
	return {
		amount: amount === undefined ? '' : canonical(amount),
		currency: currency?.toUpperCase() ?? '',
		destination: destination ?? '',
		'field of the request': canonicalJson(otherFields),
	};
}

/** Adds an issue for items that have one key and differ. Returns the items that repeat an earlier one. */
function compareKeys(plans: Map<number, Plan>, issues: Map<number, ValidationIssue[]>): Set<number> {
	const byKey = new Map<string, Array<[number, KeyedPayment]>>();
	for (const [item, { keyed }] of plans) {
		if (keyed === undefined) continue;
		const same = byKey.get(keyed.key) ?? [];
		byKey.set(keyed.key, same);
		same.push([item, keyed]);
	}
	const repeated = new Set<number>();
	for (const payments of byKey.values()) {
		const items = payments.map(([item]) => item);
		const different = new Set(payments.map(([, { details }]) => JSON.stringify(details)));
		if (different.size === 1) for (const item of items.slice(1)) repeated.add(item);
		else for (const item of items) issues.set(item, [usedTwice(plans.get(item), items)]);
	}
	return repeated;
}

function usedTwice(plan: Plan | undefined, items: number[]): ValidationIssue {
	return PAYMENT_KEY.isUsedTwice(String(plan?.row.paymentKey), itemsInWords(items));
}

/** The first item whose Maximum Total is exceeded, with the issue. A key that comes twice in the run counts once. */
function checkTotals(
	ledger: ExecutionLedger,
	plans: Map<number, Plan>,
	repeated: Set<number>,
): Array<[number, ValidationIssue[]]> {
	const planned = [...plans]
		.filter(([item]) => !repeated.has(item) && ledger.get(item) === undefined)
		.map(([, { request }]) => request);
	const total = totalOf([...ledger.all(), ...planned]);
	for (const [item, { options }] of plans) {
		const { maximumTotal } = options;
		const issues = maximumTotal === undefined ? [] : checkTotal(maximumTotal, total);
		if (issues.length > 0) return [[item, issues]];
	}
	return [];
}
