/** What the launcher installs from npm, and what it does about missing programs of the system. */
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Evaluates code in another process, because the launcher is an ES module, which jest cannot load. */
function evaluate<T>(module: string, code: string): T {
	const moduleUrl = JSON.stringify(pathToFileURL(`host/launcher/${module}.mjs`).href);
	const program = `import * as launcher from ${moduleUrl}; console.log(JSON.stringify(${code}))`;
	const args = ['--input-type=module', '--eval', program];
	return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as T;
}

type Decision =
	| { action: 'continue' }
	| { action: 'install'; packages: string[] }
	| { action: 'skip' | 'fail'; advice: string };

const rootOnDebian = { isRoot: true, hasApt: true };
const rootOnUbuntu = { ...rootOnDebian, isUbuntu: true };
const userOnDebian = { isRoot: false, hasApt: true };
const rootElsewhere = { isRoot: true, hasApt: false };
const userElsewhere = { isRoot: false, hasApt: false };

const install = 'apt-get install --yes --no-install-recommends';
const adviceOnDebian = `Missing: Chromium, Redis. To install them: sudo apt-get update && sudo ${install} chromium redis-server`;
const adviceAfterFailure = `Missing: Chromium. To install them: apt-get update && ${install} chromium`;
const adviceElsewhere = (sudo: string) =>
	"Missing: PostgreSQL's server, a C++ compiler. Install them first. On Debian or Ubuntu: " +
	`${sudo}apt-get update && ${sudo}${install} postgresql g++`;

const allTools = ['chromium', 'redis', 'postgres', 'nginx', 'compiler', 'make', 'python'];
const packages = 'chromium redis-server postgresql nginx-light g++ make python3'.split(' ');
const tools = (...missing: string[]) => ({ missing });

const CASES: Array<[title: string, machine: object, question: object, decision: Decision]> = [
	['as root with apt it continues when no tool is missing', rootOnDebian, tools(), { action: 'continue' }],
	[
		'without root and apt it continues when no tool is missing',
		userElsewhere,
		tools(),
		{ action: 'continue' },
	],
	[
		'as root with apt it installs what is missing',
		rootOnDebian,
		tools(...allTools),
		{ action: 'install', packages },
	],
	[
		'as root with apt it installs what is missing, also if it may skip',
		rootOnDebian,
		{ ...tools(...allTools), canSkip: true },
		{ action: 'install', packages },
	],
	[
		'on Ubuntu, Chromium has another package name',
		rootOnUbuntu,
		{ ...tools('chromium', 'redis'), canSkip: true },
		{ action: 'install', packages: ['chromium-browser', 'redis-server'] },
	],
	[
		'without root it prints the one command and skips',
		userOnDebian,
		{ ...tools('chromium', 'redis'), canSkip: true },
		{ action: 'skip', advice: adviceOnDebian },
	],
	[
		'without root it prints the one command and fails, if it may not skip',
		userOnDebian,
		tools('chromium', 'redis'),
		{ action: 'fail', advice: adviceOnDebian },
	],
	[
		'without apt it names what root has to install',
		rootElsewhere,
		{ ...tools('postgres', 'compiler'), canSkip: true },
		{ action: 'skip', advice: adviceElsewhere('') },
	],
	[
		'without apt it names what a user has to install',
		userElsewhere,
		{ ...tools('postgres', 'compiler'), canSkip: true },
		{ action: 'skip', advice: adviceElsewhere('sudo ') },
	],
	[
		'it does not install twice, but skips',
		rootOnDebian,
		{ ...tools('chromium'), canSkip: true, installFailed: true },
		{ action: 'skip', advice: adviceAfterFailure },
	],
	[
		'it does not install twice, but fails, if it may not skip',
		rootOnDebian,
		{ ...tools('chromium'), installFailed: true },
		{ action: 'fail', advice: adviceAfterFailure },
	],
];

describe('the launcher and missing programs of the system', () => {
	// All in one process, because starting each takes longer than the test.
	const questions = CASES.map(([, machine, question]) => ({ machine, canSkip: false, ...question }));
	const decisions = evaluate<Decision[]>('provideTools', `${JSON.stringify(questions)}.map(launcher.decide)`);
	test.each(CASES.map(([title, , , expected], index) => [title, decisions[index], expected]))(
		'%s',
		(_title, decision, expected) => expect(decision).toEqual(expected),
	);
});

const read = <T>(file: string) => JSON.parse(readFileSync(file, 'utf8')) as T;

test('npm start installs every package that the package, the sandbox and the host import', () => {
	const sources = globSync('{api,credentials,nodes,sandbox,host}/**/*.ts', {
		exclude: (path) => String(path).endsWith('node_modules'),
	});
	const imported = sources.flatMap((file) =>
		[...readFileSync(file, 'utf8').matchAll(/^(?:import|export|}) .*from '((?:@[\w-]+\/)?[\w-]+)[/']/gm)].map(
			([, name]) => name!,
		),
	);
	const own = read<{ dependencies: object }>('host/package.json').dependencies;
	const needed = [...new Set(imported)].filter((name) => !Object.hasOwn(own, name));
	expect(needed).toEqual(expect.arrayContaining(['@hono/node-server', 'hono', 'undici']));
	expect(evaluate<string[]>('npmPackages', 'launcher.TO_START')).toEqual(expect.arrayContaining(needed));
});

test("SQLite's binding is compiled from the sources and with the compiler's packages that n8n has", () => {
	const versions = (file: string, path: string) =>
		read<{ packages: Record<string, { version: string }> }>(file).packages[path]!.version;
	for (const name of ['sqlite3', 'node-gyp', 'prebuild-install', 'bindings'])
		expect([name, versions('host/sqlite3/package-lock.json', `node_modules/${name}`)]).toEqual([
			name,
			versions('host/package-lock.json', `node_modules/${name}`),
		]);
});

test('an install that fails says the reason of npm, also under `npm run --silent`', () => {
	const folder = mkdtempSync(join(tmpdir(), 'wallet-service-launcher-'));
	try {
		writeFileSync(join(folder, 'package.json'), '{ "dependencies": { "lacking": "file:nowhere.tgz" } }');
		const moduleUrl = JSON.stringify(pathToFileURL('host/launcher/npmPackages.mjs').href);
		const program = `import(${moduleUrl}).then((npm) => npm.installPackages('.', 'Installing'))`;
		const { stderr } = spawnSync(process.execPath, ['-e', program], {
			cwd: folder,
			env: { ...process.env, npm_config_loglevel: 'silent' },
			encoding: 'utf8',
		});
		expect(stderr).toContain('npm error');
		expect(stderr).toContain('nowhere');
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
});
