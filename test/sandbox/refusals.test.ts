import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { request } from 'undici';
import { startSandbox } from '../../sandbox/server.ts';
import { call, control, send, signed } from './client.ts';
import { withSandbox } from './withSandbox.ts';

const sandbox = withSandbox({}, { once: true });

describe('authentication by the three headers', () => {
	const path = '/v1/fiat_payout';
	const body = '{"currency":"NGN","amount":10,"account_alias":"supplier-main"}';
	interface Change {
		headers?: Record<string, string>;
		/** Sent in place of the body that is signed. */
		sentBody?: string;
		/** How far the timestamp is from now, in milliseconds. */
		away?: number;
	}
	const post = ({ headers = {}, sentBody = body, away = 0 }: Change) => {
		const signature = signed(sandbox, 'POST', path, body, Date.now() + away);
		const all = { 'content-type': 'application/json', ...signature, ...headers };
		return send(sandbox.url + path, 'POST', sentBody, all);
	};

	test.each([0, -299_000])('a timestamp %d ms from now is accepted', async (away) => {
		expect((await post({ away })).status).toBe(200);
	});

	test.each<[what: string, header: string, change: () => Change]>([
		['no key', 'x-svc-key', () => ({ headers: { 'x-svc-key': '' } })],
		['no signature', 'x-svc-signature', () => ({ headers: { 'x-svc-signature': '' } })],
		['no timestamp', 'x-svc-timestamp', () => ({ headers: { 'x-svc-timestamp': '' } })],
		['a wrong key', 'x-svc-key', () => ({ headers: { 'x-svc-key': `${sandbox.key}0` } })],
		['a wrong signature', 'x-svc-signature', () => ({ headers: { 'x-svc-signature': 'x' } })],
		['another body', 'x-svc-signature', () => ({ sentBody: body.replace('10', '11') })],
		['a space after the body', 'x-svc-signature', () => ({ sentBody: `${body} ` })],
		[
			'the signature of another path',
			'x-svc-signature',
			() => ({ headers: signed(sandbox, 'POST', '/v1/fiat_balance', body, Date.now()) }),
		],
		['an old timestamp', 'x-svc-timestamp', () => ({ away: -301_000 })],
		['a future timestamp', 'x-svc-timestamp', () => ({ away: 301_000 })],
		['a timestamp in seconds', 'x-svc-timestamp', () => ({ headers: { 'x-svc-timestamp': '1767322800' } })],
	])('401 for %s names %s and contains no secret', async (_, header, change) => {
		const { status, text, json } = await post(change());
		expect(status).toBe(401);
		expect(json.error).toMatchObject({ code: 'unauthorized', field: header });
		expect(json.error.message).toMatch(new RegExp(`^${header} `));
		for (const secret of [sandbox.key, sandbox.secret]) expect(text).not.toContain(secret);
	});
});

const TOO_LONG = '9'.repeat(41);
const fiatPayout = (amount: string) =>
	`{"currency":"NGN","amount":${amount},"account_alias":"supplier-main"}`;

test.each([
	['fiat_balance', '', 'currency', 'is missing'],
	['fiat_balance', '{"currency":" "}', 'currency', 'is empty'],
	['fiat_balance', '{"currency":1}', 'currency', 'must be text'],
	['fiat_balance', '{"currency":"NGN","x":1}', 'x', 'is not a field of this request'],
	['fiat_virtuals', '{"page":1}', 'page', 'is not a field of this request'],
	['fiat_payout', fiatPayout('"10"'), 'amount', 'must be a JSON number'],
	['fiat_payout', fiatPayout('0'), 'amount', 'must be above zero'],
	['fiat_payout', fiatPayout('-1'), 'amount', 'must be above zero'],
	['fiat_payout', fiatPayout('1e99999'), 'amount', 'has more than 40 digits'],
	['fiat_payout', fiatPayout('1e40'), 'amount', 'has more than 40 digits'],
	['crypto_balance_update', `{"coin":"USDT","amount":${TOO_LONG}}`, 'amount', 'has more than 40 digits'],
	['funding_request', '{"pop":"receipt.pdf"}', 'pop', 'must be an absolute http or https URL'],
	['funding_request', '{"pop":"ftp://example.com/a"}', 'pop', 'must be an absolute http or https URL'],
	['crypto_payout', '{"coin":"USDT","wallet_alias":"treasury"}', 'amount', 'is missing'],
	['crypto_payout', '{"coin":"USDT","amount":"1,5"}', 'amount', 'must be a decimal number'],
])('400 for %s %s: %s %s', async (path, body, field, reason) => {
	const { status, json } = await call(sandbox, `POST /v1/${path}`, body);
	expect(status).toBe(400);
	expect(json).toEqual({ error: { code: 'invalid_request', message: `${field} ${reason}`, field } });
});

test.each([
	['fiat_balance', '{"currency":"USDT"}', 'USDT is not a currency of this sandbox. It has NGN, USD, '],
	['coin_balance', '{"coin":"NGN"}', 'NGN is not a coin of this sandbox. It has USDT, USDC, BTC, ETH'],
	['fiat_balance', '{"currency":', 'The body is not JSON'],
	['fiat_balance', '["NGN"]', 'The body is not a JSON object'],
	['fiat_balance', new Uint8Array([0x7b, 0xff, 0x7d]), 'The body is not UTF-8 text'],
])('400 for %s %s: %s', async (path, body, message) => {
	const headers = { 'content-type': 'application/json' };
	const text = body instanceof Uint8Array ? '' : body;
	const { status, json } = await send(`${sandbox.url}/v1/${path}`, 'POST', body, {
		...headers,
		...signed(sandbox, 'POST', `/v1/${path}`, text, Date.now()),
	});
	expect([status, json.error.code]).toEqual([400, 'invalid_request']);
	expect(json.error.message).toContain(message);
});

