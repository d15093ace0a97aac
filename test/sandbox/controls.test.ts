import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { request } from 'undici';
import type { VerificationSettings } from '../../api/signature/settings.ts';
import { call, control, send } from '../../host/sandboxClient.ts';
import type { AnyJson } from '../../host/sandboxClient.ts';
import { withSandboxAndReceiver } from './withSandbox.ts';
import { verifyDelivery } from '../unit/trySettings.ts';

const { sandbox, receiver } = withSandboxAndReceiver({ settleAfterMs: null, retryDelayMs: 5 });

const state = async (): Promise<AnyJson> => (await control(sandbox, 'GET state')).json;
const pay = async (): Promise<string> =>
	(
		await call(
			sandbox,
			'POST /v1/fiat_payout',
			'{"currency":"NGN","amount":1,"account_alias":"supplier-main"}',
		)
	).json.payout_id;

describe('PUT webhook switches how deliveries are signed', () => {
	const delivered = async (signing: object) => {
		expect((await control(sandbox, 'PUT webhook', { signing })).json).toEqual({ url: receiver.url });
		receiver.received.length = 0;
		await control(sandbox, 'POST events', { event: 'admin_funding' });
		await sandbox.idle();
		const { headers, body } = receiver.received[0]!;
		return { headers: headers as Record<string, string>, body };
	};

	test('PUT webhook switches to deliveries without a signature', async () => {
		const { headers } = await delivered({ webhookVerification: 'none' });
		expect(Object.keys(headers).filter((name) => name.startsWith('x-'))).toEqual([]);
	});

	test('PUT webhook switches to deliveries with a token', async () => {
		const signing = { webhookVerification: 'token', webhookHeader: 'X-Token', webhookSecret: 'open sesame' };
		expect((await delivered(signing)).headers['x-token']).toBe('open sesame');
	});

	test('PUT webhook switches to an HMAC with a secret in hex and the timestamp in its own header', async () => {
		const { headers, body } = await delivered({
			webhookVerification: 'hmac',
			webhookHeader: 'x-hook',
			webhookSecret: '00ff10',
			webhookSecretEncoding: 'hex',
			webhookAlgorithm: 'sha512',
			webhookSignatureEncoding: 'base64',
			webhookPayload: '{timestamp}\\n{body}',
			webhookSignatureFormat: 'sha512={signature}',
			webhookTimestampHeader: 'x-hook-time',
		});
		const expected = createHmac('sha512', Buffer.from([0x00, 0xff, 0x10]))
			.update(`${headers['x-hook-time']}\n${body}`)
			.digest('base64');
		expect(headers['x-hook']).toBe(`sha512=${expected}`);
	});

	test('a signing without header and secret uses the default ones', async () => {
		await delivered({ webhookVerification: 'token', webhookHeader: 'x-token', webhookSecret: 'open sesame' });
		const { headers, body } = await delivered({ webhookVerification: 'hmac' });
		expect(headers['x-svc-signature']).toBe(
			createHmac('sha256', sandbox.webhookSecret).update(body).digest('hex'),
		);
	});

	test('verifyDelivery accepts every signing style, and an HMAC for the signed body only', async () => {
		const signed = { webhookTimestampHeader: 'webhook-timestamp', webhookIdHeader: 'webhook-id' };
		/** What is signed, and where it comes from. */
		const payloads = fc.constantFrom<Partial<VerificationSettings>>(
			{ webhookPayload: '{body}' },
			{ webhookPayload: '{body}', webhookSignatureFormat: 'sha256={signature}' },
			{ webhookPayload: '{timestamp}.{body}', webhookTimestampHeader: 'webhook-timestamp' },
			{ webhookPayload: '{timestamp}.{body}', webhookSignatureFormat: 't={timestamp},v1={signature}' },
			{ webhookPayload: '{id}.{timestamp}.{body}', ...signed },
			{ webhookPayload: '{id}.{timestamp}.{body}', webhookSignatureFormat: 'v1,{signature}', ...signed },
		);
		const encodings = fc.record({
			webhookVerification: fc.constantFrom('hmac', 'token'),
			webhookHeader: fc.constantFrom('x-svc-signature', 'Webhook-Signature'),
			webhookSecret: fc.constantFrom('00ff', 'c2VjcmV0', 'abcd1234'),
			webhookSecretEncoding: fc.constantFrom('utf8', 'base64'),
			webhookAlgorithm: fc.constantFrom('sha256', 'sha384', 'sha512'),
			webhookSignatureEncoding: fc.constantFrom('hex', 'hexUpper', 'base64', 'base64url'),
		});
		const style = fc.tuple(payloads, encodings).map(([payload, encoding]) => ({ ...encoding, ...payload }));
		await fc.assert(
			fc.asyncProperty(style, async (signing) => {
				const { headers, body } = await delivered(signing);
				const settings = signing as VerificationSettings;
				const verify = (text: string) =>
					verifyDelivery(settings, { headers, body: Buffer.from(text) }, Date.now());
				expect(verify(body).ok).toBe(true);
				expect(verify(`${body} `).ok).toBe(signing.webhookVerification === 'token');
			}),
			{ numRuns: 100 },
		);
	}, 60_000);

	test.each([
		[{ webhookVerification: 'token', webhookSecret: 'a\nb' }, 'a header cannot hold it'],
		[{ webhookVerification: 'token', webhookHeader: 'a b' }, 'Webhook Header is not the name of a header'],
		[
			{ webhookVerification: 'hmac', webhookSecret: 'xyz', webhookSecretEncoding: 'hex' },
			'Webhook Secret is not hex text',
		],
		[{ webhookVerification: 'hmac', webhookPayload: '{colour}' }, 'Webhook Payload contains {colour}'],
		[{ webhookVerification: 'magic' }, 'signing.webhookVerification'],
		[{ webhookVerification: 'none', colour: 'red' }, 'colour is not a field of this request'],
	])('PUT webhook refuses the signing %j and changes nothing', async (signing, message) => {
		const { status, json } = await control(sandbox, 'PUT webhook', { url: 'https://example.com', signing });
		expect(status).toBe(400);
		expect(json.error.message).toContain(message);
		expect((await state()).webhook).toEqual({ url: receiver.url, earlier: [] });
		expect(sandbox.service.deliveries.signing.webhookVerification).toBe('hmac');
	});
});

