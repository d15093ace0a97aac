/**
 * One n8n for each Jest worker, started for the first file that needs it. Test files that leave n8n itself alone use it one after the
 * other, because a start takes longer than most tests.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { send } from '../../host/http.ts';
import { deleteDataTables } from '../../host/n8n/dataTable.ts';
import { FOR_TESTS, installPackage, startN8n } from '../../host/n8n/process.ts';
import type { N8n } from '../../host/n8n/process.ts';
import { connect, until } from '../../host/n8n/client.ts';
import type { N8nClient } from '../../host/n8n/client.ts';
import { statusCodeOf } from '../../host/n8n/session.ts';
import { startStack, TEMPORARY_OWNER } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';

/** Holds the address that starts the n8n of a worker when it is asked for the first time. */
const VARIABLE = 'TEST_SHARED_N8N';

type Shared = Pick<N8n, 'url' | 'pid' | 'options'>;

/** Lets the workers ask for their n8n. Returns what stops them all. */
export async function shareN8n(): Promise<() => Promise<void>> {
	const starts = new Map<string, Promise<N8n>>();
	const server = createServer((request, response) => {
		const worker = request.url!;
		if (!starts.has(worker)) starts.set(worker, start());
		starts.get(worker)!.then(
			({ url, pid, options }) => response.end(JSON.stringify({ url, pid, options } satisfies Shared)),
			(error: Error) => response.writeHead(500).end(error.message),
		);
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	process.env[VARIABLE] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return async () => {
		server.close();
		for (const started of await Promise.allSettled(starts.values())) {
			if (started.status === 'rejected') continue;
			await started.value.stop();
			rmSync(started.value.options.userFolder, { recursive: true, force: true });
		}
	};
}

async function start(): Promise<N8n> {
	const userFolder = mkdtempSync(join(tmpdir(), 'wallet-service-shared-'));
	await installPackage(userFolder);
	return await startN8n({ userFolder, env: FOR_TESTS });
}

/** A sandbox with the n8n of this worker, emptied, and these examples. `stop` leaves n8n running. */
export async function startStackOnShared(examples: readonly string[]): Promise<Stack> {
	const { status, text } = await send(`${process.env[VARIABLE]}/${process.env.JEST_WORKER_ID}`, 'GET');
	if (status !== 200) throw new Error(text);
	const shared = JSON.parse(text) as Shared;
	const n8n: N8n = {
		...shared,
		webhooks: shared.url,
		log: () => readFileSync(join(shared.options.userFolder, 'n8n.log'), 'utf8'),
		stop: async () => {},
		kill: () => Promise.reject(new Error('Other test files need this n8n. Use one of your own.')),
	};
	// Before and not after the tests, because a file may fail at any place.
	await deleteEverything(await connect(shared.url, TEMPORARY_OWNER));
	const { userFolder } = shared.options;
	return await startStack({
		userFolder,
		owner: TEMPORARY_OWNER,
		start: () => Promise.resolve(n8n),
		examples,
	});
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
