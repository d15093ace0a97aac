/** What the launcher installs from npm, and what it does about missing programs of the system. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Arguments with which Node.js runs code that uses a module of the launcher. Jest cannot load an ES module. */
const program = (module: string, code: string) => [
	'--input-type=module',
	'--eval',
	`import * as launcher from ${JSON.stringify(pathToFileURL(`host/launcher/${module}.mjs`).href)}; ${code}`,
];

function evaluate<T>(module: string, code: string, more: Record<string, string> = {}): T {
	const args = program(module, `console.log(JSON.stringify(${code}))`);
	const env = { ...process.env, ...more };
	return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', env })) as T;
}

const rootOnDebian = { isRoot: true, hasApt: true };
const rootOnUbuntu = { ...rootOnDebian, isUbuntu: true };
const userOnDebian = { isRoot: false, hasApt: true };
const userElsewhere = { isRoot: false, hasApt: false };

const INSTALL = 'apt-get install --yes --no-install-recommends';
const UPDATE = 'apt-get update &&';
const ALL = ['chromium', 'redis', 'postgres', 'nginx', 'hledger', 'compiler', 'make', 'python'];
const PACKAGES = 'chromium redis-server postgresql nginx-light hledger g++ make python3'.split(' ');
const TWO = ['chromium', 'redis'];
const OTHERS = ['postgres', 'compiler'];
const FIRST = `Missing: PostgreSQL's server, a C++ compiler. Install them first, or put their paths into the environment (POSTGRES). On Debian or Ubuntu: sudo ${UPDATE} sudo ${INSTALL} postgresql g++`;
const ON_UBUNTU = ['chromium-browser', 'redis-server'];
const COMMAND = `Missing: Chromium, Redis. To install them: sudo ${UPDATE} sudo ${INSTALL} chromium redis-server`;

/** The decision, or the advice with which it skips or fails. */
type Machine = { isRoot: boolean; installFailed?: boolean };
const CASES: Array<[title: string, machine: Machine, missing: string[], decision: object | string]> = [
	['nothing is missing', userElsewhere, [], { action: 'continue' }],
	['root with apt installs', rootOnDebian, ALL, { action: 'install', packages: PACKAGES }],
	['other names on Ubuntu', rootOnUbuntu, TWO, { action: 'install', packages: ON_UBUNTU }],
	['a user with apt reads the one command', userOnDebian, TWO, COMMAND],
	['without apt, a user reads them', userElsewhere, OTHERS, FIRST],
	['it installs once', { ...rootOnDebian, installFailed: true }, TWO, COMMAND.replaceAll('sudo ', '')],
];

describe('the launcher and missing programs of the system', () => {
	const cases = [true, false].flatMap((canSkip) =>
		CASES.map(([title, { installFailed, ...machine }, missing, decision]) => {
			const advised = { action: canSkip ? 'skip' : 'fail', advice: decision };
			return {
				title: `${title}, and it may ${canSkip ? '' : 'not '}skip`,
				question: { machine, missing, canSkip, installFailed },
				expected: typeof decision === 'string' ? advised : decision,
			};
		}),
	);
	// All in one process, because starting each takes longer than the test.
	const questions = JSON.stringify(cases.map(({ question }) => question));
	const decisions = evaluate<object[]>('provideTools', `${questions}.map(launcher.decide)`);
	test.each(cases.map((each, index) => ({ ...each, decision: decisions[index] })))(
		'$title',
		({ decision, expected }) => expect(decision).toEqual(expected),
	);
});

