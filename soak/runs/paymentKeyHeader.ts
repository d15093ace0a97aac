/**
 * The service honours a header that carries the key, and the credential names it. The service fails in every way that the
 * sandbox can; then the same list is paid again until all is paid. What is sent again must be paid once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { CREDENTIAL_TYPE } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';
import { DELAY_MS, FAULTS, NONE, REFUSED, TIMEOUT_MS } from '../payoutFaults/faultTable.ts';
import { makePayments, wordOf } from '../../bench/shared/payments/paymentComparison.ts';
import type { Payment } from '../../bench/shared/payments/paymentComparison.ts';
import { figuresOf, judged } from '../shared/paymentLines.ts';
import type { PaymentFigures } from '../shared/paymentLines.ts';
import { BY_KEY, pay, publishPayer, ROUTE, withStack } from '../../bench/shared/payments/payer.ts';
import { cycle, tally } from '../../bench/shared/lists.ts';
import { saveCredential } from '../../bench/shared/workflowParts.ts';

const HEADER = 'Idempotency-Key';

const FULL = { lists: 10, batch: 22 };
export const SHORT = { lists: 1, batch: 11 };

/** Runs of a list in which the service fails; what comes after them is not disturbed. */
const FAULTY_RUNS = 2;
const MOST_RUNS = 6;

/** What can happen to a payment. A server cannot pretend that nothing listens. */
const KINDS = [NONE, ...Object.keys(FAULTS).filter((kind) => kind !== REFUSED)];

export async function run({ short }: { short: boolean }): Promise<PaymentFigures> {
	return await withStack(async (stack) => await payWithHeader(stack, short ? SHORT : FULL));
}

/** The sandbox of the stack honours the header afterwards. */
export async function payWithHeader(stack: Stack, { lists, batch }: typeof FULL): Promise<PaymentFigures> {
	const { client, control, credential, sandbox } = stack;
	await control('PUT', '/payment_key_header', { header: HEADER });
	const data = { ...credential.data, signatureStyle: 'custom', paymentKeyHeader: HEADER };
	const credentials = await saveCredential(client, CREDENTIAL_TYPE, data, 'With a header');
	const payer = await publishPayer(stack, 'Paid by key, with a header', {
		parameters: { ...BY_KEY, requestOptions: { timeout: TIMEOUT_MS } },
		settings: { credentials },
	});
	const words = new Map<Payment, string>();
	const said: string[][] = [];
	let [made, sentAgain, mostRuns] = [0, 0, 0];
	for (let list = 0; list < lists; list += 1) {
		const payments = makePayments(batch);
		let unknown: Payment[] = [];
		for (let number = 1; number <= MOST_RUNS; number += 1) {
			// Each request takes the next fault, so a fault meets other payments in each run.
			if (number <= FAULTY_RUNS)
				for (let each = 0; each < batch; each += 1) {
					await control('POST', '/faults', {
						route: ROUTE,
						...(FAULTS[cycle(KINDS, made)]?.control ?? PASSES),
					});
					made += 1;
				}
			const items = await pay(stack.n8n, payer, payments);
			sandbox.service.faults.clear();
			for (const [index, payment] of payments.entries()) words.set(payment, wordOf(items[index] ?? {}));
			sentAgain += unknown.filter((payment) => words.get(payment) === 'paid').length;
			unknown = payments.filter((payment) => words.get(payment) === 'unknown');
			said[number - 1] = [...(said[number - 1] ?? []), ...payments.map((each) => words.get(each) ?? '')];
			mostRuns = Math.max(mostRuns, number);
			// A delayed request is under way at the service for a while: it says so, and the outcome stays unknown.
			if (number === FAULTY_RUNS) await sleep(DELAY_MS);
			if (payments.every((each) => ['paid', 'alreadyPaid'].includes(words.get(each) ?? ''))) break;
		}
		process.stderr.write(`${list + 1} of ${lists} lists\n`);
	}
	const line = {
		what: `${lists} lists to a service that honours ${HEADER}, again and again`,
		...figuresOf(stack, [...words.keys()], words),
		more: `unknown, then sent again and paid: ${sentAgain}; at most ${mostRuns} runs; ${said.map((each, run) => `run ${run + 1}: ${tally(each)}`).join('; ')}`,
	};
	const { lines, misses } = judged([line]);
	if (line.paid !== line.asked) misses.push(`${line.what}: ${line.paid} of ${line.asked} paid in the end`);
	const open = [...words.values()].filter((word) => word !== 'paid' && word !== 'alreadyPaid').length;
	if (open > 0) misses.push(`${line.what}: ${open} do not say that they are paid`);
	return { lines, misses };
}

/** A fault that changes nothing, so that it takes its place in the row. */
const PASSES = { delayMs: 0 };
