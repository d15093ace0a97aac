/**
 * Pays items: all are checked before the first is sent, they go out one at a time, and none goes out twice. The one
 * implementation for both ways in which n8n calls the node.
 */
import type { IDataObject } from 'n8n-workflow';

import { canonical } from '../../../api/decimal.ts';
import type { Endpoint } from '../../../api/endpoints.ts';
import { UNDOCUMENTED } from '../../../api/shape.ts';
import type { CallLedger, LedgerEntry } from './callLedger.ts';
import { invalid, notSent } from './failure.ts';
import { checkLimits, checkTotal, checkUndocumentedBody, readOptions, undocumentedFields } from './limits.ts';
import type { PaymentOptions } from './limits.ts';
import { INPUT, PAYMENT, PAYMENT_KEY } from './messages.ts';
import type { CallResult, Executed, Failure, ValidationIssue } from './outcome.ts';
import type { Claim, PaymentDetails, PaymentRecord } from './paymentRecord.ts';
import { buildRequest, inexact } from './request.ts';
import type { Parameters, ServiceRequest } from './request.ts';
import { identifierOf } from './response.ts';

/** One run of the node over its items, or one try of it. */
export interface PaymentRun {
	endpoint: Endpoint;
	/** The parameters of each item. */
	items: Parameters[];
	ledger: CallLedger;
	/** Undefined where n8n offers no record of payment keys. */
	record?: PaymentRecord;
	send(item: number, body: string | undefined): Promise<CallResult>;
	/** Does everything but send. */
	rehearse(item: number, body: string | undefined): Promise<CallResult>;
	/** Whether a failed item leaves the others alone. */
	continueOnFail: boolean;
	isCancelled(): boolean;
}

/** The result of each item. A run that stops at a failure ends with it: `item` tells whose it is. */
export interface PaymentResults {
	results: CallResult[];
	stoppedAt?: { item: number; failure: Failure };
}

interface Plan {
	request: ServiceRequest;
	options: PaymentOptions;
	key?: string;
}

/** Pays the items of a run in their order. */
export async function payItems(run: PaymentRun): Promise<PaymentResults> {
	const { plans, failures } = await checkItems(run);
	const stop = (item: number, failure: Failure): PaymentResults => ({
		results,
		stoppedAt: { item, failure: withExecuted(failure, run.ledger) },
	});
	const results: CallResult[] = [];
	const [firstInvalid] = failures;
	if (firstInvalid !== undefined && !run.continueOnFail) {
		return stop(firstInvalid[0], withOtherIssues(firstInvalid[1], failures));
	}
	for (const item of run.items.keys()) {
		const result = await payItem(run, item, plans.get(item), failures);
		if (!result.ok && !run.continueOnFail) return stop(item, result.failure);
		results.push(result);
	}
	return { results };
}

async function payItem(
	run: PaymentRun,
	item: number,
	plan: Plan | undefined,
	failures: Map<number, Failure>,
): Promise<CallResult> {
	const { ledger, endpoint } = run;
	const earlier = ledger.get(item);
	if (earlier !== undefined) return recalled(earlier, endpoint);
	if (plan === undefined || failures.size > 0) {
		return { ok: false, failure: failures.get(item) ?? heldBack(failures) };
	}
	if (run.isCancelled()) return { ok: false, failure: notSent(PAYMENT.runStopped()) };

	const { request, options, key } = plan;
	const sameElsewhere = ledger.unknownElsewhere(endpoint.route, request.body);
	if (sameElsewhere !== undefined) return recalled(sameElsewhere, endpoint);
	if (key === undefined || run.record === undefined) {
		return options.dryRun ? await run.rehearse(item, request.body) : await sendOnce(run, item, request);
	}
	return await payWithKey(run, run.record, item, { request, options, key });
}

/** Sends a payment whose key was not used before. */
async function payWithKey(
	run: PaymentRun,
	record: PaymentRecord,
	item: number,
	{ request, options, key }: Plan & { key: string },
): Promise<CallResult> {
	const details = detailsOf(request);
	let claim: Claim | undefined;
	try {
		const state = options.dryRun
			? (await record.look([{ key, details }]))[0]
			: await record.claim(key, details);
		if (state === undefined || 'is' in state) {
			const known = state === undefined ? undefined : knownResult(state, key, request, options.dryRun);
			return known ?? (await run.rehearse(item, request.body));
		}
		claim = state;
	} catch (error) {
		return { ok: false, failure: notSent(PAYMENT_KEY.cannotBeKept((error as Error).message)) };
	}
	const result = await sendOnce(run, item, request);
	if (!result.ok && result.failure.outcome === 'unknown') {
		claim.abandon();
		return result;
	}
	// If n8n cannot store this, the key stays with an unknown outcome and is not paid again.
	await (result.ok ? claim.accepted() : claim.release()).catch(() => {});
	return result;
}

