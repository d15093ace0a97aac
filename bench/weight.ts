/** What the package costs before it does anything: at n8n's start, in the download and in what the editor is sent. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Json, N8nClient } from '../host/n8nClient.ts';
import { installPackage, startN8n } from '../host/n8n.ts';
import { withHost } from './host.ts';
import { median, turned } from './results.ts';
import type { Options, Report } from './results.ts';

/** What `weightLoad.ts` has seen. */
export interface Loading {
	milliseconds: number;
	/** Milliseconds on processors, of all threads. */
	processor: number;
	/** Of the heap, after a garbage collection. */
	bytes: number;
	/** Names of the nodes that were loaded. */
	nodes: string[];
}

const FULL = { processes: 30, starts: 8 };

const LOADING_MS = 15;
const PACKED_BYTES = 100_000;

export const title = 'Weight';
export const how = `Loading: the packed package, by n8n's own loader in a fresh process that has loaded n8n's core and n8n's own nodes before, median of ${FULL.processes} processes; and
n8n's whole start until it is ready, with and without the package by turns, median of ${FULL.starts} starts each (it is looked at every 0.2 s, so a
difference below that says little). Descriptions: the JSON of the newest version of each node in \`/types/nodes.json\`, which n8n sends to
the editor.`;

export async function run(report: Report, { short }: Options): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'wallet-service-weight-'));
	try {
		await loading(report, folder, short ? 3 : FULL.processes);
		if (!short) await wholeStart(report, folder, FULL.starts);
		await tarball(report);
		await withHost(({ client }) => descriptions(report, client));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Gives the names of the loaded nodes. Leaves the package installed in the folder `with`. */
export async function loading(report: Report, folder: string, processes: number): Promise<string[]> {
	const userFolder = join(folder, 'with');
	await installPackage(userFolder);
	const args = [
		'--expose-gc',
		'--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
		'bench/weightLoad.ts',
		join(userFolder, '.n8n/nodes/node_modules/n8n-nodes-wallet-service'),
	];
	const loads: Loading[] = [];
	for (let count = 0; count < processes; count++) {
		const { stdout } = await promisify(execFile)(process.execPath, args);
		loads.push(JSON.parse(stdout));
	}
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
	return loads[0].nodes;
}

/** n8n with the package, in the folder `with`, and without it. */
async function wholeStart(report: Report, folder: string, starts: number): Promise<void> {
	const sides = ['with', 'without'];
	const figures: Record<string, Array<{ seconds: number; mebibytes: number }>> = { with: [], without: [] };
	// The first start of each makes its database.
	for (let round = -1; round < starts; round++) {
		for (const side of turned(sides, Math.max(0, round))) {
			const begun = performance.now();
			const n8n = await startN8n({ userFolder: join(folder, side) });
			const seconds = (performance.now() - begun) / 1000;
			try {
				const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(n8n.pid)]);
				if (round >= 0) figures[side].push({ seconds, mebibytes: Number(stdout) / 1024 });
			} finally {
				await n8n.stop();
			}
		}
	}
	for (const [figure, unit, digits] of [
		['seconds', 's', 2],
		['mebibytes', 'MiB of memory', 0],
	] as const) {
		const [loaded, bare] = sides.map((side) => median(figures[side].map((start) => start[figure])));
		const difference = median(
			figures.with.map((start, round) => start[figure] - figures.without[round][figure]),
		);
		report.row({
			what: `n8n's whole start, ${unit}`,
			figure: `${loaded.toFixed(digits)} with, ${bare.toFixed(digits)} without; median of the differences ${difference.toFixed(digits)}`,
		});
	}
}

export async function tarball(report: Report): Promise<void> {
	const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--silent'], {
		shell: process.platform === 'win32',
	});
	const [{ size, unpackedSize, entryCount }] = JSON.parse(stdout) as Array<Record<string, number>>;
	report.row({
		what: 'packed tarball',
		figure: `${(size / 1000).toFixed(1)} KB (${entryCount} files, ${(unpackedSize / 1000).toFixed(1)} KB unpacked)`,
		target: `<= ${PACKED_BYTES / 1000} KB`,
		met: size <= PACKED_BYTES,
	});
}

export async function descriptions(report: Report, client: N8nClient): Promise<void> {
	const types = await client.nodeTypes();
	for (const name of [
		'n8n-nodes-wallet-service.walletService',
		'n8n-nodes-base.stripe',
		'n8n-nodes-base.hubspot',
	]) {
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

function newestVersion({ version }: Json): number {
	return Math.max(...[version as number | number[]].flat());
}

interface Property {
	name: string;
	options?: Array<{ value?: unknown }>;
	displayOptions?: { show?: { resource?: string[] } };
}

/** What n8n itself adds to both lists: for any call, by HTTP Request. */
const CUSTOM = '__CUSTOM_API_CALL__';

/** A node's pairs of resource and operation. */
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
