import { connect } from 'node:net';
import { startSandbox } from '../../sandbox/server.ts';
import { call, control, send, signed } from '../../host/sandboxClient.ts';
import { withSandbox } from './withSandbox.ts';

const sandbox = withSandbox({}, { once: true });

describe('authentication by the three headers', () => {
	const path = '/v1/fiat_payout';
	const body = '{"currency":"NGN","amount":10,"account_alias":"supplier-main"}';
	const post = (changes: Record<string, string>, sentBody = body, timestamp = Date.now()) => {
		const headers = {
			'content-type': 'application/json',
			...signed(sandbox, 'POST', path, body, timestamp),
			...changes,
		};
		const present = Object.entries(headers).filter(([, value]) => value !== '');
		return send(sandbox.url + path, 'POST', sentBody, Object.fromEntries(present));
	};

	test('a request with three correct headers is accepted', async () => {
		expect((await post({})).status).toBe(200);
	});

	test.each(['x-svc-key', 'x-svc-signature', 'x-svc-timestamp'])('401 if %s is missing', async (header) => {
		const { status, json } = await post({ [header]: '' });
		expect(status).toBe(401);
		expect(json).toEqual({ error: { code: 'unauthorized', message: `${header} is missing`, field: header } });
	});

	test('401 if one character of the body differs from the signed body', async () => {
		const { status, json } = await post({}, body.replace('10', '11'));
		expect(status).toBe(401);
		expect(json.error.field).toBe('x-svc-signature');
	});

	test('401 if the body has an additional space', async () => {
		expect((await post({}, `${body} `)).status).toBe(401);
	});

	test('401 for the signature of another path', async () => {
		const { status } = await post(signed(sandbox, 'POST', '/v1/fiat_balance', body, Date.now()));
		expect(status).toBe(401);
	});

	test('401 for a wrong key', async () => {
		const { status, json } = await post({ 'x-svc-key': `${sandbox.key}0` });
		expect(status).toBe(401);
		expect(json.error.field).toBe('x-svc-key');
	});

	test.each([-301_000, 301_000])('401 for a timestamp %d ms from now', async (away) => {
		const { status, json } = await post({}, body, Date.now() + away);
		expect(status).toBe(401);
		expect(json.error).toMatchObject({
			field: 'x-svc-timestamp',
			message: expect.stringContaining('300 seconds'),
		});
	});

	test('a timestamp 299 s ago is accepted', async () => {
		expect((await post({}, body, Date.now() - 299_000)).status).toBe(200);
	});

	test.each(['soon', '1767322800', '2026-01-02T03:04:05Z'])('401 for the timestamp %s', async (timestamp) => {
		expect((await post({ 'x-svc-timestamp': timestamp })).status).toBe(401);
	});

	test('no 401 response contains a secret', async () => {
		const answers = [
			await post({ 'x-svc-key': 'x' }),
			await post({ 'x-svc-signature': 'x' }),
			await post({}, '{}'),
		];
		for (const { text } of answers) {
			expect(text).not.toContain(sandbox.key);
			expect(text).not.toContain(sandbox.secret);
		}
	});
});

