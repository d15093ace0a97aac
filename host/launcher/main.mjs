/**
 * The launcher behind the npm commands: it installs what a command needs, says what it is doing, then runs the command
 * on Node 24. It runs on a bare clone with Node >= 20, so it uses only Node's own modules.
 *
 *   node host/launcher/main.mjs <command> [arguments of the command]
 */
import { existsSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { provideNode } from './nodeVersion.mjs';
import { installPackages, installRoot } from './npmPackages.mjs';
import { runOwner } from './owner.mjs';
import { messageOf, run, say, together } from './processes.mjs';
import { provideN8n } from './provideN8n.mjs';
import { provideScanner } from './provideScanner.mjs';
import { toolPaths } from './provideTools.mjs';
import { runNightly } from './nightly.mjs';
import { runTests } from './tests.mjs';

/** Node strips the types itself. It would warn about each file, because the root package.json has no "type". */
const program = (file, args) =>
	run(['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', file, ...args], toolPaths());

const onN8n = (file) => async (args) => {
	const node = provideNode();
	const packages = installRoot();
	const built = Promise.all([node, packages]).then(build);
	await together(built, provideN8n({ node }));
	return await program(file, args);
};

/** The parts that run the published code in their own process. */
const MEASURED = ['unit', 'headless'];

const COMMANDS = {
	start: onN8n('host/start.ts'),
	dev: async (args) => await onN8n('host/start.ts')(['--watch', ...args]),
	demo: onN8n('host/demo.ts'),
	test: runTests,
	sandbox: async (args) => {
		await together(provideNode(), installRoot());
		return await program('sandbox/main.ts', args);
	},
	bench: onN8n('bench/bench.ts'),
	soak: onN8n('soak/soak.ts'),
	nightly: runNightly,
	owner: runOwner,
	scan: async ([newest]) => {
		const scanner = provideScanner(newest === '--newest');
		const [folder] = await together(scanner, Promise.all([provideNode(), installRoot()]).then(build));
		return await run(['test/scanner/scan.mjs', folder]);
	},
	coverage: async (args) => {
		await together(Promise.all([provideNode(), installRoot()]).then(build));
		// The model runs the same few lines for as long as it is given.
		const options = ['--coverage', '--testPathIgnorePatterns=unit/paymentKeyModel', ...args];
		rmSync('.local/coverage', { recursive: true, force: true });
		await run(['node_modules/jest/bin/jest.js', ...options, '--selectProjects', ...MEASURED]);
		// Code that counts itself is slower than the tests of times allow, so only the figure says whether it went well.
		return existsSync('.local/coverage/index.html') ? 0 : 1;
	},
	mutate: async (args) => {
		const stryker = installPackages('test/mutation', 'Installing Stryker');
		await together(stryker, Promise.all([provideNode(), installRoot()]).then(build));
		const file = 'test/mutation/node_modules/@stryker-mutator/core/bin/stryker.js';
		return await run([file, 'run', 'test/mutation/stryker.config.mjs', ...args]);
	},
};

process.chdir(resolve(dirname(fileURLToPath(import.meta.url)), '../..'));
const [name = '', ...args] = process.argv.slice(2);
try {
	if (!Object.hasOwn(COMMANDS, name))
		throw new Error(`There is no command ${name}. Use one of these: ${Object.keys(COMMANDS).join(', ')}`);
	process.exitCode = await COMMANDS[name](args);
} catch (error) {
	say(messageOf(error));
	// The time limit of a program that could not be started would keep this process alive.
	process.exit(1);
}
