/** n8n's queue mode: a main process, webhook processors behind a balancer, and workers, with PostgreSQL and Redis. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startBalancer } from '../doubles/balancer.ts';
import { installPackage, NAMED_ROWS, startN8n, WITHOUT_EDITOR } from './process.ts';
import type { N8n } from './process.ts';
import { startStores } from './databases.ts';

/**
 * The main process as an `N8n`, whose webhooks go to the balancer. `stop` ends all processes, also those that have taken the place
 * of another one in the lists.
 */
export type Queue = Awaited<ReturnType<typeof startQueue>>;

/**
 * Empties the folder and starts everything in it, with two webhook processors and these settings of n8n. If a process does not
 * start, all are stopped and the reason is thrown.
 */
export async function startQueue(folder: string, workerCount: number, settings: Record<string, string>) {
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const stores = await startStores(join(folder, 'stores'));
	const balancer = await startBalancer();
	// Each process has its own folder, like a machine of its own. These settings are what they share.
	const env = {
		...WITHOUT_EDITOR,
		...NAMED_ROWS,
		EXECUTIONS_MODE: 'queue',
		N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
		// Executions started by hand run on the workers too.
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
		WEBHOOK_URL: balancer.url,
		...stores.env,
		...settings,
	};
	const mains: N8n[] = [];
	const webhookProcessors: N8n[] = [];
	const workers: N8n[] = [];
	const stop = async () => {
		for (const n8n of [...workers, ...webhookProcessors, ...mains]) await n8n.stop();
		await balancer.stop();
		await stores.stop();
	};
	const start = async (list: N8n[], role: 'start' | 'webhook' | 'worker', count: number) => {
		const folders = Array.from({ length: count }, (_, index) => join(folder, `${role}-${index + 1}`));
		await installPackage(...folders);
		const starts = await Promise.allSettled(
			folders.map(async (userFolder) => list.push(await startN8n({ userFolder, role, env }))),
		);
		for (const outcome of starts) if (outcome.status === 'rejected') throw outcome.reason;
	};
	try {
		// The main process starts first, because it creates the tables.
		await start(mains, 'start', 1);
		await start(webhookProcessors, 'webhook', 2);
		await start(workers, 'worker', workerCount);
		balancer.origins.push(...webhookProcessors.map(({ url }) => url));
		const { database, restartRedis, restartPostgres } = stores;
		const stored = { database, restartRedis, restartPostgres };
		const more = { webhooks: balancer.url, mains, webhookProcessors, workers, ...stored };
		return { ...mains[0]!, ...more, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}
