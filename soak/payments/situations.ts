/**
 * Situations in which workflows pay lists in a real n8n. Afterwards what n8n has said is compared with what the service did by its
 * own records: no payment is made twice, and each is made or named.
 */
import { KEEP_EXECUTIONS } from '../../host/n8n/process.ts';
import type { Queue } from '../../host/n8n/queue.ts';
import { startTemporaryStack, type Stack } from '../../host/stack.ts';
import { startQueueStack, withStack } from '../../host/testkit/stacks.ts';
import { inTurn, type PaymentFigures, type SoakOptions } from '../shared/figures.ts';
import { payAndKill } from './kills.ts';
import { figuresOfTable, payInPairs } from './pairs.ts';

/** Milliseconds. By default n8n ends the executions of a worker that was killed after more than a minute. */
const SOON_STALLED = {
	QUEUE_WORKER_LOCK_DURATION: '6000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
	QUEUE_WORKER_STALLED_INTERVAL: '2000',
};

type Where = () => Promise<Stack & { queue?: Queue }>;

const EXAMPLES = ['pay-once'];

const inOneProcess: Where = () => startTemporaryStack({ examples: EXAMPLES });
const onWorkers =
	(workers: number): Where =>
	() =>
		startQueueStack(workers, { ...KEEP_EXECUTIONS, ...SOON_STALLED }, EXAMPLES);
const onTwoWorkers = onWorkers(2);

type PaymentSoak = (options: SoakOptions) => Promise<PaymentFigures>;

/** Pays in each size, one after the other, in one n8n. `after`: what is looked at in the end. */
function situation<Size extends object>(
	where: Where,
	pay: (stack: Stack, size: Size, queue?: Queue) => Promise<PaymentFigures>,
	sizes: { full: Size[]; short: Size[] },
	after?: (stack: Stack) => Promise<PaymentFigures>,
): PaymentSoak {
	return async ({ short }) =>
		await withStack(where, async (stack) => {
			const paid = (short ? sizes.short : sizes.full).map((size) => () => pay(stack, size, stack.queue));
			const all = after === undefined ? paid : [...paid, () => after(stack)];
			return await inTurn(all, (measure) => measure());
		});
}

/** One pair after the other; and several at a time, which keep the processors of a small machine busy. */
const pairs = (count: number, byExample: boolean) => [
	{ pairs: count, keys: 1, together: 1, byExample },
	{ pairs: count, keys: 2, together: 4, byExample },
];
const BY_KEY = { full: pairs(250, false), short: pairs(10, false) };
const BY_EXAMPLE = { full: pairs(250, true), short: pairs(5, true) };

/** Eight executions with the same keys; then with four amounts for each key, of which one may be paid. */
const eights = (count: number) => [
	...[1, 2].map((keys) => ({ pairs: count, keys, together: 1, executions: 8 })),
	{ pairs: count, keys: 1, together: 1, executions: 8, amounts: 4 },
];

const KILLS = {
	full: [{ kills: 200, workflows: 4, batch: 10 }],
	short: [{ kills: 2, workflows: 2, batch: 6 }],
};

const PAY_ONCE = [
	situation(onTwoWorkers, payInPairs, BY_EXAMPLE, figuresOfTable),
	situation(inOneProcess, payInPairs, BY_EXAMPLE, figuresOfTable),
	situation(inOneProcess, payAndKill, {
		full: [{ kills: 20, workflows: 1, batch: 30, byExample: true }],
		short: [{ kills: 1, workflows: 1, batch: 12, byExample: true }],
	}),
];

/** By the name of the soak. */
export const SITUATIONS: Record<string, PaymentSoak> = {
	paymentPairs: situation(inOneProcess, payInPairs, BY_KEY),
	queuePairs: situation(onTwoWorkers, payInPairs, BY_KEY),
	queueEights: situation(onWorkers(3), payInPairs, { full: eights(60), short: eights(5) }),
	paymentKills: situation(inOneProcess, payAndKill, KILLS),
	queueKills: situation(onTwoWorkers, payAndKill, KILLS),
	payOnce: async (options) => await inTurn(PAY_ONCE, (soak) => soak(options)),
};
