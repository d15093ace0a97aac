/** Pays one item: what an earlier try did, the key, the day's payments, then the request. Nothing goes out twice. */
import { movesMoney } from '../../../api/catalog.ts';
import { invalid, maybeSent, notSent, unknown } from '../../shared/answers/failure.ts';
import { UNCLEAR, UNSENT } from '../../shared/answers/messages.ts';
import { withResult } from './items.ts';
import { labelOfOption } from '../input/paymentOptions.ts';
import type { CallResult, Failure, Outcome } from '../../shared/result.ts';
import { keyedPaymentOf, rowOf } from '../input/payment.ts';
import { checkTotalWith } from './checkAll.ts';
import type { Payment, Prepared } from '../input/payment.ts';
import type { LedgerEntry } from './guards/journal.ts';
import type { Claim, Decision, KeyedPayment, KeyState } from './guards/idempotencyKey.ts';
import { findHold, takeRightToSend } from './duplicateCheck.ts';
import { failed, rowOfPayment } from './itemResult.ts';
import { knownResult, lookUpKey } from './knownKey.ts';
import {
	DAY,
	KEY,
	KEY_IS_NOT_FREE,
	REPEATED,
	UNCLEAR_RUN,
	unknownAgain,
	unknownWithKey,
} from './messages.ts';
import type { Run } from './run.ts';

/** After so many requests in a row without a clear answer, something is wrong, and more requests would only be more unknown ones. */
const MOST_UNCLEAR = 3;

/** Pays an item that was read and has no issue. */
export async function payItem(run: Run, item: number, payment: Payment): Promise<CallResult> {
	const { ledger } = run;
	const earlier = ledger.get(item);
	if (earlier !== undefined && !mayAskAgain(run, item, payment)) return earlierResult(run, earlier);
	if (run.isCancelled()) return failed(notSent(UNSENT.runStopped()), rowOfPayment(payment));
	if (payment.options.dryRun) return await dryRun(run, item, payment);
	const keyed = payment.key && keyedPaymentOf(payment, await run.client.account());
	if (keyed !== undefined) return await payAgainOrFirst(run, item, payment, keyed);
	if (run.isRetry) return failed(maybeSent(retryRefusal(run)), rowOfPayment(payment));
	return await sendHolding(run, item, payment, { held: [] });
}

/** Whether the key can say more of an item than the entry of an earlier try. */
function mayAskAgain({ ledger, isCancelled }: Run, item: number, { key }: Payment): boolean {
	return !ledger.isFinal(item) && !isCancelled() && ledger.get(item)?.key === key?.compared;
}

/** Why an item without a key is not sent in a retried execution. */
function retryRefusal({ operation }: Run) {
	return movesMoney(operation) ? REPEATED.needsKeyInRetry() : REPEATED.changeIsNotRetried();
}

/** Pays by the key. What an earlier try of this item may have paid stays unknown, unless the key says what became of it. */
async function payAgainOrFirst(
	run: Run,
	item: number,
	payment: Payment,
	keyed: KeyedPayment,
): Promise<CallResult> {
	const earlier = run.ledger.get(item);
	const result = await payWithKey(run, item, payment, keyed);
	const isStillOpen = earlier !== undefined && !result.ok && run.ledger.get(item) === earlier;
	return isStillOpen ? failed({ ...result.failure, outcome: 'unknown' }, rowOfPayment(payment)) : result;
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
		claim = await run.claim(keyed, options.ifOutcomeIsUnknown);
	} catch (error) {
		return failed(notSent(KEY.cannotBeKept((error as Error).message)), rowOfPayment(payment));
	}
	if (claim.is !== 'claimed') return knownResult(run, item, payment, claim);
	let isEnded = true;
	// If it fails, the key stays with an unknown outcome and is not paid again.
	const end: Finish = async (outcome) => await claim.end(outcome).catch(() => void (isEnded = false));
	const result = await sendHolding(run, item, payment, { held: [end], claim });
	if (!isEnded && !result.ok && result.failure.outcome !== 'unknown')
		result.failure.description += ` ${KEY_IS_NOT_FREE}`;
	return result;
}

