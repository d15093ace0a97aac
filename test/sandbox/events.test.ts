import { createHmac } from 'node:crypto';
import { call, control } from './client.ts';
import type { AnyJson } from './client.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { withSandboxAndReceiver } from './withSandbox.ts';

const { sandbox, receiver } = withSandboxAndReceiver({ retryDelayMs: 5, settleAfterMs: 5 });

/** The bodies received once no delivery is pending. */
async function bodies(): Promise<AnyJson[]> {
	await sandbox.idle();
	return receiver.received.map(({ body }) => JSON.parse(body));
}

const payCrypto = (amount: string) =>
	call(sandbox, 'POST /v1/crypto_payout', `{"coin":"USDT","amount":${amount},"wallet_alias":"treasury"}`);

const idWith = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_[\\da-f]{16}$`));
const TX_HASH = expect.stringMatching(/^[\da-f]{64}$/);

/** Keys and values as in the API document ("Payload fields"). */
const EVENTS: Array<{ when: string; cause: () => Promise<unknown>; body: Record<string, unknown> }> = [
	{
		when: 'a review approves a wallet',
		cause: () => control(sandbox, 'POST reviews', { alias: 'cold-storage', decision: 'whitelisted' }),
		body: {
			event: 'settlement_wallet_update',
			Alias: 'cold-storage',
			Address: 'bc1qsandboxcoldstorage00000000001',
			Network: 'Bitcoin',
			'Asset Supported': 'BTC',
			status: 'Whitelisted',
			Business: 'Acme Trading',
		},
	},
	{
		when: 'a review rejects an account',
		cause: () => control(sandbox, 'POST reviews', { alias: 'supplier-new', decision: 'Rejected' }),
		body: {
			event: 'settlement_account_update',
			Alias: 'supplier-new',
			'Bank Name': 'First Example Bank',
			'Account Number': '0987654321',
			'Account Name': 'New Supplier Ltd',
			status: 'Rejected',
			Business: 'Acme Trading',
			'other details': 'Branch: Abuja\nSort code: 020202',
			Currency: 'NGN',
		},
	},
	{
		when: 'coins arrive',
		cause: () =>
			control(sandbox, 'POST deposits', { wallet_alias: 'deposits-usdt', coin: 'USDT', amount: '250.75' }),
		body: {
			event: 'crypto_received',
			id: idWith('dep'),
			wallet_alias: 'deposits-usdt',
			wallet_address: 'TSandboxDepositsUsdt0000000000001',
			tx_hash: TX_HASH,
			status: 'successful',
			Business: 'Acme Trading',
			coin: 'USDT',
			Amount: '250.75',
			fee: '0',
		},
	},
	{
		when: 'a virtual account is issued',
		cause: () =>
			control(sandbox, 'POST virtual_accounts', { alias: 'customer-0099', account_name: 'Zainab' }),
		body: {
			event: 'virtual_account_created',
			Alias: 'customer-0099',
			Bank: 'Sandbox Bank',
			'Account Number': expect.stringMatching(/^\d{10}$/),
			'Account Name': 'Zainab',
			'Merchant Associated': 'Acme Checkout',
			Business: 'Acme Trading',
			Currency: 'NGN',
		},
	},
	{
		when: 'a bank deposit arrives',
		cause: () => control(sandbox, 'POST deposits', { alias: 'customer-0042', amount: '150000.50' }),
		body: {
			event: 'virtual_account_credited',
			id: idWith('dep'),
			currency: 'NGN',
			status: 'successful',
			Amount: '150000.50',
			'Account received alias': 'customer-0042',
			Business: 'Acme Trading',
			'Merchant Associated': 'Acme Checkout',
			'Sender Bank': 'First Example Bank',
			'Sender account name': 'Ada Obi',
			'Sender account number': '0011223344',
		},
	},
	{
		when: 'a crypto payout settles',
		cause: () => payCrypto('0.123456789012345678'),
		body: {
			event: 'crypto_payout_update',
			id: idWith('po'),
			coin: 'usdt',
			status: 'successful',
			'Amount sent': '0.123456789012345678',
			'Wallet received alias': 'treasury',
			Business: 'Acme Trading',
			fee: '0.5 usdt',
			tx_hash: TX_HASH,
		},
	},
	{
		when: 'an administrator debits a coin',
		cause: () => control(sandbox, 'POST admin_funding', { asset: 'btc', amount: '0.5', direction: 'debit' }),
		body: {
			event: 'admin_funding',
			id: idWith('adm'),
			Asset: 'BTC',
			status: 'successful',
			Amount: '0.5',
			Business: 'Acme Trading',
			fee: '0',
			'credit/debit': 'Debit',
			'fiat/crypto': 'Crypto',
		},
	},
];

test.each(EVENTS)(
	'$body.event is sent when $when, and its sample has the same keys',
	async ({ cause, body }) => {
		await cause();
		expect(await bodies()).toEqual([body]);
		await control(sandbox, 'POST events', { event: body.event });
		const [, sample] = await bodies();
		expect(Object.keys(sample).sort()).toEqual(Object.keys(body).sort());
		expect(Object.values(sample)).toEqual(Object.keys(body).map(() => expect.any(String)));
	},
);

test("admin_funding names the credit of a currency in the document's words", async () => {
	await control(sandbox, 'POST admin_funding', { asset: 'NGN', amount: 75000, direction: 'Credit' });
	expect(await bodies()).toMatchObject([{ Asset: 'NGN', 'credit/debit': 'Credit', 'fiat/crypto': 'Fiat' }]);
});

test('POST /v1/add_settlement_wallet sends no webhook by itself', async () => {
	await call(sandbox, 'POST /v1/add_settlement_wallet', '{"alias":"partner","address":"TPartner1"}');
	expect(await bodies()).toEqual([]);
});

test('POST events sends replaced and unknown fields unchanged, and unknown kinds', async () => {
	await control(sandbox, 'POST events', { event: 'admin_funding', Amount: '7', surprise: null });
	await sandbox.idle();
	await control(sandbox, 'POST events', { event: 'moon_landing', id: 'x' });
	const [known, unknown] = await bodies();
	expect(known).toMatchObject({ event: 'admin_funding', Asset: 'NGN', Amount: '7', surprise: null });
	expect(unknown).toEqual({ event: 'moon_landing', id: 'x' });
});

describe('a delivery', () => {
	const send = async () => {
		await control(sandbox, 'POST events', { event: 'admin_funding' });
		await sandbox.idle();
	};
	const deliveries = async () => (await control(sandbox, 'GET deliveries')).json.results;
	const ISO_UTC = expect.stringMatching(/^\d{4}-.*Z$/);

	test('a delivery is a POST of JSON, listed with its attempt', async () => {
		await send();
		const { method, headers, body } = receiver.received[0]!;
		expect([method, headers['content-type']]).toEqual(['POST', 'application/json']);
		const attempt = { at: ISO_UTC, url: receiver.url, durationMs: expect.any(Number) };
		expect(await deliveries()).toEqual([
			{
				id: expect.stringMatching(/^dlv_/),
				event: 'admin_funding',
				body,
				created_at: ISO_UTC,
				status: 'delivered',
				triesLeft: 3,
				attempts: [{ ...attempt, status: 200, answer: '{"ok":true}' }],
			},
		]);
	});

	test.each([
		['delivered', [500, 500, 200], [500, 500, 200]],
		['failed', [500, 500, 500, 500, 200], [500, 500, 500, 500]],
		// 0: the receiver closes the connection.
		['delivered', [0, 302, 404, 204], [undefined, 302, 404, 204]],
	])('a delivery is %s after the answers %j', async (status, answers, statuses) => {
		receiver.answers.push(...answers);
		await send();
		const [delivery] = await deliveries();
		expect(delivery.attempts.map((attempt: AnyJson) => attempt.status)).toEqual(statuses);
		expect(delivery.status).toBe(status);
		// The same bytes each time.
		expect(receiver.received.map(({ body }) => body)).toEqual(statuses.map(() => delivery.body));
	});

	test('an attempt records why there was no response', async () => {
		await receiver.stop();
		await send();
		const slow = await startSandbox();
		await control(slow, 'POST faults', { route: '*', times: 9, delayMs: 60_000 });
		await control(sandbox, 'PUT settings', { deliveryTimeoutMs: 30 });
		await control(sandbox, 'PUT webhook', { url: `${slow.url}/v1/health` });
		await send();
		await slow.stop();
		const [closed, late] = await deliveries();
		expect([closed.status, late.status]).toEqual(['failed', 'failed']);
		expect(closed.attempts[0].error).toContain('ECONNREFUSED');
		expect(late.attempts[0].error).toContain('timeout');
	});

	test('a delivery without a URL waits, and "redeliver" sends the same bytes each time', async () => {
		await control(sandbox, 'PUT webhook', { url: null });
		await send();
		const [{ id, status, attempts }] = await deliveries();
		expect([status, attempts]).toEqual(['unsent', []]);
		expect((await control(sandbox, `POST deliveries/${id}/redeliver`)).status).toBe(409);
		await control(sandbox, 'PUT webhook', { url: receiver.url });
		for (let i = 0; i < 2; i++) {
			const { json } = await control(sandbox, `POST deliveries/${id}/redeliver`);
			expect(json).toMatchObject({ id, status: 'pending' });
			await sandbox.idle();
		}
		const [first, second] = receiver.received;
		expect(second!.body).toBe(first!.body);
		expect((await deliveries())[0].attempts).toHaveLength(2);
	});
});

test('a delivery is signed with the webhook secret, as the default of the credential has it', async () => {
	await control(sandbox, 'POST events', { event: 'admin_funding' });
	await sandbox.idle();
	const { headers, body } = receiver.received[0]!;
	const signature = createHmac('sha256', sandbox.webhookSecret).update(body).digest('hex');
	expect(headers['x-svc-signature']).toBe(signature);
});
