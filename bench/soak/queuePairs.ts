/** Pairs of executions that pay the same keys at the same instant, in n8n's queue mode with two workers. */
import { rmSync } from 'node:fs';
import { startQueue } from '../../host/queue.ts';
import type { Queue } from '../../host/queue.ts';
import { startStack, TEMPORARY_OWNER } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';
import { judged } from '../payments/lines.ts';
import type { PaymentFigures, PaymentLine } from '../payments/lines.ts';
import { payInPairs } from '../payments/pairs.ts';
import type { PairOptions } from '../payments/pairs.ts';
import { prepare } from '../payments/payer.ts';
import { KEEP_EXECUTIONS } from '../shared/temporaryN8n.ts';

/** Pairs of each round. */
const FULL = 250;
const SHORT = 10;

/** One pair after the other; and several at a time, which keeps the processors of a small machine busy. */
export const ROUNDS: PairOptions[] = [
	{ keys: 1, together: 1 },
	{ keys: 2, together: 4 },
];

export async function run({ short }: { short: boolean }): Promise<PaymentFigures> {
	return await withTwoWorkers(async (stack, workers) => {
		const lines: PaymentLine[] = [];
		for (const round of ROUNDS) lines.push(await payOnWorkers(stack, workers, short ? SHORT : FULL, round));
		return judged(lines);
	});
}

/** Runs the work with n8n in queue mode and the sandbox, which are stopped afterwards. The balances cover all payments. */
export async function withTwoWorkers<T>(
	work: (stack: Stack, workers: Queue['workers']) => Promise<T>,
): Promise<T> {
	const folder = `.local/soak-queue-pairs-${process.pid}`;
	const started: { queue?: Queue } = {};
	const stack = await startStack({
		userFolder: folder,
		owner: TEMPORARY_OWNER,
		start: async (userFolder) =>
			(started.queue = await startQueue({
				folder: userFolder,
				env: KEEP_EXECUTIONS,
				webhookProcessors: 2,
				workers: 2,
			})),
		say: (text) => process.stderr.write(`${text}\n`),
	});
	try {
		await prepare(stack);
		return await work(stack, started.queue?.workers ?? []);
	} finally {
		await stack.stop();
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Adds how many of the pairs ran on different workers. */
export async function payOnWorkers(
	stack: Stack,
	workers: Queue['workers'],
	pairs: number,
	options: PairOptions = {},
): Promise<PaymentLine> {
	const { line, executions } = await payInPairs(stack, pairs, options);
	const finished = workers.map(
		(worker) => new Set([...worker.log().matchAll(/Worker finished execution (\d+)/g)].map(([, id]) => id)),
	);
	const workerOf = (id: string) => finished.findIndex((ids) => ids.has(id));
	const apart = executions.filter(([one, other]) => workerOf(one) !== workerOf(other)).length;
	return {
		...line,
		what: `${line.what}, on two workers`,
		more: `${apart} pairs on different workers; ${line.more}`,
	};
}
