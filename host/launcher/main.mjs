/**
 * The launcher behind the npm commands: provides what a command needs and is missing, says what it is doing,
 * then runs the command on Node 24. It runs on a bare clone, so it uses nothing but Node's own modules.
 *
 *   node host/launcher/main.mjs <command> [arguments of the command]
 */
import { spawn, spawnSync } from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	openSync,
	closeSync,
	copyFileSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parts as all } from '../../jest.config.mjs';
import { nodeBinary } from './nodeBinary.mjs';

process.chdir(resolve(dirname(fileURLToPath(import.meta.url)), '../..'));

const logs = '.local/logs';
const started = Date.now();
const parent = process.ppid;
let interrupted = false;

/** Progress goes to stderr: stdout belongs to the command (`npm start -- --once` prints items there). */
const say = (text) => process.stderr.write(`[${Math.round((Date.now() - started) / 1000)} s] ${text}\n`);

/** The environment of all that runs on Node 24: plain `node` must be that one too (n8n's task runner). */
const onNode24 = () => {
	const PATH = `${dirname(nodeBinary())}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`;
	return { ...process.env, PATH };
};

/** npm itself stays on the Node it was started with. Gives the command and its first arguments. */
const npm = () => (process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']);

/**
 * Runs a command to its end with its output in `.local/logs/<name>.log`, and a sign of life every 10 s.
 * Throws with the end of that output where the command fails or takes longer than `timeout` milliseconds.
 */
async function step(name, words, [command, ...args], options = {}) {
	say(words);
	mkdirSync(logs, { recursive: true });
	const file = join(logs, `${name}.log`);
	const output = openSync(file, 'w');
	const [doing] = words.split(' (');
	const alive = setInterval(() => say(`… still ${doing[0].toLowerCase()}${doing.slice(1)}`), 10_000);
	try {
		const child = spawn(command, args, {
			stdio: ['ignore', output, output],
			shell: command === 'npm',
			...options,
		});
		const reason = await ended(child);
		// Whoever interrupts wants no other way tried.
		if (interrupted) process.exit(1);
		if (reason !== 0) {
			const end = readFileSync(file, 'utf8').trimEnd().split('\n').slice(-25).join('\n');
			throw new Error(`${doing}: ended with ${reason}. The end of ${file}:\n${end}`);
		}
	} finally {
		clearInterval(alive);
		closeSync(output);
	}
}

/** Waits for the end of a child and passes on the signals this process gets. Gives the exit code or the signal's name. */
function ended(child) {
	const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
	const forward = (signal) => {
		interrupted = true;
		// The Ctrl-C of a terminal reaches the child by itself.
		if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
	};
	for (const signal of signals) process.on(signal, forward);
	// Told to stop, npm stops its shell and nothing below: no signal comes here, but the parent is another one then.
	const watch = setInterval(() => {
		if (process.ppid !== parent) forward('SIGTERM');
	}, 1000);
	return new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (code, signal) => resolve(code ?? signal));
	}).finally(() => {
		clearInterval(watch);
		for (const signal of signals) process.off(signal, forward);
	});
}

/**
 * `npm ci` in a folder, unless its packages are there and younger than its lock. A folder without a lock gets what its
 * package.json asks for.
 */
async function install(folder, words) {
	const time = (file) => statSync(join(folder, file), { throwIfNoEntry: false })?.mtimeMs;
	const lock = time('package-lock.json');
	// npm writes this file last, so an interrupted install does not count.
	if (time('node_modules/.package-lock.json') >= (lock ?? time('package.json'))) return;
	const kind = lock === undefined ? ['install', '--no-package-lock'] : ['ci'];
	await step(
		`install-${folder.replaceAll(/\W+/g, '-')}`,
		words,
		[...npm(), ...kind, '--no-audit', '--no-fund'],
		{ cwd: folder },
	);
}