test('GET credential gives what to enter, by the labels of the form', async () => {
	expect((await control(sandbox, 'GET credential')).json).toEqual({
		'Base URL': sandbox.url,
		'API Key': sandbox.key,
		'Signature Secret': sandbox.secret,
		'Webhook Secret': sandbox.webhookSecret,
	});
	await control(sandbox, 'PUT webhook', {
		signing: { webhookVerification: 'token', webhookSecret: 'sesame' },
	});
	expect((await control(sandbox, 'GET credential')).json).toEqual({
		'Base URL': sandbox.url,
		'API Key': sandbox.key,
		'Signature Secret': sandbox.secret,
		'Webhook Style': 'custom',
		'Webhook Verification': 'token',
		'Webhook Header': 'x-svc-signature',
		'Webhook Secret': 'sesame',
	});
});

test('PUT webhook_names names the workflows behind URLs, and adds to the names before', async () => {
	await control(sandbox, 'PUT webhook_names', { names: { 'https://example.com/a': 'A' } });
	await control(sandbox, 'PUT webhook_names', { names: { 'https://example.com/b': 'B' } });
	expect((await state()).webhook_names).toMatchObject({
		'https://example.com/a': 'A',
		'https://example.com/b': 'B',
	});
	const { status } = await control(sandbox, 'PUT webhook_names', { names: { 'https://example.com/a': 1 } });
	expect(status).toBe(400);
});

test('GET state names the webhook URLs that were used before, the newest first', async () => {
	const use = async (url: string | null) => {
		await control(sandbox, 'PUT webhook', { url });
		return (await state()).webhook;
	};
	await use('https://example.com/examples');
	expect(await use('https://example.com/test')).toEqual({
		url: 'https://example.com/test',
		earlier: ['https://example.com/examples', receiver.url],
	});
	expect(await use(null)).toEqual({
		url: null,
		earlier: ['https://example.com/test', 'https://example.com/examples', receiver.url],
	});
	expect((await use('https://example.com/examples')).earlier).toEqual([
		'https://example.com/test',
		receiver.url,
	]);
});

test('PUT settings changes when payouts settle, those already pending included', async () => {
	const statusOf = async (id: string) =>
		(await state()).payouts.find((payout: AnyJson) => payout.payout_id === id).status;
	const first = await pay();
	await sandbox.idle();
	expect(await statusOf(first)).toBe('pending');
	expect((await control(sandbox, 'PUT settings', { settleAfterMs: 1 })).json).toEqual({
		settleAfterMs: 1,
		retryDelayMs: 5,
		deliveryTimeoutMs: 10000,
	});
	await sandbox.idle();
	expect(await statusOf(first)).toBe('successful');
	await control(sandbox, 'PUT settings', { settleAfterMs: null, deliveryTimeoutMs: 20 });
	const second = await pay();
	await sandbox.idle();
	expect(await statusOf(second)).toBe('pending');
	await control(sandbox, 'POST reset');
	expect((await state()).settings).toEqual({ settleAfterMs: null, retryDelayMs: 5, deliveryTimeoutMs: 20 });
	expect((await control(sandbox, 'PUT settings', { settleAfter: 1 })).json.error.field).toBe('settleAfter');
});

