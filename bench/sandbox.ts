/**
 * How many requests the sandbox answers in a second, every signature checked: the sandbox in one process, the clients in
 * another one (`sandboxLoad.ts`), which signs each request anew.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { kill, start } from '../host/sandboxProgram.ts';
import { control } from '../host/sandboxClient.ts';
import type { Options, Report } from './results.ts';

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
			'bench/sandboxLoad.ts',
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

export const title = 'Sandbox';
export const how =
	'Signed requests from 8 clients in another process, payouts and reads by turns; every signature is checked.';

export async function run(report: Report, { short }: Options): Promise<void> {
	const load = { requests: short ? 4000 : 40_000, clients: 8 };
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
	const show = ({ rate, p50, p99 }: Figures) => `${rate} answers in a second, p50 ${p50} ms, p99 ${p99} ms`;
	try {
		const inMemory = await measure(load);
		report.row({
			what: 'in memory',
			figure: show(inMemory),
			target: `${TARGET} in a second`,
			met: inMemory.rate >= TARGET,
		});
		report.row({ what: 'with --db', figure: show(await measure(load, join(folder, 'sandbox.db'))) });
	} finally {
		rmSync(folder, { recursive: true });
	}
}
