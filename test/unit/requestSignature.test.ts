/** A request is signed as its service wants it. The texts that are signed are written out; openssl signs them. */
import { signRequest } from '../../api/signature/signRequest.ts';
import type { SigningSettings } from '../../api/signature/settings.ts';
import { settingsIn, tableBelow } from '../fixtures/schemes/documentedSettings.ts';
import { BODY, KEY, NONCE, NOW, REQUESTS, TIMES } from '../fixtures/schemes/services.ts';
import { openSsl, openSslHash } from './openSsl.ts';

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
	['sha256', 'hexUpper', openSsl(BODY, 'fake-secret', { encoding: 'hexUpper' })],
	['sha384', 'base64', openSsl(BODY, 'fake-secret', { algorithm: 'sha384', encoding: 'base64' })],
	['sha512', 'base64url', openSsl(BODY, 'fake-secret', { algorithm: 'sha512', encoding: 'base64url' })],
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
	['{bodySha256}', post, openSslHash(BODY, 'sha256', 'hex')],
	['{bodySha512}', post, openSslHash(BODY, 'sha512', 'hex')],
	['{bodySha256Base64}', post, openSslHash(BODY, 'sha256', 'base64')],
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

test('a nonce that is signed is sent too, and each request has a new one', () => {
	const settings = { ...base, signaturePayload: '{nonce}{timestamp}' };
	const requests = Array.from({ length: 100 }, () => signRequest(settings, post, NOW));
	for (const { 'x-svc-nonce': nonce = '' } of requests) expect(nonce).toMatch(/^[0-9a-f]{32}$/);
	expect(new Set(requests.map((headers) => headers['x-svc-nonce'])).size).toBe(100);
	const { 'x-svc-nonce': nonce, 'x-svc-signature': signature } = requests[0]!;
	expect(signature).toBe(openSsl(`${nonce}${MILLISECONDS}`, 'fake-secret'));
});

test('a receiver computes the signature from the timestamp and the nonce that it received', () => {
	const settings = { ...base, signaturePayload: '{nonce}{timestamp}{body}' };
	expect(signRequest(settings, post, 0, { timestamp: '1', nonce: 'fixed' })).toEqual({
		'x-svc-key': KEY,
		'x-svc-timestamp': '1',
		'x-svc-nonce': 'fixed',
		'x-svc-signature': openSsl(`fixed1${BODY}`, 'fake-secret'),
	});
});

test('a request without a body is signed with nothing or with an empty object in its place', () => {
	const signature = (signatureEmptyBody: SigningSettings['signatureEmptyBody'], request: typeof post) =>
		signatureOf({ signaturePayload: '{body}.{bodySha256}', signatureEmptyBody }, request);
	const signed = (body: string) => openSsl(`${body}.${openSslHash(body, 'sha256', 'hex')}`, 'fake-secret');
	expect(signature('empty', get)).toBe(signed(''));
	expect(signature(undefined, get)).toBe(signed(''));
	expect(signature('emptyObject', get)).toBe(signed('{}'));
	expect(signature('emptyObject', post)).toBe(signed(BODY));
});

test.each([
	['{method}\\n{path}\\n{timestamp}\\n{body}', `GET\n/v1/rates\n${MILLISECONDS}`],
	['{path}\\nDigest:{bodySha256Base64}', '/v1/rates'],
	['{body}|{path}|{bodySha256}|{bodySha512}.', '|/v1/rates.'],
])(
	'in the payload %s, a request without a body can leave out the body and the text before it',
	(signaturePayload, signed) => {
		const settings: SigningSettings = { signaturePayload, signatureEmptyBody: 'leftOut' };
		expect(signatureOf(settings, get)).toBe(openSsl(signed, 'fake-secret'));
		expect(signatureOf(settings, post)).toBe(signatureOf({ signaturePayload }, post));
	},
);

/** The settings and the comparison that docs/connect.md shows for each service. */
const DOCUMENTED = new Map(
	tableBelow('| Service | What to set | Compared with |', 'docs/connect.md').map(
		([service = '', words = '', comparedWith]) => {
			const settings: SigningSettings = settingsIn(words, 'Signature');
			return [/^\[(.+)\]\(https:.+\)$/.exec(service)?.[1], { settings, comparedWith }];
		},
	),
);

test('docs/connect.md names these services, and the origin of their signatures', () => {
	const services = new Map(
		REQUESTS.map(({ service, published }) => [service, published ? 'its own example' : 'openssl']),
	);
	const documented = [...DOCUMENTED].map(([service, { comparedWith }]) => [service, comparedWith]);
	expect(documented).toEqual([...services]);
});

test.each(REQUESTS)('$service: $method $url is signed with the documented settings', (row) => {
	const { service, serviceName = 'svc', method, url, body, now, text, hmac, secret } = row;
	const signature = openSsl(text, secret, hmac);
	expect(row.published ?? signature).toBe(signature);

	const { settings } = DOCUMENTED.get(service)!;
	const format = (settings.timestampFormat ?? 'unixMilliseconds') as keyof typeof TIMES;
	const custom = { ...base, ...settings, signatureStyle: 'custom', signatureSecret: secret } as const;
	expect(signRequest(custom, { method, url: new URL(url), body }, now, { nonce: NONCE })).toEqual({
		[`x-${serviceName}-key`]: KEY,
		[`x-${serviceName}-signature`]: signature,
		[`x-${serviceName}-timestamp`]: row.timestamp ?? TIMES[format],
		...(text.includes(NONCE) && { [`x-${serviceName}-nonce`]: NONCE }),
	});
});
