/** n8n with the package and the sandbox, for work that needs money. */
import { startQueue } from '../n8n/queue.ts';
import type { Queue } from '../n8n/queue.ts';
import { startTemporaryStack } from '../stack.ts';
import type { Stack } from '../stack.ts';
import { prepare } from './payments.ts';

export type QueueStack = Stack & { queue: Queue };

/** A stack in queue mode, with two webhook processors. */
export async function startQueueStack(workers: number, env: Record<string, string>): Promise<QueueStack> {
	const started: { queue?: Queue } = {};
	const stack = await startTemporaryStack(
		async (folder) => (started.queue = await startQueue({ folder, env, webhookProcessors: 2, workers })),
	);
	return Object.assign(stack, { queue: started.queue! });
}

/** Works with a stack, which is stopped afterwards. The balances cover all payments. */
export async function withStack<T, S extends Stack>(
	start: () => Promise<S>,
	work: (stack: S) => Promise<T>,
): Promise<T> {
	const stack = await start();
	try {
		await prepare(stack.sandbox);
		return await work(stack);
	} finally {
		await stack.stop();
	}
}
