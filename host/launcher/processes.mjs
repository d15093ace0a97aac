/** Child processes: their environment, their progress in words, their logs, and the signals passed on to them. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { nodeBinary } from './nodeBinary.mjs';

export const LOGS = '.local/logs';

const startedAt = Date.now();

/** Progress goes to stderr, because stdout belongs to the command (`npm start -- --once` prints items there). */
export const say = (text) => process.stderr.write(`[${secondsSince(startedAt)} s] ${text}\n`);

/** The environment of everything that runs on Node 24. It is first in the PATH, because n8n starts its task runner as `node`. */
export const node24Environment = () => ({
	...process.env,
	PATH: `${dirname(nodeBinary())}${delimiter}${process.env.PATH}`,
});

const isWindows = process.platform === 'win32';

/** The command that starts npm, as a list of words. npm keeps the Node.js that it was started with. */
export function npm() {
	// Other programs that run scripts name themselves there.
	const { npm_execpath: file = '' } = process.env;
	return /\bnpm-cli\.c?js$/.test(file) ? [process.execPath, file] : ['npm'];
}

/** Windows finds `npm.cmd` by a shell only. It does not quote, so the words after `npm` must have no spaces. */
const needsShell = (command) => command === 'npm' && isWindows;

/** What an npm command prints. Throws with the reason if it fails. */
export function askNpm(...words) {
	const [command, ...args] = [...npm(), ...words];
	const asked = spawnSync(command, args, { encoding: 'utf8', shell: needsShell(command) });
	if (asked.status === 0) return asked.stdout.trim();
	throw new Error(`npm ${words.join(' ')} failed: ${asked.error?.message ?? asked.stderr}`);
}

/** The steps that run now, each with its words, its beginning, how far it is, and how to end it. */
const steps = new Set();
/** Set when a task has failed. Then no step begins, and the other tasks wait until the launcher ends. */
let failed = false;

/**
 * Runs a command to its end. Its output goes to `.local/logs/<name>.log`; a line every 10 s shows what runs and how far it is.
 *   progress   a function that tells how far the command is
 *   mustEnd    whether the command must not be stopped when another step fails
 *   options    options of `spawn`, such as `timeout` in milliseconds
 * Throws with the end of the output when the command fails or takes too long.
 * @param {string} name
 * @param {string} words
 * @param {string[]} command
 * @param {{ progress?: () => string, mustEnd?: boolean } & import('node:child_process').SpawnOptions} [options]
 */
export async function step(name, words, [command = '', ...args], { progress, mustEnd, ...options } = {}) {
	if (failed) return await forever();
	say(words);
	mkdirSync(LOGS, { recursive: true });
	const file = join(LOGS, `${name}.log`);
	const output = openSync(file, 'w');
	const child = spawn(command, args, {
		stdio: ['ignore', output, output],
		shell: needsShell(command),
		// A group of its own, so that what the command started ends with it.
		detached: !isWindows,
		...options,
	});
	closeSync(output);
	// npm takes minutes to undo an installation. What it leaves in a stage is deleted anyway.
	const end = ended(child, (signal) => (mustEnd ? child.kill(signal) : killGroup(child)));
	const stop = async () => {
		if (!mustEnd) killGroup(child);
		await end;
	};
	const task = words.replace(/ \(.*/, '');
	const self = { task: task.charAt(0).toLowerCase() + task.slice(1), begun: Date.now(), progress, stop };
	steps.add(self);
	const reason = await end.catch(({ message }) => message);
	steps.delete(self);
	// After an interruption, nothing else is tried.
	if (interrupted) process.exit(1);
	if (failed) await forever();
	if (reason !== 0) {
		const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(-25).join('\n');
		const what = `${task} failed: it ended with ${reason}. All its output is in ${file}.`;
		throw new Error(`${lines}\n\n${what} Correct the reason and run the command again.`.trimStart());
	}
	say(`Done after ${secondsSince(self.begun)} s: ${self.task}`);
}

/**
 * Runs a command as `step` does. If it fails, prints the reason and returns false.
 * @param {Parameters<typeof step>} stepArguments
 */
export async function succeeds(...stepArguments) {
	try {
		await step(...stepArguments);
		return true;
	} catch (error) {
		say(messageOf(error));
		return false;
	}
}

/** @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

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

/** Prints which steps run and how far they are. */
function report() {
	const stateOf = ({ task, begun, progress }) => `${task} (${progress?.() ?? `${secondsSince(begun)} s`})`;
	if (steps.size > 0) say(`… ${[...steps].map(stateOf).join(', ')}`);
}
setInterval(report, 10_000).unref();

function secondsSince(time) {
	return Math.round((Date.now() - time) / 1000);
}

/** Ends a child and what it started. */
function killGroup(child) {
	try {
		if (isWindows) spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f']);
		else process.kill(-child.pid, 'SIGKILL');
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
	// A terminal sends Ctrl-C to the program itself. Windows always does, and would end it at once by a signal from here.
	const pass = (signal) => (signal === 'SIGINT' && (isWindows || process.stdin.isTTY)) || child.kill(signal);
	const reason = await ended(child, pass);
	const code = typeof reason === 'number' ? reason : 1;
	if (interrupted) process.exit(code);
	return code;
}

/** Waits for a child and passes on the signals that this process gets. Returns the exit code or the signal's name. */
async function ended(child, pass) {
	passOn.add(pass);
	try {
		const [code, signal] = await once(child, 'close');
		return code ?? signal;
	} finally {
		passOn.delete(pass);
	}
}

/** For each child that runs, the function that passes a signal on to it. */
const passOn = new Set();
let interrupted = false;

function interrupt(signal) {
	if (passOn.size === 0) process.exit(1);
	interrupted = true;
	for (const pass of passOn) pass(signal);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, interrupt);

// When npm gets a signal, it stops its shell and nothing below. This process only sees that its parent has changed.
const parent = process.ppid;
setInterval(() => process.ppid === parent || interrupt('SIGTERM'), 1000).unref();
