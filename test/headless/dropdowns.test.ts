import type { Sandbox } from '../../sandbox/server.ts';
import { headless } from './harness.ts';
import { startHttpServer } from './httpServer.ts';
import { withSandbox } from './withSandbox.ts';

const n8n = headless();
let sandbox: Sandbox;
let credentials: Record<string, string>;
withSandbox((started) => ({ sandbox, credentials } = started));

/** Label and value of each choice. */
const choices = async (list: string, filter?: string) =>
	(await n8n.listSearch(list, { credentials }, filter)).results.map(({ name, value }) => [name, value]);

test('the list of contracts shows rate and remaining amount', async () => {
	expect(await choices('contracts')).toEqual([
		['BTC -> USDT at 64,250.12345678, 0.5 left', 'ic_btc_usdt'],
		['USD -> NGN at 1,540.25, 10,000 left', 'ic_usd_ngn'],
		['USDT -> NGN at 1,550.4, 15,000 left', 'ic_usdt_ngn'],
	]);
});

test('the list of currencies has each currency of the rates once', async () => {
	expect((await choices('currencies')).map(([name]) => name)).toEqual(['BTC', 'EUR', 'NGN', 'USD', 'USDT']);
});

test('the list of virtual accounts shows bank and account number', async () => {
	expect(await choices('virtualAccounts', '0042')).toEqual([
		['customer-0042 (Sandbox Bank, 9900000042)', 'customer-0042'],
	]);
});

test('the list of settlement accounts is read although the API document does not show its records', async () => {
	expect(await choices('settlementAccounts')).toEqual([
		['supplier-main (First Example Bank, 0123456789, Whitelisted)', 'supplier-main'],
		['supplier-new (First Example Bank, 0987654321, Pending)', 'supplier-new'],
		['supplier-usd (Second Example Bank, 000111222333, Whitelisted)', 'supplier-usd'],
	]);
});

test('a search without a match returns an empty list', async () => {
	expect(await choices('contracts', 'no such thing')).toEqual([]);
});

/** Searches a list while the service gives this answer. */
const searchWithAnswer = async (status: number, body: string, list = 'settlementAccounts') => {
	const server = await startHttpServer((incoming, outgoing) => {
		incoming.resume().on('end', () => outgoing.writeHead(status).end(body.replace('{{key}}', sandbox.key)));
	});
	try {
		return await n8n.listSearch(list, { credentials: { ...credentials, baseUrl: server.url } });
	} finally {
		await server.stop();
	}
};

test.each([
	'[{"alias":"a","status":"ok"}]',
	'{"results":[{"alias":"a","status":"ok"}]}',
	'{"data":[{"Alias":"a","Status":"ok"}]}',
	'{"status":"success","accounts":[{"account_alias":"a","status":"ok"}]}',
	'{"results":[{"Account Alias":"a","status":"ok"}]}',
	'{"results":[{"name":"a","status":"ok"}]}',
])('an undocumented list is read in a likely shape: %s', async (body) => {
	expect((await searchWithAnswer(200, body)).results).toEqual([{ name: 'a (ok)', value: 'a' }]);
});

test.each(['{}', '{"results":[]}', '{"results":[{"number":1}]}'])(
	'the response %s has nothing to choose',
	async (body) => {
		expect((await searchWithAnswer(200, body)).results).toEqual([]);
	},
);

test.each([
	[401, '{"message":"Key {{key}} is expired"}', 'The service answered 401: Key [redacted] is expired'],
	[500, '<html><title>Down</title></html>', 'The service answered 500: Down'],
	[200, '<html></html>', 'The service answered 200 with something that is not JSON'],
])("a failed list search shows the service's message: %s %s", async (status, body, message) => {
	await expect(searchWithAnswer(status, body)).rejects.toThrow(message);
});

test('a response without its documented list is an error, not an empty list', async () => {
	await expect(searchWithAnswer(200, '{}', 'contracts')).rejects.toThrow("under 'results'");
});

test.each(['list', 'alias'])('a value chosen in mode %s is sent in payouts and reads', async (mode) => {
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
	expect(account.items).toMatchObject([[{ json: { alias: 'customer-0042' } }]]);
});
