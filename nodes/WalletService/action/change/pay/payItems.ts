/** Pays or changes what the items say: all are checked before the first is sent, one at a time, and none goes out twice. */
import { sleep } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import { movesMoney } from '../../../../../api/catalog.ts';
import { invalid, maybeSent, notSent, nothingDone, unusableCredential } from '../../call/failure.ts';
import { findHold, takeRightToSend } from './holdRepeats.ts';
import { DAY, KEY, UNKNOWN_WITH_KEY, KEY_IS_NOT_FREE, REPEATED } from './messages.ts';
import { UNSENT } from '../../call/messages.ts';
import { withResult } from '../../items.ts';
import { itemsInWords } from '../report/itemNumbers.ts';
import { labelOfOption } from '../../parameters/payments.ts';
import type { CallResult, Failure } from '../../result.ts';
import { checkPayments } from '../read/checkAll.ts';
import type { LedgerEntry } from '../remember/ledger.ts';
import type { Claim, KeyedPayment, KeyState } from '../remember/paymentKeys.ts';
import { keyedPaymentOf, rowOf } from '../read/payment.ts';
import type { Payment } from '../read/payment.ts';
import { readPayment } from '../read/readChange.ts';
import type { Run } from './run.ts';
import { refusedRun, stoppedRun, withHistory } from '../report/runReport.ts';

/** The results of the items. If a run stops, `stoppedAt` holds the failure and its item. */
export interface PaymentResults {
	results: CallResult[];
	/** What was read of the items, but for those that an earlier try has decided. */
	payments: Map<number, Payment>;
	stoppedAt?: { item: number; failure: Failure };
}

/** Pays the items of a run in their order. */
export async function payItems(run: Run): Promise<PaymentResults> {
	const { ledger, items, continueOnFail } = run;
	const payments = await readPayments(run);
	const heldBack = run.heldBack ?? (await findUnusableCredential(run, payments));
	checkPayments(payments, ledger);
	const refused = refusedIn(run, payments, heldBack);
	const [first] = refused.keys();
	if (first !== undefined && !continueOnFail) {
		const failure = heldBack === undefined ? refusedRun(run, payments) : withHistory(run, heldBack);
		return { results: [], payments, stoppedAt: { item: first, failure } };
	}
	const repeatable = findRepeatable(run, payments);
	// A retry that pays by keys only is one, too: a later retry of the same state must not pay without them.
	const pays = [...payments.values()].some(({ options }) => !options.dryRun);
	const stale = refused.size === 0 && pays ? await run.checkRetry(repeatable.size === 0) : undefined;
	if (pays && stale === undefined && refused.size === 0) ledger.takeOver();
	const results: CallResult[] = [];
	for (const item of items.keys()) {
		const mayRepeat = payments.has(item) && (repeatable.size === 0 || repeatable.has(item));
		const isHeld = stale !== undefined && mayRepeat;
		const result = isHeld
			? failed(stale, rowOfPayment(payments.get(item)))
			: await pay(run, item, payments, refused);
		if (!result.ok && !continueOnFail) {
			const { failure } = result;
			const isAll = isHeld && item === 0;
			return {
				results,
				payments,
				stoppedAt: { item, failure: isAll ? failure : stoppedRun(run, results, item, failure) },
			};
		}
		results.push(result);
	}
	return { results, payments };
}

/** Milliseconds that the checks keep n8n from everything else. */
const MAX_BLOCK = 20;

/** Reads every item that was not sent in an earlier try, or that a person has decided about since. */
async function readPayments({ operation, items, ledger, isTool }: Run): Promise<Map<number, Payment>> {
	const payments = new Map<number, Payment>();
	let begun = performance.now();
	for (const [item, parameters] of items.entries()) {
		if (ledger.isFinal(item)) continue;
		// Expressions of a long list take seconds. n8n answers others meanwhile.
		if (performance.now() - begun > MAX_BLOCK) {
			await sleep(0);
			begun = performance.now();
		}
		payments.set(item, readPayment(operation, parameters, isTool));
	}
	return payments;
}

/** Why no payment with a key can be sent: a key belongs to the account that the credential names. */
async function findUnusableCredential(
	{ client }: Run,
	payments: Map<number, Payment>,
): Promise<Failure | undefined> {
	if ([...payments.values()].every(({ key }) => key === undefined)) return undefined;
	try {
		await client.account();
		return undefined;
	} catch (error) {
		return unusableCredential(error);
	}
}

