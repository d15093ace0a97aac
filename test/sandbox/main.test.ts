import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { kill, run, start as startProgram } from './program.ts';
import { call, control, send } from './client.ts';
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

test('npm run sandbox prints its address, serves, and stops on Ctrl-C', async () => {
	const { child, printed, sandbox } = await start('--webhook-url', 'http://127.0.0.1:9/hook');
	expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
	expect(printed).toContain('http://127.0.0.1:9/hook');
	expect((await call(sandbox, 'POST /v1/fiat_balance', '{"currency":"USD"}')).json.balance).toBe('25000.00');
	await kill(child, 'SIGINT');
	expect([child.exitCode, child.signalCode]).toEqual([0, null]);
	await expect(send(sandbox.url, 'GET')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('npm run sandbox refuses what it cannot use, and prints its usage', async () => {
	// Side by side, because a process takes its time to start.
	await Promise.all([
		expectRefusal(['--colour'], "Unknown option '--colour'"),
		expectRefusal(['--port', 'many'], '--port takes a number, not many'),
		expectRefusal(
			['--settle-after', 'soon'],
			'--settle-after takes a number of milliseconds or never, not soon',
		),
		expectRefusal(['--webhook-url', 'http://example.com'], 'url must be https, or http for a loopback host'),
		expectRefusal(['--db', '/nowhere/at/all.db'], 'unable to open database file'),
	]);
});

test('--db refuses a file that another sandbox has open', async () => {
	const file = join(folder, 'sandbox.db');
	expect((await start('--db', file)).printed).toContain(file);
	await expectRefusal(['--db', file], 'database is locked');
});

test('--settle-after sets the time until a payout succeeds', async () => {
	const settings = async (...args: string[]) => {
		const { sandbox } = await start(...args);
		return (await control(sandbox, 'GET state')).json.settings;
	};
	const [usual, never, atOnce] = await Promise.all([
		settings(),
		settings('--settle-after', 'never'),
		settings('--settle-after', '0'),
	]);
	expect(usual).toEqual({ settleAfterMs: 1000, retryDelayMs: 1000, deliveryTimeoutMs: 10000 });
	expect(never).toEqual({ ...usual, settleAfterMs: null });
	expect(atOnce).toEqual({ ...usual, settleAfterMs: 0 });
});
