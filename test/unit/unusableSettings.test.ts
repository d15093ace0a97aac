/** Values of the credential that cannot protect anything, or that only an expression can give, are refused by their label. */
import { createHmac } from 'node:crypto';
import { SettingError } from '../../api/settingError.ts';
import { openSsl, openSslKeys } from './openSsl.ts';
import { BODY, carrying, expectRefused, HMAC, reasonFor, sign } from './trySettings.ts';

const timed = { ...HMAC, webhookPayload: '{timestamp}.{body}' };

type Change = Record<string, unknown>;

describe('a value that is not text', () => {
	const VALUES = [123, 0, true, false, ['x-s'], [], { a: 1 }];

	test.each<[string, string, Change?]>([
		['webhookHeader', 'Webhook Header'],
		['webhookSecret', 'Webhook Secret'],
		['webhookSecret', 'Webhook Secret', { webhookVerification: 'token' }],
		['webhookPreviousSecret', 'Previous Webhook Secret'],
		['webhookPreviousSecret', 'Previous Webhook Secret', { webhookVerification: 'token' }],
		['webhookPayload', 'Webhook Payload'],
		['webhookSignatureFormat', 'Webhook Signature Format'],
		['webhookPublicKey', 'Webhook Public Key', { webhookVerification: 'publicKey' }],
		['webhookIdHeader', 'Webhook ID Header', { webhookPayload: '{id}.{body}' }],
		['webhookTimestampHeader', 'Webhook Timestamp Header', { webhookPayload: '{timestamp}.{body}' }],
	])('a value of %s that is not text is refused as %s (with %p)', (field, label, change = {}) => {
		for (const value of VALUES) expectRefused({ ...HMAC, ...change, [field]: value }, `${label} is not text`);
	});

	test.each([
		['serviceName', 'Service Name', {}],
		['apiKey', 'API Key', {}],
		['apiKey', 'API Key', { signaturePayload: '{key}{body}' }],
		['signatureSecret', 'Signature Secret', {}],
		['signaturePayload', 'Signature Payload', {}],
		['staticTimestamp', 'Timestamp', { timestampFormat: 'static' }],
		['staticSignature', 'Signature', { signatureMethod: 'static' }],
	])(
		'a value of %s that is not text is refused as %s when a request is signed with %p',
		(field, label, change) => {
			for (const value of VALUES) {
				expect(() => sign({ ...change, [field]: value })).toThrow(SettingError);
				expect(() => sign({ ...change, [field]: value })).toThrow(`${label} is not text`);
			}
		},
	);

	test('null is an empty value', () => {
		expectRefused({ ...HMAC, webhookPayload: null }, 'Webhook Payload does not contain {body}');
		expectRefused({ ...HMAC, webhookSignatureFormat: null }, 'Format does not contain {signature}');
		expectRefused({ ...HMAC, webhookSecret: null }, 'Webhook Secret is empty');
	});
});

test('the message about an unknown style names custom, too', () => {
	for (const style of ['other', null, 5, '']) {
		expectRefused({ webhookStyle: style, webhookSecret: 'a' }, 'Webhook Style has an unknown value.');
		expectRefused({ webhookStyle: style, webhookSecret: 'a' }, ', custom');
		expect(() => sign({ signatureStyle: style })).toThrow(
			/^Signature Style has an unknown value.*default, custom$/,
		);
	}
});

