import { execSync } from 'node:child_process';
import { say, succeeds } from './processes.mjs';

/** The oldest versions on which all tests must pass. docs/install.md names that of n8n, package.json that of Node.js. */
const OLDEST = { n8n: '2.35.7', node: '22.16.0' };

/** Runs what takes too long for `npm test`, one after the other, and all of it also if something fails. Returns the exit code. */
export async function runNightly() {
	const newest = execSync('npm view n8n version', { encoding: 'utf8' }).trim();
	const commands = [
		['bench', '--short'],
		['soak', '--short'],
		['test', 'n8n', '--n8n', OLDEST.n8n, '--node', OLDEST.node],
		['test', 'n8n', '--n8n', newest],
	];
	let failures = 0;
	for (const command of commands) {
		const launcher = [process.execPath, 'host/launcher/main.mjs'];
		const name = ['nightly', ...command].join('-').replaceAll(/-+/g, '-');
		if (!(await succeeds(name, `Running ${command.join(' ')}`, [...launcher, ...command]))) failures++;
	}
	say(`${commands.length - failures} of ${commands.length} passed. Their output is in .local/logs/`);
	return failures === 0 ? 0 : 1;
}
