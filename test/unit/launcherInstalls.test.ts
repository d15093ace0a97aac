/** The launcher on a bare clone, with a program in npm's place that installs nothing. */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Does what the plan says for the package that it is asked to install: it waits until another begins, fails, or hangs
 * with a child process of its own. A build fails, since the clone has no sources.
 */
const NPM = `
const { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { spawn } = require('node:child_process');
const { join } = require('node:path');
if (process.argv[2] === 'config') return console.log('https://example.org/npm');
const root = process.env.CLONE;
const isBuild = process.argv[2] === 'run';
const name = isBuild ? 'build' : JSON.parse(readFileSync('package.json', 'utf8')).name;
const { waitsFor, fails, hangs } = JSON.parse(process.env.PLAN)[name] ?? {};
const note = (text) => appendFileSync(join(root, 'notes'), text + '\\n');
note(name + ' begins');
if (hangs) {
	// npm undoes the installation first, which takes minutes.
	process.on('SIGTERM', () => {});
	const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
	note('pid ' + process.pid);
	note('pid ' + child.pid);
	note('hanging begins');
	setInterval(() => {}, 1000);
	return;
}
const timer = setInterval(() => {
	if (waitsFor !== undefined && !readFileSync(join(root, 'notes'), 'utf8').includes(waitsFor + ' begins')) return;
	clearInterval(timer);
	if (fails) {
		console.error('npm error ENOSPC: no space left on device');
		process.exit(28);
	}
	if (isBuild) process.exit(1);
	const { devDependencies } = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages[''];
	mkdirSync('node_modules');
	writeFileSync('node_modules/.package-lock.json', '{}');
	writeFileSync('node_modules/names', Object.keys(devDependencies ?? {}).join());
	note(name + ' ends');
}, 20);
`;

const ROOT = 'n8n-nodes-wallet-service';
const HOST = 'wallet-service-test-host';
const NODE = 'wallet-service-node';
const SQLITE3 = 'wallet-service-sqlite3';

let clone: string;

beforeEach(() => {
	clone = mkdtempSync(join(tmpdir(), 'wallet-service-launcher-'));
	const files = ['package.json', 'package-lock.json', '.npmrc', 'jest.config.mjs', 'host/launcher'];
	const folders = ['host', 'host/node', 'host/sqlite3'];
	for (const folder of folders) files.push(`${folder}/package.json`, `${folder}/package-lock.json`);
	for (const file of files) cpSync(file, join(clone, file), { recursive: true });
	mkdirSync(join(clone, 'bin'));
	writeFileSync(join(clone, 'bin/npm.cjs'), NPM);
	writeFileSync(join(clone, 'notes'), '');
});

afterEach(() => rmSync(clone, { recursive: true, force: true }));

const notes = () => readFileSync(join(clone, 'notes'), 'utf8').trim().split('\n');

type Plan = Record<string, { waitsFor?: string; fails?: boolean; hangs?: boolean }>;

async function launch(plan: Plan, ...args: string[]): Promise<{ code: number | null; output: string }> {
	const child = spawn(process.execPath, ['host/launcher/main.mjs', ...args], {
		cwd: clone,
		env: {
			...process.env,
			CLONE: clone,
			PLAN: JSON.stringify(plan),
			npm_execpath: join(clone, 'bin/npm.cjs'),
			CI: '',
		},
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)));
	const code = await new Promise<number | null>((done) => child.once('close', done));
	return { code, output };
}

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

test('the packages, Node.js 24, n8n and the sources of the binding are installed side by side', async () => {
	// Each waits for another to begin, so one after the other would never end.
	const plan = {
		[ROOT]: { waitsFor: HOST },
		[HOST]: { waitsFor: SQLITE3 },
		[NODE]: { waitsFor: ROOT },
		build: { waitsFor: SQLITE3 },
	};
	const { output } = await launch(plan, 'start');
	expect(notes()).toEqual(
		expect.arrayContaining([ROOT, HOST, NODE, SQLITE3].map((name) => `${name} begins`)),
	);
	expect(output).toContain('Installing n8n');
	expect(output).toContain('Done after');
});

test('a failing install ends the others with their processes, and says in a sentence what failed and what to do', async () => {
	const { code, output } = await launch(
		{
			[ROOT]: { hangs: true },
			[HOST]: { waitsFor: 'hanging', fails: true },
			// Without Node.js 24, the binding is not begun, so that nothing else can fail first.
			[NODE]: { waitsFor: 'nothing' },
		},
		'start',
	);
	expect(code).toBe(1);
	expect(output).toContain('npm error ENOSPC: no space left on device');
	expect(output.trimEnd().split('\n').at(-1)).toBe(
		'Installing n8n failed: it ended with 28. All its output is in .local/logs/install-host.log. ' +
			'Correct the reason and run the command again.',
	);
	const pids = notes().flatMap((line) => (line.startsWith('pid ') ? [Number(line.slice(4))] : []));
	expect(pids).toHaveLength(2);
	// The system takes a moment to remove the entry of a process that lost its parent.
	for (let tries = 0; tries < 50 && pids.some(isAlive); tries++) await sleep(100);
	expect(pids.filter(isAlive)).toEqual([]);
	expect(existsSync(join(clone, 'node_modules'))).toBe(false);
});

test('npm start installs a part of the development packages; the tests install all of them', async () => {
	const names = () => readFileSync(join(clone, 'node_modules/names'), 'utf8').split(',');
	const begins = () => notes().filter((line) => line === `${ROOT} begins`).length;
	await launch({}, 'sandbox');
	expect(names()).toEqual([
		'@types/node',
		'gulp',
		'mailparser',
		'n8n-workflow',
		'smtp-server',
		'typescript',
		'undici',
		'zod',
	]);
	await launch({}, 'sandbox');
	expect(begins()).toBe(1);
	await launch({}, 'test', 'unit');
	expect(names()).toContain('jest');
	await launch({}, 'sandbox');
	expect(begins()).toBe(2);
});

test('an install that fails says the reason of npm, also under `npm run --silent`', () => {
	const folder = join(clone, 'lacks');
	mkdirSync(folder);
	writeFileSync(join(folder, 'package.json'), '{ "dependencies": { "lacking": "file:nowhere.tgz" } }');
	const program =
		"import('./host/launcher/npmPackages.mjs').then((npm) => npm.installPackages('lacks', 'Installing'))";
	const { stderr } = spawnSync(process.execPath, ['-e', program], {
		cwd: clone,
		env: { ...process.env, npm_config_loglevel: 'silent' },
		encoding: 'utf8',
	});
	expect(stderr).toContain('npm error');
	expect(stderr).toContain('nowhere');
});
