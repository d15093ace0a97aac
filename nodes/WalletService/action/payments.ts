/**
 * Pays items: all are checked before the first is sent, they go out one at a time, and none goes out twice. The one
 * implementation for both ways in which n8n calls the node.
 */
import type { IDataObject } from 'n8n-workflow';

import type { Endpoint } from '../../../api/endpoints.ts';
import { camelCase } from '../../../api/shape.ts';
import { checkItems, detailsOf, wasUsedDifferently } from './batch.ts';
import type { Batch, Plan } from './batch.ts';
import { listed } from './callLedger.ts';
import type { LedgerEntry } from './callLedger.ts';
import { notSent } from './failure.ts';
import { PAYMENT, PAYMENT_KEY, STOPPED } from './messages.ts';
import type { CallResult, Executed, Failure } from './outcome.ts';
import type { Claim, KeyState, PaymentRecord } from './paymentRecord.ts';
import type { ServiceRequest } from './request.ts';
import { hasFailed, identifierOf } from './response.ts';

/** One run of the node over its items, or one try of it. */
export interface PaymentRun extends Batch {
	/** Never throws. */
	send(body: string | undefined, simplify: boolean): Promise<CallResult>;
	/** Does everything but send. */
	rehearse(body: string | undefined): Promise<CallResult>;
	/** JSON text of a tool call's arguments. */
	input?: string;
	/** Whether the run goes on to the next item after a failed one. */
	continueOnFail: boolean;
	isCancelled(): boolean;
}

/** The result of each item. A run that stops at a failure ends with it: `item` tells whose it is. */
export interface PaymentResults {
	results: CallResult[];
	stoppedAt?: { item: number; failure: Failure };
}

/** Pays the items of a run in their order. */
export async function payItems(run: PaymentRun): Promise<PaymentResults> {
	const { plans, failures } = await checkItems(run);
	const stop = (item: number, failure: Failure): PaymentResults => ({
		results,
		stoppedAt: { item, failure: withExecuted(failure, run, results) },
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
	if (earlier !== undefined) return earlierResult(earlier, endpoint);
	if (plan === undefined || failures.size > 0) {
		return { ok: false, failure: failures.get(item) ?? heldBack(failures) };
	}
	if (run.isCancelled()) return { ok: false, failure: notSent(PAYMENT.runStopped()) };

	const { request, options, key } = plan;
	if (key !== undefined && run.record !== undefined) {
		return await payWithKey(run, run.record, item, { ...plan, key });
	}
	// Without a key, the same request in another run may be another try of a tool.
	const sameElsewhere = ledger.unknownElsewhere(endpoint.route, { body: request.body, input: run.input });
	if (sameElsewhere !== undefined) return earlierResult(sameElsewhere, endpoint);
	return options.dryRun ? await run.rehearse(request.body) : await sendOnce(run, item, plan);
}

/** Sends a payment whose key was not used before. */
async function payWithKey(
	run: PaymentRun,
	record: PaymentRecord,
	item: number,
	plan: Plan & { key: string },
): Promise<CallResult> {
	const { request, options, key } = plan;
	const details = detailsOf(request);
	let claim: Claim | KeyState;
	try {
		claim = options.dryRun ? await record.lookUp(key, details) : await record.claim(key, details);
	} catch (error) {
		return { ok: false, failure: notSent(PAYMENT_KEY.cannotBeKept((error as Error).message)) };
	}
	if ('is' in claim) {
		const known = knownResult(claim, key, request, options.dryRun);
		return known ?? (await run.rehearse(request.body));
	}
	if (run.isCancelled()) {
		await claim.release().catch(() => {});
		return { ok: false, failure: notSent(PAYMENT.runStopped()) };
	}
	const result = await sendOnce(run, item, plan);
	// A status such as `failed` does not prove that nothing was paid, so the outcome of the key stays unknown.
	if (result.ok ? result.items.some(hasFailed) : result.failure.outcome === 'unknown') {
		claim.abandon();
		return result;
	}
	// If n8n cannot store this, the key stays with an unknown outcome and is not paid again.
	await (result.ok ? claim.accepted() : claim.release()).catch(() => {});
	return result;
}

/** The result of an item whose key was used before; undefined for an unused key. */
function knownResult(
	state: KeyState,
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

/** Sends a payment and keeps its outcome in the ledger. */
async function sendOnce(run: PaymentRun, item: number, { request, simplify }: Plan): Promise<CallResult> {
	const { ledger, endpoint } = run;
	const { amount, currency, destination, body } = request;
	const executed: Executed = { itemIndex: item, ...(amount !== undefined && { amount }) };
	const sent = { route: endpoint.route, body, input: run.input, amount, currency, destination };
	// Recorded as unknown before it is sent: if n8n stops in between, the payment must not count as unsent.
	ledger.set(item, { ...sent, outcome: 'unknown', executed, failure: inFlight() });
	const answer = await run.send(body, simplify);
	const result = answer.ok && simplify ? withDestination(endpoint, answer.items, request) : answer;
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

/** Adds the destination of a payout, which the documented response does not have. A conversion has none. */
function withDestination(
	{ movesMoney }: Endpoint,
	items: IDataObject[],
	{ destination, destinationField = '' }: ServiceRequest,
): CallResult {
	const name = camelCase(destinationField);
	const isShown = items.some((item) => Object.keys(item).some((key) => camelCase(key) === name));
	if (destination === undefined || isShown || movesMoney?.destination === movesMoney?.currency)
		return { ok: true, items };
	return { ok: true, items: items.map((item) => ({ ...item, [name]: destination })) };
}

function inFlight(): Failure {
	return { ...notSent(PAYMENT.wasUnderWay()), outcome: 'unknown' };
}

/** The result of a payment that an earlier try has sent. */
function earlierResult(earlier: LedgerEntry, { route }: Endpoint): CallResult {
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

/** n8n shows the failure of one item only, so the first names the others too. */
function withOtherIssues(failure: Failure, failures: Map<number, Failure>): Failure {
	const [, ...others] = failures;
	return { ...failure, otherIssues: others.map(([item, { message }]) => `${message} [item ${item}]`) };
}

/** The failure at which the run stops. It says first what this run has paid, in this try and in earlier ones. */
function withExecuted(failure: Failure, { items, ledger }: PaymentRun, results: CallResult[]): Failure {
	const accepted = ledger.ofThisRun('accepted');
	const unknown = ledger.ofThisRun('unknown');
	const paid = accepted.length + results.filter(isPaidBefore).length;
	const paidWords = accepted.length === 1 ? STOPPED.onePaid : STOPPED.somePaid;
	const unknownWords = failure.outcome === 'unknown' ? STOPPED.thisIsUnknown : STOPPED.unknown;
	return {
		...failure,
		message:
			paid === 0 ? failure.message : STOPPED.partlyPaid(String(paid), String(items.length), failure.message),
		description: [
			...(accepted.length > 0 ? [paidWords(listed(accepted))] : []),
			...(unknown.length > 0 ? [unknownWords(listed(unknown))] : []),
			failure.description,
		].join(' '),
		executed: accepted.map(({ executed }) => executed),
	};
}

function isPaidBefore(result: CallResult): boolean {
	return result.ok && result.items.some(({ alreadyPaid, dryRun }) => alreadyPaid === true && dryRun !== true);
}
