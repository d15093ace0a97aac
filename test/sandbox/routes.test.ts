import { balanceOf, call } from './client.ts';
import { withSandbox } from './withSandbox.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

const sandbox = withSandbox({ now: () => NOW, settleAfterMs: null });

async function answerTo(route: string, body: string) {
	const { status, headers, json, text } = await call(sandbox, route, body, NOW);
	expect([status, headers['content-type'], json.error]).toEqual([200, 'application/json', undefined]);
	return { json, text, headers };
}

// operations.test.ts has the answers that the document shows, openapi.test.ts their form.
test.each<[route: string, body: string, response: object]>([
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
])('%s, which the document only names, answers %s with a note', async (route, body, response) => {
	const { json, headers } = await answerTo(route, body);
	expect(json).toMatchObject(response);
	expect(headers['x-sandbox-note']).toContain('are invented');
	expect(JSON.stringify(json)).not.toContain('invented');
});

// `invariants.test.ts` compares all other digits of money with a second implementation.
test('an amount with an exponent is answered as a plain decimal', async () => {
	const body = '{"currency":"NGN","amount":5E-3,"account_alias":"supplier-main"}';
	expect((await answerTo('POST /v1/fiat_payout', body)).text).toContain('"amount":0.005,');
});

test('the API shows two decimals of a currency and each digit of a coin', async () => {
	for (const amount of ['0.123456789012345678', '9007199254740993'])
		await answerTo('POST /v1/fiat_balance_update', `{"currency":"GHS","amount":${amount}}`);
	const fiat = await answerTo('POST /v1/fiat_balance', '{"currency":"GHS"}');
	expect(fiat.json.balance).toBe('9007199254740993.12');
	expect(await balanceOf(sandbox, 'GHS')).toBe('9007199254740993.123456789012345678');
	await answerTo('POST /v1/crypto_balance_update', '{"coin":"ETH","amount":0.000000000000000001}');
	const coins = await answerTo('POST /v1/coin_balance', '{"coin":"eth"}');
	expect(coins.json).toEqual({ coin: 'ETH', balance: '12.500000000000000001' });
});
