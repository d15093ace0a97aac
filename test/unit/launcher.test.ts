/** What the launcher does about missing programs of the system. */
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

interface Question {
	missing: string[];
	machine: { isRoot: boolean; hasApt: boolean; isUbuntu?: boolean };
	canSkip: boolean;
	installFailed?: boolean;
}

type Decision =
	| { action: 'continue' }
	| { action: 'install'; packages: string[] }
	| { action: 'skip' | 'fail'; advice: string };

/** Asks in another process, because the launcher is an ES module, which jest cannot load. */
function decide(question: Question): Decision {
	const module = JSON.stringify(pathToFileURL('host/launcher/provideTools.mjs').href);
	const program = `import { decide } from ${module}; console.log(JSON.stringify(decide(${JSON.stringify(question)})))`;
	const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
		encoding: 'utf8',
	});
	return JSON.parse(output) as Decision;
}

const rootOnDebian = { isRoot: true, hasApt: true };
const rootOnUbuntu = { ...rootOnDebian, isUbuntu: true };
const userOnDebian = { isRoot: false, hasApt: true };
const rootElsewhere = { isRoot: true, hasApt: false };
const userElsewhere = { isRoot: false, hasApt: false };

test('the launcher continues when no tool is missing', () => {
	for (const machine of [rootOnDebian, userOnDebian, userElsewhere])
		expect(decide({ missing: [], machine, canSkip: false })).toEqual({ action: 'continue' });
});

test.each([true, false])(
	'as root with apt the launcher installs what is missing (canSkip: %p)',
	(canSkip) => {
		const missing = ['chromium', 'redis', 'postgres', 'compiler', 'make', 'python'];
		expect(decide({ missing, machine: rootOnDebian, canSkip })).toEqual({
			action: 'install',
			packages: ['chromium', 'redis-server', 'postgresql', 'g++', 'make', 'python3'],
		});
	},
);

test('on Ubuntu, Chromium has another package name', () => {
	expect(decide({ missing: ['chromium', 'redis'], machine: rootOnUbuntu, canSkip: true })).toEqual({
		action: 'install',
		packages: ['chromium-browser', 'redis-server'],
	});
});

test.each([
	[true, 'skip'],
	[false, 'fail'],
])(
	'without root the launcher gives the one command (canSkip: %p, so it decides to %s)',
	(canSkip, action) => {
		expect(decide({ missing: ['chromium', 'redis'], machine: userOnDebian, canSkip })).toEqual({
			action,
			advice:
				'Missing: Chromium, Redis. To install: ' +
				'sudo apt-get update && sudo apt-get install --yes --no-install-recommends chromium redis-server',
		});
	},
);

test.each([
	['root', rootElsewhere, ''],
	['a user', userElsewhere, 'sudo '],
])('without apt the launcher names what %s has to install', (_who, machine, sudo) => {
	expect(decide({ missing: ['postgres', 'compiler'], machine, canSkip: true })).toEqual({
		action: 'skip',
		advice:
			"Missing: PostgreSQL's server, a C++ compiler. Install first; on Debian or Ubuntu: " +
			`${sudo}apt-get update && ${sudo}apt-get install --yes --no-install-recommends postgresql g++`,
	});
});

test.each([
	[true, 'skip'],
	[false, 'fail'],
])('the launcher does not install twice (canSkip: %p, so it decides to %s)', (canSkip, action) => {
	const question = { missing: ['chromium'], machine: rootOnDebian, canSkip, installFailed: true };
	expect(decide(question)).toEqual({
		action,
		advice:
			'Missing: Chromium. To install: ' +
			'apt-get update && apt-get install --yes --no-install-recommends chromium',
	});
});
