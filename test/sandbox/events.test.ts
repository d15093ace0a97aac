import { createHmac } from 'node:crypto';
import { balanceOf, call, control } from '../../host/sandboxClient.ts';
import type { AnyJson } from '../../host/sandboxClient.ts';
import { startSandbox } from '../../sandbox/server.ts';
import type { SandboxOptions } from '../../sandbox/server.ts';
import { withSandboxAndReceiver } from './withSandbox.ts';

const { sandbox, receiver } = withSandboxAndReceiver({ retryDelayMs: 5, settleAfterMs: 5 });

/** The bodies received once no delivery is pending. */
async function bodies(): Promise<AnyJson[]> {
	await sandbox.idle();
	return receiver.received.map(({ body }) => JSON.parse(body));
}

const deposit = (amount: unknown = '150000.50') =>
	control(sandbox, 'POST deposits', { alias: 'customer-0042', amount });

describe('the operations that send each of the seven events', () => {
	test.each([
		['whitelisted', 'Whitelisted'],
		['Rejected', 'Rejected'],
	])('settlement_wallet_update is sent when a review makes a wallet %s', async (decision, status) => {
		const wallet = { alias: 'partner', address: 'TPartner1', network: 'TRC20', asset_supported: 'USDT,USDC' };
		await call(sandbox, 'POST /v1/add_settlement_wallet', JSON.stringify(wallet));
		expect(await bodies()).toEqual([]);
		await control(sandbox, 'POST reviews', { alias: 'partner', decision });
		expect(await bodies()).toEqual([
			{
				event: 'settlement_wallet_update',
				Alias: 'partner',
				Address: 'TPartner1',
				Network: 'TRC20',
				'Asset Supported': 'USDT,USDC',
				status,
				Business: 'Acme Trading',
			},
		]);
	});

	test('settlement_account_update is sent when an account is reviewed', async () => {
		await control(sandbox, 'POST reviews', { alias: 'supplier-new', decision: 'Whitelisted' });
		expect(await bodies()).toEqual([
			{
				event: 'settlement_account_update',
				Alias: 'supplier-new',
				'Bank Name': 'First Example Bank',
				'Account Number': '0987654321',
				'Account Name': 'New Supplier Ltd',
				status: 'Whitelisted',
				Business: 'Acme Trading',
				'other details': 'Branch: Abuja\nSort code: 020202',
				Currency: 'NGN',
			},
		]);
	});

	test('crypto_received is sent when coins arrive', async () => {
		await control(sandbox, 'POST deposits', {
			wallet_alias: 'deposits-usdt',
			coin: 'USDT',
			amount: '250.75',
		});
		expect(await bodies()).toEqual([
			{
				event: 'crypto_received',
				id: expect.stringMatching(/^dep_[\da-f]{16}$/),
				wallet_alias: 'deposits-usdt',
				wallet_address: 'TSandboxDepositsUsdt0000000000001',
				tx_hash: expect.stringMatching(/^[\da-f]{64}$/),
				status: 'successful',
				Business: 'Acme Trading',
				coin: 'USDT',
				Amount: '250.75',
				fee: '0',
			},
		]);
		expect(await balanceOf(sandbox, 'USDT')).toBe('20250.75');
	});

	test('virtual_account_created is sent when an account is issued', async () => {
		const answer = await control(sandbox, 'POST virtual_accounts', {
			alias: 'customer-0099',
			account_name: 'Zainab',
		});
		expect(await bodies()).toEqual([
			{
				event: 'virtual_account_created',
				Alias: 'customer-0099',
				Bank: 'Sandbox Bank',
				'Account Number': expect.stringMatching(/^\d{10}$/),
				'Account Name': 'Zainab',
				'Merchant Associated': 'Acme Checkout',
				Business: 'Acme Trading',
				Currency: 'NGN',
			},
		]);
		const details = await call(sandbox, 'POST /v1/virtual_details', '{"alias":"customer-0099"}');
		expect(details.json).toMatchObject({ account_number: answer.json.account_number, status: 'active' });
		const again = await control(sandbox, 'POST virtual_accounts', { alias: 'customer-0099' });
		expect(again.status).toBe(409);
	});

	test('virtual_account_credited is sent when a deposit arrives', async () => {
		await deposit();
		expect(await bodies()).toEqual([
			{
				event: 'virtual_account_credited',
				id: expect.stringMatching(/^dep_[\da-f]{16}$/),
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
		]);
		expect(await balanceOf(sandbox, 'NGN')).toBe('5150000.5');
	});

	test('crypto_payout_update is sent when the status of a crypto payout changes', async () => {
		const body = '{"coin":"USDT","amount":0.123456789012345678,"wallet_alias":"treasury"}';
		const { payout_id } = (await call(sandbox, 'POST /v1/crypto_payout', body)).json;
		expect(await bodies()).toEqual([
			{
				event: 'crypto_payout_update',
				id: payout_id,
				coin: 'usdt',
				status: 'successful',
				'Amount sent': '0.123456789012345678',
				'Wallet received alias': 'treasury',
				Business: 'Acme Trading',
				fee: '0.5 usdt',
				tx_hash: expect.stringMatching(/^[\da-f]{64}$/),
			},
		]);
	});

	test('crypto_payout_update is sent once for each status change', async () => {
		await sandbox.restart({ settleAfterMs: null });
		const body = '{"coin":"USDT","amount":1,"wallet_alias":"treasury"}';
		const { payout_id } = (await call(sandbox, 'POST /v1/crypto_payout', body)).json;
		for (const status of ['processing', 'processing', 'failed']) {
			await control(sandbox, `POST payouts/${payout_id}`, { status });
			await sandbox.idle();
		}
		expect((await bodies()).map(({ id, status }) => [id, status])).toEqual([
			[payout_id, 'processing'],
			[payout_id, 'failed'],
		]);
	});

	test.each([
		['NGN', 'credit', 'Credit', 'Fiat'],
		['btc', 'debit', 'Debit', 'Crypto'],
	])('admin_funding is sent for %s %s', async (asset, direction, words, assetClass) => {
		await control(sandbox, 'POST admin_funding', { asset, amount: '0.5', direction });
		expect(await bodies()).toEqual([
			{
				event: 'admin_funding',
				id: expect.stringMatching(/^adm_[\da-f]{16}$/),
				Asset: asset.toUpperCase(),
				status: 'successful',
				Amount: '0.5',
				Business: 'Acme Trading',
				fee: '0',
				'credit/debit': words,
				'fiat/crypto': assetClass,
			},
		]);
	});

	test('no webhook is sent for fiat payouts, balance updates and conversions', async () => {
		await call(
			sandbox,
			'POST /v1/fiat_payout',
			'{"currency":"NGN","amount":1,"account_alias":"supplier-main"}',
		);
		await call(sandbox, 'POST /v1/fiat_balance_update', '{"currency":"NGN","amount":1}');
		await call(sandbox, 'POST /v1/instant_conversion', '{"contract_id":"ic_usd_ngn","from_amount":1}');
		expect(await bodies()).toEqual([]);
	});
});

describe('samples of events', () => {
	test.each([
		['settlement_wallet_update', ['Alias', 'Address', 'Network', 'Asset Supported', 'status', 'Business']],
		[
			'settlement_account_update',
			[
				'Alias',
				'Bank Name',
				'Account Number',
				'Account Name',
				'status',
				'Business',
				'other details',
				'Currency',
			],
		],
		[
			'crypto_received',
			['id', 'wallet_alias', 'wallet_address', 'tx_hash', 'status', 'Business', 'coin', 'Amount', 'fee'],
		],
		[
			'virtual_account_created',
			['Alias', 'Bank', 'Account Number', 'Account Name', 'Merchant Associated', 'Business', 'Currency'],
		],
		[
			'virtual_account_credited',
			[
				'id',
				'currency',
				'status',
				'Amount',
				'Account received alias',
				'Business',
				'Merchant Associated',
				'Sender Bank',
				'Sender account name',
				'Sender account number',
			],
		],
		[
			'crypto_payout_update',
			['id', 'coin', 'status', 'Amount sent', 'Wallet received alias', 'Business', 'fee', 'tx_hash'],
		],
		['admin_funding', ['id', 'Asset', 'status', 'Amount', 'Business', 'fee', 'credit/debit', 'fiat/crypto']],
	])('the sample of %s has the keys of the document', async (event, keys) => {
		await control(sandbox, 'POST events', { event });
		const [body] = await bodies();
		expect(Object.keys(body)).toEqual(['event', ...keys]);
		expect(Object.values(body).every((value) => typeof value === 'string')).toBe(true);
	});

	test('POST events sends additional fields unchanged, and unknown kinds', async () => {
		await control(sandbox, 'POST events', { event: 'admin_funding', Amount: '7', surprise: null });
		await sandbox.idle();
		await control(sandbox, 'POST events', { event: 'moon_landing', id: 'x' });
		const [known, unknown] = await bodies();
		expect(known).toMatchObject({ event: 'admin_funding', Asset: 'NGN', Amount: '7', surprise: null });
		expect(unknown).toEqual({ event: 'moon_landing', id: 'x' });
	});
});

describe('webhook delivery', () => {
	const deliveries = async () => (await control(sandbox, 'GET deliveries')).json.results;

	test('a delivery is a POST of JSON with a signature of its bytes', async () => {
		await deposit();
		await sandbox.idle();
		const { method, headers, body } = receiver.received[0]!;
		expect(method).toBe('POST');
		expect(headers['content-type']).toBe('application/json');
		expect(headers['x-svc-signature']).toBe(
			createHmac('sha256', sandbox.webhookSecret).update(body).digest('hex'),
		);
		expect(await deliveries()).toEqual([
			{
				id: expect.stringMatching(/^dlv_/),
				event: 'virtual_account_credited',
				body,
				created_at: expect.stringMatching(/^\d{4}-.*Z$/),
				status: 'delivered',
				triesLeft: 3,
				attempts: [
					{
						at: expect.stringMatching(/^\d{4}-.*Z$/),
						url: receiver.url,
						durationMs: expect.any(Number),
						status: 200,
						answer: '{"ok":true}',
					},
				],
			},
		]);
	});

	test.each([
		['500, 500, 200 gives three attempts', [500, 500, 200], [500, 500, 200], 'delivered'],
		['always 500 gives four attempts', [500, 500, 500, 500, 500, 500], [500, 500, 500, 500], 'failed'],
		[
			'no response, 302, 404, 204 gives four attempts',
			[0, 302, 404, 204],
			[undefined, 302, 404, 204],
			'delivered',
		],
	])('a webhook is retried: %s', async (_, answers, statuses, status) => {
		receiver.answers.push(...answers);
		await deposit();
		await sandbox.idle();
		const [delivery] = await deliveries();
		expect(delivery.attempts.map((attempt: { status?: number }) => attempt.status)).toEqual(statuses);
		expect(delivery.status).toBe(status);
		// The same bytes each time.
		expect(receiver.received.map(({ body }) => body)).toEqual(statuses.map(() => delivery.body));
	});

	test('an attempt records why there was no response', async () => {
		await receiver.stop();
		await deposit();
		await sandbox.idle();
		const [{ attempts, status }] = await deliveries();
		expect(attempts).toHaveLength(4);
		expect(attempts[0].error).toContain('ECONNREFUSED');
		expect(status).toBe('failed');
	});

	test('a receiver that is too slow counts as no response', async () => {
		await sandbox.restart({ deliveryTimeoutMs: 30, webhookUrl: undefined });
		const slow = await startSandbox();
		await control(slow, 'POST faults', { route: '*', times: 9, delayMs: 60_000 });
		await control(sandbox, 'PUT webhook', { url: `${slow.url}/v1/health` });
		await deposit();
		await sandbox.idle();
		await slow.stop();
		const [{ attempts }] = await deliveries();
		expect(attempts).toHaveLength(4);
		expect(attempts[0].error).toContain('timeout');
	});

	test('redeliver sends the same bytes once more', async () => {
		await deposit();
		await sandbox.idle();
		const [{ id }] = await deliveries();
		expect((await control(sandbox, `POST deliveries/${id}/redeliver`)).json).toMatchObject({
			id,
			status: 'pending',
		});
		await sandbox.idle();
		expect(receiver.received).toHaveLength(2);
		expect(receiver.received[1]!.body).toBe(receiver.received[0]!.body);
		expect((await deliveries())[0].attempts).toHaveLength(2);
		expect((await control(sandbox, 'POST deliveries/none/redeliver')).status).toBe(404);
	});

	test('a delivery without a URL waits for a URL and for redeliver', async () => {
		await sandbox.restart({ webhookUrl: undefined });
		await deposit();
		await sandbox.idle();
		const [{ id, status, attempts }] = await deliveries();
		expect([status, attempts]).toEqual(['unsent', []]);
		expect((await control(sandbox, `POST deliveries/${id}/redeliver`)).status).toBe(409);
		await control(sandbox, 'PUT webhook', { url: receiver.url });
		await control(sandbox, `POST deliveries/${id}/redeliver`);
		expect(await bodies()).toHaveLength(1);
	});

	describe('signing styles of deliveries', () => {
		const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
		const webhookSecret = 'of this test';
		const hmac = (payload: string) => createHmac('sha256', webhookSecret).update(payload);

		async function delivered(webhookSigning: SandboxOptions['webhookSigning']) {
			await sandbox.restart({ webhookSigning, webhookSecret, now: () => NOW });
			await control(sandbox, 'POST events', { event: 'admin_funding' });
			await sandbox.idle();
			const { headers, body } = receiver.received[0]!;
			return { headers, body, id: sandbox.service.deliveries.all()[0]!.id };
		}

		test('a delivery without verification has no signature header', async () => {
			expect((await delivered({ webhookVerification: 'none' })).headers).not.toHaveProperty(
				'x-svc-signature',
			);
		});

		test('a delivery with a token has it in the configured header', async () => {
			const { headers } = await delivered({ webhookVerification: 'token', webhookHeader: 'x-token' });
			expect(headers['x-token']).toBe('of this test');
		});

		test('timestamp and signature share one header', async () => {
			const { headers, body } = await delivered({
				webhookPayload: '{timestamp}.{body}',
				webhookSignatureFormat: 't={timestamp},v1={signature}',
			});
			const signature = hmac(`1767323045.${body}`).digest('hex');
			expect(headers['x-svc-signature']).toBe(`t=1767323045,v1=${signature}`);
		});

		test('timestamp and id have their own headers', async () => {
			const { headers, body, id } = await delivered({
				webhookHeader: 'webhook-signature',
				webhookPayload: '{id}.{timestamp}.{body}',
				webhookSignatureFormat: 'v1,{signature}',
				webhookSignatureEncoding: 'base64',
				webhookTimestampHeader: 'webhook-timestamp',
				webhookIdHeader: 'webhook-id',
			});
			expect(headers).toMatchObject({
				'webhook-id': id,
				'webhook-timestamp': '1767323045',
				'webhook-signature': `v1,${hmac(`${id}.1767323045.${body}`).digest('base64')}`,
			});
		});
	});
});
