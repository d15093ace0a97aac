/**
 * The launcher behind the npm commands: it installs what a command needs, says what it is doing, then runs the command
 * on Node 24. It runs on a bare clone with Node >= 20, so it uses only Node's own modules.
 *
 *   node host/launcher/main.mjs <command> [arguments of the command]
 */
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { installPackages } from './npmPackages.mjs';
import { run, say } from './processes.mjs';
import { provideN8n } from './provideN8n.mjs';
import { toolPaths } from './provideTools.mjs';
import { runTests } from './tests.mjs';

/** Node strips the types itself. It would warn about each file, because the root package.json has no "type". */
const program = (file, args) =>
	run(['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', file, ...args], toolPaths());

const onN8n = (file) => async (args) => {
	await provideN8n();
	await build();
	return await program(file, args);
};

const COMMANDS = {
	start: onN8n('host/start.ts'),
	test: runTests,
	sandbox: (args) => program('sandbox/main.ts', args),
	bench: onN8n('bench/bench.ts'),
	soak: onN8n('bench/soak.ts'),
};

process.chdir(resolve(dirname(fileURLToPath(import.meta.url)), '../..'));
const [name, ...args] = process.argv.slice(2);
try {
	if (!Object.hasOwn(COMMANDS, name))
		throw new Error(`There is no command ${name}. The commands are: ${Object.keys(COMMANDS).join(', ')}`);
	await installPackages('.', 'Installing the development packages');
	await installPackages('host/node', 'Installing Node.js 24');
	process.exitCode = await COMMANDS[name](args);
} catch (error) {
	say(error.message);
	process.exitCode = 1;
}
