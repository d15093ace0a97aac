/** Runs the sandbox as its own process, as `npm run sandbox` does. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { PRINTED } from '../../sandbox/machine/settings.ts';
import type { SandboxConnection } from './client.ts';

/** Starts the process without waiting. `args`: the arguments of `npm run sandbox`. */
export function run(...args: string[]): ChildProcess {
	const node = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', 'sandbox/main.ts', ...args];
	return spawn(process.execPath, node, { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Starts the process and waits until it serves. `printed` is its start message. Throws if it exits before. */
export async function start(...args: string[]) {
	const child = run(...args);
	let [printed, errors] = ['', ''];
	child.stderr?.on('data', (chunk) => (errors += chunk));
	for await (const chunk of child.stdout ?? []) {
		printed += chunk;
		if (printed.includes('Ctrl-C')) break;
	}
	if (!printed.includes('Ctrl-C')) throw new Error(`The sandbox did not start: ${errors}`);
	const values = Object.entries(PRINTED).map(([name, label]) => {
		const [, value] = new RegExp(`^ +${label} +(\\S+)`, 'm').exec(printed) ?? [];
		if (value === undefined) throw new Error(`The sandbox did not print its ${label}`);
		return [name, value];
	});
	const sandbox = Object.fromEntries(values) as SandboxConnection;
	return { child, printed, sandbox };
}

/** Sends a signal and waits until the process exits. */
export async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const exited = once(child, 'exit');
	child.kill(signal);
	await exited;
}
