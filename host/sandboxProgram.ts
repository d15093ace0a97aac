/** The sandbox as the program that `npm run sandbox` runs, in a process of its own. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Secrets } from '../sandbox/service.ts';

/** How to reach it, as it says itself. */
export type Reachable = Secrets & { url: string };

export function run(...args: string[]): ChildProcess {
	const node = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', 'sandbox/main.ts', ...args];
	return spawn(process.execPath, node, { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Starts it and waits until it serves; gives what it printed until then too. */
export async function start(
	...args: string[]
): Promise<{ child: ChildProcess; printed: string; sandbox: Reachable }> {
	const child = run(...args);
	let [printed, errors] = ['', ''];
	child.stderr!.on('data', (chunk) => (errors += chunk));
	for await (const chunk of child.stdout!) {
		printed += chunk;
		if (printed.includes('Ctrl-C')) break;
	}
	if (!printed.includes('Ctrl-C')) throw new Error(`The sandbox did not start: ${errors}`);
	const value = (label: string) => new RegExp(`^ +${label} +(\\S+)`, 'm').exec(printed)![1];
	const [url, key, secret, webhookSecret] = ['address', 'key', 'secret', 'webhook secret'].map(value);
	return { child, printed, sandbox: { url, key, secret, webhookSecret } };
}

/** Sends a signal and waits for the end. */
export async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const exited = once(child, 'exit');
	child.kill(signal);
	await exited;
}