describe('the launcher on a machine that keeps its programs elsewhere', () => {
	test('uses the browser that a person names, and looks for one if that is not there', () => {
		const pathOf = (CHROMIUM: string) =>
			evaluate('provideTools', 'launcher.toolPaths().CHROMIUM ?? null', { CHROMIUM });
		expect(pathOf(process.execPath)).toBe(process.execPath);
		expect(pathOf('/no/such/browser')).not.toBe('/no/such/browser');
	});

	test.each([
		['/opt/my tools/npm/bin/npm-cli.js', [process.execPath, '/opt/my tools/npm/bin/npm-cli.js']],
		['C:\\Program Files\\nodejs\\npm-cli.js', [process.execPath, 'C:\\Program Files\\nodejs\\npm-cli.js']],
		// Yarn and pnpm do not know the commands of npm.
		['/usr/share/yarn/bin/yarn.js', ['npm']],
		['', ['npm']],
	])('starts npm where it is: %s', (file, command) => {
		expect(evaluate('processes', 'launcher.npm()', { npm_execpath: file })).toEqual(command);
	});

	test('looks for the words of a test run in the paths of tests, not in the folder of the clone', () => {
		const [pattern = '', ...others] = evaluate<string[]>(
			'tests',
			'launcher.amongTests(["n8n/pay", "-t", "a title"])',
		);
		expect(others).toEqual(['-t', 'a title']);
		const isRun = (path: string) => new RegExp(pattern).test(path);
		expect(isRun('/home/ada/n8n/pay/test/n8n/payOnce.test.ts')).toBe(true);
		expect(isRun('/home/ada/n8n/pay/test/n8n/mail.test.ts')).toBe(false);
		expect(isRun('/home/ada/n8n/pay/test/unit/mail.test.ts')).toBe(false);
	});

	test('checks types and style, and asks the scanner of n8n, with each change', () => {
		expect(evaluate('tests', 'launcher.CHECKS')).toEqual(['typecheck', 'lint', 'scan']);
		const { scripts } = read<{ scripts: Record<string, string> }>('package.json');
		expect([scripts.scan, scripts.prepublishOnly]).toEqual([
			'node host/launcher/main.mjs scan',
			'npm run owner -- --check && npm run scan',
		]);
	});

	test('asks npm without a shell that would read its path', () => {
		expect(evaluate<string>('processes', "launcher.askNpm('config', 'get', 'registry')")).toMatch(/^https?:/);
	});
});

describe('what only the owner can fill in', () => {
	const manifest = {
		name: 'n8n-nodes-wallet-service',
		author: { name: 'Ada Obi', email: 'ada@obi.dev' },
		repository: { url: 'https://github.com/ada/wallet-nodes.git' },
	};
	const author = (changes: object) => ({ ...manifest, author: { ...manifest.author, ...changes } });
	const repository = (url: string) => ({ ...manifest, repository: { url } });

	const cases: Array<[missing: string, given: object]> = [
		['', manifest],
		['author.name', author({ name: 'n8n-nodes-wallet-service contributors' })],
		['author.name', author({ name: '' })],
		['author.email', author({ email: 'ada@example.com' })],
		['author.email', author({ email: 'ada@mail.example' })],
		['author.email', author({ email: 'ada' })],
		[
			'repository.url',
			repository('https://github.com/n8n-nodes-wallet-service/n8n-nodes-wallet-service.git'),
		],
		['repository.url', repository('git@github.com:ada/wallet-nodes.git')],
		['author.name, author.email, repository.url', { name: manifest.name }],
	];
	// All in one process, because starting each takes longer than the test.
	const given = JSON.stringify(cases.map(([, manifest]) => manifest));
	const found = evaluate<string[][]>('owner', `${given}.map(launcher.placeholdersIn)`);
	test.each(cases.map(([missing], index) => ({ missing, found: found[index]! })))(
		'is missing: $missing',
		({ missing, found }) => expect(found.map((each) => each.split(':')[0]).join(', ')).toBe(missing),
	);

	test('is carried from package.json to links and to the license, and to nobody else', () => {
		const written = (file: string, text: string) =>
			evaluate<string>('owner', `launcher.withOwner(...${JSON.stringify([file, text, manifest])})`);
		const links = (organisation: string, name: string) =>
			[
				`[it](https://github.com/${organisation}/${name}/blob/main/docs/desk.md#pay)`,
				`https://raw.githubusercontent.com/${organisation}/${name}/main/examples/ask.json`,
				`git+https://github.com/${organisation}/${name}.git`,
				`https://github.com/${organisation}/${name}#readme`,
				'https://github.com/n8n-io/n8n-docs/issues and https://github.com/n8n-nodes-wallet-service',
			].join('\n');
		const old = links('n8n-nodes-wallet-service', 'n8n-nodes-wallet-service');
		expect(written('README.md', old)).toBe(links('ada', 'wallet-nodes'));
		expect(written('README.md', links('earlier', 'wallet-nodes'))).toBe(links('ada', 'wallet-nodes'));
		const license = (holder: string) => `MIT License\n\nCopyright (c) 2026 ${holder}\n\nPermission`;
		expect(written('LICENSE.md', license('somebody else'))).toBe(license('Ada Obi'));
		expect(written('README.md', license('somebody else'))).toBe(license('somebody else'));
	});

	test('is the same in all places, and keeps a package with placeholders from being published', () => {
		const given = read<typeof manifest>('package.json');
		const missing = evaluate<string[]>('owner', `launcher.placeholdersIn(${JSON.stringify(given)})`);
		const args = ['host/launcher/main.mjs', 'owner', '--check'];
		const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
		expect(stderr).not.toContain('Another owner');
		expect(missing.filter((each) => !stderr.includes(each))).toEqual([]);
		expect(status).toBe(missing.length > 0 ? 1 : 0);
		const job = readFileSync('.github/workflows/publish.yml', 'utf8');
		expect(job.indexOf('npm run owner -- --check')).toBeGreaterThan(0);
		expect(job.indexOf('npm run owner -- --check')).toBeLessThan(job.indexOf('npm pack'));
	});
});

