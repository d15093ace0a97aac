import { shareN8n } from './sharedN8n.ts';

/** Jest calls this once, before it starts the workers. */
export default async function beforeAllTests(): Promise<void> {
	(globalThis as Record<string, unknown>).stopSharedN8n = await shareN8n();
}