/** sqlite3's native binding, which the install leaves out because install scripts are off. */
async function provideSqlite(host) {
	const cwd = join(host, 'sqlite3');
	const loads = () => spawnSync(nodeBinary(), ['-e', "require('.')"], { cwd }).status === 0;
	const options = { cwd, env: onNode24() };
	if (loads()) return;
	try {
		await step(
			'sqlite3-download',
			"Downloading n8n's SQLite binding",
			[nodeBinary(), resolve(host, 'prebuild-install/bin.js'), '--runtime', 'napi'],
			{ ...options, timeout: 60_000 },
		);
	} catch {
		say('It cannot be downloaded here');
	}
	if (loads()) return;
	const node = dirname(dirname(nodeBinary()));
	const headers = existsSync(join(node, 'include/node/node_api.h')) ? [`--nodedir=${node}`] : [];
	await step(
		'sqlite3-compile',
		"Compiling n8n's SQLite binding (needs a C++ compiler, make and Python 3; takes a minute or two)",
		[nodeBinary(), resolve(host, 'node-gyp/bin/node-gyp.js'), 'rebuild', '--jobs=max', ...headers],
		options,
	);
	if (!loads())
		throw new Error(`SQLite's binding was compiled but does not load: see ${logs}/sqlite3-compile.log`);
}

/** The newest change below the given files and folders, in milliseconds; a folder changes when a file leaves it. */
function newest(paths) {
	return Math.max(
		...paths.map((path) => {
			const stat = statSync(path);
			const inner = stat.isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [];
			return Math.max(stat.mtimeMs, ...(inner.length > 0 ? [newest(inner)] : []));
		}),
	);
}

async function build() {
	const sources = ['api', 'credentials', 'nodes', 'icons', 'package.json', 'tsconfig.json', 'gulpfile.js'];
	// A build that fails leaves a part of dist behind, so a whole one leaves a mark.
	const mark = '.local/built';
	if (existsSync('dist') && existsSync(mark) && statSync(mark).mtimeMs > newest(sources)) return;
	const begun = new Date();
	await step('build', 'Building the package', [...npm(), 'run', 'build'], { env: onNode24() });
	writeFileSync(mark, '');
	utimesSync(mark, begun, begun);
}

/** The n8n of `host`, or another version in a folder of its own. All else learns from `TEST_N8N` where it is. */
async function provideN8n(version) {
	const folder = version === undefined ? 'host' : otherN8n(version);
	await install(folder, `Installing n8n${version ? ` ${version}` : ''} (2.4 GB; takes a minute or two)`);
	process.env.TEST_N8N = resolve(folder, 'node_modules');
	await provideSqlite(process.env.TEST_N8N);
}

/** The folder of that version, with what npm needs to install it as the one of `host` was. */
function otherN8n(version) {
	const folder = `.local/n8n/${version}`;
	const file = join(folder, 'package.json');
	if (existsSync(file)) return folder;
	mkdirSync(folder, { recursive: true });
	const locked = JSON.parse(readFileSync('host/package.json', 'utf8'));
	const overrides = {
		...locked.overrides,
		// Older versions take it from its makers' server. No test reads a sheet, so that of the registry will do.
		xlsx: '0.18.5',
		// The newest asks for a package that npm does not have.
		linkedom: '0.18.14',
		// Newer ones do not fit the rest of what a version with this langgraph pins.
		'@langchain/langgraph@1.0.2': { '@langchain/langgraph-checkpoint': '1.0.0' },
	};
	copyFileSync('host/.npmrc', join(folder, '.npmrc'));
	writeFileSync(file, JSON.stringify({ private: true, dependencies: { n8n: version }, overrides }));
	return folder;
}

/** Runs a program in the foreground and gives its exit code. */
async function run(args, env = {}) {
	const child = spawn(nodeBinary(), args, { stdio: 'inherit', env: { ...onNode24(), ...env } });
	const code = await ended(child);
	return code === 0 ? 0 : typeof code === 'number' ? code : 1;
}

/** Node strips the types itself; root package.json has no "type", which it would remark on for every file. */
const program = (file, args) =>
	run(['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', file, ...args], tools());

/** The first of the programs that is in the PATH or in one of the folders; undefined where there is none. */
function find(names, folders = []) {
	const all = [...(process.env.PATH ?? '').split(':'), ...folders];
	return names.flatMap((name) => all.map((folder) => join(folder, name))).find((file) => existsSync(file));
}

/** Where Debian keeps PostgreSQL's server: out of the PATH, each version in a folder of its own. */
function postgresFolders() {
	const all = '/usr/lib/postgresql';
	return existsSync(all) ? readdirSync(all).map((version) => join(all, version, 'bin')) : [];
}

