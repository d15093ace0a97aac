/** Checks all items of a run before the first payment: requests, limits, totals and payment keys. Sends nothing. */
import { canonical } from '../../../api/decimal.ts';
import type { Endpoint } from '../../../api/endpoints.ts';
import { UNDOCUMENTED } from '../../../api/shape.ts';
import type { CallLedger } from './callLedger.ts';
import { invalid } from './failure.ts';
import {
	checkLimits,
	checkTotal,
	checkUndocumentedBody,
	readOptions,
	totalOf,
	undocumentedFields,
} from './limits.ts';
import type { PaymentOptions } from './limits.ts';
import { INPUT, LIMIT, PAYMENT_KEY } from './messages.ts';
import type { Failure, ValidationIssue } from './outcome.ts';
import { labelOfOption } from './paymentProperties.ts';
import type { PaymentDetails, PaymentRecord } from './paymentRecord.ts';
import { inexact } from './input.ts';
import { buildRequest, requestOf } from './request.ts';
import type { BuiltRequest, ItemParameters, ServiceRequest } from './request.ts';

/** The items of a run, and what is known of earlier payments. */
export interface Batch {
	endpoint: Endpoint;
	/** The parameters of each item. */
	items: ItemParameters[];
	ledger: CallLedger;
	/** Undefined where n8n offers no record of payment keys. */
	record?: PaymentRecord;
}

/** A payment that can be sent. */
export interface Plan {
	request: ServiceRequest;
	options: PaymentOptions;
	simplify: boolean;
	key?: string;
}

/** Checks every item that was not sent in an earlier try. */
export async function checkItems(
	run: Batch,
): Promise<{ plans: Map<number, Plan>; failures: Map<number, Failure> }> {
	const plans = new Map<number, Plan>();
	const issues = new Map<number, ValidationIssue[]>();
	for (const [item, parameters] of run.items.entries()) {
		if (run.ledger.get(item) !== undefined) continue;
		const plan = planItem(run, parameters);
		if (Array.isArray(plan)) issues.set(item, plan);
		else plans.set(item, plan);
	}
	const keys = await checkKeys(run, plans);
	for (const [item, issue] of keys.issues) issues.set(item, [issue]);
	// A total is checked only if every item is valid.
	if (issues.size === 0) {
		for (const [item, found] of checkTotals(run.ledger, plans, keys.paid)) issues.set(item, found);
	}
	const sorted = [...issues].sort(([a], [b]) => a - b);
	// One invalid item holds back all of them.
	const result = run.ledger.all().length === 0 ? 'No money was moved.' : undefined;
	return { plans, failures: new Map(sorted.map(([item, found]) => [item, invalid(found, result)])) };
}

function planItem({ endpoint, record }: Batch, parameters: ItemParameters): Plan | ValidationIssue[] {
	try {
		const entered = parameters.entered('options');
		const fromModel = optionsFromModel(entered);
		if (fromModel.length > 0) return fromModel;
		const evaluated = parameters.value('options');
		// n8n leaves out an option whose expression gives nothing. Present without a value, it refuses the item.
		const added =
			typeof entered === 'object' ? Object.keys(entered ?? {}).map((name) => [name, undefined]) : [];
		const { options, issues } = readOptions({ ...Object.fromEntries(added), ...(evaluated as object) });
		const built = buildPayment(endpoint, parameters, options);
		if (!built.ok || issues.length > 0) return [...(built.ok ? [] : built.issues), ...issues];
		const { request } = built;
		issues.push(...checkLimits(options, request));
		if (endpoint.request === UNDOCUMENTED) issues.push(...checkUndocumentedBody(options, request));
		const key = readKey(parameters, record !== undefined);
		if (typeof key === 'object') issues.push(key);
		if (issues.length > 0) return issues;
		// Read here, because an expression that fails must not stop a run halfway.
		const simplify = endpoint.response === UNDOCUMENTED || parameters.value('simplify') !== false;
		return { request, options, simplify, ...(typeof key === 'string' && { key }) };
	} catch (error) {
		return [INPUT.expressionFails((error as Error).message)];
	}
}

/** A limit must not come from the model that it limits. n8n may keep such an expression although the editor forbids it. */
function optionsFromModel(entered: unknown): ValidationIssue[] {
	return Object.entries(entered ?? {})
		.filter(([, value]) => typeof value === 'string' && /\$fromai/i.test(value))
		.map(([name]) => LIMIT.isFromModel(labelOfOption(name)));
}

