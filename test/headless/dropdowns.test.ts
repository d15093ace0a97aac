/** The lists from which the user chooses in the editor. */
import { withAnswer } from './withAnswer.ts';
import { FIAT, PAYOUT, withNode } from './withNode.ts';

const { n8n, credentials, sandbox, run, asked, fault } = withNode();

/** Label and value of each choice. */
const choices = async (list: string, filter?: string) =>
	(await n8n.listSearch(list, { credentials }, filter)).results.map(({ name, value }) => [name, value]);

const namesIn = async (list: string, filter?: string) => (await choices(list, filter)).map(([name]) => name);

test('the list of contracts shows rate and remaining amount', async () => {
	const begun = Math.floor(Date.now() / 60_000);
	const contracts = await choices('contracts');
	expect(contracts.map(([name = '', value]) => [String(name).replace(/ \(as of .*/, ''), value])).toEqual([
		['BTC -> USDT at 64,250.12345678, 0.5 left', 'ic_btc_usdt'],
		['USD -> NGN at 1,540.25, 10,000 left', 'ic_usd_ngn'],
		['USDT -> NGN at 1,550.4, 15,000 left', 'ic_usdt_ngn'],
	]);
	// The field keeps the text of the choice, so the text says when the rate was read.
	for (const [name = ''] of contracts) {
		const [, time = ''] = /\(as of (\d{4}-\d\d-\d\d \d\d:\d\d UTC)\)$/.exec(String(name)) ?? [];
		expect(Date.parse(time) / 60_000 - begun).toBeGreaterThanOrEqual(0);
	}
});

test('the list of currencies has those of the rates and of the settlement accounts, each once', async () => {
	expect(await namesIn('currencies')).toEqual(['BTC', 'EUR', 'GBP', 'GHS', 'KES', 'NGN', 'USD', 'USDT']);
	expect(asked()).toBe(2);
	expect(await namesIn('currencies', 'ng')).toEqual(['NGN']);
});

describe('the list of fiat currencies', () => {
	test('has those of the rates and of the bank accounts, and no coin', async () => {
		expect(await namesIn('fiatCurrencies')).toEqual(['EUR', 'GBP', 'GHS', 'KES', 'NGN', 'USD']);
		expect(asked()).toBe(3);
	});

	test.each([
		// In no list of the service.
		['jpy', ['JPY'], 200, '{"currency":"JPY","balance":"5.00"}', 4],
		['JPY', [], 422, '{"error":{"message":"Unknown currency"}}', 4],
		['JPY', [], 200, '{"currency":"JPY"}', 4],
		// No code of a currency, so nothing is asked.
		['JP', [], 200, '{"currency":"JP","balance":"5.00"}', 3],
		['DOGE', [], 200, '{"currency":"DOGE","balance":"5.00"}', 3],
	])(
		'the code %s that a person types gives %j if its balance is answered with %i %s',
		async (typed, names, status, body, requests) => {
			await fault({ answer: { status, body } }, 1, 'POST /v1/fiat_balance');
			expect(await namesIn('fiatCurrencies', typed)).toEqual(names);
			expect(asked()).toBe(requests);
		},
	);

	test('a code of a bank account counts, whatever it is', async () => {
		const accounts = { results: [{ alias: 'a', currency: 'XNGN' }] };
		await fault({ answer: { status: 200, body: accounts } }, 1, 'POST /v1/settlement_accounts');
		expect(await namesIn('fiatCurrencies')).toContain('XNGN');
	});
});

test.each([
	['GET /v1/rates', ['NGN', 'USD']],
	['POST /v1/settlement_accounts', ['BTC', 'EUR', 'GBP', 'GHS', 'KES', 'NGN', 'USD', 'USDT']],
])('while %s fails, the list of currencies shows what the other has', async (route, names) => {
	await fault({ status: 500 }, 1, route);
	expect(await namesIn('currencies')).toEqual(names);
});

test.each([[{ status: 503 }], [{ dropBefore: true }], [{ status: 429, retryAfter: 0 }]])(
	'after %j, a list is asked for again',
	async (kind) => {
		await fault(kind, 1, 'GET /v1/instant_contracts');
		expect((await choices('contracts')).length).toBe(3);
		expect(asked()).toBe(2);
	},
);

test('a list whose service asks to wait a minute fails at once: a person waits for it', async () => {
	await fault({ status: 429, retryAfter: 60 }, 1, 'GET /v1/instant_contracts');
	await expect(choices('contracts')).rejects.toThrow('The service answered 429');
	expect(asked()).toBe(1);
});

test('while both fail, the list of currencies says why', async () => {
	await fault({ status: 500 }, 1, 'GET /v1/rates');
	await fault({ status: 500 }, 1, 'POST /v1/settlement_accounts');
	await expect(choices('currencies')).rejects.toThrow('The service answered 500');
});

test.each([
	['virtualAccounts', '0042', ['customer-0042 (9900000042, Sandbox Bank)']],
	[
		'settlementAccounts',
		'',
		[
			'supplier-main (0123456789, NGN, First Example Bank, Whitelisted)',
			'supplier-usd (000111222333, USD, Second Example Bank, Whitelisted)',
			'Not approved: supplier-new (0987654321, NGN, First Example Bank, Pending)',
		],
	],
	[
		'settlementWallets',
		'',
		['treasury (TRC20, USDT,USDC, Whitelisted)', 'Not approved: cold-storage (Bitcoin, BTC, Pending)'],
	],
	['cryptoWallets', '', ['deposits-btc (Bitcoin)', 'deposits-usdt (TRC20)']],
])('the list %s shows what decides, and what is not approved comes last', async (list, filter, labels) => {
	expect(await choices(list, filter)).toEqual(
		labels.map((label) => [label, /[\w-]+(?= \()/.exec(label)![0]]),
	);
});

test.each([
	['usd', ['supplier-usd']],
	['', ['supplier-main', 'supplier-usd', 'supplier-new']],
	['={{ $json.currency }}', ['supplier-main', 'supplier-usd', 'supplier-new']],
])('with the currency %p, the list of settlement accounts has %p', async (currency, aliases) => {
	const parameters = { ...PAYOUT, currency: { __rl: true, mode: 'code', value: currency } };
	const { results } = await n8n.listSearch('settlementAccounts', { credentials, parameters });
	expect(results.map(({ value }) => value)).toEqual(aliases);
});

/** Searches a list while the service gives this answer. */
const searchWithAnswer = async (status: number, body: string, list = 'settlementAccounts') =>
	await withAnswer(
		{ status, body: body.replace('{{key}}', sandbox.key) },
		async (baseUrl) => await n8n.listSearch(list, { credentials: { ...credentials, baseUrl } }),
	);

const FOUND = [{ name: 'a (ok)', value: 'a' }];
test.each([
	['{"data":[{"Alias":"a","Status":"ok"}]}', FOUND],
	['{"status":"success","accounts":[{"account_alias":"a","status":"ok"}]}', FOUND],
	['{"results":[{"Account Alias":"a","status":"ok"}]}', FOUND],
	['{"results":[{"name":"a","status":"ok"}]}', FOUND],
	['{"accounts":[{"alias":"a","status":"ok"}],"pending":[]}', FOUND],
	['{"results":[{"alias":null},{"alias":" "},{"alias":"a","status":"ok"}]}', FOUND],
])('the records of an undocumented list are read by likely names: %s', async (body, results) => {
	expect((await searchWithAnswer(200, body)).results).toEqual(results);
});

test.each([
	['settlementAccounts', '{}', 'The service lists no settlement accounts', 'By Alias'],
	['settlementAccounts', '{"results":[]}', 'The service lists no settlement accounts', 'By Alias'],
	['settlementAccounts', '{"results":[],"errors":[{"alias":"a"}]}', 'no settlement accounts', 'By Alias'],
	[
		'settlementAccounts',
		'{"results":[{"number":1}]}',
		'The service lists no settlement accounts',
		'By Alias',
	],
	['contracts', '{"results":[]}', 'The service lists no contracts', 'By ID'],
	['fiatCurrencies', '{"results":[]}', 'The service lists no currencies', 'By Code'],
])('an empty list says why, and what to do: %s with %s', async (list, body, message, mode) => {
	const error = await searchWithAnswer(200, body, list).catch((thrown: Error) => thrown);
	expect(error).toMatchObject({
		message: expect.stringContaining(message),
		description: expect.stringContaining(mode),
	});
});

test('a list of settlement accounts that has none in the currency says so', async () => {
	const parameters = { ...PAYOUT, currency: { __rl: true, mode: 'code', value: 'ghs' } };
	const search = n8n.listSearch('settlementAccounts', { credentials, parameters });
	await expect(search).rejects.toThrow('The service lists no settlement accounts in GHS');
});

test('a list without the words that a person types is empty, and no error', async () => {
	expect(await choices('settlementAccounts', 'nobody')).toEqual([]);
});

test('a list that is empty because one of its sources fails says what failed', async () => {
	await fault({ answer: { status: 200, body: { results: [] } } }, 1, 'POST /v1/settlement_accounts');
	await fault({ status: 500 }, 1, 'GET /v1/rates');
	await expect(choices('currencies')).rejects.toThrow('The service answered 500');
});

test.each([
	[401, '{"message":"Key {{key}} is expired"}', 'The service answered 401: Key [redacted] is expired'],
	// A response without its documented list is no empty list.
	[200, '{}', "under 'results'"],
])("a failed list search shows the service's message: %s %s", async (status, body, message) => {
	await expect(searchWithAnswer(status, body, 'contracts')).rejects.toThrow(message);
});

test('two contracts that look the same are two choices', async () => {
	const contract = { from: 'USD', to: 'NGN', rate: 1, fee: 0, 'Amount Available': 1, direction: 'sell' };
	const contracts = ['a', 'b'].map((id) => ({ ...contract, contract_id: id }));
	const { results } = await searchWithAnswer(200, JSON.stringify({ results: contracts }), 'contracts');
	expect(results.map(({ value }) => value)).toEqual(['a', 'b']);
});

test('a value that was chosen is sent in payouts and reads', async () => {
	const chosen = (value: string) => ({ __rl: true, mode: 'list', value });
	const payout = { ...FIAT, currency: chosen('NGN'), account_alias: chosen('={{ $json.to }}') };
	expect((await run(payout, { items: [{ json: { to: 'supplier-main' } }] })).error).toBeUndefined();
	expect(sandbox.service.requests.all().at(-1)?.body).toBe(
		'{"currency":"NGN","amount":10,"account_alias":"supplier-main"}',
	);
	const account = { resource: 'virtualAccount', operation: 'get', alias: chosen('={{ $json.to }}') };
	const { items } = await run(account, { items: [{ json: { to: 'customer-0042' } }] });
	expect(items).toMatchObject([[{ json: { alias: 'customer-0042' } }]]);
});