/** The result of an item whose key was used before. Undefined: it was not. */
function knownResult(
	state: Exclude<Awaited<ReturnType<PaymentRecord['claim']>>, Claim>,
	key: string,
	request: ServiceRequest,
	dryRun: boolean,
): CallResult | undefined {
	switch (state.is) {
		case 'unused':
			return undefined;
		case 'accepted':
			return { ok: true, items: [{ ...(dryRun && { dryRun }), ...alreadyPaid(key, request) }] };
		case 'unknown':
			return {
				ok: false,
				failure: { ...notSent(PAYMENT_KEY.hasUnknownOutcome(key)), outcome: 'unknown' },
			};
		case 'different':
			return { ok: false, failure: notSent(wasUsedDifferently(key, state.details)) };
	}
}

function alreadyPaid(key: string, { amount, fields, destination }: ServiceRequest): IDataObject {
	const { currency, coin } = fields as { currency?: string; coin?: string };
	return {
		alreadyPaid: true,
		paymentKey: key,
		...(currency !== undefined && { currency }),
		...(coin !== undefined && { coin }),
		...(amount !== undefined && { amount }),
		...(destination !== undefined && { destination }),
	};
}

function wasUsedDifferently(key: string, details: string[]): ValidationIssue {
	return PAYMENT_KEY.wasUsedDifferently(key, details.join(' and '));
}

/** What a payment must share with an earlier one to be the same payment. */
function detailsOf({ amount, currency, destination }: ServiceRequest): PaymentDetails {
	return {
		amount: amount === undefined ? '' : canonical(amount),
		currency: currency?.toUpperCase() ?? '',
		destination: destination ?? '',
	};
}

/** Sends a payment and keeps its outcome in the ledger. */
async function sendOnce(run: PaymentRun, item: number, request: ServiceRequest): Promise<CallResult> {
	const { ledger, endpoint } = run;
	const { amount, currency, destination, body } = request;
	const executed: Executed = { itemIndex: item, ...(amount !== undefined && { amount }) };
	const sent = { route: endpoint.route, body, amount, currency, destination };
	// Unknown before it leaves: if n8n gives up in between, nobody may take it for unsent.
	ledger.set(item, { ...sent, outcome: 'unknown', executed, failure: inFlight() });
	const result = await run.send(item, body);
	if (result.ok) {
		const id = identifierOf(endpoint, result.items[0] ?? {});
		ledger.set(item, {
			...sent,
			outcome: 'accepted',
			executed: { ...executed, ...(id !== undefined && { id }) },
			items: result.items,
		});
	} else if (result.failure.outcome === 'unknown') {
		ledger.set(item, { ...sent, outcome: 'unknown', executed, failure: result.failure });
	} else {
		ledger.delete(item);
	}
	return result;
}

function inFlight(): Failure {
	return { ...notSent(PAYMENT.wasUnderWay()), outcome: 'unknown' };
}

/** The result of a payment that an earlier try has sent. */
function recalled(earlier: LedgerEntry, { route }: Endpoint): CallResult {
	if (earlier.route !== route) {
		return { ok: false, failure: notSent(PAYMENT.wasMadeByAnotherOperation(earlier.route)) };
	}
	if (earlier.outcome === 'accepted') return { ok: true, items: earlier.items };
	const { message, description } = notSent(PAYMENT.mayHaveBeenMade(earlier.failure.message));
	return { ok: false, failure: { ...earlier.failure, message, description } };
}

function heldBack(failures: Map<number, Failure>): Failure {
	return notSent(PAYMENT.anotherItemIsInvalid([...failures.keys()].join(', ')));
}

/** Checks every item that was not sent in an earlier try. */
async function checkItems(
	run: PaymentRun,
): Promise<{ plans: Map<number, Plan>; failures: Map<number, Failure> }> {
	const plans = new Map<number, Plan>();
	const issues = new Map<number, ValidationIssue[]>();
	for (const [item, parameters] of run.items.entries()) {
		if (run.ledger.get(item) !== undefined) continue;
		const plan = planItem(run, parameters);
		if (Array.isArray(plan)) issues.set(item, plan);
		else plans.set(item, plan);
	}
	// A total is that of all items or of none.
	if (issues.size === 0) {
		for (const [item, found] of checkTotals(run.ledger, plans)) issues.set(item, found);
	}
	for (const [item, issue] of await checkKeys(run, plans)) {
		issues.set(item, [...(issues.get(item) ?? []), issue]);
	}
	const sorted = [...issues].sort(([a], [b]) => a - b);
	return { plans, failures: new Map(sorted.map(([item, found]) => [item, invalid(found)])) };
}

