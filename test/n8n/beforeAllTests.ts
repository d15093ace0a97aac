import type { Config } from 'jest';
import { startShared } from './sharedN8n.ts';

/** Jest calls this once, before it starts the workers. */
export default async function beforeAllTests({ maxWorkers }: Config): Promise<void> {
	(globalThis as Record<string, unknown>).stopSharedN8n = await startShared(Number(maxWorkers));
}
