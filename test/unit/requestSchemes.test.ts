/** Ways in which services have requests signed. The texts that are signed are written out; openssl signs them. */
import { signRequest } from '../../api/signature/signRequest.ts';
import type { SigningSettings, VerificationSettings } from '../../api/signature/settings.ts';
import { openSsl, openSslHash } from './openSsl.ts';
import { verifyDelivery } from './trySettings.ts';

const NOW = Date.parse('2026-01-31T12:00:00.123Z');
const BODY = '{"currency":"NGN"}';
const post = { method: 'POST', url: new URL('https://api.example.com/v1/fiat_balance'), body: BODY };
const get = { method: 'get', url: new URL('https://api.example.com/v1/rates?a=1'), body: '' };

const base: SigningSettings = {
	serviceName: 'svc',
	apiKey: 'fake-key',
	timestampFormat: 'unixMilliseconds',
	signatureMethod: 'hmac',
	signatureSecret: 'fake-secret',
};

test.each([
	['unixMilliseconds', '1769860800123'],
	['unixSeconds', '1769860800'],
	['iso8601', '2026-01-31T12:00:00.123Z'],
	['iso8601Seconds', '2026-01-31T12:00:00Z'],
	['iso8601NoZone', '2026-01-31T12:00:00'],
	['httpDate', 'Sat, 31 Jan 2026 12:00:00 GMT'],
] as const)(
	'the timestamp format %s gives %s, which is signed as it is sent',
	(timestampFormat, expected) => {
		const headers = signRequest({ ...base, timestampFormat }, post, NOW);
		expect(headers['x-svc-timestamp']).toBe(expected);
		expect(headers['x-svc-signature']).toBe(openSsl(`${expected}POST/v1/fiat_balance${BODY}`, 'fake-secret'));
	},
);

const HASH = openSslHash(BODY, 'sha256', 'base64');

test.each<[payload: string, request: typeof post, signed: string]>([
	['{timestamp}{method}{pathWithQuery}{body}', post, `1769860800123POST/v1/fiat_balance${BODY}`],
	['{timestamp}{method}{pathWithQuery}{body}', get, '1769860800123GET/v1/rates?a=1'],
	['{timestamp}{path}{method}{bodySha256Base64}', post, `1769860800123/v1/fiat_balancePOST${HASH}`],
	['{timestamp}{key}{body}', post, `1769860800123fake-key${BODY}`],
	['{method}\\n{host}\\n{path}\\n{query}', get, 'GET\napi.example.com\n/v1/rates\na=1'],
	[
		'{method}\\n{path}\\n{query}\\n{bodySha512}\\n{timestamp}',
		post,
		`POST\n/v1/fiat_balance\n\n${openSslHash(BODY, 'sha512', 'hex')}\n1769860800123`,
	],
	['{body}', post, BODY],
	['{query}', get, 'a=1'],
])('the payload %s is signed', (signaturePayload, request, signed) => {
	const headers = signRequest({ ...base, signaturePayload }, request, NOW);
	expect(headers['x-svc-signature']).toBe(openSsl(signed, 'fake-secret'));
	expect(headers).not.toHaveProperty('x-svc-nonce');
});

test('a nonce that is signed is sent too, and each request has a new one', () => {
	const settings = { ...base, serviceName: 'acme', signaturePayload: '{nonce}{timestamp}{body}' };
	const nonces = Array.from({ length: 100 }, () => {
		const headers = signRequest(settings, post, NOW);
		const nonce = headers['x-acme-nonce']!;
		expect(nonce).toMatch(/^[0-9a-f]{32}$/);
		// A receiver computes the same.
		expect(signRequest(settings, post, 0, { timestamp: headers['x-acme-timestamp'], nonce })).toEqual(
			headers,
		);
		return nonce;
	});
	expect(new Set(nonces).size).toBe(100);
	expect(signRequest(settings, post, 0, { timestamp: '1', nonce: 'fixed' })['x-acme-signature']).toBe(
		openSsl(`fixed1${BODY}`, 'fake-secret'),
	);
});

test('the body of a request without one is signed as nothing or as an empty object', () => {
	const signature = (signatureEmptyBody: SigningSettings['signatureEmptyBody'], request: typeof post) =>
		signRequest({ ...base, signaturePayload: '{body}.{bodySha256}', signatureEmptyBody }, request, NOW)[
			'x-svc-signature'
		];
	const signed = (body: string) => openSsl(`${body}.${openSslHash(body, 'sha256', 'hex')}`, 'fake-secret');
	expect(signature('empty', get)).toBe(signed(''));
	expect(signature(undefined, get)).toBe(signed(''));
	expect(signature('emptyObject', get)).toBe(signed('{}'));
	expect(signature('emptyObject', post)).toBe(signed(BODY));
	expect(() => signature('null' as 'empty', get)).toThrow('Empty Body has an unknown value');
});

test.each([
	['{method}\\n{path}\\n{timestamp}\\n{body}', 'GET\n/v1/rates\n1769860800123'],
	['{path}\\nDigest:{bodySha256Base64}', '/v1/rates'],
	['{body}|{path}|{bodySha256}|{bodySha512}.', '|/v1/rates.'],
	['{path}', '/v1/rates'],
])('the body that a request lacks and the text before it are left out of %s', (signaturePayload, signed) => {
	const settings: SigningSettings = { ...base, signaturePayload, signatureEmptyBody: 'leftOut' };
	const withoutQuery = { ...get, url: new URL('https://api.example.com/v1/rates') };
	expect(signRequest(settings, withoutQuery, NOW)['x-svc-signature']).toBe(openSsl(signed, 'fake-secret'));
	expect(signRequest(settings, post, NOW)).toEqual(
		signRequest({ ...settings, signatureEmptyBody: 'empty' }, post, NOW),
	);
});

test('the example of RFC 2202 for HMAC-SHA1 is verified in a delivery, but no request is signed with it', () => {
	const settings: VerificationSettings = {
		webhookVerification: 'hmac',
		webhookHeader: 'x-hub-signature',
		webhookSecret: 'Jefe',
		webhookAlgorithm: 'sha1',
		webhookSignatureFormat: 'sha1={signature}',
	};
	const verify = (text: string) =>
		verifyDelivery(
			settings,
			{
				headers: { 'x-hub-signature': 'sha1=effcdf6ae5eb2fa2d27416d5f184df9c259a7c79' },
				body: Buffer.from(text),
			},
			NOW,
		).ok;
	expect(verify('what do ya want for nothing?')).toBe(true);
	expect(verify('what do ya want for nothing!')).toBe(false);
	expect(() => signRequest({ ...base, signatureAlgorithm: 'sha1' as 'sha256' }, post, NOW)).toThrow(
		'Signature Algorithm has an unknown value',
	);
});
