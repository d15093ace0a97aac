/** Child processes: their environment, their progress in words, their logs, and the signals passed on to them. */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { nodeBinary } from './nodeBinary.mjs';

export const LOGS = '.local/logs';

const STILL_RUNNING_MS = 10_000;
const startedAt = Date.now();
const parent = process.ppid;
let interrupted = false;

/** Progress goes to stderr, because stdout belongs to the command (`npm start -- --once` prints items there). */
export const say = (text) =>
	process.stderr.write(`[${Math.round((Date.now() - startedAt) / 1000)} s] ${text}\n`);

/** The environment of everything that runs on Node 24. n8n starts its task runner as plain `node`, hence the PATH. */
export const node24Environment = () => ({
	...process.env,
	PATH: `${dirname(nodeBinary())}${delimiter}${process.env.PATH}`,
});

/** The command that starts npm, as a list of words. npm keeps the Node.js that it was started with. */
export const npm = () => (process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']);

/**
 * Runs a command to its end. Its output goes to `.local/logs/<name>.log`; a line every 10 s shows that it still runs.
 * `options` are those of `spawn`, among them `timeout` in milliseconds.
 * Throws with the end of the output when the command fails or takes too long.
 */
export async function step(name, words, [command, ...args], options = {}) {
	say(words);
	mkdirSync(LOGS, { recursive: true });
	const file = join(LOGS, `${name}.log`);
	const output = openSync(file, 'w');
	const [task] = words.split(' (');
	const stillRunning = setInterval(
		() => say(`… still ${task[0].toLowerCase()}${task.slice(1)}`),
		STILL_RUNNING_MS,
	);
	try {
		const child = spawn(command, args, {
			stdio: ['ignore', output, output],
			shell: command === 'npm',
			...options,
		});
		const reason = await ended(child);
		// After an interruption, no other way is tried.
		if (interrupted) process.exit(1);
		if (reason !== 0) {
			const end = readFileSync(file, 'utf8').trimEnd().split('\n').slice(-25).join('\n');
			throw new Error(`${task}: ended with ${reason}. The end of ${file}:\n${end}`);
		}
	} finally {
		clearInterval(stillRunning);
		closeSync(output);
	}
}

/** Runs a program on Node 24 in the foreground. Returns its exit code, 1 if a signal ended it. */
export async function run(args, environment = {}) {
	const child = spawn(nodeBinary(), args, {
		stdio: 'inherit',
		env: { ...node24Environment(), ...environment },
	});
	const reason = await ended(child);
	return typeof reason === 'number' ? reason : 1;
}

/** Waits for a child and passes on the signals that this process gets. Returns the exit code or the signal's name. */
function ended(child) {
	const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
	const forward = (signal) => {
		interrupted = true;
		// A terminal sends Ctrl-C to the child itself.
		if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
	};
	for (const signal of signals) process.on(signal, forward);
	// When npm gets a signal, it stops its shell and nothing below; this process only sees that its parent has changed.
	const watch = setInterval(() => {
		if (process.ppid !== parent) forward('SIGTERM');
	}, 1000);
	return new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (code, signal) => resolve(code ?? signal));
	}).finally(() => {
		clearInterval(watch);
		for (const signal of signals) process.off(signal, forward);
	});
}
