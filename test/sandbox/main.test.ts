import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { kill, run, start as startProgram } from './program.ts';
import { control, send } from './client.ts';
import { temporaryFolder } from './temporaryFolder.ts';

const folder = temporaryFolder();
const running: ChildProcess[] = [];
afterEach(async () => {
	for (const child of running.splice(0)) await kill(child, 'SIGKILL');
});

async function start(...args: string[]) {
	const started = await startProgram(...args);
	running.push(started.child);
	return started;
}

async function expectRefusal(args: string[], message: string): Promise<void> {
	const child = run(...args);
	running.push(child);
	let errors = '';
	child.stderr!.on('data', (chunk) => (errors += chunk));
	const [code] = await once(child, 'close');
	expect(code).toBe(1);
	expect(errors).toContain(message);
	expect(errors).toContain('Usage: npm run sandbox');
}

test('npm run sandbox prints its address, takes its options, and stops on Ctrl-C', async () => {
	const options = ['--webhook-url', 'http://127.0.0.1:9/hook', '--settle-after', 'never'];
	const { child, printed, sandbox } = await start(...options);
	expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
	expect(printed).toContain('http://127.0.0.1:9/hook');
	const { settings } = (await control(sandbox, 'GET state')).json;
	expect(settings).toEqual({ settleAfterMs: null, retryDelayMs: 1000, deliveryTimeoutMs: 10000 });
	await kill(child, 'SIGINT');
	expect([child.exitCode, child.signalCode]).toEqual([0, null]);
	await expect(send(sandbox.url, 'GET')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('npm run sandbox refuses what it cannot use, also the file and the port of another sandbox, and prints its usage', async () => {
	const file = join(folder, 'sandbox.db');
	const { printed, sandbox } = await start('--db', file);
	expect(printed).toContain(file);
	// Side by side, because a process takes its time to start.
	await Promise.all([
		expectRefusal(['--colour'], "Unknown option '--colour'"),
		expectRefusal(['--settle-after', 'soon'], 'a number of milliseconds or never, not soon'),
		expectRefusal(['--webhook-url', 'http://example.com'], 'url must be https, or http for a loopback host'),
		expectRefusal(['--db', file], 'database is locked'),
		expectRefusal(['--port', new URL(sandbox.url).port], 'EADDRINUSE'),
	]);
});
