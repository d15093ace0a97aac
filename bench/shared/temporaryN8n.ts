import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../host/n8n/client.ts';
import type { N8nClient } from '../../host/n8n/client.ts';
import {
	copyPackages,
	installPackage,
	restartN8n,
	startN8n,
	WITHOUT_EDITOR,
} from '../../host/n8n/process.ts';
import type { N8n } from '../../host/n8n/process.ts';
import { TEMPORARY_OWNER } from '../../host/stack.ts';
import { sqliteOf } from './executions.ts';
import type { Place } from './receivers.ts';

/** A real n8n with the package in it, in a folder that is deleted afterwards. */
export interface TemporaryN8n {
	/** A new one after a restart, at the same address. */
	readonly n8n: N8n;
	/** Logged in to the n8n of the first start. */
	readonly client: N8nClient;
	/** Kills n8n as a power cut does, or stops it cleanly, and starts it again. */
	restart(how?: 'kill' | 'stop'): Promise<void>;
	/** Stops n8n and deletes its folder. */
	stop(): Promise<void>;
}

/** With this, n8n makes an expression engine only if one is needed. Without it, n8n makes one for each delivery. */
export const LAZY_EXPRESSION_ENGINE = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

/** n8n must delete no execution while a bench counts them. */
export const KEEP_EXECUTIONS = { EXECUTIONS_DATA_PRUNE: 'false' };

/** The folder of the nodes that do nothing. They show what n8n itself takes. */
export const NULL_NODES = 'bench/null-nodes';

/** `env`: further settings of n8n. `nodeOptions`: options of Node.js. */
export async function startTemporaryN8n(
	env: Record<string, string> = {},
	nodeOptions: string[] = [],
): Promise<TemporaryN8n> {
	const userFolder = mkdtempSync(join(tmpdir(), 'wallet-service-bench-'));
	let n8n: N8n | undefined;
	const stop = async () => {
		await n8n?.stop();
		rmSync(userFolder, { recursive: true, force: true });
	};
	try {
		await installPackage(userFolder);
		copyPackages([NULL_NODES], userFolder);
		const first = await startN8n({
			userFolder,
			// The bench's Code node signs requests.
			env: { ...WITHOUT_EDITOR, NODE_FUNCTION_ALLOW_BUILTIN: 'crypto', ...env },
			nodeOptions,
		});
		n8n = first;
		const client = await connect(first.url, TEMPORARY_OWNER);
		return {
			get n8n() {
				return n8n ?? first;
			},
			client,
			restart: async (how = 'kill') => {
				n8n = await restartN8n(n8n ?? first, how);
			},
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

/** To publish receivers in it. */
export function placeOf(host: TemporaryN8n): Place {
	return { n8n: host.n8n, client: host.client, processes: [host.n8n], database: sqliteOf(host) };
}

/** Runs the work with an n8n of its own, which is stopped afterwards. */
export async function withTemporaryN8n<T>(
	work: (host: TemporaryN8n) => Promise<T>,
	env?: Record<string, string>,
	nodeOptions?: string[],
): Promise<T> {
	const host = await startTemporaryN8n(env, nodeOptions);
	try {
		return await work(host);
	} finally {
		await host.stop();
	}
}