/** Ends what was taken for a payment, when its outcome is known. */
type Finish = (outcome: 'accepted' | Outcome) => Promise<void>;

/** What was taken for a payment so far, in this order. `claim`: its key, if it has one. */
interface Holding {
	held: Finish[];
	claim?: Claim;
}

/** Sends a payment, and ends all that was taken for it, whatever happens, the last first. */
async function sendHolding(run: Run, item: number, payment: Payment, holding: Holding): Promise<CallResult> {
	const { ledger, operation } = run;
	const earlier = ledger.get(item);
	let outcome: 'accepted' | Outcome = 'unknown';
	try {
		const result = await sendWithinLimits(run, item, payment, holding);
		outcome = result.ok ? 'accepted' : result.failure.outcome;
		return result;
	} catch (error) {
		const reason = (error as Error).message;
		// The entry of a payment is made before its request.
		if (ledger.get(item) !== earlier)
			return unclear(run, payment, unknown(operation, UNCLEAR.nodeFailed(reason)), holding.claim);
		outcome = 'notSent';
		return failed(notSent(UNSENT.nodeFailed(reason)), rowOfPayment(payment));
	} finally {
		for (const finish of holding.held.toReversed()) await finish(outcome);
	}
}

/** Gives something back if the payment moved no money. */
function unlessPaid(giveBack: () => Promise<void> | void): Finish {
	return async (outcome) => {
		if (outcome !== 'notSent' && outcome !== 'rejected') return;
		try {
			await giveBack();
		} catch {
			// It stays taken, and may hold the next payment.
		}
	};
}

/** Sends a payment, unless the service gives no clear answers, a limit holds it or the run was stopped meanwhile. */
async function sendWithinLimits(
	run: Run,
	item: number,
	payment: Payment,
	{ held, claim }: Holding,
): Promise<CallResult> {
	const row = rowOfPayment(payment);
	if (run.ledger.unclearInARow >= MOST_UNCLEAR)
		return failed(notSent(UNCLEAR_RUN.isHalted(String(MOST_UNCLEAR))), row);
	const prepared = await prepare(run, item, payment);
	if ('refusal' in prepared) return failed(prepared.refusal, row);
	if (prepared.giveBack !== undefined) held.push(unlessPaid(prepared.giveBack));
	const right = await takeRightToSend(run, payment, { isDecided: claim?.isDecided === true });
	if ('refusal' in right) return failed(right.refusal, row);
	held.push(unlessPaid(right.giveBack));
	const day = await takePaymentOfDay(run, payment);
	if ('refusal' in day) return failed(day.refusal, row);
	held.push(unlessPaid(day.giveBack));
	if (run.isCancelled()) return failed(notSent(UNSENT.runStopped()), row);
	return await sendOnce(run, item, prepared.payment, claim);
}

/** What is sent, as it is chosen now; or what holds it, which is known only now. */
async function prepare(run: Run, item: number, payment: Payment): Promise<Prepared> {
	const issues = run.isEachAlone ? checkTotalWith(item, payment, run) : [];
	if (issues.length > 0) return { refusal: invalid(issues) };
	return (await payment.prepare?.()) ?? { payment };
}

/** One of the payments of *Maximum Payments per Day*, if the option is set. */
async function takePaymentOfDay(
	run: Run,
	{ options: { maximumPerDay } }: Payment,
): Promise<{ giveBack: () => Promise<void> } | { refusal: Failure }> {
	if (maximumPerDay === undefined) return { giveBack: async () => await Promise.resolve() };
	const label = labelOfOption('maximumPerDay');
	try {
		const giveBack = await run.takePayment(maximumPerDay);
		if (giveBack !== undefined) return { giveBack };
		return { refusal: notSent(DAY.perDayIsReached({ label, maximum: String(maximumPerDay) })) };
	} catch (error) {
		return { refusal: notSent(DAY.isNotKept({ label, reason: (error as Error).message })) };
	}
}

