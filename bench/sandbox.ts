/**
 * How many requests the sandbox answers in a second, every signature checked: the sandbox in one process, the clients in
 * another one (`sandbox-load.ts`), which signs each request anew.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { kill, start } from '../test/sandbox/program.ts';
import { control } from '../test/sandbox/support.ts';

export interface Figures {
	/** Answers in a second; all of them 200. */
	rate: number;
	/** Milliseconds from the request to the end of the answer, of half and of 99 in 100 of them. */
	p50: number;
	p99: number;
}

export interface Load {
	/** Requests that are measured; as many as a tenth of them go before. */
	requests: number;
	/** Clients, each with one request at a time. */
	clients: number;
}

/** In memory, or in a database file. */
export async function measure({ requests, clients }: Load, database?: string): Promise<Figures> {
	const { sandbox, child } = await start(...(database === undefined ? [] : ['--db', database]));
	try {
		const args = [sandbox.url, sandbox.key, sandbox.secret, String(requests), String(clients)];
		const { stdout } = await promisify(execFile)(process.execPath, [
			'--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
			'bench/sandbox-load.ts',
			...args,
		]);
		// So that a service that answers without doing anything would not count as fast.
		const { payouts } = (await control(sandbox, 'GET state')).json;
		if (payouts.length < requests / 2) throw new Error(`Only ${payouts.length} payouts were made`);
		return JSON.parse(stdout);
	} finally {
		await kill(child, 'SIGKILL');
	}
}

/** Requests in a second. */
const TARGET = 2000;

export async function run({ short }: { short: boolean }): Promise<void> {
	const load = { requests: short ? 4000 : 40_000, clients: 8 };
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
	try {
		const figures = {
			'in memory': await measure(load),
			'with --db': await measure(load, join(folder, 'sandbox.db')),
		};
		console.log(
			`Sandbox: ${load.requests} signed requests from ${load.clients} clients, payouts and reads by turns`,
		);
		console.log('Answers in a second; milliseconds for 50 % and for 99 % of them');
		console.table(figures);
		const { rate } = figures['in memory'];
		if (rate < TARGET) throw new Error(`${rate} requests in a second, which should be ${TARGET} or more`);
	} finally {
		rmSync(folder, { recursive: true });
	}
}
