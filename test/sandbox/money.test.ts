/** Digits and refusals of money. `invariants.test.ts` compares balances and statuses with a second implementation. */
import { balanceOf, call, control } from './client.ts';
import { withSandbox } from './withSandbox.ts';

const sandbox = withSandbox({ settleAfterMs: null });

const adjust = (currency: string, amount: string) =>
	call(sandbox, 'POST /v1/fiat_balance_update', `{"currency":"${currency}","amount":${amount}}`);
const pay = (amount: string) =>
	call(
		sandbox,
		'POST /v1/fiat_payout',
		`{"currency":"NGN","amount":${amount},"account_alias":"supplier-main"}`,
	);

test.each(['0.123456789012345678', '9007199254740993', '1.50', '12345678901234567890.000000000000000001'])(
	'a payout keeps each digit of the amount %s',
	async (amount) => {
		await adjust('NGN', '99999999999999999999');
		const { text, json } = await pay(amount);
		expect(text).toContain(`"amount":${amount},`);
		const { payouts } = (await control(sandbox, 'GET state')).json;
		expect(payouts).toEqual([expect.objectContaining({ payout_id: json.payout_id, amount })]);
		const { results } = (await control(sandbox, 'GET requests')).json;
		expect(results.at(-1).body).toContain(`"amount":${amount},`);
	},
);

test.each([
	['1.25e2', '125'],
	['5E-3', '0.005'],
])('an amount with an exponent, %s, is answered as the plain decimal %s', async (sent, answered) => {
	expect((await pay(sent)).text).toContain(`"amount":${answered},`);
});

test('a balance keeps each digit, and the API shows two decimals of a currency', async () => {
	await adjust('GHS', '0.123456789012345678');
	await adjust('GHS', '9007199254740993');
	const shown = await call(sandbox, 'POST /v1/fiat_balance', '{"currency":"GHS"}');
	expect(shown.json.balance).toBe('9007199254740993.12');
	expect(await balanceOf(sandbox, 'GHS')).toBe('9007199254740993.123456789012345678');
	await call(sandbox, 'POST /v1/crypto_balance_update', '{"coin":"ETH","amount":0.000000000000000001}');
	const coins = await call(sandbox, 'POST /v1/coin_balance', '{"coin":"ETH"}');
	expect(coins.json.balance).toBe('12.500000000000000001');
});

test('a conversion keeps each digit and reduces the available amount', async () => {
	const conversion = '{"contract_id":"ic_btc_usdt","from_amount":0.12345678}';
	const { text, json } = await call(sandbox, 'POST /v1/instant_conversion', conversion);
	// 64250.12345678 × (1 − 0.0025), and that × 0.12345678
	expect(text).toContain('"rate":64089.49814813805');
	expect(text).toContain('"to_amount":7912.283073185086648479');
	const read = await call(sandbox, 'POST /v1/instant_transaction', `{"id":"${json.transaction_id}"}`);
	expect(read.text).toContain('"to_amount":7912.283073185086648479');
	const { results } = (await call(sandbox, 'GET /v1/instant_contracts')).json;
	expect(results[1]).toMatchObject({ contract_id: 'ic_btc_usdt', 'amount available': 0.37654322 });
});

test.each([
	[
		'fiat_payout',
		'{"currency":"NGN","amount":5000000.01,"account_alias":"supplier-main"}',
		'insufficient_balance: The NGN balance is 5000000, which does not cover 5000000.01 (amount)',
	],
	[
		'crypto_payout',
		'{"coin":"USDT","amount":20000,"wallet_alias":"treasury"}',
		'insufficient_balance: The USDT balance is 20000, which does not cover 20000.5 (amount)',
	],
	[
		'fiat_balance_update',
		'{"currency":"GHS","amount":-0.01}',
		'insufficient_balance: The GHS balance is 0, which does not cover 0.01 (amount)',
	],
	[
		'instant_conversion',
		'{"contract_id":"ic_btc_usdt","from_amount":0.5}',
		'insufficient_balance: The BTC balance is 0.25, which does not cover 0.5 (from_amount)',
	],
	[
		'instant_conversion',
		'{"contract_id":"ic_usdt_ngn","from_amount":15000.01}',
		'amount_not_available: from_amount is more than the amount available of ic_usdt_ngn, which is 15000 USDT (from_amount)',
	],
	[
		'fiat_payout',
		'{"currency":"NGN","amount":10,"account_alias":"supplier-usd"}',
		'currency_mismatch: supplier-usd is an account in USD; it takes no NGN (account_alias)',
	],
	[
		'fiat_payout',
		'{"currency":"NGN","amount":10,"account_alias":"supplier-new"}',
		'destination_not_whitelisted: supplier-new is Pending; a payout needs a destination that is Whitelisted (account_alias)',
	],
	[
		'crypto_payout',
		'{"coin":"BTC","amount":0.1,"wallet_alias":"cold-storage"}',
		'destination_not_whitelisted: cold-storage is Pending; a payout needs a destination that is Whitelisted (wallet_alias)',
	],
])('422 for %s %s says why and changes nothing', async (path, body, expected) => {
	await call(sandbox, 'POST /v1/crypto_balance_update', '{"coin":"BTC","amount":-0.5}');
	const before = (await control(sandbox, 'GET state')).json;
	const { status, json } = await call(sandbox, `POST /v1/${path}`, body);
	const { code, message, field } = json.error;
	expect([status, `${code}: ${message} (${field})`]).toEqual([422, expected]);
	expect((await control(sandbox, 'GET state')).json).toEqual(before);
});