/** Sends a payment and keeps its outcome in the ledger. */
async function sendOnce(run: Run, item: number, payment: Payment, claim?: Claim): Promise<CallResult> {
	const { ledger, operation, client } = run;
	const { request, options, simplify, connection, key, paymentKey, chosen } = payment;
	const { money } = request;
	const row = rowOfPayment(payment);
	const sent = { itemIndex: item, route: operation.route, key: key?.compared, paymentKey, money };
	// Recorded as unknown before it is sent: if n8n stops in between, the payment must not count as unsent.
	ledger.set(item, { ...sent, result: failed(maybeSent(REPEATED.wasUnderWay()), row) });
	const { refusedCodes, idField } = options;
	const sending = { simplify, refusedCodes, idField, connection, paymentKey: key?.sent, within: claim };
	const answer = withOwnId(run, await client.send(operation, request, sending));
	if (answer.ok) {
		ledger.countAnswer({ isClear: true });
		const done = movesMoney(operation) ? 'paid' : 'done';
		const items = answer.items.map((json) => ({
			...withResult(done, row, { ...chosen, ...json }, !simplify),
			...(answer.belowMinimum && { belowMinimum: true }),
		}));
		const result = { ...answer, items };
		ledger.set(item, { ...sent, result });
		return result;
	}
	const { failure } = answer;
	if (failure.outcome !== 'unknown') {
		if (failure.outcome === 'rejected') ledger.countAnswer({ isClear: true });
		ledger.delete(item);
		return failed(failure, row);
	}
	const result = unclear(run, payment, failure, claim);
	ledger.set(item, { ...sent, result });
	return result;
}

/** The result of a payment that may have been made. */
function unclear(run: Run, payment: Payment, failure: Failure, claim?: Claim): CallResult {
	run.ledger.countAnswer({ isClear: false });
	if (claim !== undefined) describeUnknown(run, failure, claim, payment.options.ifOutcomeIsUnknown);
	return failed(failure, rowOfPayment(payment));
}

/** Says when a person may decide about a payment whose outcome is unknown: after a decision, not before the next run. */
function describeUnknown(run: Run, failure: Failure, claim: Claim, decision: Decision | undefined): void {
	const time = run.timeInWords(claim.mayDecide);
	failure.decideFrom = claim.mayDecide.toISOString();
	const isDecided = decision !== undefined && decision !== 'doNotPay';
	failure.description = isDecided ? unknownAgain(time) : unknownWithKey(time);
	if (isDecided) failure.mayDecide = 'nextRun';
}

/** A service that repeats the answer of another payment has not made this one. */
function withOwnId({ ledger, operation }: Run, answer: CallResult): CallResult {
	if (!answer.ok || answer.id === undefined || ledger.takeId(operation.route, answer.id)) return answer;
	const [details] = answer.items;
	return { ok: false, failure: unknown(operation, UNCLEAR.idOfAnother(answer.id), { details }) };
}

/** A dry run writes nothing. It says what the key knows. */
async function dryRun(run: Run, item: number, payment: Payment): Promise<CallResult> {
	const known = await lookUpKey(run, item, payment);
	if (known !== undefined) return known;
	const { client, operation } = run;
	const row = rowOfPayment(payment);
	const prepared = await prepare(run, item, payment);
	if ('refusal' in prepared) return failed(prepared.refusal, row);
	const { request, options, key, chosen } = prepared.payment;
	const hold = await findHold(run, payment);
	if (hold !== undefined) {
		prepared.giveBack?.();
		return failed(hold, row);
	}
	const answer = await client.describe(operation, request, key?.sent);
	if (!answer.ok) return failed(answer.failure, row);
	run.tried.set(item, payment);
	const shown = { ...chosen, ...(options.showRequest && { request: answer.items[0] }) };
	return { ok: true, items: [withResult('dryRun', row, shown)] };
}

/** The result of a payment that an earlier try has sent. */
export function earlierResult({ operation }: Run, entry: LedgerEntry): CallResult {
	const { route, result } = entry;
	const row = rowOf(operation, entry);
	if (route !== operation.route) return failed(notSent(REPEATED.wasMadeByAnotherOperation(route)), row);
	if (result.ok) return result;
	const again = notSent(REPEATED.mayHaveBeenMade(result.failure.message));
	return failed({ ...result.failure, ...again, outcome: 'unknown' }, row);
}