/** The items that are not sent, with the reason. One of them holds all back. */
function refusedIn(
	{ operation, ledger }: Run,
	payments: Map<number, Payment>,
	heldBack: Failure | undefined,
): Map<number, Failure> {
	const result = ledger.all().length === 0 ? nothingDone(operation) : undefined;
	const failures = [...payments].map(([item, { issues }]): [number, Failure | undefined] => [
		item,
		heldBack ?? (issues.length === 0 ? undefined : invalid(issues, result)),
	]);
	return new Map(failures.filter((entry): entry is [number, Failure] => entry[1] !== undefined));
}

/** The items that only the ledger keeps from being paid again: they have no key, and are no dry run. */
function findRepeatable({ items, ledger }: Run, payments: Map<number, Payment>): Set<number> {
	const isRepeatable = (item: number) => {
		const { key, options } = payments.get(item) ?? {};
		return (key ?? ledger.get(item)?.key) === undefined && options?.dryRun !== true;
	};
	return new Set([...items.keys()].filter(isRepeatable));
}

/** Pays one item. */
async function pay(
	run: Run,
	item: number,
	payments: Map<number, Payment>,
	refused: Map<number, Failure>,
): Promise<CallResult> {
	const { ledger } = run;
	const payment = payments.get(item);
	const earlier = ledger.get(item);
	const isHeld = payment === undefined || refused.size > 0 || run.isCancelled();
	// What may have been paid stays unknown, unless its key can be asked.
	if (earlier !== undefined && (isHeld || ledger.isFinal(item) || earlier.key !== payment.key?.compared)) {
		return earlierResult(run, earlier);
	}
	if (isHeld) return failed(refused.get(item) ?? heldBackBy(refused), rowOfPayment(payment));
	if (payment.options.dryRun) return await dryRun(run, payment);
	const keyed = payment.key && keyedPaymentOf(payment, await run.client.account());
	if (keyed === undefined) return await sendUnlessRepeated(run, item, payment);
	const result = await payWithKey(run, item, payment, keyed);
	// What an earlier try of this item may have paid is not known to be unpaid.
	const isOpen = !result.ok && ledger.get(item) === earlier;
	return earlier !== undefined && isOpen
		? failed({ ...result.failure, outcome: 'unknown' }, rowOfPayment(payment))
		: result;
}

/** Sends a payment if its key was not used before. Otherwise returns what is known of it. */
async function payWithKey(
	run: Run,
	item: number,
	payment: Payment,
	keyed: KeyedPayment,
): Promise<CallResult> {
	const { options } = payment;
	let claim: Claim | KeyState;
	try {
		claim = await run.claim(keyed, options.ifOutcomeIsUnknown ?? 'doNotPay');
	} catch (error) {
		return failed(notSent(KEY.cannotBeKept((error as Error).message)), rowOfPayment(payment));
	}
	if (claim.is !== 'claimed') return knownResult(run, item, payment, claim);
	const result = await sendUnlessRepeated(run, item, payment);
	// If n8n cannot store this, the key stays with an unknown outcome and is not paid again.
	await claim.end(result.ok ? 'accepted' : result.failure.outcome).catch(() => {
		if (!result.ok && result.failure.outcome !== 'unknown')
			result.failure.description += ` ${KEY_IS_NOT_FREE}`;
	});
	return result;
}

/** The result of an item whose key was used before. */
function knownResult(run: Run, item: number, payment: Payment, state: KeyState): CallResult {
	const row = rowOfPayment(payment);
	const key = String(payment.paymentKey);
	switch (state.is) {
		case 'paid':
			run.ledger.delete(item);
			return { ok: true, items: [{ ...withResult('alreadyPaid', row), alreadyPaid: true }] };
		case 'unknown': {
			const issue = state.mayDecide ? KEY.hasUnknownOutcome(key) : KEY.wasTried(key);
			return failed(maybeSent(issue), row);
		}
		case 'different': {
			const isAccount = state.details.join() === 'account';
			const issue = isAccount
				? KEY.wasUsedByAnotherAccount(key)
				: KEY.wasUsedDifferently({ key: key, fields: state.details.join(' and ') || 'request' });
			return failed(notSent(issue), row);
		}
	}
}

/** Sends a payment, unless *Hold Repeats* holds it. */
async function sendUnlessRepeated(run: Run, item: number, payment: Payment): Promise<CallResult> {
	const right = await takeRightToSend(run, payment, { isDecided: false });
	if ('refusal' in right) return failed(right.refusal, rowOfPayment(payment));
	const result = await sendToday(run, item, payment);
	// What moved no money holds no other payment. If this fails, the next one is held until it is meant.
	if (!result.ok && result.failure.outcome !== 'unknown') await right.giveBack().catch(() => {});
	return result;
}