describe('an unusable secret', () => {
	/** The empty key, which HMAC fills up with zeros. */
	const FORGED = carrying(openSsl(BODY, ''));

	test.each([
		['hex', '00'],
		['hex', '00'.repeat(100)],
		['base64', 'AAAA'],
		['base64', `whsec_${'A'.repeat(44)}`],
		['utf8', '\0'],
	])('zero bytes in %s that read %j are refused', (encoding, secret) => {
		const settings = { ...HMAC, webhookSecretEncoding: encoding };
		const message = 'Webhook Secret consists of zero bytes only';
		expectRefused({ ...settings, webhookSecret: secret }, message, FORGED);
		const current = encoding === 'hex' ? '0f' : 'Zm9vYg==';
		const previous = { webhookSecret: current, webhookPreviousSecret: secret };
		expectRefused({ ...settings, ...previous }, `Previous ${message}`, FORGED);
		expect(() => sign({ signatureSecret: secret, signatureSecretEncoding: encoding })).toThrow(
			'Signature Secret consists of zero bytes only',
		);
	});

	test('a secret with one other byte works', () => {
		const settings = { ...HMAC, webhookSecret: '0001', webhookSecretEncoding: 'hex' };
		const signature = createHmac('sha256', Buffer.from([0, 1]))
			.update(BODY)
			.digest('hex');
		expect(reasonFor(settings, carrying(signature))).toBe('ok');
	});

	const { privateKey, publicKey } = openSslKeys('genpkey', '-algorithm', 'ed25519');

	test.each([
		['PEM', publicKey.trim(), 'utf8'],
		['PEM on one line', publicKey.trim().replaceAll('\n', ' '), 'utf8'],
		['PEM of an RSA key', publicKey.trim().replaceAll('PUBLIC KEY', 'RSA PUBLIC KEY'), 'utf8'],
		['PEM in base64', Buffer.from(publicKey).toString('base64'), 'base64'],
		['a certificate', publicKey.trim().replaceAll('PUBLIC KEY', 'CERTIFICATE'), 'utf8'],
	])('a public key as %s is refused', (_, secret, encoding) => {
		const settings = { ...HMAC, webhookSecret: secret, webhookSecretEncoding: encoding };
		const forged = carrying(openSsl(BODY, Buffer.from(secret, encoding as 'utf8').toString('latin1')));
		expectRefused(settings, 'Webhook Secret is a public key or a certificate', forged);
		if (encoding === 'base64') return;
		const token = { ...settings, webhookVerification: 'token' };
		expectRefused(token, 'Webhook Secret is a public key or a certificate', carrying(secret));
		const style = { webhookStyle: 'default', webhookSecret: secret };
		expectRefused(style, 'Webhook Secret is a public key or a certificate', forged);
	});

	test('a private key is a secret', () => {
		const secret = privateKey.trim();
		const signature = openSsl(BODY, secret);
		expect(reasonFor({ ...HMAC, webhookSecret: secret }, carrying(signature))).toBe('ok');
	});

	test.each(['utf8', 'base64', 'hex'])('whsec_ alone is refused in %s', (webhookSecretEncoding) => {
		const settings = { ...HMAC, webhookSecret: 'whsec_', webhookSecretEncoding };
		expectRefused(settings, 'Webhook Secret has nothing after whsec_', carrying(openSsl(BODY, 'whsec_')));
		expectRefused(
			{ ...settings, webhookVerification: 'token' },
			'has nothing after whsec_',
			carrying('whsec_'),
		);
	});

	test.each(['\u200B', '\u200Bfake', 'fake\u2060', 'fake\u00AD'])(
		'the invisible character in %j is refused',
		(secret) => {
			expectRefused({ ...HMAC, webhookSecret: secret }, 'Webhook Secret begins or ends with a space');
		},
	);

	test.each(['schlüssel', 'a\nb', 'a\0b', 'ключ'])(
		'the token %j, which no header can hold, is refused',
		(webhookSecret) => {
			const settings = { ...HMAC, webhookSecret, webhookVerification: 'token' };
			expectRefused(settings, 'Webhook Secret has a character that is not plain ASCII');
			const previous = { ...settings, webhookSecret: 'fake', webhookPreviousSecret: webhookSecret };
			expectRefused(previous, 'Previous Webhook Secret has a character that is not plain ASCII');
		},
	);
});

describe('formats of the header', () => {
	const ISO = '2026-01-01T00:00:00.000Z';
	const SECONDS = '1767225600';

	test.each([
		['{signature}-{timestamp}', 'iso8601'],
		['{timestamp}-{signature}', 'iso8601'],
		['{signature}T{timestamp}', 'iso8601'],
		['{signature}+{timestamp}', 'iso8601'],
		['{signature}1{timestamp}', 'unixSeconds'],
		['{timestamp}00{signature}', 'unixMilliseconds'],
		['{signature}1{timestamp}', 'auto'],
	])(
		'the header format %s with a time in %s is refused',
		(webhookSignatureFormat, webhookTimestampFormat) => {
			expectRefused(
				{ ...timed, webhookSignatureFormat, webhookTimestampFormat },
				'Webhook Signature Format has characters of a time between {signature} and {timestamp}',
			);
		},
	);

	test.each([
		['{signature}-{timestamp}', 'unixSeconds', SECONDS],
		['{signature}-{timestamp}', 'auto', SECONDS],
		['{timestamp}-{signature}', 'unixMilliseconds', `${SECONDS}000`],
		['{signature}--{timestamp}', 'iso8601', ISO],
		['{signature}={timestamp}', 'iso8601', ISO],
		['{timestamp}.{signature}', 'iso8601', ISO],
		['{timestamp}:{signature}', 'iso8601', ISO],
		['{signature}v1{timestamp}', 'unixSeconds', SECONDS],
		['t={timestamp},v1={signature}', 'iso8601', ISO],
	])(
		'the header format %s with a time in %s works',
		(webhookSignatureFormat, webhookTimestampFormat, timestamp) => {
			const signature = openSsl(`${timestamp}.${BODY}`, 'fake-secret');
			const header = webhookSignatureFormat
				.replace('{signature}', signature)
				.replace('{timestamp}', timestamp);
			const settings = { ...timed, webhookSignatureFormat, webhookTimestampFormat };
			expect(reasonFor(settings, carrying(header))).toBe('ok');
		},
	);

	test.each(['v1\\n{signature}', '{signature}\\n', 'v1\n{signature}', '{signature}\r'])(
		'the line break in %j is refused',
		(webhookSignatureFormat) => {
			expectRefused({ ...HMAC, webhookSignatureFormat }, 'Webhook Signature Format has a line break');
		},
	);
});

test.each([
	[
		{ webhookTimestampHeader: 'X-Svc-Signature' },
		'Webhook Timestamp Header and Webhook Header are the same header',
	],
	[{ webhookIdHeader: 'x-svc-signature' }, 'Webhook ID Header and Webhook Header are the same header'],
	[
		{ webhookTimestampHeader: 'x-svc-time', webhookIdHeader: 'X-SVC-TIME' },
		'Webhook ID Header and Webhook Timestamp Header are the same header',
	],
])('the headers %j are refused', (headers, message) => {
	expectRefused({ ...HMAC, webhookPayload: '{id}.{timestamp}.{body}', ...headers }, message);
});
