/**
 * One n8n for each Jest worker, started before all tests. Test files that leave n8n itself alone use it one after the other,
 * because a start takes longer than most tests.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FAST_EXPRESSION_ENGINE } from '../../host/n8n/process.ts';
import { deleteDataTables } from '../../host/n8n/dataTable.ts';
import { installPackage, startN8n } from '../../host/n8n/process.ts';
import type { N8n } from '../../host/n8n/process.ts';
import { connect, until } from '../../host/n8n/client.ts';
import type { N8nClient } from '../../host/n8n/client.ts';
import { statusCodeOf } from '../../host/n8n/session.ts';
import { startStack, TEMPORARY_OWNER } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';

/** Holds what the workers are told: for each, the address of its n8n, and how it was started. */
const VARIABLE = 'TEST_SHARED_N8N';

type Shared = Pick<N8n, 'url' | 'pid' | 'options'>;

/** Starts one n8n for each worker. Returns what stops them. */
export async function startShared(workers: number): Promise<() => Promise<void>> {
	const folders = Array.from({ length: workers }, () =>
		mkdtempSync(join(tmpdir(), 'wallet-service-shared-')),
	);
	await installPackage(...folders);
	// Files with an n8n of their own run it with its defaults.
	const env = FAST_EXPRESSION_ENGINE;
	const starts = await Promise.allSettled(folders.map((userFolder) => startN8n({ userFolder, env })));
	const started = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
	const stop = async () => {
		await Promise.all(started.map((n8n) => n8n.stop()));
		for (const folder of folders) rmSync(folder, { recursive: true, force: true });
	};
	const failure = starts.find((start) => start.status === 'rejected');
	if (failure !== undefined) {
		await stop();
		throw failure.reason as Error;
	}
	const told: Shared[] = started.map(({ url, pid, options }) => ({
		url,
		pid,
		options,
	}));
	process.env[VARIABLE] = JSON.stringify(told);
	return stop;
}

/** A sandbox with the n8n of this worker, emptied, and these examples. `stop` leaves n8n running. */
export async function startStackOnShared(examples: readonly string[]): Promise<Stack> {
	const all = JSON.parse(process.env[VARIABLE] ?? '[]') as Shared[];
	const shared = all[Number(process.env.JEST_WORKER_ID) - 1];
	if (shared === undefined) throw new Error(`No n8n was started for worker ${process.env.JEST_WORKER_ID}`);
	const n8n: N8n = {
		...shared,
		webhooks: shared.url,
		log: () => readFileSync(join(shared.options.userFolder, 'n8n.log'), 'utf8'),
		stop: async () => {},
		kill: () => Promise.reject(new Error('Other test files need this n8n. Use one of your own.')),
	};
	// Before and not after the tests, because a file may fail at any place.
	await deleteEverything(await connect(shared.url, TEMPORARY_OWNER));
	const start = () => Promise.resolve(n8n);
	return await startStack({ userFolder: shared.options.userFolder, owner: TEMPORARY_OWNER, start, examples });
}

/** Deletes the workflows with their executions, the credentials and the Data Tables. */
async function deleteEverything(client: N8nClient): Promise<void> {
	const listed = async (kind: string) => {
		const { data } = (await client.call('GET', `/api/v1/${kind}?limit=250`)) as { data: Stored[] };
		return data.map(({ id, active }) => ({ path: `/api/v1/${kind}/${id}`, active }));
	};
	const workflows = await listed('workflows');
	for (const { path, active } of workflows) if (active) await client.call('POST', `${path}/deactivate`);
	// n8n refuses with 409 while it is unpublishing.
	const deleted = async (path: string) => {
		try {
			return await client.call('DELETE', path);
		} catch (error) {
			if (statusCodeOf(error) === 409) return undefined;
			throw error;
		}
	};
	for (const { path } of workflows) await until('the workflow to be deleted', () => deleted(path));
	for (const { path } of await listed('credentials')) await client.call('DELETE', path);
	await deleteDataTables(client);
}

interface Stored {
	id: string;
	active?: boolean;
}