test('415 for a content type other than JSON', async () => {
	const path = '/v1/fiat_balance';
	const body = '{"currency":"NGN"}';
	const headers = { ...signed(sandbox, 'POST', path, body, Date.now()), 'content-type': 'text/plain' };
	expect((await send(sandbox.url + path, 'POST', body, headers)).status).toBe(415);
});

test.each([
	['GET /v1/nonsense', 'There is no endpoint GET /v1/nonsense'],
	['POST /nonsense', 'There is nothing at /nonsense'],
	['GET /_sandbox/nonsense', 'There is nothing at /_sandbox/nonsense'],
	['GET /v1/fiat_balance', 'There is no endpoint GET /v1/fiat_balance'],
	['POST /v1/rates', 'There is no endpoint POST /v1/rates'],
])('%s is answered with 404', async (route, message) => {
	const { status, json } = await call(sandbox, route);
	expect([status, json.error.message]).toEqual([404, message]);
});

test.each([
	['virtual_details', '{"alias":"nobody"}', 'alias'],
	['instant_conversion', '{"contract_id":"none","from_amount":1}', 'contract_id'],
	['instant_transaction', '{"id":"none"}', 'id'],
	['fiat_payout', '{"currency":"NGN","amount":1,"account_alias":"none"}', 'account_alias'],
	['crypto_payout', '{"coin":"USDT","amount":1,"wallet_alias":"none"}', 'wallet_alias'],
	['wallet_details', '{"alias":"nobody"}', 'alias'],
	['funding_account', '{"currency":"GHS"}', 'currency'],
])('404 for %s %s names the field', async (path, body, field) => {
	const { status, json } = await call(sandbox, `POST /v1/${path}`, body);
	expect(status).toBe(404);
	expect(json.error).toMatchObject({ code: 'not_found', field });
});

describe('the controls are for this machine only', () => {
	test.each([
		[403, { host: 'sandbox.example.com' }],
		[403, { origin: 'https://example.com' }],
		[403, { origin: 'null' }],
		[200, { host: 'localhost' }],
		[200, { host: '[::1]:80' }],
	])('%d for requests with the header %j', async (status, headers) => {
		for (const path of ['/_sandbox/state', '/', '/page.js', '/openapi.json']) {
			expect((await send(sandbox.url + path, 'GET', undefined, headers)).status).toBe(status);
		}
	});

	test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])(
		'a page of another port cannot use a control with the content type "%s"',
		async (type) => {
			const headers = { origin: 'http://127.0.0.1:8080', ...(type && { 'content-type': type }) };
			const reset = `${sandbox.url}/_sandbox/reset`;
			expect((await send(reset, 'POST', '{}', headers)).status).toBe(415);
			const preflight = await send(reset, 'OPTIONS', undefined, headers);
			expect(preflight.status).toBeGreaterThanOrEqual(400);
			expect(Object.keys(preflight.headers).join()).not.toContain('access-control');
		},
	);
});

test.each([
	['POST deposits', { alias: 'customer-0042', amount: '1,5' }, 'amount must be a decimal number'],
	['POST deposits', { alias: 'customer-0042', amount: TOO_LONG }, 'amount has more than 40 digits'],
	['POST deposits', { alias: 'customer-0042', amount: `0.${TOO_LONG}` }, 'amount has more than 40 digits'],
	['PUT webhook', { url: 'http://example.com/' }, 'url must be https, or http for a loopback host'],
])('400 for the control %s %j', async (route, body, message) => {
	const { status, json } = await control(sandbox, route, body);
	const [field] = message.split(' ');
	expect(status).toBe(400);
	expect(json.error).toEqual({ code: 'invalid_request', message, field });
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

	test.each([
		['GET /v1/rates HTTP/1.1\r\nHost: a b\r\n\r\n', 'HTTP/1.1 400 Bad Request'],
		['TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n', 'HTTP/1.1 404 Not Found'],
	])('the server refuses %j and stays up', async (bytes, answer) => {
		expect(await raw(bytes)).toBe(answer);
		expect((await send(sandbox.url, 'GET')).status).toBe(200);
	});

	test('a body that comes in pieces, without a length, is read as one', async () => {
		const [path, pieces] = ['/v1/fiat_balance', ['{"currency":', '"USD"}']];
		const signature = signed(sandbox, 'POST', path, pieces.join(''), Date.now());
		const headers = { 'content-type': 'application/json', ...signature };
		const { statusCode, body } = await request(sandbox.url + path, {
			method: 'POST',
			headers,
			body: Readable.from(pieces),
		});
		expect([statusCode, await body.json()]).toEqual([200, { currency: 'USD', balance: '25000.00' }]);
	});

	test('413 for a body of more than a million bytes', async () => {
		expect((await send(`${sandbox.url}/v1/fiat_balance`, 'POST', ' '.repeat(1_000_001))).status).toBe(413);
	});

	test('startSandbox throws if its port is in use', async () => {
		await expect(startSandbox({ port: Number(new URL(sandbox.url).port) })).rejects.toThrow('EADDRINUSE');
	});
});
