/** Finds programs of the system and installs missing ones where that is possible. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { say, succeeds } from './processes.mjs';

/**
 * The programs of the system that tests and n8n need.
 *   label        in messages
 *   programs     names of the program, the first one found is used
 *   package      Debian's package; `ubuntuPackage` where Ubuntu has another name
 *   folder       where the versions of a program live that is not in the PATH: `<folder>/<version>/bin`
 *   variable     environment variable that tells tests and benches the path; a person may set it
 */
const TOOLS = {
	chromium: {
		label: 'Chromium',
		programs: ['chromium', 'chromium-browser', 'google-chrome'],
		package: 'chromium',
		ubuntuPackage: 'chromium-browser',
		variable: 'CHROMIUM',
	},
	postgres: {
		label: "PostgreSQL's server",
		programs: ['postgres'],
		package: 'postgresql',
		folder: '/usr/lib/postgresql',
		variable: 'POSTGRES',
	},
	redis: { label: 'Redis', programs: ['redis-server'], package: 'redis-server', variable: 'REDIS' },
	nginx: { label: 'nginx', programs: ['nginx'], package: 'nginx-light', variable: 'NGINX' },
	hledger: { label: 'hledger', programs: ['hledger'], package: 'hledger', variable: 'HLEDGER' },
	compiler: { label: 'a C++ compiler', programs: ['g++', 'clang++', 'c++'], package: 'g++' },
	make: { label: 'make', programs: ['make'], package: 'make' },
	python: { label: 'Python 3', programs: ['python3'], package: 'python3' },
};

const APT_INSTALL = ['apt-get', 'install', '--yes', '--no-install-recommends'];

/** The path of a tool, undefined if the machine does not have it. */
function findTool(tool) {
	const { programs, folder, variable } = TOOLS[tool];
	const named = variable && process.env[variable];
	if (named && existsSync(named)) return named;
	const suffix = process.platform === 'win32' ? '.exe' : '';
	const versions = folder !== undefined && existsSync(folder) ? readdirSync(folder) : [];
	const others = versions.map((version) => join(folder, version, 'bin'));
	const folders = [...(process.env.PATH ?? '').split(delimiter), ...others];
	const files = programs.flatMap((program) => folders.map((each) => join(each, program + suffix)));
	return files.find((file) => existsSync(file));
}

/** Environment variables with the paths of the tools that the machine has. */
export function toolPaths() {
	const named = Object.entries(TOOLS).filter(([, { variable }]) => variable !== undefined);
	return Object.fromEntries(named.map(([tool, { variable }]) => [variable, findTool(tool)]));
}

/**
 * Decides what to do about missing tools.
 *   missing         names from the table of tools
 *   machine         { isRoot, hasApt, isUbuntu }
 *   canSkip         whether the work that needs them may be left out
 *   installFailed   whether an installation was tried already
 * Returns `{ action: 'continue' }`, `{ action: 'install', packages }`, or `{ action: 'skip' | 'fail', advice }`.
 */
export function decide({ missing, machine: { isRoot, hasApt, isUbuntu }, canSkip, installFailed = false }) {
	if (missing.length === 0) return { action: 'continue' };
	const nameOf = (tool) => (isUbuntu && tool.ubuntuPackage) || tool.package;
	const packages = missing.map((tool) => nameOf(TOOLS[tool]));
	if (isRoot && hasApt && !installFailed) return { action: 'install', packages };
	const sudo = isRoot ? '' : 'sudo ';
	const command = `${sudo}apt-get update && ${sudo}${APT_INSTALL.join(' ')} ${packages.join(' ')}`;
	const labels = missing.map((tool) => TOOLS[tool].label).join(', ');
	const variables = missing.flatMap((tool) => TOOLS[tool].variable ?? []).join(', ');
	const others = variables && `, or put their paths into the environment (${variables})`;
	const how = hasApt ? 'To install them' : `Install them first${others}. On Debian or Ubuntu`;
	return { action: canSkip ? 'skip' : 'fail', advice: `Missing: ${labels}. ${how}: ${command}` };
}

/** apt-get refuses to run twice at once. */
let lastInstallation = Promise.resolve();

/**
 * Provides tools: installs the missing ones as root on Debian or Ubuntu, says elsewhere how to install them.
 * Returns the tools that are still missing. Unless `canSkip`, it throws instead. `reason` begins the message.
 */
export async function provideTools(tools, { reason, canSkip }) {
	let decision = decideHere(tools, { canSkip });
	if (decision.action === 'install') {
		const { packages } = decision;
		lastInstallation = lastInstallation.then(() => installWithApt(packages));
		await lastInstallation;
		decision = decideHere(tools, { canSkip, installFailed: true });
	}
	if (decision.action === 'continue') return [];
	const message = `${reason} ${decision.advice}`;
	if (decision.action === 'fail') throw new Error(message);
	say(message);
	return findMissing(tools);
}

/** The tools that this machine neither has nor can install. */
export const unavailable = (tools) =>
	decideHere(tools, { canSkip: true }).action === 'skip' ? findMissing(tools) : [];

const findMissing = (tools) => tools.filter((tool) => findTool(tool) === undefined);

function decideHere(tools, { canSkip, installFailed = false }) {
	const release = '/etc/os-release';
	const machine = {
		isRoot: process.getuid?.() === 0,
		hasApt: existsSync('/usr/bin/apt-get'),
		isUbuntu: existsSync(release) && /^ID(_LIKE)?=.*ubuntu/m.test(readFileSync(release, 'utf8')),
	};
	return decide({ missing: findMissing(tools), machine, canSkip, installFailed });
}

/** Installs packages at once. If that fails, each by itself, so that one package costs only the parts that need it. */
async function installWithApt(packages) {
	// A package that is half installed would stop the next apt-get.
	const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, mustEnd: true };
	const install = (names) => {
		const log = `apt-get-install-${names.join('-').replaceAll(/\W+/g, '-')}`;
		const words = `Installing system packages: ${names.join(', ')} (apt-get install)`;
		return succeeds(log, words, [...APT_INSTALL, ...names], options);
	};
	const words = 'Updating the list of system packages (apt-get update)';
	await succeeds('apt-get-update', words, ['apt-get', 'update'], options);
	if ((await install(packages)) || packages.length === 1) return;
	for (const name of packages) await install([name]);
}
