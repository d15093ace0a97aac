/** A request is signed as its service wants it. The texts that are signed are written out; openssl signs them. */
import { signRequest } from '../../api/signature/signRequest.ts';
import type { SigningSettings } from '../../api/signature/settings.ts';
import { openSsl, openSslHash } from './openSsl.ts';
import { expectNotSigned } from './trySettings.ts';

const NOW = Date.parse('2026-01-31T12:00:00.123Z');
const MILLISECONDS = '1769860800123';
const SECRET = 'fake-secret';
const BODY = '{"amount":"10.00","currency":"NGN"}';
const post = { method: 'POST', url: new URL('https://api.example.com/v1/fiat_balance'), body: BODY };
const get = { method: 'get', url: new URL('https://api.example.com/v1/rates?a=1'), body: '' };

/** The headers of a request. What the settings leave out has a default. */
const headersOf = (settings: SigningSettings, request = post) =>
	signRequest({ apiKey: 'fake-key', signatureSecret: SECRET, ...settings }, request, NOW);

test.each<[timestampFormat: SigningSettings['timestampFormat'], timestamp: string]>([
	[undefined, MILLISECONDS],
	['unixSeconds', '1769860800'],
	['iso8601', '2026-01-31T12:00:00.123Z'],
])('with the timestamp format %s the default payload is signed with %s', (timestampFormat, timestamp) => {
	expect(headersOf({ timestampFormat })).toEqual({
		'x-svc-key': 'fake-key',
		'x-svc-timestamp': timestamp,
		'x-svc-signature': openSsl(`${timestamp}POST/v1/fiat_balance${BODY}`, SECRET),
	});
});

test('timestamp and signature can be static, and the headers those of another service', () => {
	const settings: SigningSettings = {
		serviceName: 'acme-pay',
		timestampFormat: 'static',
		staticTimestamp: 'always',
		signatureMethod: 'static',
		staticSignature: 'issued',
	};
	expect(headersOf(settings)).toEqual({
		'x-acme-pay-key': 'fake-key',
		'x-acme-pay-timestamp': 'always',
		'x-acme-pay-signature': 'issued',
	});
});

test.each([
	['has a character that is not plain ASCII', ['a\nb', 'a\u0001b', '12 €']],
	['begins or ends with a space or a line break', [' 12', '12 ', '12\n']],
	['is empty', ['']],
])('a static timestamp is refused because it %s, as a key and a signature are', (problem, values) => {
	for (const staticTimestamp of values)
		expectNotSigned({ timestampFormat: 'static', staticTimestamp }, `Timestamp ${problem}`);
});

test.each([
	['sha256', 'base64'],
	['sha384', 'hex'],
] as const)('a request is signed with %s in %s', (algorithm, encoding) => {
	const settings = { signatureAlgorithm: algorithm, signatureEncoding: encoding, signaturePayload: '{body}' };
	expect(headersOf(settings)['x-svc-signature']).toBe(openSsl(BODY, SECRET, { algorithm, encoding }));
});

test.each([
	['{method}\\n{host}\\n{pathWithQuery}\\n{query}', get, 'GET\napi.example.com\n/v1/rates?a=1\na=1'],
	['{key}:{body}', post, `fake-key:${BODY}`],
	['{bodySha256}', post, openSslHash(BODY, 'sha256')],
	['{body}|{bodySha512}', get, `|${openSslHash('', 'sha512')}`],
])('the payload %s is signed', (signaturePayload, request, signed) => {
	expect(headersOf({ signaturePayload }, request)['x-svc-signature']).toBe(openSsl(signed, SECRET));
});

/** Signatures that others publish for a text and a secret, so they come neither from Node.js nor from openssl. */
test.each<
	[settings: SigningSettings, method: string, url: string, body: string, now: number, signature: string]
>([
	[
		{ signatureSecret: 'bitvavo', signaturePayload: '{timestamp}{method}{pathWithQuery}{body}' },
		...(['POST', 'https://api.bitvavo.com/v2/order'] as const),
		'{"market":"BTC-EUR","side":"buy","price":"5000","amount":"1.23","orderType":"limit"}',
		1548172481125,
		'44d022723a20973a18f7ee97398b9fdd405d2d019c8d39e24b8cc0dcb39ca016',
	],
	[
		{
			signatureSecret: 'secret',
			signatureAlgorithm: 'sha512',
			timestampFormat: 'unixSeconds',
			signaturePayload: '{method}\\n{path}\\n{query}\\n{bodySha512}\\n{timestamp}',
		},
		'GET',
		'https://api.gateio.ws/api/v4/futures/orders?contract=BTC_USD&status=finished&limit=50',
		...(['', 1541993715000] as const),
		'55f84ea195d6fe57ce62464daaa7c3c02fa9d1dde954e4c898289c9a2407a3d6fb3faf24deff16790d726b66ac9f74526668b13bd01029199cc4fcc522418b8a',
	],
])('a published example is made: %j', (settings, method, url, body, now, signature) => {
	const headers = signRequest({ apiKey: 'fake', ...settings }, { method, url: new URL(url), body }, now);
	expect(headers['x-svc-signature']).toBe(signature);
});
