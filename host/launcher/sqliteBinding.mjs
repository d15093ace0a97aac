import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { nodeBinary } from './nodeBinary.mjs';
import { installPackages } from './npmPackages.mjs';
import { LOGS, node24Environment, say, step } from './processes.mjs';
import { provideTools } from './provideTools.mjs';

/** Has only n8n's sqlite3 and the packages that compile it. So the binding is made while n8n is installed. */
const SOURCES = 'host/sqlite3';
const BINDING = 'sqlite3/build/Release/node_sqlite3.node';

/** Makes the binding beside n8n's packages. Returns false when the compiler is missing; throws then without `canSkip`. */
export async function prepareSqliteBinding({ canSkip }) {
	await installPackages(SOURCES, "Fetching the sources of n8n's SQLite binding");
	return await makeBinding(join(SOURCES, 'node_modules'), { canSkip });
}

/**
 * Puts sqlite3's native binding below `packages`; npm leaves it out because install scripts are off.
 * Returns false when the compiler is missing; throws then without `canSkip`.
 */
export async function provideSqliteBinding(packages, { canSkip }) {
	if (hasBinding(packages)) return true;
	if (
		versionBelow(packages) !==
		JSON.parse(readFileSync(join(SOURCES, 'package.json'), 'utf8')).dependencies.sqlite3
	)
		return await makeBinding(packages, { canSkip });
	if (!(await prepareSqliteBinding({ canSkip }))) return false;
	mkdirSync(dirname(join(packages, BINDING)), { recursive: true });
	copyFileSync(join(SOURCES, 'node_modules', BINDING), join(packages, BINDING));
	if (!hasBinding(packages)) throw new Error(`SQLite's binding does not load below ${packages}`);
	return true;
}

const versionBelow = (packages) =>
	JSON.parse(readFileSync(join(packages, 'sqlite3/package.json'), 'utf8')).version;

export const hasBinding = (packages) =>
	existsSync(join(packages, BINDING)) &&
	spawnSync(nodeBinary(), ['-e', "require('.')"], { cwd: join(packages, 'sqlite3') }).status === 0;

/** Downloads or compiles the binding. */
async function makeBinding(packages, { canSkip }) {
	const options = { cwd: join(packages, 'sqlite3'), env: node24Environment() };
	if (hasBinding(packages)) return true;
	try {
		await step(
			'sqlite3-download',
			"Downloading n8n's SQLite binding",
			[nodeBinary(), resolve(packages, 'prebuild-install/bin.js'), '--runtime', 'napi'],
			{ ...options, timeout: 60_000 },
		);
	} catch {
		say('The binding cannot be downloaded here. It is compiled instead');
	}
	if (hasBinding(packages)) return true;

	// On Windows, node-gyp finds Visual Studio itself.
	const tools = process.platform === 'win32' ? [] : ['compiler', 'make', 'python'];
	const reason = "n8n's SQLite binding has to be compiled.";
	const missing = await provideTools(tools, { reason, canSkip });
	if (missing.length > 0) return false;
	const node = dirname(dirname(nodeBinary()));
	// npm hands a `nodedir` of the user's settings to node-gyp, which prefers it to its own option.
	const headers = existsSync(join(node, 'include/node/node_api.h')) ? { npm_config_nodedir: node } : {};
	await step(
		'sqlite3-compile',
		"Compiling n8n's SQLite binding (takes a minute or two)",
		[nodeBinary(), resolve(packages, 'node-gyp/bin/node-gyp.js'), 'rebuild', '--jobs=max'],
		// This level takes half of the processor time, and n8n is as fast with it.
		{ ...options, env: { CFLAGS: '-O1', CXXFLAGS: '-O1', ...options.env, ...headers } },
	);
	if (!hasBinding(packages))
		throw new Error(`SQLite's binding was compiled but does not load: see ${LOGS}/sqlite3-compile.log`);
	return true;
}
