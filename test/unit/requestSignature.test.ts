/** A request is signed as its service wants it. The texts that are signed are written out; openssl signs them. */
import { signRequest } from '../../api/signature/signRequest.ts';
import type { SigningSettings } from '../../api/signature/settings.ts';
import { openSsl, openSslHash } from './openSsl.ts';

const NOW = Date.parse('2026-01-31T12:00:00.123Z');
/** NOW in each Timestamp Format. */
const TIMES = {
	unixMilliseconds: '1769860800123',
	unixSeconds: '1769860800',
	iso8601: '2026-01-31T12:00:00.123Z',
};
const KEY = 'fake-key';
const BODY = '{"amount":"10.00","currency":"NGN"}';
const post = { method: 'POST', url: new URL('https://api.example.com/v1/fiat_balance'), body: BODY };
const get = { method: 'get', url: new URL('https://api.example.com/v1/rates?a=1'), body: '' };
const MILLISECONDS = TIMES.unixMilliseconds;

/** What every credential has. Everything else has a default. */
const base: SigningSettings = { apiKey: KEY, signatureSecret: 'fake-secret' };
const signatureOf = (settings: SigningSettings, request: typeof post) =>
	signRequest({ ...base, ...settings }, request, NOW)['x-svc-signature'];

test('by default a request is signed with HMAC-SHA256 in hex over {timestamp}{method}{path}{body}', () => {
	expect(signRequest(base, post, NOW)).toEqual({
		'x-svc-key': KEY,
		'x-svc-timestamp': MILLISECONDS,
		'x-svc-signature': openSsl(`${MILLISECONDS}POST/v1/fiat_balance${BODY}`, 'fake-secret'),
	});
});

test('a request has the headers of its service', () => {
	expect(Object.keys(signRequest({ ...base, serviceName: 'acme-pay' }, post, NOW))).toEqual([
		...['x-acme-pay-key', 'x-acme-pay-signature', 'x-acme-pay-timestamp'],
	]);
});

test.each([
	['sha256', 'hex', openSsl(BODY, 'fake-secret')],
	['sha384', 'base64', openSsl(BODY, 'fake-secret', { algorithm: 'sha384', encoding: 'base64' })],
	['sha512', 'base64', openSsl(BODY, 'fake-secret', { algorithm: 'sha512', encoding: 'base64' })],
] as const)('a request is signed with %s in %s', (signatureAlgorithm, signatureEncoding, signature) => {
	const settings = { signaturePayload: '{body}', signatureAlgorithm, signatureEncoding };
	expect(signatureOf(settings, post)).toBe(signature);
});

test.each(Object.entries(TIMES))(
	'the timestamp format %s writes %s, which is signed as it is sent',
	(timestampFormat, timestamp) => {
		const headers = signRequest({ ...base, timestampFormat } as SigningSettings, post, NOW);
		expect(headers['x-svc-timestamp']).toBe(timestamp);
		expect(headers['x-svc-signature']).toBe(
			openSsl(`${timestamp}POST/v1/fiat_balance${BODY}`, 'fake-secret'),
		);
	},
);

test.each([
	['{timestamp}{method}{pathWithQuery}{body}', get, `${MILLISECONDS}GET/v1/rates?a=1`],
	['{method}\\n{host}\\n{path}\\n{query}', get, 'GET\napi.example.com\n/v1/rates\na=1'],
	['{key}:{body}', post, `${KEY}:${BODY}`],
	['{bodySha256}', post, openSslHash(BODY, 'sha256')],
	['{bodySha512}', post, openSslHash(BODY, 'sha512')],
	['{body}|{bodySha256}', get, `|${openSslHash('', 'sha256')}`],
])('the payload %s is signed', (signaturePayload, request, signed) => {
	expect(signatureOf({ signaturePayload }, request)).toBe(openSsl(signed, 'fake-secret'));
});

test('timestamp and signature can be static', () => {
	const settings: SigningSettings = {
		...{ timestampFormat: 'static', staticTimestamp: 'always' },
		...{ signatureMethod: 'static', staticSignature: 'issued' },
	};
	expect(signRequest({ ...base, ...settings }, post, NOW)).toEqual({
		...{ 'x-svc-key': KEY, 'x-svc-timestamp': 'always', 'x-svc-signature': 'issued' },
	});
});

/** Signatures that others publish for a text and a secret, so they come neither from Node.js nor from openssl. */
test.each([
	{
		payload: '{timestamp}{method}{pathWithQuery}{body}',
		method: 'POST',
		url: 'https://api.bitvavo.com/v2/order',
		body: '{"market":"BTC-EUR","side":"buy","price":"5000","amount":"1.23","orderType":"limit"}',
		now: 1548172481125,
		secret: 'bitvavo',
		signature: '44d022723a20973a18f7ee97398b9fdd405d2d019c8d39e24b8cc0dcb39ca016',
	},
	{
		payload: '{method}\\n{path}\\n{query}\\n{bodySha512}\\n{timestamp}',
		method: 'GET',
		url: 'https://api.gateio.ws/api/v4/futures/orders?contract=BTC_USD&status=finished&limit=50',
		body: '',
		now: 1541993715000,
		secret: 'secret',
		algorithm: 'sha512',
		timestampFormat: 'unixSeconds',
		signature:
			'55f84ea195d6fe57ce62464daaa7c3c02fa9d1dde954e4c898289c9a2407a3d6fb3faf24deff16790d726b66ac9f74526668b13bd01029199cc4fcc522418b8a',
	},
] as const)('a published example is made: $payload', ({ payload, method, url, body, now, ...row }) => {
	const settings = {
		...{ apiKey: KEY, signatureSecret: row.secret, signaturePayload: payload },
		...('algorithm' in row && { signatureAlgorithm: row.algorithm, timestampFormat: row.timestampFormat }),
	} as const;
	const headers = signRequest(settings, { method, url: new URL(url), body }, now);
	expect(headers['x-svc-signature']).toBe(row.signature);
});

test.each([
	['utf8', 'fake-secret'],
	['hex', '66616b652d736563726574'],
	['base64', 'ZmFrZS1zZWNyZXQ='],
] as const)('the secret may be written in %s', (signatureSecretEncoding, signatureSecret) => {
	const settings = { signatureSecretEncoding, signatureSecret, signaturePayload: '{body}' };
	expect(signatureOf(settings, post)).toBe(openSsl(BODY, 'fake-secret'));
});
