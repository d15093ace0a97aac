import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addAddresses } from './packageLock.mjs';
import { askNpm, messageOf, npm, say, step } from './processes.mjs';

export const installRoot = () => installPackages('.', 'Installing the development packages');

/**
 * Installs the npm packages of a folder unless they are there and newer than its lock. Without a lock, its package.json
 * counts.
 *   words   progress message
 */
export async function installPackages(folder, words) {
	const time = (file) => statSync(join(folder, file), { throwIfNoEntry: false })?.mtimeMs;
	const lock = time('package-lock.json');
	// npm writes this file last, so an interrupted install does not count.
	const installed = time('node_modules/.package-lock.json') ?? 0;
	if (installed >= (lock ?? time('package.json') ?? 0)) return;

	const name = folder.replaceAll(/\W+/g, '-');
	// `npm run --silent` makes this npm silent too, which would hide why an installation fails.
	const options = ['--no-audit', '--no-fund', '--loglevel=notice'];
	const install = (cwd, command, progress) =>
		step(`install-${name}`, words, [...npm(), ...command, ...options], { cwd, progress });
	if (lock === undefined) return await install(folder, ['install', '--no-package-lock']);

	// npm installs here. Only a complete `node_modules` is moved to its place.
	const stage = join('.local/install', name);
	const staged = async (withAddresses) => {
		const paths = await writeStage(folder, stage, withAddresses);
		const unpacked = () => paths.filter((path) => existsSync(join(stage, path, 'package.json'))).length;
		await install(stage, ['ci'], () => `${unpacked()} of ${paths.length} packages`);
	};
	try {
		await staged(true);
	} catch (error) {
		// A private registry may keep its tarballs at other addresses.
		if (!/\bE40\d\b/.test(messageOf(error))) throw error;
		say('The registry keeps packages at other addresses. Asking it for each address');
		await staged(false);
	}
	const packages = join(folder, 'node_modules');
	await rm(packages, { recursive: true, force: true, ...PATIENT });
	await move(join(stage, 'node_modules'), packages);
	await rm(stage, { recursive: true, ...PATIENT });
}

/** On Windows, a program that looks for viruses may hold new files for some seconds. */
const PATIENT = { maxRetries: 10, retryDelay: 500 };

async function move(from, to, tries = PATIENT.maxRetries) {
	try {
		await rename(from, to);
	} catch (error) {
		const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
		if (tries === 0 || !['EPERM', 'EACCES', 'EBUSY'].includes(code)) throw error;
		await sleep(PATIENT.retryDelay);
		await move(from, to, tries - 1);
	}
}

/** Writes what `npm ci` reads. Returns the paths of the packages in the lock. */
async function writeStage(folder, stage, withAddresses) {
	await rm(stage, { recursive: true, force: true });
	mkdirSync(stage, { recursive: true });
	const read = (file) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
	const write = (file, content) => writeFileSync(join(stage, file), JSON.stringify(content));
	const [manifest, lock] = [read('package.json'), read('package-lock.json')];
	if (withAddresses) addAddresses(lock, registry());
	write('package.json', manifest);
	write('package-lock.json', lock);
	if (existsSync(join(folder, '.npmrc'))) copyFileSync(join(folder, '.npmrc'), join(stage, '.npmrc'));
	return Object.keys(lock.packages).filter((path) => path !== '');
}

/** The address of the registry that npm is set to, with a slash at its end. */
function registry() {
	address ??= askNpm('config', 'get', 'registry');
	return address.replace(/\/?$/, '/');
}
let address;

/** Makes a folder for another version of what a folder installs. `change` returns what its package.json has. */
export function folderOfVersion(original, version, change) {
	const folder = join('.local', original === 'host' ? 'n8n' : basename(original), version);
	const manifest = join(folder, 'package.json');
	if (existsSync(manifest)) return folder;
	mkdirSync(folder, { recursive: true });
	copyFileSync(join(original, '.npmrc'), join(folder, '.npmrc'));
	const changed = change(JSON.parse(readFileSync(join(original, 'package.json'), 'utf8')));
	writeFileSync(manifest, JSON.stringify({ private: true, ...changed }));
	return folder;
}
