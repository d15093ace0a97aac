/** Pays or changes what the items of a run say: all are read and checked before the first is sent, then one at a time. */
import { sleep } from 'n8n-workflow';

import { invalid, nothingDone, notSent, unusableCredential } from '../../shared/answers/failure.ts';
import { UNSENT } from '../../shared/answers/messages.ts';
import type { CallResult, Failure } from '../../shared/result.ts';
import { checkPayments } from './checkAll.ts';
import type { Payment } from '../input/payment.ts';
import { readPayment } from '../input/readChange.ts';
import type { PaymentParameters } from '../input/readChange.ts';
import { readConversion } from './convertAtRate/readConversion.ts';
import { itemsInWords } from './itemNumbers.ts';
import { refusedRun, stoppedRun, withHistory } from './report.ts';
import { REPEATED } from './messages.ts';
import { failed, rowOfPayment } from './itemResult.ts';
import { earlierResult, payItem } from './payItem.ts';
import type { Run } from './run.ts';

/** What a run has done. `stoppedAt` is there if the node is to stop at an item. */
export interface PaymentResults {
	/** In the order of the items, up to the one at which the node stops. */
	results: CallResult[];
	/** What was read of the items, but for those that an earlier try has decided. */
	payments: Map<number, Payment>;
	stoppedAt?: { item: number; failure: Failure };
}

/** Pays the items of a run in their order. */
export async function payItems(run: Run): Promise<PaymentResults> {
	const { items, continueOnFail } = run;
	const payments = await readItems(run);
	const obstacle = run.obstacle ?? (await findUnusableCredential(run, payments));
	if (!run.isEachAlone) checkPayments(payments, run.ledger);
	const refusals = refusalsOf(run, payments, obstacle);
	const [first] = run.isEachAlone && obstacle === undefined ? [] : refusals.keys();
	if (first !== undefined && !continueOnFail) {
		const failure = obstacle === undefined ? refusedRun(run, payments) : withHistory(run, obstacle);
		return { results: [], payments, stoppedAt: { item: first, failure } };
	}
	const results: CallResult[] = [];
	const becauseOfOthers = first === undefined ? undefined : refusedBecauseOf(refusals);
	for (const item of items.keys()) {
		const payment = payments.get(item);
		const refusal = refusals.get(item) ?? becauseOfOthers;
		const result =
			refusal === undefined && payment !== undefined
				? await payItem(run, item, payment)
				: notTried(run, item, payment, refusal ?? notSent(UNSENT.runStopped()));
		if (!result.ok && !continueOnFail) {
			const failure = stoppedRun(run, results, item, result.failure);
			return { results, payments, stoppedAt: { item, failure } };
		}
		results.push(result);
	}
	return { results, payments };
}

/** Milliseconds that the checks keep n8n from everything else. */
const MAX_BLOCK = 20;

/** Reads every item that was not sent in an earlier try, or that a person has decided about since. */
async function readItems(run: Run): Promise<Map<number, Payment>> {
	const { operation, items, ledger, isTool, market } = run;
	const payments = new Map<number, Payment>();
	const read = (parameters: PaymentParameters) =>
		market === undefined
			? readPayment(operation, parameters, isTool)
			: readConversion(parameters, market, isTool);
	let begun = performance.now();
	for (const [item, parameters] of items.entries()) {
		if (ledger.isFinal(item)) continue;
		// Expressions of a long list take seconds. n8n answers others meanwhile.
		if (performance.now() - begun > MAX_BLOCK) {
			await sleep(0);
			begun = performance.now();
		}
		payments.set(item, read(parameters));
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

/** The items that are not sent, with the reason. `obstacle`: why none can be sent. */
function refusalsOf(
	{ operation, ledger, isEachAlone }: Run,
	payments: Map<number, Payment>,
	obstacle: Failure | undefined,
): Map<number, Failure> {
	const result = ledger.isEmpty && !isEachAlone ? nothingDone(operation) : undefined;
	const refusals = new Map<number, Failure>();
	for (const [item, { issues }] of payments) {
		if (obstacle !== undefined) refusals.set(item, obstacle);
		else if (issues.length > 0) refusals.set(item, invalid(issues, result));
	}
	return refusals;
}

/** Why an item without issues is not sent. */
function refusedBecauseOf(refusals: Map<number, Failure>): Failure {
	return notSent(REPEATED.anotherItemIsInvalid(itemsInWords([...refusals.keys()])));
}

/** The result of an item that is not sent in this try: that of an earlier one, or the reason. */
function notTried(run: Run, item: number, payment: Payment | undefined, reason: Failure): CallResult {
	const earlier = run.ledger.get(item);
	return earlier === undefined ? failed(reason, rowOfPayment(payment)) : earlierResult(run, earlier);
}