function planItem({ endpoint, record }: PaymentRun, parameters: Parameters): Plan | ValidationIssue[] {
	try {
		const entered = parameters.entered('options');
		const evaluated = parameters.value('options');
		// An expression that gives nothing leaves its option out of the evaluated ones.
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
		return { request, options, ...(typeof key === 'string' && { key }) };
	} catch (error) {
		return [INPUT.expressionFails((error as Error).message)];
	}
}

function buildPayment(endpoint: Endpoint, parameters: Parameters, options: PaymentOptions) {
	const built = buildRequest(endpoint, parameters);
	if (!built.ok || endpoint.request !== UNDOCUMENTED) return built;
	return buildRequest(endpoint, parameters, undocumentedFields(options, built.request.fields));
}

/** A parameter that was left empty means no key. One whose expression gives nothing refuses the item. */
function readKey(parameters: Parameters, canBeKept: boolean): string | undefined | ValidationIssue {
	const entered = parameters.entered('paymentKey');
	if (entered === undefined || entered === null || String(entered).trim() === '') return undefined;
	if (!canBeKept) return PAYMENT_KEY.cannotBeKeptForTool();
	const value = parameters.value('paymentKey');
	// Two long numbers that lost digits would be the same key.
	const lost = typeof value === 'number' ? inexact(value, entered) : undefined;
	if (lost !== undefined) return INPUT.lostDigits('Payment Key', lost);
	const key = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	return key === '' ? PAYMENT_KEY.isEmpty() : key;
}

/** The first item whose limit the total goes beyond, with the issue. */
function checkTotals(ledger: CallLedger, plans: Map<number, Plan>): Array<[number, ValidationIssue[]]> {
	const planned = [...plans.values()].map(({ request }) => request);
	const payments = [...ledger.all(), ...planned];
	for (const [item, { options }] of plans) {
		const { maximumTotal } = options;
		const issues = maximumTotal === undefined ? [] : checkTotal(maximumTotal, payments);
		if (issues.length > 0) return [[item, issues]];
	}
	return [];
}

/** Keys that stand for different payments, in this run or in an earlier one. */
async function checkKeys(
	{ record }: PaymentRun,
	plans: Map<number, Plan>,
): Promise<Array<[number, ValidationIssue]>> {
	const keyed = [...plans].flatMap(([item, { key, request }]) =>
		key === undefined ? [] : [{ item, key, details: detailsOf(request) }],
	);
	const issues: Array<[number, ValidationIssue]> = [];
	for (const key of new Set(keyed.map((payment) => payment.key))) {
		const same = keyed.filter((payment) => payment.key === key);
		if (new Set(same.map(({ details }) => JSON.stringify(details))).size === 1) continue;
		const items = same.map(({ item }) => item).join(', ');
		for (const { item } of same) issues.push([item, PAYMENT_KEY.isUsedTwice(key, items)]);
	}
	// A single payment finds this out when it claims its key.
	if (record === undefined || plans.size < 2 || keyed.length === 0) return issues;
	try {
		const states = await record.look(keyed);
		for (const [index, { item, key }] of keyed.entries()) {
			const state = states[index];
			if (state?.is === 'different') issues.push([item, wasUsedDifferently(key, state.details)]);
		}
	} catch (error) {
		const issue = PAYMENT_KEY.cannotBeKept((error as Error).message);
		issues.push(...keyed.map(({ item }): [number, ValidationIssue] => [item, issue]));
	}
	return issues;
}

/** n8n shows the failure of one item only, so the first names the others too. */
function withOtherIssues(failure: Failure, failures: Map<number, Failure>): Failure {
	const [, ...others] = failures;
	return { ...failure, otherIssues: others.map(([item, { message }]) => `${message} [item ${item}]`) };
}

/** The failure at which the run stops, with everything that this run has paid, in this try and in earlier ones. */
function withExecuted(failure: Failure, ledger: CallLedger): Failure {
	const accepted = ledger.ofThisRun('accepted');
	const unknown = ledger.ofThisRun('unknown');
	const sentences = [
		...(accepted.length > 0 ? [`Accepted in this run: ${listed(accepted)}. Do not send them again.`] : []),
		...(unknown.length > 0 ? [`Unknown: ${listed(unknown)}. Look them up at the service.`] : []),
	];
	const done = sentences.length === 0 ? 'No money was moved by this run.' : sentences.join(' ');
	return {
		...failure,
		description: `${failure.description} ${done}`,
		executed: accepted.map(({ executed }) => executed),
	};
}

/** `item 0 12.50 NGN to supplier-main as po_1; item 1 …` */
export function listed(entries: LedgerEntry[]): string {
	return entries
		.map(({ executed: { itemIndex, id }, amount, currency, destination }) =>
			[
				`item ${itemIndex}`,
				amount,
				currency === destination ? undefined : currency,
				destination && `to ${destination}`,
				id && `as ${id}`,
			]
				.filter((word) => word !== undefined && word !== '')
				.join(' '),
		)
		.join('; ');
}
