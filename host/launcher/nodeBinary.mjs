import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** The first version with all that n8n, the sandbox and the tests use (`JSON.rawJSON`, `node:sqlite`). */
const VERSION = 24;

/**
 * The path of the Node.js that everything runs on: the one that `host/node` installs, or another one for tests, otherwise the
 * system's if it is new enough (npm has no such package for macOS). Throws with what to install if there is neither.
 */
export function nodeBinary() {
	const platform = process.platform === 'win32' ? 'win' : process.platform;
	const file = process.platform === 'win32' ? 'node.exe' : 'node';
	const folder = `node_modules/node-${platform}-${process.arch}/bin`;
	const installed = resolve(process.env.TEST_NODE ?? 'host/node', folder, file);
	if (existsSync(installed)) return installed;
	if (process.env.TEST_NODE)
		throw new Error(`npm has no Node.js of this version for ${platform}-${process.arch}`);
	if (Number.parseInt(process.versions.node, 10) >= VERSION) return process.execPath;
	throw new Error(
		`npm has no Node.js ${VERSION} for ${process.platform}-${process.arch}, and the system's is ${process.version}. ` +
			`Install Node.js ${VERSION} or newer (https://nodejs.org) and run the command again.`,
	);
}