/** Sends a payment, unless the run was stopped meanwhile or the day's payments are used up. */
async function sendToday(run: Run, item: number, payment: Payment): Promise<CallResult> {
	const row = rowOfPayment(payment);
	const { maximumPerDay } = payment.options;
	let giveBack: (() => Promise<void>) | undefined;
	if (maximumPerDay !== undefined) {
		const label = labelOfOption('maximumPerDay');
		try {
			giveBack = await run.takePayment(maximumPerDay);
		} catch (error) {
			return failed(notSent(DAY.isNotKept({ label: label, reason: (error as Error).message })), row);
		}
		if (giveBack === undefined)
			return failed(notSent(DAY.perDayIsReached({ label: label, maximum: String(maximumPerDay) })), row);
	}
	const result = run.isCancelled()
		? failed(notSent(UNSENT.runStopped()), row)
		: await sendOnce(run, item, payment);
	// What moved no money is none of the day's payments. If this fails, one payment less is possible.
	if (!result.ok && result.failure.outcome !== 'unknown') await giveBack?.().catch(() => {});
	return result;
}

/** Sends a payment and keeps its outcome in the ledger. */
async function sendOnce(
	{ ledger, operation, client }: Run,
	item: number,
	payment: Payment,
): Promise<CallResult> {
	const { request, options, simplify, connection, key, paymentKey } = payment;
	const { money } = request;
	const row = rowOfPayment(payment);
	const sent = { itemIndex: item, route: operation.route, key: key?.compared, paymentKey, money };
	// Recorded as unknown before it is sent: if n8n stops in between, the payment must not count as unsent.
	ledger.set(item, { ...sent, result: failed(maybeSent(REPEATED.wasUnderWay()), row) });
	const { refusedCodes, idField } = options;
	const sending = { simplify, refusedCodes, idField, connection, paymentKey: key?.sent };
	const answer = await client.send(operation, request, sending);
	if (answer.ok) {
		const done = movesMoney(operation) ? 'paid' : 'done';
		const items = answer.items.map((json) => withResult(done, row, json, !simplify));
		const result = { ...answer, items };
		ledger.set(item, { ...sent, result });
		return result;
	}
	const { failure } = answer;
	if (failure.outcome !== 'unknown') {
		ledger.delete(item);
		return failed(failure, row);
	}
	const result = failed(key ? { ...failure, description: UNKNOWN_WITH_KEY } : failure, row);
	ledger.set(item, { ...sent, result });
	return result;
}

/** A dry run writes nothing. */
async function dryRun(run: Run, payment: Payment): Promise<CallResult> {
	const { client, operation } = run;
	const { request, options, key } = payment;
	const row = rowOfPayment(payment);
	const hold = await findHold(run, payment);
	if (hold !== undefined) return failed(hold, row);
	const answer = await client.describe(operation, request, key?.sent);
	if (!answer.ok) return failed(answer.failure, row);
	const shown = options.showRequest ? { request: answer.items[0] } : {};
	return { ok: true, items: [{ ...withResult('dryRun', row, shown), dryRun: true }] };
}

/** The result of a payment that an earlier try has sent. */
function earlierResult({ operation }: Run, entry: LedgerEntry): CallResult {
	const { route, result } = entry;
	const row = rowOf(operation, entry);
	if (route !== operation.route) {
		return failed(notSent(REPEATED.wasMadeByAnotherOperation(route)), row);
	}
	if (result.ok) return result;
	const again = notSent(REPEATED.mayHaveBeenMade(result.failure.message));
	return failed({ ...result.failure, ...again, outcome: 'unknown' }, row);
}

function failed(failure: Failure, row: IDataObject): CallResult & { ok: false } {
	return { ok: false, failure, row: withResult(failure.outcome, row) };
}

/** Empty for an item that an earlier try has decided. */
function rowOfPayment(payment: Payment | undefined): IDataObject {
	if (payment === undefined) return {};
	const { operation, paymentKey, request } = payment;
	return rowOf(operation, { paymentKey, money: request.money });
}

function heldBackBy(refused: Map<number, Failure>): Failure {
	const items = itemsInWords([...refused.keys()]);
	return notSent(refused.size === 0 ? UNSENT.runStopped() : REPEATED.anotherItemIsInvalid(items));
}
