import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Node.js remarks on every TypeScript file without it, because package.json has no "type". */
export const NODE_OPTIONS = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'];

/** Runs a program of this folder in its own process. Returns what it printed as JSON; throws if it fails. */
export async function runForJson<T>(file: string, args: string[], nodeOptions: string[] = []): Promise<T> {
	const { stdout } = await promisify(execFile)(process.execPath, [
		...NODE_OPTIONS,
		...nodeOptions,
		file,
		...args,
	]);
	return JSON.parse(stdout) as T;
}