/** What a part of the tests needs of the system: words for it, and its path. */
const NEEDED = {
	browser: { CHROMIUM: ['chromium', () => find(['chromium', 'chromium-browser', 'google-chrome'])] },
	queue: {
		POSTGRES: ["PostgreSQL's server", () => find(['postgres'], postgresFolders())],
		REDIS: ['Redis', () => find(['redis-server'])],
	},
};

/** Says which parts this machine cannot run, and why; throws in CI, which skips nothing. Gives the others. */
function runnable(parts) {
	return parts.filter((part) => {
		const missing = Object.values(NEEDED[part] ?? {}).filter(([, look]) => look() === undefined);
		if (missing.length === 0) return true;
		const things = missing.map(([thing]) => thing);
		if (process.env.CI)
			throw new Error(`The ${part} tests need ${things.join(' and ')}, and CI skips nothing: install it.`);
		say(`The ${part} tests are skipped: there is no ${things.join(' and no ')} on this machine.`);
		return false;
	});
}

/** The paths of what is there, for the environment. */
function tools() {
	const all = Object.values(NEEDED).flatMap((needed) => Object.entries(needed));
	return Object.fromEntries(all.map(([variable, [, look]]) => [variable, look()]));
}

/** The value of an option, undefined where it is not given, and the arguments without it. */
function takeOption(name, args) {
	const at = args.indexOf(name);
	if (at === -1) return [undefined, args];
	const value = args[at + 1];
	if (value === undefined) throw new Error(`${name} needs a value`);
	return [value, args.toSpliced(at, 2)];
}

/**
 * All tests (with the checks of types and style before them) or one part; `--n8n <version>` runs them on another n8n
 * than that of `host`; other arguments are jest's.
 */
async function test(args) {
	const [version, [first, ...rest]] = takeOption('--n8n', args);
	const one = all.includes(first);
	const parts = runnable(one ? [first] : all);
	const jestArguments = one || first === undefined ? rest : [first, ...rest];
	if (parts.length === 0) return 0;
	// The browser's driver comes with host.
	if (parts.includes('browser')) await provideN8n();
	if (['n8n', 'queue', 'browser'].some((part) => parts.includes(part))) await provideN8n(version);
	await build();

	const total = { passed: 0, failed: 0, skipped: 0 };
	const count = (passed) => (passed ? total.passed++ : total.failed++);
	if (!one) {
		for (const check of ['typecheck', 'lint']) {
			try {
				await step(check, `Checking: ${check}`, [...npm(), 'run', check], { env: onNode24() });
				count(true);
			} catch (error) {
				say(error.message);
				count(false);
			}
		}
	}

	mkdirSync('.local', { recursive: true });
	const report = `.local/jest-${process.pid}.json`;
	const options = ['--passWithNoTests', '--json', `--outputFile=${report}`, '--selectProjects', ...parts];
	// Among all others, a part that has a long form is run in its short one.
	const env = { ...tools(), FULL: one ? 'true' : '' };
	const code = await run(['node_modules/jest/bin/jest.js', ...jestArguments, ...options], env);
	if (existsSync(report)) {
		const result = JSON.parse(readFileSync(report, 'utf8'));
		rmSync(report);
		total.passed += result.numPassedTests;
		total.failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
		total.skipped += result.numPendingTests + result.numTodoTests;
	}
	if (code !== 0 && total.failed === 0) count(false);
	const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
	process.stdout.write(`${total.passed} passed, ${total.failed} failed${skipped}\n`);
	return total.failed === 0 ? 0 : 1;
}

const commands = {
	async start(args) {
		await provideN8n();
		await build();
		return await program('host/start.ts', args);
	},
	test,
	sandbox: (args) => program('sandbox/main.ts', args),
	async bench(args) {
		await provideN8n();
		await build();
		return await program('bench/bench.ts', args);
	},
	async soak(args) {
		await provideN8n();
		await build();
		return await program('bench/soak.ts', args);
	},
};

const [name, ...args] = process.argv.slice(2);
try {
	if (!Object.hasOwn(commands, name))
		throw new Error(`There is no command ${name}: ${Object.keys(commands).join(', ')}`);
	await install('.', 'Installing the development packages');
	await install('host/node', 'Installing Node.js 24');
	process.exitCode = await commands[name](args);
} catch (error) {
	say(error.message);
	process.exitCode = 1;
}
