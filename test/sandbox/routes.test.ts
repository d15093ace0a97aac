/** What the endpoints answer. Requests and responses are typed from the API document, where it shows them. */
import { call, control } from '../../host/sandboxClient.ts';
import { withSandbox } from './withSandbox.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

const sandbox = withSandbox({ now: () => NOW, settleAfterMs: null });

async function jsonOf(route: string, body: string) {
	const { status, headers, json } = await call(sandbox, route, body, NOW);
	expect([status, headers['content-type'], json.error]).toEqual([200, 'application/json', undefined]);
	return json;
}

const VIRTUAL_ACCOUNTS = {
	results: [
		{ alias: 'customer-0042', account_number: '9900000042', bank: 'Sandbox Bank' },
		{ alias: 'customer-0007', account_number: '9900000007', bank: 'Sandbox Bank' },
		{ alias: 'invoices-usd', account_number: '8800000001', bank: 'Second Sandbox Bank' },
	],
};

test.each<[route: string, body: string, response: object]>([
	['POST /v1/fiat_balance', '{"currency":"NGN"}', { currency: 'NGN', balance: '5000000.00' }],
	[
		'POST /v1/fiat_payout',
		'{"currency":"NGN","amount":1250.5,"account_alias":"supplier-main"}',
		{ status: 'pending', payout_id: expect.stringMatching(/^po_/), amount: 1250.5, currency: 'NGN' },
	],
	[
		'POST /v1/funding_account',
		'{"currency":"NGN"}',
		{ currency: 'NGN', account_name: 'Acme Trading', account_number: '2009876543', bank: 'Sandbox Bank' },
	],
	[
		'POST /v1/funding_request',
		'{"pop":"https://example.com/receipt.pdf"}',
		{
			status: 'pending',
			response: {
				message: expect.stringMatching(
					/received and is being verified.* will be credited by an administrator if verification succeeds/,
				),
			},
		},
	],
	['POST /v1/fiat_virtuals', '', VIRTUAL_ACCOUNTS],
	['POST /v1/fiat_virtuals', '{}', VIRTUAL_ACCOUNTS],
	[
		'POST /v1/virtual_details',
		'{"alias":"customer-0042"}',
		{ alias: 'customer-0042', account_number: '9900000042', bank: 'Sandbox Bank', status: 'active' },
	],
	[
		'GET /v1/rates',
		'',
		{
			results: expect.arrayContaining([
				{
					'Base Currency': 'USD',
					'Quote Currency': 'NGN',
					Bid: 1540.25,
					Ask: 1552.75,
					'Last Updated ': '2026-01-02T03:04:05.678Z',
				},
			]),
		},
	],
	[
		'GET /v1/instant_contracts',
		'',
		{
			results: expect.arrayContaining([
				{
					contract_id: 'ic_usdt_ngn',
					From: 'USDT',
					to: 'NGN',
					rate: 1550.4,
					fee: 0.005,
					'amount available': 15000,
					Direction: 'sell',
				},
			]),
		},
	],
	[
		'POST /v1/fiat_balance_update',
		'{"currency":"GHS","amount":12.5}',
		{ status: 'success', currency: 'GHS', amount: 12.5, message: expect.any(String) },
	],
	[
		'POST /v1/crypto_balance_update',
		'{"coin":"USDT","amount":-5}',
		{ status: 'success', coin: 'USDT', amount: -5, message: expect.any(String) },
	],
])('%s %s is answered as the document shows', async (route, body, response) => {
	expect(await jsonOf(route, body)).toEqual(response);
});

test('a conversion and its transaction are answered as the document shows', async () => {
	const conversion = '{"contract_id":"ic_usdt_ngn","from_amount":100}';
	const made = await jsonOf('POST /v1/instant_conversion', conversion);
	const transaction_id = expect.stringMatching(/^itx_/);
	// The rate is 1550.4 × 0.995.
	const amounts = { from_amount: 100, to_amount: 154264.8 };
	expect(made).toEqual({ status: 'success', transaction_id, ...amounts, rate: 1542.648 });
	expect(await jsonOf('POST /v1/instant_transaction', `{"id":"${made.transaction_id}"}`)).toEqual({
		transaction_id: made.transaction_id,
		status: 'completed',
		from_currency: 'USDT',
		to_currency: 'NGN',
		...amounts,
		completed_at: '2026-01-02T03:04:05.678Z',
	});
});

test.each<[route: string, body: string, response: object]>([
	['POST /v1/create_wallet', '', { alias: expect.stringMatching(/^wallet_/), network: 'TRC20' }],
	['POST /v1/coin_balance', '{"coin":"btc"}', { coin: 'BTC', balance: '0.75' }],
	[
		'POST /v1/crypto_payout',
		'{"coin":"USDT","amount":"100.25","wallet_alias":"treasury","memo":"unknown field"}',
		{ status: 'pending', coin: 'USDT', amount: 100.25, fee: 0.5, wallet_alias: 'treasury' },
	],
	[
		'POST /v1/add_settlement_wallet',
		'{"alias":"partner","address":"TPartner1","asset_supported":["USDT","USDC"]}',
		{ alias: 'partner', network: 'TRC20', asset_supported: 'USDT,USDC', status: 'Pending' },
	],
])('%s %s, which the document only names, is answered with a note', async (route, body, response) => {
	expect(await jsonOf(route, body)).toMatchObject({
		...response,
		sandbox_note: expect.stringContaining('made up'),
	});
});

test('the page at / says that this is a sandbox', async () => {
	expect((await call(sandbox, 'GET /')).text).toContain('This is a sandbox');
	expect((await control(sandbox, 'GET nonsense')).status).toBe(404);
});
