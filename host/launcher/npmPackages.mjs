import { statSync } from 'node:fs';
import { join } from 'node:path';
import { npm, step } from './processes.mjs';

/** Installs the npm packages of a folder unless they are there and newer than its lock (or package.json without a lock). */
export async function installPackages(folder, words) {
	const time = (file) => statSync(join(folder, file), { throwIfNoEntry: false })?.mtimeMs;
	const lock = time('package-lock.json');
	// npm writes this file last, so an interrupted install does not count.
	if (time('node_modules/.package-lock.json') >= (lock ?? time('package.json'))) return;
	const command = lock === undefined ? ['install', '--no-package-lock'] : ['ci'];
	await step(
		`install-${folder.replaceAll(/\W+/g, '-')}`,
		words,
		[...npm(), ...command, '--no-audit', '--no-fund'],
		{ cwd: folder },
	);
}
