/** Child processes: their environment, their progress in words, their logs, and the signals passed on to them. */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { nodeBinary } from './nodeBinary.mjs';

export const LOGS = '.local/logs';

const REPORT_MS = 10_000;
const startedAt = Date.now();
const parent = process.ppid;
let interrupted = false;

/** Progress goes to stderr, because stdout belongs to the command (`npm start -- --once` prints items there). */
export const say = (text) => process.stderr.write(`[${secondsSince(startedAt)} s] ${text}\n`);

/** The environment of everything that runs on Node 24. It is first in the PATH, because n8n starts its task runner as `node`. */
export const node24Environment = () => ({
	...process.env,
	PATH: `${dirname(nodeBinary())}${delimiter}${process.env.PATH}`,
});

/** The command that starts npm, as a list of words. npm keeps the Node.js that it was started with. */
export const npm = () => (process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']);

/** The steps that run now, each with its words, its beginning, how far it is, and how to end it. */
const steps = new Set();
let reports;
/** Set when a task has failed. Then no step begins, and the tasks that still run wait for the launcher's end. */
let failed = false;

/**
 * Runs a command to its end. Its output goes to `.local/logs/<name>.log`; a line every 10 s shows what runs and how far it is.
 *   progress   a function that tells how far the command is
 *   mustEnd    whether the command must not be stopped when another step fails
 *   options    options of `spawn`, such as `timeout` in milliseconds
 * Throws with the end of the output when the command fails or takes too long.
 */
export async function step(name, words, [command, ...args], { progress, mustEnd, ...options } = {}) {
	if (failed) return await forever();
	say(words);
	mkdirSync(LOGS, { recursive: true });
	const file = join(LOGS, `${name}.log`);
	const output = openSync(file, 'w');
	const [task] = words.split(' (');
	const child = spawn(command, args, {
		stdio: ['ignore', output, output],
		shell: command === 'npm',
		// A group of its own, so that what the command started ends with it.
		detached: hasGroups,
		...options,
	});
	// npm takes minutes to undo an installation. What it leaves in a stage is deleted anyway.
	const signal = (signalName) => (mustEnd ? child.kill(signalName) : killGroup(child));
	const end = ended(child, signal);
	const stop = async () => {
		if (!mustEnd) signal('SIGTERM');
		await end;
	};
	const self = { task: startOf(task), begun: Date.now(), progress, stop };
	steps.add(self);
	reports ??= setInterval(report, REPORT_MS);
	const remove = () => {
		steps.delete(self);
		if (steps.size === 0) reports = clearInterval(reports);
	};
	try {
		const reason = await end.catch(({ message }) => message).finally(remove);
		// After an interruption, no other way is tried.
		if (interrupted) process.exit(1);
		if (failed) await forever();
		if (reason !== 0) {
			const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(-25).join('\n');
			throw new Error(
				`${lines}\n\n${task} failed: it ended with ${reason}. All its output is in ${file}. ` +
					'Correct the reason and run the command again.',
			);
		}
		say(`Done after ${secondsSince(self.begun)} s: ${self.task}`);
	} finally {
		closeSync(output);
	}
}

/** Waits for tasks that run side by side. When one fails, it stops the steps of the others and throws the reason. */
export async function together(...tasks) {
	try {
		return await Promise.all(tasks);
	} catch (error) {
		failed = true;
		await Promise.allSettled([...steps].map(({ stop }) => stop()));
		throw error;
	}
}

const forever = () => new Promise(() => {});

function report() {
	const states = [...steps].map(
		({ task, begun, progress }) => `${task} (${progress?.() ?? `${secondsSince(begun)} s`})`,
	);
	say(`… ${states.join(', ')}`);
}

const secondsSince = (time) => Math.round((Date.now() - time) / 1000);

/** The words with a small first letter, to stand inside a line. */
const startOf = (words) => words[0].toLowerCase() + words.slice(1);

const hasGroups = process.platform !== 'win32';

/** Ends a child and what it started. */
function killGroup(child) {
	if (!hasGroups) return child.kill();
	try {
		process.kill(-child.pid, 'SIGKILL');
	} catch {
		// It has ended already.
	}
}

/** Runs a program on Node 24 in the foreground. Returns its exit code, 1 if a signal ended it. */
export async function run(args, environment = {}) {
	const child = spawn(nodeBinary(), args, {
		stdio: 'inherit',
		env: { ...node24Environment(), ...environment },
	});
	// A terminal sends Ctrl-C to the program itself.
	const pass = (signal) => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal);
	const reason = await ended(child, pass);
	return typeof reason === 'number' ? reason : 1;
}

/** Waits for a child and passes on the signals that this process gets. Returns the exit code or the signal's name. */
function ended(child, pass) {
	const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
	const forward = (signal) => {
		interrupted = true;
		pass(signal);
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
