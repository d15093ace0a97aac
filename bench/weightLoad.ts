/**
 * Loads the package in the given folder with n8n's own loader, in a process that has loaded n8n's core and its own nodes
 * before, as n8n has at its start. Wants --expose-gc. Prints Loading as JSON.
 */
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import type { Loading } from './weight.ts';

const [folder] = process.argv.slice(2);

const host = createRequire(resolve('host/node_modules/n8n/package.json'));
host('reflect-metadata');
const { LazyPackageDirectoryLoader, PackageDirectoryLoader } = host('n8n-core');
// n8n loads its own nodes first, which also makes its loader ready: none of that is the package's.
await new LazyPackageDirectoryLoader(dirname(host.resolve('n8n-nodes-base/package.json'))).loadAll();

const heap = () => {
	globalThis.gc!();
	return process.memoryUsage().heapUsed;
};

const before = heap();
const used = process.cpuUsage();
const begun = performance.now();
const loader = new PackageDirectoryLoader(folder);
await loader.loadAll();
const milliseconds = performance.now() - begun;
const { user, system } = process.cpuUsage(used);
const processor = (user + system) / 1000;
const loading: Loading = {
	milliseconds,
	processor,
	bytes: heap() - before,
	nodes: Object.keys(loader.nodeTypes),
};
console.log(JSON.stringify(loading));
