import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { nodeBinary } from './nodeBinary.mjs';
import { LOGS, node24Environment, say, step } from './processes.mjs';
import { provideTools } from './provideTools.mjs';

/**
 * Downloads or compiles sqlite3's native binding below `packages`; npm leaves it out because install scripts are off.
 * Returns false when the compiler is missing and may be missing (`canSkip`); throws when it may not.
 */
export async function provideSqliteBinding(packages, { canSkip }) {
	const cwd = join(packages, 'sqlite3');
	const loads = () => spawnSync(nodeBinary(), ['-e', "require('.')"], { cwd }).status === 0;
	const options = { cwd, env: node24Environment() };
	if (loads()) return true;
	try {
		await step(
			'sqlite3-download',
			"Downloading n8n's SQLite binding",
			[nodeBinary(), resolve(packages, 'prebuild-install/bin.js'), '--runtime', 'napi'],
			{ ...options, timeout: 60_000 },
		);
	} catch {
		say('It cannot be downloaded here');
	}
	if (loads()) return true;

	// On Windows, node-gyp finds Visual Studio itself.
	const tools = process.platform === 'win32' ? [] : ['compiler', 'make', 'python'];
	const reason = "n8n's SQLite binding has to be compiled.";
	const missing = await provideTools(tools, { reason, canSkip });
	if (missing.length > 0) return false;
	const node = dirname(dirname(nodeBinary()));
	const headers = existsSync(join(node, 'include/node/node_api.h')) ? [`--nodedir=${node}`] : [];
	await step(
		'sqlite3-compile',
		"Compiling n8n's SQLite binding (takes a minute or two)",
		[nodeBinary(), resolve(packages, 'node-gyp/bin/node-gyp.js'), 'rebuild', '--jobs=max', ...headers],
		options,
	);
	if (!loads())
		throw new Error(`SQLite's binding was compiled but does not load: see ${LOGS}/sqlite3-compile.log`);
	return true;
}
