import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kill, run, start as startProgram } from '../../host/sandboxProgram.ts';
import { balanceOf, call, control, send } from '../../host/sandboxClient.ts';
import { startWebhookReceiver } from '../../host/doubles/webhookReceiver.ts';

const running: ChildProcess[] = [];

afterEach(async () => {
	for (const child of running.splice(0)) await kill(child, 'SIGKILL');
});

async function start(...args: string[]) {
	const started = await startProgram(...args);
	running.push(started.child);
	return started;
}

async function exited(child: ChildProcess): Promise<{ code: number; errors: string }> {
	let errors = '';
	child.stderr!.on('data', (chunk) => (errors += chunk));
	const [code] = await once(child, 'close');
	return { code, errors };
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

test.each([
	[['--colour'], "Unknown option '--colour'"],
	[['--port', 'many'], '--port takes a number, not many'],
	[['--settle-after', 'soon'], '--settle-after takes a number of milliseconds or never, not soon'],
	[['--retry-delay', '-1'], '--retry-delay'],
	[['--payment-key-header', 'a b'], 'Payment Key Header is not the name of a header'],
	[['--webhook-url', 'http://example.com'], 'url must be https, or http for a loopback host'],
	[['--db', '/nowhere/at/all.db'], 'unable to open database file'],
])('the arguments %j are refused with the usage', async (args, message) => {
	const child = run(...args);
	running.push(child);
	const { code, errors } = await exited(child);
	expect(code).toBe(1);
	expect(errors).toContain(message);
	expect(errors).toContain('Usage: npm run sandbox');
});

test('--settle-after and --retry-delay set the delays', async () => {
	const settings = async (...args: string[]) => {
		const { sandbox } = await start(...args);
		return (await control(sandbox, 'GET state')).json.settings;
	};
	expect(await settings()).toEqual({ settleAfterMs: 1000, retryDelayMs: 1000, deliveryTimeoutMs: 10000 });
	expect(await settings('--settle-after', 'never', '--retry-delay', '70')).toMatchObject({
		settleAfterMs: null,
		retryDelayMs: 70,
	});
	expect(await settings('--settle-after', '0')).toMatchObject({ settleAfterMs: 0 });
});

describe('--db', () => {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
	const file = join(folder, 'sandbox.db');
	afterAll(() => rmSync(folder, { recursive: true }));

	test('--db refuses a file that another sandbox has open', async () => {
		await start('--db', file);
		const second = run('--db', file);
		running.push(second);
		const { code, errors } = await exited(second);
		expect(code).toBe(1);
		expect(errors).toContain('database is locked');
	});

	test('--db keeps secrets, balances, settlements and pending deliveries over a kill', async () => {
		const receiver = await startWebhookReceiver();
		const first = await start('--db', file, '--webhook-url', receiver.url);
		expect(first.printed).toContain(file);
		receiver.answers.push(500);
		const paid = '{"coin":"USDT","amount":0.123456789012345678,"wallet_alias":"treasury"}';
		const { payout_id } = (await call(first.sandbox, 'POST /v1/crypto_payout', paid)).json;
		await control(first.sandbox, 'POST deposits', { alias: 'customer-0042', amount: '1.10' });
		await kill(first.child, 'SIGKILL');

		const second = await start('--db', file);
		expect(second.sandbox).toMatchObject({
			key: first.sandbox.key,
			secret: first.sandbox.secret,
			webhookSecret: first.sandbox.webhookSecret,
		});
		expect(await balanceOf(second.sandbox, 'USDT')).toBe('19999.376543210987654322');
		expect(await balanceOf(second.sandbox, 'NGN')).toBe('5000001.1');

		let deliveries = [];
		while (
			deliveries.length < 2 ||
			deliveries.some(({ status }: { status: string }) => status === 'pending')
		) {
			deliveries = (await control(second.sandbox, 'GET deliveries')).json.results;
		}
		expect(deliveries).toMatchObject([
			{ event: 'virtual_account_credited', status: 'delivered' },
			{ event: 'crypto_payout_update', status: 'delivered' },
		]);
		expect(JSON.parse(deliveries[1].body)).toMatchObject({ id: payout_id, status: 'successful' });
		await kill(second.child, 'SIGTERM');
		await receiver.stop();
	});
});
