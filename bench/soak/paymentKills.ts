/**
 * n8n is killed with SIGKILL at random instants while it pays a list by Payment Key. It is started again, and the same workflow
 * pays the same list once more. Afterwards what the service paid is compared with what the last execution said.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '../../host/stack.ts';
import { figuresOf, makePayments, timesPaid, wordOf } from '../payments/paymentComparison.ts';
import type { Payment } from '../payments/paymentComparison.ts';
import { judged } from '../payments/lines.ts';
import type { PaymentFigures, PaymentLine } from '../payments/lines.ts';
import { killAndRestart, pay, publishPayer, ROUTE, withStack } from '../payments/payer.ts';
import type { Payer } from '../payments/payer.ts';
import { tally } from '../shared/lists.ts';

export const FULL = { kills: 20, batch: 30 };
export const SHORT = { kills: 1, batch: 12 };

/** The service pays, and answers after this time: a kill often finds a request under way. */
const ANSWER_MS = 60;
/** Longer than one payment takes, so that a kill can happen at any moment of it. */
const PAYMENT_MS = 400;
/** Every third list is killed a second time, while it is paid again. */
const KILLED_TWICE = 3;

export async function run({ short }: { short: boolean }): Promise<PaymentFigures> {
	return await withStack(async (stack) => judged([await payAndKill(stack, short ? SHORT : FULL)]));
}

/** Leaves n8n killed; the sandbox of the stack goes on. */
export async function payAndKill(
	stack: Stack,
	{ kills, batch }: typeof FULL,
	publish: (stack: Stack, name: string) => Promise<Payer> = publishPayer,
): Promise<PaymentLine> {
	const payer = await publish(stack, 'Paid by key, killed');
	const all: Payment[] = [];
	const words = new Map<Payment, string>();
	let [current, killed, inMidBatch] = [stack, 0, 0];
	try {
		while (killed < kills) {
			const payments = makePayments(batch);
			all.push(...payments);
			const isKilledTwice = killed % KILLED_TWICE === KILLED_TWICE - 1 && killed + 2 <= kills;
			for (let left = isKilledTwice ? 2 : 1; left > 0; left -= 1) {
				await stack.control('POST', '/faults', { route: ROUTE, times: batch, delayMs: ANSWER_MS });
				const running = pay(current.n8n, payer, payments).catch(() => undefined);
				await randomInstant(stack, payments);
				const paid = paidOf(stack, payments);
				if (paid < batch) inMidBatch += 1;
				current = await killAndRestart(current, payer);
				await running;
				killed += 1;
				process.stderr.write(`Kill ${killed} of ${kills}, with ${paid} of ${batch} paid\n`);
			}
			const items = await pay(current.n8n, payer, payments);
			for (const [index, payment] of payments.entries()) words.set(payment, wordOf(items[index] ?? {}));
		}
	} finally {
		await current.n8n.kill();
	}
	const times = timesPaid(stack);
	const unknown = all.filter((payment) => words.get(payment) === 'unknown');
	const unknownAndPaid = unknown.filter(({ amount }) => times.has(amount)).length;
	return {
		what: `${kills} SIGKILLs of n8n, then the same keys again`,
		...figuresOf(stack, all, words),
		more: `${inMidBatch} kills in mid-batch; last said: ${tally([...words.values()])}; of the unknown ones ${unknownAndPaid} were paid`,
	};
}

/** Waits until some payments of the list are made, as many as chance says, and then for an instant within the next one. */
async function randomInstant(stack: Stack, payments: Payment[]): Promise<void> {
	const before = paidOf(stack, payments);
	const wanted = before + Math.floor(Math.random() * (payments.length - before));
	for (let left = 6000; paidOf(stack, payments) < wanted; left -= 1) {
		if (left === 0) throw new Error('The list is not paid');
		await sleep(10);
	}
	await sleep(Math.random() * PAYMENT_MS);
}

function paidOf(stack: Stack, payments: Payment[]): number {
	return figuresOf(stack, payments).paid ?? 0;
}
