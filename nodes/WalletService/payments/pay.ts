/**
 * The way of a payment. All items of a run are checked before the first is sent. Then each one, in its order, passes the guards, goes
 * out, and gives back what it does not need. A change that moves no money takes the same way.
 */
import { notSent, unknown } from '../../shared/answers/failure.ts';
import { UNCLEAR, UNSENT } from '../../shared/answers/messages.ts';
import type { CallResult, Failure } from '../../shared/result.ts';
import type { Payment } from '../input/payment.ts';
import { checkAll } from './checkAll.ts';
import { isRefusal } from './guards/guard.ts';
import type { Attempt, Ending, Guard, Held, Refusal } from './guards/guard.ts';
import { guardsOf } from './guards/order.ts';
import { failed, refused, rowOfPayment, withNotes } from './itemResult.ts';
import { stoppedRun } from './report.ts';
import type { Run } from './run.ts';
import { describe, explained, send } from './send.ts';

/** What a run has done. `stoppedAt` is there if the node is to stop at an item. */
export interface PaymentResults {
	/** In the order of the items, up to the one at which the node stops. */
	results: CallResult[];
	/** What was read of the items, but for those that an earlier try has decided. */
	payments: Map<number, Payment>;
	stoppedAt?: { item: number; failure: Failure };
}

/** Pays the items of a run in their order. */
export async function pay(run: Run): Promise<PaymentResults> {
	const { payments, decided, stoppedAt } = await checkAll(run);
	if (stoppedAt !== undefined) return { results: [], payments, stoppedAt };
	const guards = guardsOf({ ...run, account: run.client.account }, payments);
	const results: CallResult[] = [];
	try {
		for (const item of run.items.keys()) {
			const payment = payments.get(item)!;
			const result = decided.get(item) ?? (await payItem(run, guards, { item, payment }));
			results.push(result);
			// The other rows of a list are paid before the node stops.
			if (!result.ok && !run.continueOnFail && run.rows === undefined) break;
		}
	} finally {
		// What is not given back only makes less possible.
		await Promise.allSettled(guards.map(async (guard) => await guard.end?.()));
	}
	return { results, payments, stoppedAt: run.continueOnFail ? undefined : stoppedAtFirst(run, results) };
}

function stoppedAtFirst(run: Run, results: CallResult[]): PaymentResults['stoppedAt'] {
	const item = results.findIndex(({ ok }) => !ok);
	const result = results[item];
	if (result === undefined || result.ok) return undefined;
	return { item, failure: stoppedRun(run, results, item, result.failure) };
}

async function payItem(run: Run, guards: Guard[], first: Attempt): Promise<CallResult> {
	if (first.payment.options.dryRun) return await tryOut(run, guards, first);
	// Fetched before anything is taken: a kill while the service answers leaves no key unknown.
	await run.market?.offer();
	const held: Held[] = [];
	let ending: Ending = { outcome: 'notSent' };
	let notes: string[] = [];
	try {
		const passed = await passGuards(run, guards, first, held);
		if (isRefusal(passed)) ending = refused(run, first, passed);
		else {
			// Until its answer is read, nothing proves that the request was not made.
			ending = { outcome: 'unknown' };
			ending = await send(run, passed, held);
		}
	} catch (error) {
		ending = ofMistake(error as Error, { payment: first.payment, held, ending });
	} finally {
		notes = await finishAll(held, ending);
	}
	return withNotes(ending.result!, notes);
}

/** What becomes of a payment when the node itself fails. After the beginning of its request it may have been made. */
function ofMistake(
	{ message }: Error,
	{ payment, held, ending }: { payment: Payment; held: Held[]; ending: Ending },
): Ending {
	const isSent = ending.outcome === 'unknown';
	const failure = isSent
		? explained(unknown(payment.operation, UNCLEAR.nodeFailed(message)), held)
		: notSent(UNSENT.nodeFailed(message));
	return { outcome: failure.outcome, result: failed(failure, rowOfPayment(payment)) };
}

/** What the guards have found; or why the payment is not sent. `held` then has what is to be finished. */
async function passGuards(
	run: Run,
	guards: Guard[],
	first: Attempt,
	held: Held[],
): Promise<Attempt | Refusal> {
	let attempt = first;
	for (const guard of guards) {
		const taken = await guard.take(attempt);
		if (isRefusal(taken)) return taken;
		held.push(taken);
		attempt = taken.attempt ?? attempt;
		if (run.isCancelled()) return { failure: notSent(UNSENT.runStopped()) };
	}
	return attempt;
}

/** The journal first, because a stopped run shows it; then back from the last guard. Returns what could not be given back. */
async function finishAll([journal, ...others]: Held[], ending: Ending): Promise<string[]> {
	const notes: string[] = [];
	for (const each of [journal, ...others.reverse()]) {
		// A mistake in one must not keep what the others hold.
		const note = await each?.finish(ending).catch(() => undefined);
		if (note !== undefined) notes.push(note);
	}
	return notes;
}

/** A dry run asks each guard what it would say, and writes nothing. */
async function tryOut(run: Run, guards: Guard[], first: Attempt): Promise<CallResult> {
	let attempt = first;
	const passed: Array<Pick<Held, 'begin'>> = [];
	for (const guard of guards) {
		const seen = (await guard.look?.(attempt)) ?? {};
		if (isRefusal(seen)) return refused(run, first, seen).result;
		passed.push(seen);
		attempt = seen.attempt ?? attempt;
		if (run.isCancelled()) return refused(run, first, { failure: notSent(UNSENT.runStopped()) }).result;
	}
	const described = await describe(run, attempt);
	if (described.ok) for (const each of passed) each.begin?.();
	return described;
}
