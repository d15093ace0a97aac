/** Reads all items of a run, and checks them alone and against each other, before the first is sent. */
import { sleep } from 'n8n-workflow';

import { invalid, nothingDone, notSent, unusableCredential } from '../../shared/answers/failure.ts';
import type { CallResult, Failure } from '../../shared/result.ts';
import { checkTotal } from '../input/limits.ts';
import { detailsOf } from '../input/payment.ts';
import type { Payment } from '../input/payment.ts';
import { KEY_FIELD } from '../input/paymentMessages.ts';
import { totalOfExecution } from './guards/executionTotal.ts';
import type { Journal } from './guards/journal.ts';
import { itemsInWords } from './itemNumbers.ts';
import { earlierResult, failed, rowOfPayment } from './itemResult.ts';
import { REPEATED } from './messages.ts';
import { refusedRun, withHistory } from './report.ts';
import type { Run } from './run.ts';

/** The items of a run, checked. */
interface Checked {
	/** What was read of the items, but for those that an earlier try has decided. */
	payments: Map<number, Payment>;
	/** The results of items that are not to be sent. */
	decided: Map<number, CallResult>;
	/** The node is to stop here, and nothing is sent. */
	stoppedAt?: { item: number; failure: Failure };
}

export async function checkAll(run: Run): Promise<Checked> {
	const payments = await readItems(run);
	const obstacle = run.obstacle ?? (await findUnusableCredential(run, payments));
	if (!run.isEachAlone) checkPayments(payments, run.journal);
	const refusals = refusalsOf(run, payments, obstacle);
	// One item holds all back, unless each stands for itself.
	const [first] = run.isEachAlone && obstacle === undefined ? [] : refusals.keys();
	if (first !== undefined && !run.continueOnFail) {
		const failure = obstacle === undefined ? refusedRun(run, payments) : withHistory(run, obstacle);
		return { payments, decided: new Map(), stoppedAt: { item: first, failure } };
	}
	const ofOthers = notSent(REPEATED.anotherItemIsInvalid(itemsInWords([...refusals.keys()])));
	const decided = new Map<number, CallResult>();
	for (const item of run.items.keys()) {
		const refusal = refusals.get(item) ?? (first === undefined ? undefined : ofOthers);
		const earlier = run.journal.get(item);
		if (earlier !== undefined && (refusal !== undefined || !payments.has(item)))
			decided.set(item, earlierResult(run, earlier));
		else if (refusal !== undefined) decided.set(item, failed(refusal, rowOfPayment(payments.get(item))));
	}
	return { payments, decided };
}

/** Milliseconds that the checks keep n8n from everything else. */
const MAX_BLOCK = 20;

/** Reads every item that was not sent in an earlier try, or that a person has decided about since. */
async function readItems({ items, journal }: Run): Promise<Map<number, Payment>> {
	const payments = new Map<number, Payment>();
	let begun = performance.now();
	for (const [item, read] of items.entries()) {
		if (journal.isFinal(item)) continue;
		// Expressions of a long list take seconds. n8n answers others meanwhile.
		if (performance.now() - begun > MAX_BLOCK) {
			await sleep(0);
			begun = performance.now();
		}
		payments.set(item, read());
	}
	return payments;
}

/** Why no payment with a key can be sent: a key belongs to the account that the credential names. */
async function findUnusableCredential(
	{ client }: Run,
	payments: Map<number, Payment>,
): Promise<Failure | undefined> {
	if ([...payments.values()].every((payment) => !isKeyed(payment))) return undefined;
	try {
		await client.account();
		return undefined;
	} catch (error) {
		return unusableCredential(error);
	}
}

/** The items that are not sent, with the reason. `obstacle`: why none can be sent. */
function refusalsOf(
	{ operation, journal, isEachAlone }: Run,
	payments: Map<number, Payment>,
	obstacle: Failure | undefined,
): Map<number, Failure> {
	const result = journal.isEmpty && !isEachAlone ? nothingDone(operation) : undefined;
	const refusals = new Map<number, Failure>();
	for (const [item, { issues }] of payments) {
		if (obstacle !== undefined) refusals.set(item, obstacle);
		else if (issues.length > 0) refusals.set(item, invalid(issues, result));
	}
	return refusals;
}

/** Whether the payment can be sent with a key. */
function isKeyed({ key, issues }: Payment): boolean {
	return key?.compared !== undefined && issues.length === 0;
}

/** Adds to each payment what is wrong with it beside the others: keys that come twice, and the total of the execution. */
export function checkPayments(payments: Map<number, Payment>, journal: Journal): void {
	const repeated = compareKeys(payments);
	const all = [...payments.values()];
	// A total is checked only if every item is valid.
	if (all.some(({ issues }) => issues.length > 0)) return;
	// To add up what a long loop has paid takes time.
	if (all.every(({ options }) => options.maximumTotal === undefined)) return;
	const total = totalOfExecution(payments, repeated, journal);
	for (const { options, issues } of all) {
		issues.push(...checkTotal(options.maximumTotal, total));
		// One item is enough to hold all of them back.
		if (issues.length > 0) return;
	}
}

/** Adds an issue to items that have one key and differ. Returns the items that repeat an earlier one, which count once. */
function compareKeys(payments: Map<number, Payment>): Set<number> {
	const keyed = [...payments].filter(([, payment]) => isKeyed(payment));
	const repeated = new Set<number>();
	for (const same of Map.groupBy(keyed, ([, { key }]) => key?.compared).values()) {
		if (same.length === 1) continue;
		const items = same.map(([item]) => item);
		if (new Set(same.map(([, payment]) => JSON.stringify(detailsOf(payment)))).size === 1) {
			for (const item of items.slice(1)) repeated.add(item);
			continue;
		}
		const words = itemsInWords(items);
		for (const [, { key, issues }] of same) {
			issues.push(KEY_FIELD.isUsedTwice({ key: String(key?.written), items: words }));
		}
	}
	return repeated;
}
