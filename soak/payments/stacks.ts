/** The n8n that the soaks of payments run on, beside the one of `withStack`. */
import { rmSync } from 'node:fs';
import { connect } from '../../host/n8n/client.ts';
import { restartN8n } from '../../host/n8n/process.ts';
import { startQueue } from '../../host/n8n/queue.ts';
import type { Queue } from '../../host/n8n/queue.ts';
import { startStack, TEMPORARY_OWNER } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';
import { elementAt } from '../../bench/shared/lists.ts';
import { prepare } from '../../bench/shared/payments/payer.ts';
import type { Payer } from '../../bench/shared/payments/payer.ts';
import { KEEP_EXECUTIONS } from '../../bench/shared/temporaryN8n.ts';

/** Milliseconds. By default n8n ends the executions of a worker that was killed after more than a minute. */
const SOON_STALLED = {
	QUEUE_WORKER_LOCK_DURATION: '6000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
	QUEUE_WORKER_STALLED_INTERVAL: '2000',
};

/** Runs the work with n8n in queue mode, two webhook processors and as many workers as said, and the sandbox. */
export async function withQueue<T>(
	workers: number,
	work: (stack: Stack, queue: Queue) => Promise<T>,
): Promise<T> {
	const folder = `.local/soak-queue-${process.pid}`;
	const started: { queue?: Queue } = {};
	const stack = await startStack({
		userFolder: folder,
		owner: TEMPORARY_OWNER,
		start: async (userFolder) =>
			(started.queue = await startQueue({
				folder: userFolder,
				env: { ...KEEP_EXECUTIONS, ...SOON_STALLED },
				webhookProcessors: 2,
				workers,
			})),
		say: (text) => process.stderr.write(`${text}\n`),
	});
	try {
		await prepare(stack.sandbox);
		if (started.queue === undefined) throw new Error('The queue was not started');
		return await work(stack, started.queue);
	} finally {
		// The stack does not know those that were started again.
		for (const worker of started.queue?.workers ?? []) await worker.stop();
		await stack.stop();
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Kills n8n at once and starts it again. Returns the stack with the new n8n, which the caller has to stop. */
export async function killAndRestart(stack: Stack, ...payers: Payer[]): Promise<Stack> {
	const n8n = await restartN8n(stack.n8n);
	const client = await connect(n8n.url, TEMPORARY_OWNER);
	for (const { workflow } of payers) await client.listening(workflow);
	return { ...stack, n8n, client };
}

/** Kills the worker with this index at once and starts it again. */
export async function killWorker({ workers }: Pick<Queue, 'workers'>, index: number): Promise<void> {
	workers[index] = await restartN8n(elementAt(workers, index));
}
