/**
 * Requests per second of the sandbox with every signature checked. The sandbox runs in one process, the clients in another
 * (`sandboxClients.ts`), which makes a new signature for each request.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { control } from '../../host/sandboxClient.ts';
import { kill, start } from '../../host/sandboxProgram.ts';
import type { Bench, Options, Report } from '../results.ts';
import { runForJson } from '../shared/childNode.ts';

export interface Figures {
	/** Answers per second; all of them 200. */
	rate: number;
	/** Milliseconds from the request to the end of the answer, in 50 and 99 of 100 requests or less. */
	p50: number;
	p99: number;
}

export interface Load {
	/** Requests that are measured, after a tenth as many that are not. */
	requests: number;
	/** Clients, each with one request at a time. */
	clients: number;
}

/** `database`: file of the sandbox's database; in memory without it. */
export async function measure({ requests, clients }: Load, database?: string): Promise<Figures> {
	const { sandbox, child } = await start(...(database === undefined ? [] : ['--db', database]));
	try {
		const args = [sandbox.url, sandbox.key, sandbox.secret, String(requests), String(clients)];
		const figures = await runForJson<Figures>('bench/sandbox/sandboxClients.ts', args);
		// A service that answers without doing anything must not count as fast.
		const { payouts } = (await control(sandbox, 'GET state')).json as { payouts: unknown[] };
		if (payouts.length < requests / 2) throw new Error(`Only ${payouts.length} payouts were made`);
		return figures;
	} finally {
		await kill(child, 'SIGKILL');
	}
}

/** Requests per second. */
const TARGET = 2000;

const title = 'Sandbox';
const how =
	'Signed requests from 8 clients in another process, alternately payouts and reads; every signature is checked.';

async function run(report: Report, { short }: Options): Promise<void> {
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

export const sandboxBench: Bench = { title, how, run };