describe('400 for invalid bodies, naming the field', () => {
	test.each([
		['POST /v1/fiat_balance', '{}', 'currency', 'currency is missing'],
		['POST /v1/fiat_balance', '', 'currency', 'currency is missing'],
		['POST /v1/fiat_balance', '{"currency":" "}', 'currency', 'currency is empty'],
		['POST /v1/fiat_balance', '{"currency":1}', 'currency', 'currency must be text'],
		[
			'POST /v1/fiat_balance',
			'{"currency":"XXX"}',
			'currency',
			'XXX is not a currency of this sandbox. It has NGN, USD, EUR, GBP, KES, GHS',
		],
		['POST /v1/fiat_balance', '{"currency":"NGN","x":1}', 'x', 'x is not a field of this request'],
		[
			'POST /v1/fiat_payout',
			'{"currency":"NGN","amount":"10","account_alias":"supplier-main"}',
			'amount',
			'amount must be a JSON number',
		],
		[
			'POST /v1/fiat_payout',
			'{"currency":"NGN","account_alias":"supplier-main"}',
			'amount',
			'amount is missing',
		],
		[
			'POST /v1/fiat_payout',
			'{"currency":"NGN","amount":0,"account_alias":"supplier-main"}',
			'amount',
			'amount must be above zero',
		],
		[
			'POST /v1/fiat_payout',
			'{"currency":"NGN","amount":-1,"account_alias":"supplier-main"}',
			'amount',
			'amount must be above zero',
		],
		[
			'POST /v1/fiat_payout',
			'{"currency":"NGN","amount":1e99999,"account_alias":"supplier-main"}',
			'amount',
			'amount has too large an exponent',
		],
		[
			'POST /v1/fiat_payout',
			'{"currency":"NGN","amount":1e40,"account_alias":"supplier-main"}',
			'amount',
			'amount has more than 40 digits',
		],
		[
			'POST /v1/crypto_balance_update',
			`{"coin":"USDT","amount":${'9'.repeat(1000)}}`,
			'amount',
			'amount has more than 40 digits',
		],
		['POST /v1/funding_request', '{"pop":"receipt.pdf"}', 'pop', 'pop must be an absolute http or https URL'],
		[
			'POST /v1/funding_request',
			'{"pop":"ftp://example.com/a"}',
			'pop',
			'pop must be an absolute http or https URL',
		],
		['POST /v1/fiat_virtuals', '{"page":1}', 'page', 'page is not a field of this request'],
		[
			'POST /v1/crypto_balance_update',
			'{"coin":"NGN","amount":1}',
			'coin',
			'NGN is not a coin of this sandbox. It has USDT, USDC, BTC, ETH',
		],
		['POST /v1/instant_conversion', '{"contract_id":"ic_usd_ngn"}', 'from_amount', 'from_amount is missing'],
		['POST /v1/crypto_payout', '{"coin":"USDT","wallet_alias":"treasury"}', 'amount', 'amount is missing'],
		[
			'POST /v1/crypto_payout',
			'{"coin":"USDT","amount":"1,5","wallet_alias":"treasury"}',
			'amount',
			'amount must be a decimal number',
		],
	])('400 for %s %s', async (route, body, field, message) => {
		const { status, json } = await call(sandbox, route, body);
		expect(json).toEqual({ error: { code: 'invalid_request', message, field } });
		expect(status).toBe(400);
	});

	test.each([
		['{"currency":', 'The body is not JSON'],
		['["NGN"]', 'The body is not a JSON object'],
		['7', 'The body is not a JSON object'],
	])('400 for the body %s', async (body, message) => {
		const { status, json } = await call(sandbox, 'POST /v1/fiat_balance', body);
		expect(status).toBe(400);
		expect(json).toEqual({ error: { code: 'invalid_request', message } });
	});

	test('400 for a body that is not UTF-8', async () => {
		const { status } = await send(
			`${sandbox.url}/v1/fiat_balance`,
			'POST',
			new Uint8Array([0x7b, 0xff, 0x7d]),
		);
		expect(status).toBe(400);
	});

	test('415 for a content type other than JSON', async () => {
		const path = '/v1/fiat_balance';
		const body = '{"currency":"NGN"}';
		const headers = { ...signed(sandbox, 'POST', path, body, Date.now()), 'content-type': 'text/plain' };
		expect((await send(sandbox.url + path, 'POST', body, headers)).status).toBe(415);
	});
});

describe('unknown routes and records', () => {
	test.each([
		['GET /v1/nonsense', 404, 'There is no endpoint /v1/nonsense'],
		['POST /nonsense', 404, 'There is nothing at /nonsense'],
		['GET /v1/fiat_balance', 405, '/v1/fiat_balance takes POST only'],
		['POST /v1/rates', 405, '/v1/rates takes GET only'],
	])('%s is answered with %d', async (route, status, message) => {
		const answer = await call(sandbox, route);
		expect(answer.status).toBe(status);
		expect(answer.json.error.message).toBe(message);
	});

	test.each([
		['POST /v1/virtual_details', '{"alias":"nobody"}', 'alias'],
		['POST /v1/instant_conversion', '{"contract_id":"none","from_amount":1}', 'contract_id'],
		['POST /v1/instant_transaction', '{"id":"none"}', 'id'],
		['POST /v1/fiat_payout', '{"currency":"NGN","amount":1,"account_alias":"none"}', 'account_alias'],
		['POST /v1/crypto_payout', '{"coin":"USDT","amount":1,"wallet_alias":"none"}', 'wallet_alias'],
		['POST /v1/wallet_details', '{"alias":"nobody"}', 'alias'],
		['POST /v1/funding_account', '{"currency":"GHS"}', 'currency'],
	])('404 for %s %s', async (route, body, field) => {
		const { status, json } = await call(sandbox, route, body);
		expect(status).toBe(404);
		expect(json.error).toMatchObject({ code: 'not_found', field });
	});
});

