/**
 * The sandbox with `--db` is killed with SIGKILL at random moments under load, and started again. Everything that it acknowledged
 * must be there afterwards, once and with every digit, and every event must arrive.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { kill, start } from '../../host/sandboxProgram.ts';
import { until } from '../../host/until.ts';
import { ACTIONS, Refused } from '../sandboxKills/actions.ts';
import type { Acknowledged } from '../sandboxKills/actions.ts';
import { compareWithSandbox, LOSSES } from '../sandboxKills/sandboxComparison.ts';
import type { Comparison } from '../sandboxKills/sandboxComparison.ts';
import { cycle } from '../../bench/shared/lists.ts';
import { reportFigures } from '../shared/soakFigures.ts';

const CLIENTS = 16;
/** Acknowledged calls before a kill, on a machine of any speed. */
const LEAST = 20;
/** Longest time under load after them. */
const LONGEST_MS = 600;
/** The customer's endpoint fails one request in this many, once for each body. */
const FAIL_EVERY = 10;

export interface KillFigures extends Comparison {
	kills: number;
	/** Calls under way at a kill, over all kills. */
	inFlight: number;
}

export async function run({ short }: { short: boolean }): Promise<void> {
	const outcome = await killUnderLoad(short ? 3 : 20);
	reportFigures('Sandbox with --db, killed with SIGKILL under load', { ...outcome }, LOSSES);
}

/** Kills the sandbox this many times under load, and compares what is left with what was acknowledged. */
export async function killUnderLoad(kills: number): Promise<KillFigures> {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
	const endpoint = await startCountingEndpoint();
	const args = ['--db', join(folder, 'sandbox.db'), '--webhook-url', endpoint.url];
	const open = () => start(...args, '--settle-after', '50', '--retry-delay', '50');
	const acknowledged: Acknowledged[] = [];
	let [calls, inFlight] = [0, 0];
	let running = await open();
	try {
		for (let killed = 0; killed < kills; killed++) {
			const { sandbox, child } = running;
			let loading = true;
			const client = async () => {
				while (loading) {
					const action = cycle(ACTIONS, calls);
					// At most one hundredth, and different each time.
					const amount = `0.00${String(calls++).padStart(9, '0')}1`;
					try {
						acknowledged.push(await action(sandbox, amount));
					} catch (error) {
						if (error instanceof Refused) throw error;
						// A refused connection means that the call began after the kill.
						if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') inFlight += 1;
						return;
					}
				}
			};
			const before = acknowledged.length;
			const clients = Promise.all(Array.from({ length: CLIENTS }, client));
			// A client that fails ends the load.
			await Promise.race([
				clients,
				until('enough calls', () => acknowledged.length > before + LEAST || undefined),
			]);
			await sleep(Math.random() * LONGEST_MS);
			await kill(child, 'SIGKILL');
			loading = false;
			await clients;
			running = await open();
		}
		return { kills, inFlight, ...(await compareWithSandbox(running.sandbox, acknowledged, endpoint.taken)) };
	} finally {
		await kill(running.child, 'SIGKILL');
		endpoint.stop();
		rmSync(folder, { recursive: true });
	}
}

/** A customer's endpoint that counts how many times it accepts each body, and fails some of them at first. */
async function startCountingEndpoint(): Promise<{
	url: string;
	taken: Map<string, number>;
	stop: () => void;
}> {
	const taken = new Map<string, number>();
	const failed = new Set<string>();
	let requests = 0;
	const server = createServer((incoming, outgoing) => {
		const chunks: Buffer[] = [];
		incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
		incoming.on('end', () => {
			const body = Buffer.concat(chunks).toString();
			requests += 1;
			const fails = requests % FAIL_EVERY === 0 && !failed.has(body);
			if (fails) failed.add(body);
			else taken.set(body, (taken.get(body) ?? 0) + 1);
			outgoing.writeHead(fails ? 500 : 200).end();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const stop = () => {
		server.close();
		server.closeAllConnections();
	};
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, taken, stop };
}
