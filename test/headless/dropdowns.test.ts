import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { headless } from './harness.ts';

const n8n = headless();
let sandbox: Sandbox;
let credentials: Record<string, string>;

beforeAll(async () => {
	sandbox = await startSandbox();
	credentials = { baseUrl: sandbox.url, apiKey: sandbox.key, signatureSecret: sandbox.secret };
});
afterAll(async () => await sandbox.stop());

const choices = async (list: string, filter?: string) =>
	(await n8n.listSearch(list, { credentials }, filter)).results.map(({ name, value }) => [name, value]);

test('contracts, with rate and what is left', async () => {
	expect(await choices('contracts')).toEqual([
		['BTC -> USDT at 64,250.12345678, 0.5 left', 'ic_btc_usdt'],
		['USD -> NGN at 1,540.25, 10,000 left', 'ic_usd_ngn'],
		['USDT -> NGN at 1,550.4, 15,000 left', 'ic_usdt_ngn'],
	]);
});

test('currencies of the rates, each once', async () => {
	expect((await choices('currencies')).map(([name]) => name)).toEqual(['BTC', 'EUR', 'NGN', 'USD', 'USDT']);
});

test('virtual accounts', async () => {
	expect(await choices('virtualAccounts', '0042')).toEqual([
		['customer-0042 (Sandbox Bank, 9900000042)', 'customer-0042'],
	]);
});

test('settlement accounts, whose records are not shown', async () => {
	expect(await choices('settlementAccounts')).toEqual([
		['supplier-main (First Example Bank, 0123456789, Whitelisted)', 'supplier-main'],
		['supplier-new (First Example Bank, 0987654321, Pending)', 'supplier-new'],
		['supplier-usd (Second Example Bank, 000111222333, Whitelisted)', 'supplier-usd'],
	]);
});

test('a search that fits nothing gives nothing', async () => {
	expect(await choices('contracts', 'no such thing')).toEqual([]);
});

const answering = async (status: number, body: string, list = 'settlementAccounts') => {
	const server = createServer((incoming, outgoing) => {
		incoming.resume().on('end', () => outgoing.writeHead(status).end(body.replace('{{key}}', sandbox.key)));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	try {
		return await n8n.listSearch(list, { credentials: { ...credentials, baseUrl } });
	} finally {
		await new Promise((resolve) => server.close(resolve));
	}
};

test.each([
	'[{"alias":"a","status":"ok"}]',
	'{"results":[{"alias":"a","status":"ok"}]}',
	'{"data":[{"Alias":"a","Status":"ok"}]}',
	'{"status":"success","accounts":[{"account_alias":"a","status":"ok"}]}',
	'{"results":[{"Account Alias":"a","status":"ok"}]}',
	'{"results":[{"name":"a","status":"ok"}]}',
])('likely shapes of a list that is not shown are read: %s', async (body) => {
	expect((await answering(200, body)).results).toEqual([{ name: 'a (ok)', value: 'a' }]);
});

test.each(['{}', '{"results":[]}', '{"results":[{"number":1}]}'])(
	'in %s there is nothing to choose',
	async (body) => {
		expect((await answering(200, body)).results).toEqual([]);
	},
);

test.each([
	[401, '{"message":"Key {{key}} is expired"}', 'The service answered 401: Key [redacted] is expired'],
	[500, '<html><title>Down</title></html>', 'The service answered 500: Down'],
	[200, '<html></html>', 'The service answered 200 with something that is not JSON'],
])("a look-up that fails shows the service's words: %s %s", async (status, body, message) => {
	await expect(answering(status, body)).rejects.toThrow(message);
});

test('a list that is shown and does not come is no empty list', async () => {
	await expect(answering(200, '{}', 'contracts')).rejects.toThrow("under 'results'");
});

test.each(['list', 'alias'])(
	'what is chosen in mode %s is sent, for money and for readings',
	async (mode) => {
		const chosen = (value: string) => ({ __rl: true, mode, value });
		const payout = await n8n.runNode({
			parameters: {
				resource: 'fiatWallet',
				operation: 'createPayout',
				currency: chosen('NGN'),
				amount: '5',
				account_alias: chosen('={{ $json.to }}'),
			},
			items: [{ json: { to: 'supplier-main' } }],
			credentials,
		});
		expect(payout.error).toBeUndefined();
		expect(sandbox.service.requests.all().at(-1)?.body).toBe(
			'{"currency":"NGN","amount":5,"account_alias":"supplier-main"}',
		);
		const account = await n8n.runNode({
			parameters: { resource: 'virtualAccount', operation: 'get', alias: chosen('={{ $json.to }}') },
			items: [{ json: { to: 'customer-0042' } }],
			credentials,
		});
		expect(account.items[0][0].json).toMatchObject({ alias: 'customer-0042' });
	},
);
