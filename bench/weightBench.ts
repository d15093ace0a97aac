/** What the package costs before it does anything: at n8n's start, in the download, and in what n8n sends to the editor. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connect } from '../host/n8n/client.ts';
import type { Json, N8nClient } from '../host/n8n/client.ts';
import { installPackage, startN8n } from '../host/n8n/process.ts';
import { TEMPORARY_OWNER } from '../host/stack.ts';
import { atMost } from './results.ts';
import type { Bench, Options, Report } from './results.ts';
import { elementAt } from './shared/lists.ts';
import { median } from './shared/statistics.ts';
import { ACTION_NODE } from './shared/workflowParts.ts';

/** What `packageLoader.ts` prints. */
export interface Loading {
	milliseconds: number;
	/** Growth of the heap, after a garbage collection. */
	bytes: number;
	/** Names of the loaded nodes. */
	nodes: string[];
}

const run = promisify(execFile);

const PROCESSES = 30;
const MOST_LOADING_MS = 15;
const MOST_PACKED_KB = 100;

const title = 'Weight';
const how = `Loading: the packed package, by n8n's own loader in a fresh process that has already loaded n8n's core and n8n's own nodes, median of ${PROCESSES} processes.
Descriptions: the JSON of the newest version of each node in \`/types/nodes.json\`, which n8n sends to the editor.`;

async function measure(report: Report, { short }: Options): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'wallet-service-weight-'));
	try {
		report.table('');
		await loading(report, folder, short ? 3 : PROCESSES);
		await tarball(report);
		const n8n = await startN8n({ userFolder: folder });
		try {
			await descriptions(report, await connect(n8n.url, TEMPORARY_OWNER));
		} finally {
			await n8n.stop();
		}
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

export const weightBench: Bench = { title, how, run: measure };

/** Returns the names of the loaded nodes. Leaves the package installed in the folder. */
export async function loading(report: Report, folder: string, processes: number): Promise<string[]> {
	await installPackage(folder);
	const installed = join(folder, '.n8n/nodes/node_modules/n8n-nodes-wallet-service');
	const loads: Loading[] = [];
	for (let count = 0; count < processes; count++) {
		const args = ['--expose-gc', 'bench/packageLoader.ts', installed];
		loads.push(JSON.parse((await run(process.execPath, args)).stdout) as Loading);
	}
	const milliseconds = median(loads.map((load) => load.milliseconds));
	report.row('ms to load the package', [milliseconds], 1, atMost(MOST_LOADING_MS));
	report.row('KiB of heap that it keeps', [median(loads.map((load) => load.bytes)) / 1024], 0);
	return elementAt(loads, 0).nodes;
}

export async function tarball(report: Report): Promise<void> {
	const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--silent'], {
		shell: process.platform === 'win32',
	});
	const [{ size }] = JSON.parse(stdout) as [{ size: number }];
	report.row('KB of packed tarball', [size / 1000], 1, atMost(MOST_PACKED_KB));
}

export async function descriptions(report: Report, client: N8nClient): Promise<void> {
	const types = await client.nodeTypes();
	for (const name of [ACTION_NODE, 'n8n-nodes-base.stripe']) {
		const versions = types.filter((type) => type.name === name);
		const newest = versions.reduce((a, b) => (newestVersion(b) > newestVersion(a) ? b : a));
		const bytes = Buffer.byteLength(JSON.stringify(newest));
		const count = operations(newest);
		const node = name.split('.')[1];
		report.row(`KB of description for each operation, ${node}`, [bytes / count / 1000], 2);
		report.row(`operations, ${node}`, [count], 0);
	}
}

function newestVersion({ version }: { version: number | number[] }): number {
	return Math.max(...[version].flat());
}

interface Property {
	name: string;
	options?: Array<{ value?: unknown }>;
	displayOptions?: { show?: { resource?: string[] } };
}

/** An option that n8n adds to both lists, for calls by HTTP Request. */
const CUSTOM = '__CUSTOM_API_CALL__';

/** Counts a node's pairs of resource and operation. */
function operations({ properties }: Json): number {
	const pairs = (properties as Property[])
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options = [], displayOptions }) =>
			(displayOptions?.show?.resource ?? ['']).flatMap((resource) =>
				options.filter(({ value }) => value !== CUSTOM).map(({ value }) => `${resource}.${String(value)}`),
			),
		);
	return new Set(pairs).size;
}
