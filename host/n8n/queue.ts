/** n8n's queue mode: a main process, webhook processors behind a balancer, and workers, with PostgreSQL and Redis. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startBalancer } from '../doubles/balancer.ts';
import { copyPackages, installPackage, startN8n, WITHOUT_EDITOR } from './process.ts';
import type { N8n } from './process.ts';
import { startStores } from './databases.ts';

interface QueueOptions extends Size {
	folder: string;
	/** More settings of all processes, as n8n's own environment variables. */
	env?: Record<string, string>;
	/** Folders of more packages of nodes. */
	packages?: readonly string[];
}

export interface Size {
	webhookProcessors: number;
	workers: number;
}

/** The main process as an `N8n`, whose webhooks go to the balancer. `stop` and `kill` end all processes. */
export type Queue = Awaited<ReturnType<typeof startQueue>>;

/** Empties the folder and starts everything in it. If a process does not start, all are stopped and the reason is thrown. */
export async function startQueue({ folder, env: settings, packages = [], ...size }: QueueOptions) {
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const running: Array<{ stop(): Promise<void>; kill?(): Promise<void> }> = [];
	const end = (how: 'stop' | 'kill') => async () => {
		for (const part of running.splice(0).reverse()) await (part[how] ?? part.stop)();
	};
	try {
		const stores = await startStores(join(folder, 'stores'));
		running.push(stores);
		const database = await stores.database('n8n');
		const balancer = await startBalancer();
		running.push(balancer);
		// Each process has its own folder, like a machine of its own. These settings are what they share.
		const env = {
			...WITHOUT_EDITOR,
			EXECUTIONS_MODE: 'queue',
			N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
			// Executions started by hand run on the workers too.
			OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
			N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
			WEBHOOK_URL: balancer.url,
			...database.env,
			...stores.redis,
			...settings,
		};
		const start = async (role: 'start' | 'webhook' | 'worker', name: string) => {
			copyPackages(packages, join(folder, name));
			const n8n = await startN8n({ userFolder: join(folder, name), role, env });
			running.push(n8n);
			return n8n;
		};
		const webhookProcessors: N8n[] = [];
		const workers: N8n[] = [];
		/** Starts more processes until these numbers are reached. */
		const grow = async (wanted: Size) => {
			const more = (existing: N8n[], count: number, role: 'webhook' | 'worker') =>
				Array.from({ length: count - existing.length }, (_, index) => ({
					existing,
					role,
					name: `${role}-${existing.length + index + 1}`,
				}));
			const missing = [
				...more(webhookProcessors, wanted.webhookProcessors, 'webhook'),
				...more(workers, wanted.workers, 'worker'),
			];
			await installPackage(...missing.map(({ name }) => join(folder, name)));
			const starts = await Promise.allSettled(
				missing.map(async ({ existing, role, name }) => existing.push(await start(role, name))),
			);
			for (const outcome of starts) if (outcome.status === 'rejected') throw outcome.reason;
			balancer.origins.splice(0, Infinity, ...webhookProcessors.map(({ url }) => url));
		};
		await installPackage(join(folder, 'main'));
		// The main process starts first, because it creates the tables.
		const main = await start('start', 'main');
		await grow(size);
		return {
			...main,
			webhooks: balancer.url,
			webhookProcessors,
			workers,
			database,
			stores,
			grow,
			stop: end('stop'),
			kill: end('kill'),
		};
	} catch (error) {
		await end('stop')();
		throw error;
	}
}
