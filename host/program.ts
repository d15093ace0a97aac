import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What programs inherit: nothing that would set them up differently, no jest, no proxy between them and the sandbox. */
const INHERITED = ['HOME', 'USERPROFILE', 'LANG', 'TMPDIR', 'TEMP', 'SystemRoot', 'PATH'];

/** The first start makes a database: seconds here, more on a slow disk. */
const READY_WITHIN_MS = 120_000;
const STOPPED_WITHIN_MS = 20_000;

export interface ProgramOptions {
	/** Of messages. */
	name: string;
	command: string;
	args: string[];
	env?: Record<string, string>;
	/** What it writes to its console goes there. */
	logFile: string;
	/** Whether it answers by now. */
	ready: () => Promise<boolean>;
	/** As what user of the system; as this one where it is not said. */
	user?: { uid: number; gid: number };
	/** How an operator stops it, and how it is made to end at once without leaving processes of its own behind. */
	signals?: { stop: NodeJS.Signals; kill: NodeJS.Signals };
}

export interface Program {
	pid: number;
	/** All that it has written to its console since this start. */
	log(): string;
	/** As an operator stops it; resolves when it is gone. */
	stop(): Promise<void>;
	/** As a power cut stops it. */
	kill(): Promise<void>;
}

/** A port of the loopback interface that is free now. */
export async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	const { port } = server.address() as AddressInfo;
	await new Promise((done) => server.close(done));
	return port;
}

/** Ends what still runs when this process exits, however it does. */
const abandoned = new Set<() => void>();
process.on('exit', () => abandoned.forEach((abandon) => abandon()));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
	process.once(signal, () => {
		// A program that has plans of its own for the signal ends what it has started.
		if (process.listenerCount(signal) === 0) process.exit(1);
	});

/** Starts a server and waits until it is ready. Throws with the end of its log where it does not get so far. */
export async function startProgram({
	name,
	command,
	args,
	env,
	logFile,
	ready,
	user,
	signals = { stop: 'SIGTERM', kill: 'SIGKILL' },
}: ProgramOptions): Promise<Program> {
	const output = openSync(logFile, 'w');
	const child = spawn(command, args, {
		stdio: ['ignore', output, output],
		env: { ...Object.fromEntries(INHERITED.map((key) => [key, process.env[key]])), ...env },
		...user,
	});
	closeSync(output);

	const log = () => readFileSync(logFile, 'utf8');
	let failure = '';
	child.once('error', ({ message }) => (failure = `${message}\n`));
	const gone = new Promise<void>((done) => {
		child.once('close', () => done());
		child.once('error', () => done());
	});
	const running = () => failure === '' && child.exitCode === null && child.signalCode === null;
	const end = async (signal: NodeJS.Signals) => {
		if (running()) child.kill(signal);
		await gone;
		abandoned.delete(abandon);
	};
	const stop = async () => {
		const impatient = setTimeout(() => child.kill(signals.kill), STOPPED_WITHIN_MS);
		await end(signals.stop);
		clearTimeout(impatient);
	};
	const abandon = () => child.kill(signals.kill);
	abandoned.add(abandon);

	const giveUp = Date.now() + READY_WITHIN_MS;
	try {
		while (!(await ready())) {
			if (!running() || Date.now() > giveUp)
				throw new Error(`${name} did not start. ${failure}The end of its log:\n${log().slice(-3000)}`);
			await sleep(200);
		}
	} catch (error) {
		await end(signals.kill);
		throw error;
	}
	return { pid: child.pid!, log, stop, kill: () => end(signals.kill) };
}