/** The keys of the money in an undocumented body come from the options. The key of the currency may be another likely one. */
function buildPayment(endpoint: Endpoint, parameters: ItemParameters, options: PaymentOptions): BuiltRequest {
	if (endpoint.request !== UNDOCUMENTED) return buildRequest(endpoint, parameters);
	const { amountField: amount, destinationField: destination, coinField: currency } = options;
	const built = buildRequest(endpoint, parameters, { amount, destination, currency });
	if (!built.ok) return built;
	const { body, fields } = built.request;
	return { ok: true, request: { ...requestOf(fields, undocumentedFields(options, fields)), body } };
}

/** An empty parameter means no key. An expression that gives nothing refuses the item. */
function readKey(parameters: ItemParameters, canBeKept: boolean): string | undefined | ValidationIssue {
	const entered = parameters.entered('paymentKey');
	if (entered === undefined || (typeof entered === 'string' && entered.trim() === '')) return undefined;
	if (!canBeKept) return PAYMENT_KEY.cannotBeKeptForTool();
	const value = parameters.value('paymentKey');
	// Two long numbers that lost digits would be the same key.
	const lost = inexact(value, entered);
	if (lost !== undefined) return INPUT.lostDigits('Payment Key', lost);
	const key = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	return key === '' ? PAYMENT_KEY.isEmpty() : key;
}

/** The first item whose Maximum Total is exceeded, with the issue. Items in `paid` are not sent again, so they do not count. */
function checkTotals(
	ledger: CallLedger,
	plans: Map<number, Plan>,
	paid: Set<number>,
): Array<[number, ValidationIssue[]]> {
	const planned = [...plans].filter(([item]) => !paid.has(item)).map(([, { request }]) => request);
	const total = totalOf([...ledger.all(), ...planned]);
	for (const [item, { options }] of plans) {
		const { maximumTotal } = options;
		const issues = maximumTotal === undefined ? [] : checkTotal(maximumTotal, total);
		if (issues.length > 0) return [[item, issues]];
	}
	return [];
}

interface KeyedPayment {
	item: number;
	key: string;
	details: PaymentDetails;
}

/** Keys that stand for different payments, in this run or in an earlier one; and the items that were paid before. */
async function checkKeys(
	{ record }: Batch,
	plans: Map<number, Plan>,
): Promise<{ issues: Map<number, ValidationIssue>; paid: Set<number> }> {
	const keyed: KeyedPayment[] = [];
	let hasTotal = false;
	for (const [item, { key, request, options }] of plans) {
		if (key !== undefined) keyed.push({ item, key, details: detailsOf(request) });
		hasTotal ||= options.maximumTotal !== undefined;
	}
	const { issues, repeated } = compareKeys(keyed);
	const paid = new Set(repeated);
	// Without a total, a single payment finds out when it claims its key.
	const isLookedUp = plans.size > 1 || hasTotal;
	if (record === undefined || keyed.length === 0 || issues.size > 0 || !isLookedUp) return { issues, paid };
	try {
		const states = await record.lookUpAll(keyed);
		for (const [index, { item, key }] of keyed.entries()) {
			const state = states[index];
			if (state?.is === 'different') issues.set(item, wasUsedDifferently(key, state.details));
			if (state?.is === 'accepted') paid.add(item);
		}
	} catch (error) {
		const issue = PAYMENT_KEY.cannotBeKept((error as Error).message);
		for (const { item } of keyed) issues.set(item, issue);
	}
	return { issues, paid };
}

/** Items of one run with the same key: different payments are an issue, equal ones repeat the first. */
function compareKeys(keyed: KeyedPayment[]): { issues: Map<number, ValidationIssue>; repeated: number[] } {
	const byKey = new Map<string, KeyedPayment[]>();
	for (const payment of keyed) byKey.set(payment.key, [...(byKey.get(payment.key) ?? []), payment]);
	const issues = new Map<number, ValidationIssue>();
	const repeated: number[] = [];
	for (const [key, payments] of byKey) {
		const items = payments.map(({ item }) => item);
		const different = new Set(payments.map(({ details }) => JSON.stringify(details)));
		if (different.size === 1) repeated.push(...items.slice(1));
		else for (const item of items) issues.set(item, PAYMENT_KEY.isUsedTwice(key, items.join(', ')));
	}
	return { issues, repeated };
}

/**
 * What a payment must share with an earlier one to be the same payment. A request whose amount, currency or destination
 * cannot be read must be the same as a whole.
 */
export function detailsOf({ amount, currency, destination, body = '' }: ServiceRequest): PaymentDetails {
	const isReadable = amount !== undefined && currency !== undefined && destination !== undefined;
	return {
		amount: amount === undefined ? '' : canonical(amount),
		currency: currency?.toUpperCase() ?? '',
		destination: destination ?? '',
		...(!isReadable && { 'request body': body }),
	};
}

export function wasUsedDifferently(key: string, details: string[]): ValidationIssue {
	return PAYMENT_KEY.wasUsedDifferently(key, details.join(' and '));
}
