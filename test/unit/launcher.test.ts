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
function decideAll(questions: Question[]): Decision[] {
	const moduleUrl = JSON.stringify(pathToFileURL('host/launcher/provideTools.mjs').href);
	const decisions = `${JSON.stringify(questions)}.map((question) => decide(question))`;
	const program = `import { decide } from ${moduleUrl}; console.log(JSON.stringify(${decisions}))`;
	const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
		encoding: 'utf8',
	});
	return JSON.parse(output) as Decision[];
}

const rootOnDebian = { isRoot: true, hasApt: true };
const rootOnUbuntu = { ...rootOnDebian, isUbuntu: true };
const userOnDebian = { isRoot: false, hasApt: true };
const rootElsewhere = { isRoot: true, hasApt: false };
const userElsewhere = { isRoot: false, hasApt: false };

const allTools = ['chromium', 'redis', 'postgres', 'nginx', 'compiler', 'make', 'python'];
const packagesOfAllTools = [
	'chromium',
	'redis-server',
	'postgresql',
	'nginx-light',
	'g++',
	'make',
	'python3',
];

const adviceOnDebian =
	'Missing: Chromium, Redis. To install: ' +
	'sudo apt-get update && sudo apt-get install --yes --no-install-recommends chromium redis-server';
const adviceAfterFailure =
	'Missing: Chromium. To install: apt-get update && apt-get install --yes --no-install-recommends chromium';
const adviceElsewhere = (sudo: string) =>
	"Missing: PostgreSQL's server, a C++ compiler. Install first; on Debian or Ubuntu: " +
	`${sudo}apt-get update && ${sudo}apt-get install --yes --no-install-recommends postgresql g++`;

const CASES: Array<[title: string, question: Question, decision: Decision]> = [
	[
		'as root with apt the launcher continues when no tool is missing',
		{ missing: [], machine: rootOnDebian, canSkip: false },
		{ action: 'continue' },
	],
	[
		'without root the launcher continues when no tool is missing',
		{ missing: [], machine: userOnDebian, canSkip: false },
		{ action: 'continue' },
	],
	[
		'without root and apt the launcher continues when no tool is missing',
		{ missing: [], machine: userElsewhere, canSkip: false },
		{ action: 'continue' },
	],
	[
		'as root with apt the launcher installs what is missing, if it may skip',
		{ missing: allTools, machine: rootOnDebian, canSkip: true },
		{ action: 'install', packages: packagesOfAllTools },
	],
	[
		'as root with apt the launcher installs what is missing, if it may not skip',
		{ missing: allTools, machine: rootOnDebian, canSkip: false },
		{ action: 'install', packages: packagesOfAllTools },
	],
	[
		'on Ubuntu, Chromium has another package name',
		{ missing: ['chromium', 'redis'], machine: rootOnUbuntu, canSkip: true },
		{ action: 'install', packages: ['chromium-browser', 'redis-server'] },
	],
	[
		'without root the launcher gives the one command and skips',
		{ missing: ['chromium', 'redis'], machine: userOnDebian, canSkip: true },
		{ action: 'skip', advice: adviceOnDebian },
	],
	[
		'without root the launcher gives the one command and fails, if it may not skip',
		{ missing: ['chromium', 'redis'], machine: userOnDebian, canSkip: false },
		{ action: 'fail', advice: adviceOnDebian },
	],
	[
		'without apt the launcher names what root has to install',
		{ missing: ['postgres', 'compiler'], machine: rootElsewhere, canSkip: true },
		{ action: 'skip', advice: adviceElsewhere('') },
	],
	[
		'without apt the launcher names what a user has to install',
		{ missing: ['postgres', 'compiler'], machine: userElsewhere, canSkip: true },
		{ action: 'skip', advice: adviceElsewhere('sudo ') },
	],
	[
		'the launcher does not install twice, but skips',
		{ missing: ['chromium'], machine: rootOnDebian, canSkip: true, installFailed: true },
		{ action: 'skip', advice: adviceAfterFailure },
	],
	[
		'the launcher does not install twice, but fails, if it may not skip',
		{ missing: ['chromium'], machine: rootOnDebian, canSkip: false, installFailed: true },
		{ action: 'fail', advice: adviceAfterFailure },
	],
];

/** All in one process, because starting each takes longer than the test. */
const decisions = decideAll(CASES.map(([, question]) => question));

test.each(CASES.map(([title, , expected], index) => [title, decisions[index], expected]))(
	'%s',
	(_title, decision, expected) => expect(decision).toEqual(expected),
);
