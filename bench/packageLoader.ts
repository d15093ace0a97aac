/**
 * Loads the package in the given folder with n8n's own loader, in a process that has already loaded n8n's core and n8n's own nodes,
 * as at n8n's start. Needs --expose-gc. Prints Loading as JSON.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { packagesFolder } from '../host/n8n/process.ts';
import type { Loading } from './weightBench.ts';

/** What is used of n8n-core's loaders. */
interface Loader {
	loadAll(): Promise<void>;
	nodeTypes: Record<string, unknown>;
}
type LoaderClass = new (folder: string) => Loader;

const [folder = ''] = process.argv.slice(2);

const requireFromN8n = createRequire(join(packagesFolder(), 'n8n/package.json'));
requireFromN8n('reflect-metadata');
const { LazyPackageDirectoryLoader, PackageDirectoryLoader } = requireFromN8n('n8n-core') as Record<
	'LazyPackageDirectoryLoader' | 'PackageDirectoryLoader',
	LoaderClass
>;
// n8n loads its own nodes first, which also compiles its loader. That is no cost of the package.
const nodesBase = dirname(requireFromN8n.resolve('n8n-nodes-base/package.json'));
await new LazyPackageDirectoryLoader(nodesBase).loadAll();

const heap = () => {
	if (globalThis.gc === undefined) throw new Error('Start this program with --expose-gc');
	void globalThis.gc();
	return process.memoryUsage().heapUsed;
};

const before = heap();
const begun = performance.now();
const loader = new PackageDirectoryLoader(folder);
await loader.loadAll();
const milliseconds = performance.now() - begun;
const loading: Loading = { milliseconds, bytes: heap() - before, nodes: Object.keys(loader.nodeTypes) };
console.log(JSON.stringify(loading));
