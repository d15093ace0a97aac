/** The story of one payout, as the page shows it: asked, answered, events, balance. */
import { balanceOf, call, control, send, signed, type AnyJson } from './client.ts';
import { withSandboxAndReceiver } from './withSandbox.ts';

const HEADER = 'Idempotency-Key';
const { sandbox, receiver } = withSandboxAndReceiver({
	settleAfterMs: null,
	retryDelayMs: 5,
	paymentKeyHeader: HEADER,
});

const FIAT = [
	'POST /v1/fiat_payout',
	'{"currency":"NGN","amount":10.50,"account_alias":"supplier-main"}',
] as const;
const CRYPTO = [
	'POST /v1/crypto_payout',
	'{"coin":"USDT","amount":10.50,"wallet_alias":"treasury"}',
] as const;

const storyOf = async (id: string): Promise<AnyJson> => (await control(sandbox, `GET payouts/${id}`)).json;
const newest = async (): Promise<string> =>
	(await control(sandbox, 'GET state?last=1')).json.payouts[0].payout_id;

test('a fiat payout: what was asked and answered, and the balance before and after it', async () => {
	await call(sandbox, ...FIAT);
	const { text, json } = await call(sandbox, ...FIAT);
	const story = await storyOf(json.payout_id);
	expect(story).toEqual({
		payout: expect.objectContaining({ payout_id: json.payout_id, status: 'pending' }),
		requests: [
			expect.objectContaining({
				method: 'POST',
				path: '/v1/fiat_payout',
				body: FIAT[1],
				status: 200,
				answer: text,
			}),
		],
		movements: [
			expect.objectContaining({ amount: '-10.50', code: 'NGN', reason: 'payout', balance: '4999979' }),
		],
		deliveries: [],
	});
	const [request] = story.requests;
	expect(Date.parse(request.answeredAt)).toBeGreaterThanOrEqual(Date.parse(request.at));
	expect(JSON.stringify(story)).not.toContain(sandbox.key);

	await control(sandbox, `POST payouts/${json.payout_id}`, { status: 'failed' });
	const { payout, movements } = await storyOf(json.payout_id);
	expect(payout.status).toBe('failed');
	expect(movements).toMatchObject([{}, { amount: '10.50', reason: 'payout_refund', balance: '4999989.5' }]);
	expect(await balanceOf(sandbox, 'NGN')).toBe('4999989.5');
});

test('a crypto payout has its events too, with each attempt', async () => {
	receiver.answers.push(500);
	const { json } = await call(sandbox, ...CRYPTO);
	await call(sandbox, ...CRYPTO);
	await control(sandbox, `POST payouts/${json.payout_id}`, { status: 'successful' });
	await sandbox.idle();
	const { deliveries, movements } = await storyOf(json.payout_id);
	expect(deliveries).toMatchObject([
		{ event: 'crypto_payout_update', status: 'delivered', attempts: [{ status: 500 }, { status: 200 }] },
	]);
	expect(movements).toMatchObject([{ amount: '-11.00', code: 'USDT' }]);
});

test('a payout whose answer was lost, and the same key again', async () => {
	const pay = () => {
		const headers = { 'content-type': 'application/json', [HEADER]: 'INV-1' };
		const [method = '', path = ''] = FIAT[0].split(' ');
		return send(sandbox.url + path, method, FIAT[1], {
			...headers,
			...signed(sandbox, method, path, FIAT[1], Date.now()),
		});
	};
	await control(sandbox, 'POST faults', { route: '*', dropAfter: true });
	await expect(pay()).rejects.toThrow();
	const id = await newest();
	expect((await storyOf(id)).requests).toMatchObject([{ status: 0, answer: '' }]);
	const { text } = await pay();
	const { requests, movements } = await storyOf(id);
	expect(requests).toMatchObject([
		{ status: 0, answer: '' },
		{ status: 200, answer: text },
	]);
	expect(movements).toHaveLength(1);
});

test('a payout that the answer hides, and one of an earlier start', async () => {
	await control(sandbox, 'POST faults', {
		route: '*',
		answer: { status: 502, body: 'Bad gateway' },
		acted: true,
	});
	await call(sandbox, ...FIAT);
	const id = await newest();
	expect((await storyOf(id)).requests).toMatchObject([{ status: 502, answer: 'Bad gateway' }]);
	sandbox.service.requests.clear();
	const { requests, movements } = await storyOf(id);
	expect([requests, movements.length]).toEqual([[], 1]);
	expect((await control(sandbox, 'GET payouts/po_0')).status).toBe(404);
});
