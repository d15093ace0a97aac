/** The real n8n with the package in it, for benches that ask it for something. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { connect, until } from '../host/n8nClient.ts';
import type { Json, N8nClient, WorkflowNode } from '../host/n8nClient.ts';
import { installPackage, startN8n } from '../host/n8n.ts';
import type { N8n } from '../host/n8n.ts';
import { TEMPORARY_OWNER } from '../host/stack.ts';

export interface Host {
	n8n: N8n;
	client: N8nClient;
	/** Ends n8n and removes what it has kept. */
	stop(): Promise<void>;
}

/** `env`: further settings of n8n. */
export async function openHost(env: Record<string, string> = {}): Promise<Host> {
	const userFolder = mkdtempSync(join(tmpdir(), 'wallet-service-bench-'));
	let n8n: N8n | undefined;
	const stop = async () => {
		await n8n?.stop();
		rmSync(userFolder, { recursive: true, force: true });
	};
	try {
		await installPackage(userFolder);
		// For the Code node that signs.
		n8n = await startN8n({ userFolder, env: { NODE_FUNCTION_ALLOW_BUILTIN: 'crypto', ...env } });
		const client = await connect(n8n.url, TEMPORARY_OWNER);
		return { n8n, client, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** Runs the work with a host of its own. */
export async function withHost<T>(
	work: (host: Host) => Promise<T>,
	env?: Record<string, string>,
): Promise<T> {
	const host = await openHost(env);
	try {
		return await work(host);
	} finally {
		await host.stop();
	}
}

/** A node of the newest version that this n8n has. */
export type NodeMaker = (
	name: string,
	type: string,
	parameters: Json,
	more?: Partial<WorkflowNode>,
) => WorkflowNode;

export async function nodeMaker(client: N8nClient): Promise<NodeMaker> {
	const types = await client.nodeTypes();
	const newest = (type: string) => {
		const versions = types.filter(({ name }) => name === type).flatMap(({ version }) => version as number[]);
		if (versions.length === 0) throw new Error(`This n8n has no node ${type}`);
		return Math.max(...versions);
	};
	return (name, type, parameters, more) => ({
		name,
		type,
		typeVersion: newest(type),
		position: [0, 0],
		parameters,
		...more,
	});
}

/** Connections from each node to the one after it. */
export function chain(names: string[]): Json {
	return Object.fromEntries(
		names.slice(1).map((name, index) => [names[index], { main: [[{ node: name, type: 'main', index: 0 }]] }]),
	);
}

export interface Executions {
	count: number;
	/** When the last one ended, in milliseconds since 1970. */
	lastEnd: number;
}

/**
 * Waits until so many executions of the workflow have ended beyond those up to `since`, an id. It looks into n8n's
 * database, so that n8n is not kept from its work. Throws where one did not succeed.
 */
export async function allEnded(
	{ n8n }: Host,
	workflowId: string,
	since: number,
	count: number,
): Promise<Executions> {
	const database = new DatabaseSync(databaseFile(n8n), { readOnly: true });
	try {
		const ask = database.prepare(
			`SELECT count(*) AS count, sum(status = 'success') AS ended, sum(status IN ('error', 'crashed', 'canceled')) AS failed,
			max(stoppedAt) AS lastEnd FROM execution_entity WHERE workflowId = ? AND id > ?`,
		);
		return await until(
			`${count} executions to end`,
			() => {
				const row = ask.get(workflowId, since) as Record<string, number> & { lastEnd: string };
				if (row.failed > 0) throw new Error(`${row.failed} of ${row.count} executions failed`);
				if (row.ended < count || row.count > row.ended) return undefined;
				return { count: row.count, lastEnd: Date.parse(`${row.lastEnd}Z`) };
			},
			120_000,
		);
	} finally {
		database.close();
	}
}

/** The id of the newest execution; 0 where there is none. */
export function newestExecution({ n8n }: Host): number {
	const database = new DatabaseSync(databaseFile(n8n), { readOnly: true });
	try {
		return Number(database.prepare('SELECT coalesce(max(id), 0) AS id FROM execution_entity').get()!.id);
	} finally {
		database.close();
	}
}

/** Milliseconds on a processor that n8n has used until now; undefined where the system does not tell so. */
export function processorTime({ n8n }: { n8n: { pid: number } }): number | undefined {
	const file = `/proc/${n8n.pid}/stat`;
	if (!existsSync(file)) return undefined;
	// The second field is a name in brackets, which may hold anything; of those behind it, user and system time in 1/100 s.
	const fields = readFileSync(file, 'utf8')
		.replace(/^.*\) /s, '')
		.split(' ');
	return (Number(fields[11]) + Number(fields[12])) * 10;
}

function databaseFile({ userFolder }: N8n): string {
	return join(userFolder, '.n8n/database.sqlite');
}
