/** Pairs of executions that pay the same keys at the same instant, in n8n's queue mode with two workers. */
import type { Queue } from '../../host/n8n/queue.ts';
import type { Stack } from '../../host/stack.ts';
import { judged } from '../shared/paymentLines.ts';
import type { PaymentFigures, PaymentLine } from '../shared/paymentLines.ts';
import { payInPairs } from '../payments/pairs.ts';
import { withQueue } from '../payments/stacks.ts';
import type { PairOptions } from '../payments/pairs.ts';

/** Pairs of each round. */
const FULL = 250;
const SHORT = 10;

/** One pair after the other; and several at a time, which keeps the processors of a small machine busy. */
export const ROUNDS: PairOptions[] = [
	{ keys: 1, together: 1 },
	{ keys: 2, together: 4 },
];

export async function run({ short }: { short: boolean }): Promise<PaymentFigures> {
	return await withQueue(async (stack, { workers }) => {
		const lines: PaymentLine[] = [];
		for (const round of ROUNDS) lines.push(await payOnWorkers(stack, workers, short ? SHORT : FULL, round));
		return judged(lines);
	});
}

/** Adds how many of the pairs ran on different workers. */
export async function payOnWorkers(
	stack: Stack,
	workers: Queue['workers'],
	pairs: number,
	options: PairOptions = {},
): Promise<PaymentLine> {
	const { line, executions } = await payInPairs(stack, pairs, options);
	const workerOf = workerOfExecutions(workers);
	const apart = executions.filter(([one, other]) => workerOf(one) !== workerOf(other)).length;
	return {
		...line,
		what: `${line.what}, on two workers`,
		more: `${apart} pairs on different workers; ${line.more}`,
	};
}

/** Makes the function that returns the index of the worker which has finished an execution, by what their logs say now. */
function workerOfExecutions(workers: Queue['workers']): (id: string) => number {
	const finished = workers.map(
		(worker) => new Set([...worker.log().matchAll(/Worker finished execution (\d+)/g)].map(([, id]) => id)),
	);
	return (id) => finished.findIndex((ids) => ids.has(id));
}
