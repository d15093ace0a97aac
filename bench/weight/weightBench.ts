/** What the package costs before it does anything: at n8n's start, in the download, and in what n8n sends to the editor. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connect } from '../../host/n8n/client.ts';
import type { Json, N8nClient } from '../../host/n8n/client.ts';
import { installPackage, startN8n } from '../../host/n8n/process.ts';
import { TEMPORARY_OWNER } from '../../host/stack.ts';
import type { Bench, Options, Report } from '../results.ts';
import { runForJson } from '../shared/childNode.ts';
import { elementAt } from '../shared/lists.ts';
import { median, orderOfRound } from '../shared/statistics.ts';
import { ACTION_NODE } from '../shared/workflowParts.ts';

/** What `packageLoader.ts` prints. */
export interface Loading {
	milliseconds: number;
	/** Milliseconds of processor time of all threads. */
	processor: number;
	/** Growth of the heap, after a garbage collection. */
	bytes: number;
	/** Names of the loaded nodes. */
	nodes: string[];
}

const FULL = { processes: 30, starts: 8 };

const LOADING_MS = 15;
const PACKED_BYTES = 100_000;

const title = 'Weight';
const how = `Loading: the packed package, by n8n's own loader in a fresh process that has already loaded n8n's core and n8n's own nodes, median of ${FULL.processes} processes; and
n8n's whole start until it is ready, alternately with and without the package, median of ${FULL.starts} starts each (readiness is checked every 0.2 s, so a
smaller difference says little). Descriptions: the JSON of the newest version of each node in \`/types/nodes.json\`, which n8n sends to
the editor.`;

async function run(report: Report, { short }: Options): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'wallet-service-weight-'));
	try {
		await loading(report, folder, short ? 3 : FULL.processes);
		if (!short) await wholeStart(report, folder, FULL.starts);
		await tarball(report);
		const n8n = await startN8n({ userFolder: join(folder, 'with') });
		try {
			await descriptions(report, await connect(n8n.url, TEMPORARY_OWNER));
		} finally {
			await n8n.stop();
		}
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

export const weightBench: Bench = { title, how, run };

/** Returns the names of the loaded nodes. Leaves the package installed in `<folder>/with`. */
export async function loading(report: Report, folder: string, processes: number): Promise<string[]> {
	const userFolder = join(folder, 'with');
	await installPackage(userFolder);
	const installed = join(userFolder, '.n8n/nodes/node_modules/n8n-nodes-wallet-service');
	const loads: Loading[] = [];
	for (let count = 0; count < processes; count++)
		loads.push(await runForJson<Loading>('bench/weight/packageLoader.ts', [installed], ['--expose-gc']));
	const times = loads.map((load) => load.milliseconds);
	const milliseconds = median(times);
	const processor = median(loads.map((load) => load.processor));
	report.row({
		what: 'time to load the package',
		figure: `${milliseconds.toFixed(1)} ms (fastest ${Math.min(...times).toFixed(1)} ms; ${processor.toFixed(1)} ms of processor time)`,
		target: `<= ${LOADING_MS} ms`,
		met: milliseconds <= LOADING_MS,
	});
	const bytes = median(loads.map((load) => load.bytes));
	report.row({ what: 'heap that it keeps', figure: `${(bytes / 1024).toFixed(0)} KiB` });
	return elementAt(loads, 0).nodes;
}

interface Start {
	seconds: number;
	mebibytes: number;
}

/** Starts n8n alternately with the package, in `<folder>/with`, and without it, in `<folder>/without`. */
async function wholeStart(report: Report, folder: string, starts: number): Promise<void> {
	const figures: Record<'with' | 'without', Start[]> = { with: [], without: [] };
	// The first start of each contender creates its database.
	for (let round = -1; round < starts; round++) {
		for (const contender of orderOfRound(['with', 'without'] as const, Math.max(0, round))) {
			const start = await startOnce(join(folder, contender));
			if (round >= 0) figures[contender].push(start);
		}
	}
	for (const [figure, unit, digits] of [
		['seconds', 's', 2],
		['mebibytes', 'MiB of memory', 0],
	] as const) {
		const loaded = figures.with.map((start) => start[figure]);
		const bare = figures.without.map((start) => start[figure]);
		const differences = loaded.map((value, round) => value - elementAt(bare, round));
		report.row({
			what: `n8n's whole start, ${unit}`,
			figure: `${median(loaded).toFixed(digits)} with, ${median(bare).toFixed(digits)} without; median of the differences ${median(differences).toFixed(digits)}`,
		});
	}
}

async function startOnce(userFolder: string): Promise<Start> {
	const begun = performance.now();
	const n8n = await startN8n({ userFolder });
	const seconds = (performance.now() - begun) / 1000;
	try {
		const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(n8n.pid)]);
		return { seconds, mebibytes: Number(stdout) / 1024 };
	} finally {
		await n8n.stop();
	}
}

export async function tarball(report: Report): Promise<void> {
	const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--silent'], {
		shell: process.platform === 'win32',
	});
	const [{ size, unpackedSize, entryCount }] = JSON.parse(stdout) as [
		{ size: number; unpackedSize: number; entryCount: number },
	];
	report.row({
		what: 'packed tarball',
		figure: `${(size / 1000).toFixed(1)} KB (${entryCount} files, ${(unpackedSize / 1000).toFixed(1)} KB unpacked)`,
		target: `<= ${PACKED_BYTES / 1000} KB`,
		met: size <= PACKED_BYTES,
	});
}

export async function descriptions(report: Report, client: N8nClient): Promise<void> {
	const types = await client.nodeTypes();
	for (const name of [ACTION_NODE, 'n8n-nodes-base.stripe', 'n8n-nodes-base.hubspot']) {
		const versions = types.filter((type) => type.name === name);
		const newest = versions.reduce((a, b) => (newestVersion(b) > newestVersion(a) ? b : a));
		const bytes = Buffer.byteLength(JSON.stringify(newest));
		const count = operations(newest);
		report.row({
			what: `description of ${name.split('.')[1]}, per operation`,
			figure: `${(bytes / count / 1000).toFixed(2)} KB (${(bytes / 1000).toFixed(1)} KB, ${count} operations)`,
		});
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
