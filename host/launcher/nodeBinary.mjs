import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** n8n, the sandbox and the tests need what came with this version (`JSON.rawJSON`, `node:sqlite`). */
const wanted = 24;

/**
 * The path of the Node.js that everything runs on: the one that `host/node` brings, else the system's where it
 * is new enough (no such npm package exists for macOS). Throws, saying what to install, where neither is there.
 */
export function nodeBinary() {
	const platform = process.platform === 'win32' ? 'win' : process.platform;
	const file = process.platform === 'win32' ? 'node.exe' : 'node';
	const packages = join(dirname(fileURLToPath(import.meta.url)), '../node/node_modules');
	const brought = join(packages, `node-${platform}-${process.arch}`, 'bin', file);
	if (existsSync(brought)) return brought;
	if (Number.parseInt(process.versions.node, 10) >= wanted) return process.execPath;
	throw new Error(
		`npm has no Node.js ${wanted} for ${process.platform}-${process.arch}, and the system's is ${process.version}. ` +
			`Install Node.js ${wanted} or newer (https://nodejs.org) and run the command again.`,
	);
}