const read = <T>(file: string) => JSON.parse(readFileSync(file, 'utf8')) as T;

test("SQLite's binding is compiled from the sources and with the compiler's packages that n8n has", () => {
	const versions = (file: string) => {
		const { packages } = read<{ packages: Record<string, { version: string }> }>(file);
		return ['sqlite3', 'node-gyp', 'prebuild-install', 'bindings'].map(
			(name) => `${name} ${packages[`node_modules/${name}`]!.version}`,
		);
	};
	expect(versions('host/sqlite3/package-lock.json')).toEqual(versions('host/package-lock.json'));
});

test('an install that fails says the reason of npm, also under `npm run --silent`', () => {
	const folder = mkdtempSync(join(tmpdir(), 'wallet service launcher-'));
	try {
		writeFileSync(join(folder, 'package.json'), '{ "dependencies": { "lacking": "file:nowhere.tgz" } }');
		const args = program('npmPackages', "await launcher.installPackages('.', 'Installing')");
		const { stderr } = spawnSync(process.execPath, args, {
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

test('the page of promises gets the time of the oldest run of each, or the files that failed or never ran', () => {
	const rows = ['| Promise | Shown by |', '|---|---|'];
	const row = (name: string) => `| ${name} | [one](unit/${name}.test.ts), [two](n8n/both.test.ts) |`;
	const page = ['# Promises', ...rows, row('good'), row('bad'), row('new'), '', 'The end.'].join('\n');
	const runs = {
		'test/unit/good.test.ts': { at: '2026-02-03T04:05:06.000Z', hasPassed: true },
		'test/n8n/both.test.ts': { at: '2026-02-01T00:00:00.000Z', hasPassed: true },
		'test/unit/bad.test.ts': { at: '2026-02-03T04:05:06.000Z', hasPassed: false },
	};
	const shown = evaluate<string>(
		'promises',
		`launcher.withRuns(${JSON.stringify(page)}, ${JSON.stringify(runs)})`,
	);
	expect(shown.split('\n')).toEqual([
		'# Promises',
		'| Promise | Shown by | Last run |',
		'|---|---|---|',
		`${row('good')} 2026-02-01T00:00:00.000Z |`,
		`${row('bad')} **failed:** test/unit/bad.test.ts |`,
		`${row('new')} not run: test/unit/new.test.ts |`,
		'',
		'The end.',
	]);
});
