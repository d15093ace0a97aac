import { isSafeNumber, parse } from 'lossless-json';
import { call } from './client.ts';
import { answerOf, CASES, withTransactionId } from '../fixtures/operationCases.ts';
import { TRANSACTION_ID } from '../fixtures/operations.ts';
import { withSandbox } from './withSandbox.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

const sandbox = withSandbox({ now: () => NOW, settleAfterMs: null });

async function answerTo(route: string, body: string) {
	const { status, headers, json, text } = await call(sandbox, route, body, NOW);
	expect([status, headers['content-type'], json.error]).toEqual([200, 'application/json', undefined]);
	return { json, text, headers };
}

/** A number that a double cannot hold exactly becomes text. */
const exactly = (text: string) =>
	parse(text, undefined, (number) => (isSafeNumber(number) ? Number(number) : number));

const CONVERSION = '{"contract_id":"ic_usdt_ngn","from_amount":100.25}';
const SHOWN = CASES.filter(({ raw }) => raw !== undefined);

/** The ID of a conversion. */
async function convert(): Promise<string> {
	const { json } = await answerTo('POST /v1/instant_conversion', CONVERSION);
	return json.transaction_id;
}

test.each(SHOWN)('$route answers "$sent" as the document shows', async (testCase) => {
	const { route, sent, raw } = testCase.sent.includes(TRANSACTION_ID)
		? withTransactionId(testCase, await convert())
		: testCase;
	expect(exactly((await answerTo(route, sent)).text)).toEqual(answerOf(raw!));
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
])('%s, which the document only names, answers %s with a note', async (route, body, response) => {
	const { json, headers } = await answerTo(route, body);
	expect(json).toMatchObject(response);
	expect(headers['x-sandbox-note']).toContain('are invented');
	expect(JSON.stringify(json)).not.toContain('invented');
});

test('the time of a rate is in ISO 8601 and UTC', async () => {
	const { results } = (await answerTo('GET /v1/rates', '')).json;
	expect(results[0]['Last Updated ']).toBe('2026-01-02T03:04:05.678Z');
});

test('the page at / says that this is a sandbox', async () => {
	expect((await call(sandbox, 'GET /')).text).toContain('This is a sandbox');
});
