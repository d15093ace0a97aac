/** Finds programs of the system and installs missing ones where that is possible. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { say, step } from './processes.mjs';
import { TOOLS } from './tools.mjs';

const APT_INSTALL = ['apt-get', 'install', '--yes', '--no-install-recommends'];

/** apt-get refuses to run twice at once. */
let lastInstallation = Promise.resolve();

/** The path of a tool, undefined if the machine does not have it. */
function findTool(tool) {
	const { programs, folder } = TOOLS[tool];
	const versions = folder !== undefined && existsSync(folder) ? readdirSync(folder) : [];
	const folders = [
		...(process.env.PATH ?? '').split(delimiter),
		...versions.map((version) => join(folder, version, 'bin')),
	];
	return programs
		.flatMap((program) => folders.map((each) => join(each, program)))
		.find((file) => existsSync(file));
}

/** Environment variables with the paths of the tools that the machine has. */
export function toolPaths() {
	const named = Object.keys(TOOLS).filter((tool) => TOOLS[tool].variable !== undefined);
	return Object.fromEntries(named.map((tool) => [TOOLS[tool].variable, findTool(tool)]));
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
	const packages = missing.map(
		(tool) => (isUbuntu ? TOOLS[tool].ubuntuPackage : undefined) ?? TOOLS[tool].package,
	);
	if (isRoot && hasApt && !installFailed) return { action: 'install', packages };
	const sudo = isRoot ? '' : 'sudo ';
	const command = `${sudo}apt-get update && ${sudo}${APT_INSTALL.join(' ')} ${packages.join(' ')}`;
	const labels = missing.map((tool) => TOOLS[tool].label).join(', ');
	const how = hasApt ? 'To install' : 'Install first; on Debian or Ubuntu';
	return { action: canSkip ? 'skip' : 'fail', advice: `Missing: ${labels}. ${how}: ${command}` };
}

/**
 * Provides tools: installs the missing ones as root on Debian or Ubuntu, says elsewhere how to install them.
 * Returns the tools that are still missing. Unless `canSkip`, it throws instead. `reason` begins the message.
 */
export async function provideTools(tools, { reason, canSkip }) {
	let decision = decideHere(tools, { canSkip });
	if (decision.action === 'install') {
		const others = lastInstallation;
		lastInstallation = others.then(async () => {
			const now = decideHere(tools, { canSkip });
			if (now.action === 'install') await installWithApt(now.packages);
		});
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

function decideHere(tools, { canSkip, installFailed }) {
	const machine = {
		isRoot: process.getuid?.() === 0,
		hasApt: existsSync('/usr/bin/apt-get'),
		isUbuntu: /^ID(_LIKE)?=.*ubuntu/m.test(osRelease()),
	};
	return decide({ missing: findMissing(tools), machine, canSkip, installFailed });
}

/** Installs packages at once. If one fails, each by itself, so that it costs only the parts that need it. */
async function installWithApt(packages) {
	// A package that is half installed would stop the next apt-get.
	const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, mustEnd: true };
	const succeeds = async (...args) => {
		try {
			await step(...args, options);
			return true;
		} catch (error) {
			say(error.message);
			return false;
		}
	};
	const install = async (...names) => {
		const words = `Installing the system package${names.length > 1 ? 's' : ''} ${names.join(', ')} (apt-get install)`;
		const name = `apt-get-install-${names.join('-').replaceAll(/\W+/g, '-')}`;
		return await succeeds(name, words, [...APT_INSTALL, ...names]);
	};
	const words = 'Updating the list of system packages (apt-get update)';
	await succeeds('apt-get-update', words, ['apt-get', 'update']);
	if ((await install(...packages)) || packages.length === 1) return;
	for (const name of packages) await install(name);
}

function osRelease() {
	const file = '/etc/os-release';
	return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
