/**
 * n8n is killed with SIGKILL at random instants while it pays a list by Payment Key. It is started again, and the same workflow
 * pays the same list once more. What is unknown then is settled by what the service really did, until all is paid.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '../../host/stack.ts';
import { figuresOf, makePayments, timesPaid, wordOf } from '../payments/paymentComparison.ts';
import type { Payment } from '../payments/paymentComparison.ts';
import { judged } from '../payments/lines.ts';
import type { PaymentFigures } from '../payments/lines.ts';
import {
	DECIDED_BY_ITEM,
	killAndRestart,
	pay,
	publishPayer,
	ROUTE,
	settleByService,
	withStack,
} from '../payments/payer.ts';
import type { Payer } from '../payments/payer.ts';
import { cycle, tally } from '../shared/lists.ts';

const FULL = { kills: 200, batch: 10 };
export const SHORT = { kills: 2, batch: 6 };

/** The service pays, and answers after these times. The longer it takes, the more kills find a request and not a claim under way. */
const ANSWERS_MS = [0, 60, 250];
/** What a payment takes beside the answer, so that a kill can happen at any moment of it. */
const CLAIM_MS = 150;
/** Every third list is killed a second time, while it is paid again. */
const KILLED_TWICE = 3;
/** Keys that one kill may leave unknown: the payment that is under way, and the claim that is prepared meanwhile. */
const UNKNOWN_PER_KILL = 2;

export async function run({ short }: { short: boolean }): Promise<PaymentFigures> {
	return await withStack(async (stack) => await payAndKill(stack, short ? SHORT : FULL));
}

/** Leaves n8n killed; the sandbox of the stack goes on. */
export async function payAndKill(stack: Stack, { kills, batch }: typeof FULL): Promise<PaymentFigures> {
	const payer = await publishPayer(stack, 'Paid by key, killed', { parameters: DECIDED_BY_ITEM });
	const all: Payment[] = [];
	const [said, settled]: [string[], string[]] = [[], []];
	const last = new Map<Payment, string>();
	let [current, killed, inMidBatch, unpaidButSaidPaid, mostUnknown, runsToSettle] = [stack, 0, 0, 0, 0, 0];
	try {
		while (killed < kills) {
			const payments = makePayments(batch);
			all.push(...payments);
			const isKilledTwice = killed % KILLED_TWICE === KILLED_TWICE - 1 && killed + 2 <= kills;
			const times = isKilledTwice ? 2 : 1;
			for (let left = times; left > 0; left -= 1) {
				current = await killWhilePaying(current, payer, payments, cycle(ANSWERS_MS, killed));
				const paid = paidOf(stack, payments);
				if (paid < batch) inMidBatch += 1;
				killed += 1;
				process.stderr.write(`Kill ${killed} of ${kills}, with ${paid} of ${batch} paid\n`);
			}
			const isPaid = timesPaid(stack);
			const items = await pay(current.n8n, payer, payments);
			const words = new Map(payments.map((payment, index) => [payment, wordOf(items[index] ?? {})]));
			const unknown = payments.filter((payment) => words.get(payment) === 'unknown');
			unpaidButSaidPaid += payments.filter(
				(payment) => words.get(payment) === 'alreadyPaid' && !isPaid.has(payment.amount),
			).length;
			mostUnknown = Math.max(mostUnknown, unknown.length / times);
			said.push(...words.values());
			settled.push(...unknown.map(({ amount }) => (isPaid.has(amount) ? 'wasPaid' : 'wasNotPaid')));
			process.stderr.write(`  then said: ${tally([...words.values()])}\n`);
			const runs = await settleByService({ ...stack, n8n: current.n8n }, payer, words);
			runsToSettle = Math.max(runsToSettle, runs);
			for (const [payment, word] of words) last.set(payment, word);
		}
	} finally {
		await current.n8n.kill();
	}
	const what = `${kills} SIGKILLs of n8n, the same keys again, then what is unknown is settled`;
	const line = {
		what,
		...figuresOf(stack, all, last),
		more: `${inMidBatch} kills in mid-batch; said after the kill: ${tally(said)}; not paid and said alreadyPaid: ${unpaidButSaidPaid}; unknown for each kill: at most ${mostUnknown}; settled as: ${tally(settled)}, in at most ${runsToSettle} runs`,
	};
	const { lines, misses } = judged([line]);
	if (unpaidButSaidPaid > 0) misses.push(`${what}: ${unpaidButSaidPaid} not paid and said alreadyPaid`);
	if (mostUnknown > UNKNOWN_PER_KILL) misses.push(`${what}: a kill left ${mostUnknown} keys unknown`);
	if (line.paid !== line.asked) misses.push(`${what}: ${line.paid} of ${line.asked} paid in the end`);
	return { lines, misses };
}

/** Pays the list, kills n8n at a random instant meanwhile, and starts it again. Returns the stack with the new n8n. */
async function killWhilePaying(
	stack: Stack,
	payer: Payer,
	payments: Payment[],
	answerMs: number,
): Promise<Stack> {
	const { control, sandbox } = stack;
	await control('POST', '/faults', { route: ROUTE, times: payments.length, delayMs: answerMs });
	const running = pay(stack.n8n, payer, payments).catch(() => undefined);
	await randomInstant(stack, payments, answerMs + CLAIM_MS);
	const restarted = await killAndRestart(stack, payer);
	await running;
	sandbox.service.faults.clear();
	return restarted;
}

/** Waits until some payments of the list are made, as many as chance says, and then for an instant within the next one. */
async function randomInstant(stack: Stack, payments: Payment[], paymentMs: number): Promise<void> {
	const before = paidOf(stack, payments);
	const wanted = before + Math.floor(Math.random() * (payments.length - before));
	for (let left = 6000; paidOf(stack, payments) < wanted; left -= 1) {
		if (left === 0) throw new Error('The list is not paid');
		await sleep(10);
	}
	await sleep(Math.random() * paymentMs);
}

function paidOf(stack: Stack, payments: Payment[]): number {
	return figuresOf(stack, payments).paid ?? 0;
}
