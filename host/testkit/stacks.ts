/** n8n with the package and the sandbox, for work that needs money. */
import { startQueue } from '../n8n/queue.ts';
import type { Queue } from '../n8n/queue.ts';
import { startTemporaryStack } from '../stack.ts';
import type { Stack } from '../stack.ts';
import { prepare } from './payments.ts';

/** A stack in queue mode. */
export async function startQueueStack(workers: number, env: Record<string, string>, examples?: string[]) {
	const started: { queue?: Queue } = {};
	const stack = await startTemporaryStack({
		start: async (folder) => (started.queue = await startQueue(folder, workers, env)),
		examples,
	});
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
