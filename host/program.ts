import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The only variables that programs inherit: no settings of n8n, of jest, or of a proxy that would hide the sandbox. */
const INHERITED = ['HOME', 'USERPROFILE', 'LANG', 'TMPDIR', 'TEMP', 'SystemRoot', 'PATH'];

/** The first start creates a database, which takes seconds, or longer on a slow disk. */
const READY_WITHIN_MS = 600_000;
const STOPPED_WITHIN_MS = 60_000;

export interface ProgramOptions {
	/** For messages. */
	name: string;
	command: string;
	args: string[];
	env?: Record<string, string>;
	/** Receives the program's stdout and stderr. */
	logFile: string;
	/** Whether the program answers yet; asked every 25 ms. */
	ready: () => Promise<boolean>;
	/** The system user that runs it; the current one by default. */
	user?: { uid: number; gid: number };
	/** The signals that stop it cleanly, and that end it at once without leaving its own child processes behind. */
	signals?: { stop: NodeJS.Signals; kill: NodeJS.Signals };
}

export interface Program {
	pid: number;
	/** Everything that it has written to stdout and stderr since this start. */
	log(): string;
	/** Stops it cleanly. Resolves when it has ended; kills it if that takes too long. */
	stop(): Promise<void>;
	/** Ends it at once, like a power cut. */
	kill(): Promise<void>;
}

/** Each process begins elsewhere, because a port seems free to the others until a program listens on it. */
let nextPort = process.pid * 41;

/**
 * A free port of the loopback interface, below those that systems hand out by themselves, so that no other server gets it by chance.
 * Test processes that run side by side get different ones.
 */
export async function freePort(): Promise<number> {
	const port = 20_000 + (nextPort++ % 12_000);
	const isFree = await new Promise<boolean>((done) => {
		const server = createServer().once('error', () => done(false));
		server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
	});
	return isFree ? port : await freePort();
}

/** Kills programs that still run when this process exits. */
const killOnExit = new Set<() => void>();
process.on('exit', () => killOnExit.forEach((kill) => kill()));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
	process.once(signal, () => {
		// A process with its own handler stops its programs itself.
		if (process.listenerCount(signal) === 0) process.exit(1);
	});

/** Starts a server and waits until it is ready. Throws with the end of its log otherwise. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
	const { name, command, args, env, logFile, user, signals = { stop: 'SIGTERM', kill: 'SIGKILL' } } = options;
	const output = openSync(logFile, 'w');
	const child = spawn(command, args, {
		stdio: ['ignore', output, output],
		env: { ...Object.fromEntries(INHERITED.map((key) => [key, process.env[key]])), ...env },
		...user,
	});
	closeSync(output);

	const log = () => readFileSync(logFile, 'utf8');
	/** How it has ended; empty while it runs. */
	let ended = '';
	const closed = once(child, 'close').then(
		() => (ended = `It ended with ${child.signalCode ?? child.exitCode}`),
		(error: Error) => (ended = error.message),
	);
	const kill = () => child.kill(signals.kill);
	const end = async (signal: NodeJS.Signals) => {
		if (ended === '') child.kill(signal);
		await closed;
		killOnExit.delete(kill);
	};
	const stop = async () => {
		const timer = setTimeout(kill, STOPPED_WITHIN_MS);
		await end(signals.stop);
		clearTimeout(timer);
	};
	killOnExit.add(kill);

	const deadline = Date.now() + READY_WITHIN_MS;
	try {
		// What answers may be another program, if this one has ended.
		while (!(await options.ready()) || ended !== '') {
			const why = ended || (Date.now() > deadline && 'It did not answer in time');
			if (why) throw new Error(`${name} did not start. ${why}. The end of its log:\n${log().slice(-3000)}`);
			await sleep(25);
		}
	} catch (error) {
		await end(signals.kill);
		throw error;
	}
	return { pid: child.pid!, log, stop, kill: () => end(signals.kill) };
}