describe('the controls are for this machine only', () => {
	test.each([
		['host', 'sandbox.example.com'],
		['origin', 'https://example.com'],
		['origin', 'null'],
	])('403 for the controls with %s %s', async (header, value) => {
		const headers = { [header]: value };
		const { status } = await send(`${sandbox.url}/_sandbox/state`, 'GET', undefined, headers);
		expect(status).toBe(403);
	});

	test.each(['localhost', '127.0.0.1:80', '[::1]:80'])('the controls accept Host %s', async (host) => {
		expect((await send(`${sandbox.url}/_sandbox/state`, 'GET', undefined, { host })).status).toBe(200);
	});

	test.each([
		'text/plain',
		'application/x-www-form-urlencoded',
		'multipart/form-data; boundary=x',
		undefined,
	])('415 for a control with the content type %s, which a page of another port can send', async (type) => {
		const headers = { origin: 'http://127.0.0.1:8080', ...(type && { 'content-type': type }) };
		for (const path of ['reset', 'deposits'])
			expect((await send(`${sandbox.url}/_sandbox/${path}`, 'POST', '{}', headers)).status).toBe(415);
		const preflight = await send(`${sandbox.url}/_sandbox/reset`, 'OPTIONS', undefined, {
			...headers,
			'access-control-request-method': 'POST',
			'access-control-request-headers': 'content-type',
		});
		expect(preflight.status).toBeGreaterThanOrEqual(400);
		expect(Object.keys(preflight.headers).join()).not.toContain('access-control');
	});

	test('400 for an amount of more than 40 digits, as a number or as text', async () => {
		for (const amount of ['9'.repeat(41), `0.${'0'.repeat(40)}1`]) {
			const answer = await control(sandbox, 'POST deposits', { alias: 'customer-0042', amount });
			expect(answer.json.error).toMatchObject({ field: 'amount', message: 'amount has more than 40 digits' });
		}
	});

	test('400 for a control with an invalid body, naming the field', async () => {
		const answer = await control(sandbox, 'POST deposits', { alias: 'customer-0042', amount: '1,5' });
		expect(answer.json.error).toMatchObject({ code: 'invalid_request', field: 'amount' });
		expect((await control(sandbox, 'PUT webhook', { url: 'http://example.com/' })).json.error.field).toBe(
			'url',
		);
		expect((await control(sandbox, 'PUT webhook', { url: 'somewhere' })).json.error.field).toBe('url');
		expect((await control(sandbox, 'PUT webhook', { url: 'https://example.com/hook' })).status).toBe(200);
		expect((await control(sandbox, 'PUT webhook', { url: null })).json).toEqual({ url: null });
	});
});

describe('the HTTP server', () => {
	/** Sends raw bytes and returns the first line of the response. */
	const raw = (bytes: string) =>
		new Promise<string>((resolve, reject) => {
			const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1', () => socket.write(bytes));
			socket.once('data', (data) => {
				resolve(data.toString().split('\r\n')[0]!);
				socket.destroy();
			});
			socket.once('error', reject);
		});

	test('the server refuses an invalid HTTP request', async () => {
		expect(await raw('GET /v1/rates HTTP/1.1\r\nHost: a b\r\n\r\n')).toBe('HTTP/1.1 400 Bad Request');
		expect(await raw('GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n')).toMatch(
			/^HTTP\/1.1 40\d/,
		);
		expect(await raw('TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n')).toBe('HTTP/1.1 400 Bad Request');
	});

	test('413 for a body of more than a million bytes', async () => {
		expect((await send(`${sandbox.url}/v1/fiat_balance`, 'POST', ' '.repeat(1_000_001))).status).toBe(413);
	});

	test('startSandbox throws if its port is in use', async () => {
		await expect(startSandbox({ port: Number(new URL(sandbox.url).port) })).rejects.toThrow('EADDRINUSE');
	});
});