test('PUT settings changes the time between two attempts of a delivery', async () => {
	await control(sandbox, 'PUT settings', { retryDelayMs: 120 });
	receiver.answers.push(500);
	await control(sandbox, 'POST events', { event: 'admin_funding' });
	await sandbox.idle();
	const [{ attempts }] = (await control(sandbox, 'GET deliveries')).json.results;
	expect(attempts.map(({ status }: AnyJson) => status)).toEqual([500, 200]);
	expect(Date.parse(attempts[1].at) - Date.parse(attempts[0].at)).toBeGreaterThanOrEqual(115);
});

test('POST settlement_accounts submits an account that receives payouts after a review', async () => {
	const submitted = await control(sandbox, 'POST settlement_accounts', { alias: 'supplier-0099' });
	expect(submitted.json).toMatchObject({ alias: 'supplier-0099', currency: 'NGN', status: 'Pending' });
	const payTo = () =>
		call(sandbox, 'POST /v1/fiat_payout', '{"currency":"NGN","amount":1,"account_alias":"supplier-0099"}');
	expect((await payTo()).status).toBe(422);
	await control(sandbox, 'POST reviews', { alias: 'supplier-0099', decision: 'Whitelisted' });
	expect((await payTo()).status).toBe(200);
	await sandbox.idle();
	expect(receiver.received.map(({ body }) => JSON.parse(body))).toMatchObject([
		{ event: 'settlement_account_update', Alias: 'supplier-0099', status: 'Whitelisted' },
	]);
	for (const alias of ['supplier-0099', 'treasury']) {
		expect((await control(sandbox, 'POST settlement_accounts', { alias })).status).toBe(409);
	}
});

test('GET movements shows every change of a balance', async () => {
	const id = await pay();
	await control(sandbox, `POST payouts/${id}`, { status: 'failed' });
	expect((await control(sandbox, 'GET movements?last=2')).json.results).toEqual([
		{ at: expect.any(String), code: 'NGN', amount: '-1', reason: 'payout', reference: id },
		{ at: expect.any(String), code: 'NGN', amount: '1', reason: 'payout_refund', reference: id },
	]);
	// With the opening movements of the ten balances.
	expect((await control(sandbox, 'GET movements')).json.results).toHaveLength(12);
});

test('?last=N limits growing lists to the newest N entries', async () => {
	const ids = [await pay(), await pay(), await pay()];
	for (const event of ['one', 'two', 'three']) await control(sandbox, 'POST events', { event });
	const limited = (await control(sandbox, 'GET state?last=2')).json;
	expect(limited.payouts.map(({ payout_id }: AnyJson) => payout_id)).toEqual(ids.slice(1));
	expect(limited.virtual_accounts).toHaveLength(3);
	const { results } = (await control(sandbox, 'GET deliveries?last=1')).json;
	expect(results.map(({ event }: AnyJson) => event)).toEqual(['three']);
	for (const last of ['0', '-1', 'many', '1.5']) {
		expect((await control(sandbox, `GET state?last=${last}`)).json.error.field).toBe('last');
	}
});

test('GET changes sends an event soon after a change', async () => {
	const { body, headers } = await request(`${sandbox.url}/_sandbox/changes`);
	expect(headers['content-type']).toBe('text/event-stream');
	const events = body[Symbol.asyncIterator]();
	const next = async () => String((await events.next()).value);
	expect(await next()).toBe('data: changed\n\n');
	await pay();
	expect(await next()).toBe('data: changed\n\n');
	// Many changes in a short time give few events.
	for (let i = 0; i < 50; i++) await control(sandbox, 'POST events', { event: 'busy' });
	expect((await next()).length).toBeLessThan(10 * 'data: changed\n\n'.length);
	body.on('error', () => {}).destroy();
});

describe('the page of the sandbox', () => {
	test.each([
		['/', 'text/html; charset=utf-8', '<!doctype html>'],
		['/page.css', 'text/css; charset=utf-8', ':root'],
		['/page.js', 'text/javascript; charset=utf-8', '/**'],
	])('%s is served with a strict content security policy', async (path, type, beginning) => {
		const { status, headers, text } = await send(sandbox.url + path, 'GET');
		expect([status, headers['content-type']]).toEqual([200, type]);
		expect(text.slice(0, beginning.length)).toBe(beginning);
		expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
		expect(headers['x-content-type-options']).toBe('nosniff');
	});

	test('the page loads no foreign file and has no inline script or style', async () => {
		const { text } = await send(sandbox.url, 'GET');
		expect([...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address).sort()).toEqual([
			'/openapi.json',
			'/page.css',
			'/page.js',
			'data:,',
		]);
		expect(text).not.toMatch(/<style|style=|\son\w+=|<script[^>]*>[^<]/);
	});

	test.each(['/', '/page.js', '/openapi.json'])('%s is refused for another host name', async (path) => {
		const headers = { host: 'sandbox.example.com' };
		expect((await send(sandbox.url + path, 'GET', undefined, headers)).status).toBe(403);
	});
});
