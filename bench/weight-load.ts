/**
 * Loads the package in the given folder with n8n's own loader, in a process that has loaded n8n's core before, as n8n has at
 * its start. Wants --expose-gc. Prints Loading as JSON.
 */
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { Loading } from './weight.ts';

const [folder] = process.argv.slice(2);

const host = createRequire(resolve('test/host/node_modules/n8n/package.json'));
host('reflect-metadata');
const { PackageDirectoryLoader } = host('n8n-core');

const heap = () => {
	globalThis.gc!();
	return process.memoryUsage().heapUsed;
};

const before = heap();
const begun = performance.now();
const loader = new PackageDirectoryLoader(folder);
await loader.loadAll();
const milliseconds = performance.now() - begun;
const loading: Loading = { milliseconds, bytes: heap() - before, nodes: Object.keys(loader.nodeTypes) };
console.log(JSON.stringify(loading));
