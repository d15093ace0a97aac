/** Settings that protect nothing, contradict each other, or come wrong out of an expression are refused by their label. */
import { paymentKeyHeaderOf } from '../../api/signature/signRequest.ts';
import { expectNotSigned, expectRefused, HMAC, sign } from './trySettings.ts';

const timed = { ...HMAC, webhookPayload: '{timestamp}.{body}', webhookTimestampHeader: 'x-svc-timestamp' };
const withId = { ...timed, webhookPayload: '{id}.{timestamp}.{body}', webhookIdHeader: 'x-svc-id' };

describe('settings that verify nothing, or read what is not signed', () => {
	const NONE = 'Webhook Verification of the credential is None, so it checks no delivery';

	test.each([
		[{}, NONE],
		[{ ...HMAC, webhookVerification: 'none' }, NONE],
		[{ ...HMAC, webhookHeader: '' }, 'Webhook Header is empty'],
		...['', null].map((webhookPayload) => [{ ...withId, webhookPayload }, 'Webhook Payload is empty']),
		...['body', '{timestamp}', '{id}.{timestamp}.body'].map((webhookPayload) => [
			{ ...withId, webhookPayload },
			'Webhook Payload does not contain {body}',
		]),
		[
			{ ...HMAC, webhookPayload: '{Body}' },
			'Webhook Payload contains {Body}, which is not one of {timestamp} {id} {body}',
		],
		[
			{ ...HMAC, webhookPayload: '{bodySha256Base64}' },
			'Webhook Payload contains {bodySha256Base64}, which is not one of',
		],
		[{ ...timed, webhookPayload: '{body}' }, 'Webhook Payload does not contain {timestamp}'],
		[
			{ ...HMAC, webhookSignatureFormat: 't={timestamp},v1={signature}' },
			'Webhook Payload does not contain {timestamp}',
		],
		[{ ...HMAC, webhookIdHeader: 'x-svc-id' }, 'Webhook Payload does not contain {id}'],
		[
			{ ...HMAC, webhookPayload: '{timestamp}{body}' },
			'Webhook Payload contains {timestamp}, but no other field says which header has it',
		],
		[
			{ ...HMAC, webhookPayload: '{id}{body}' },
			'Webhook Payload contains {id}, but no other field says which header has it',
		],
		[
			{ ...timed, webhookSignatureFormat: 't={timestamp},v1={signature}' },
			'Webhook Timestamp Header and Webhook Signature Format both read {timestamp}',
		],
	] as Array<[object, string]>)('%j is refused: %s', (settings, message) => expectRefused(settings, message));
});

describe('headers', () => {
	test.each([
		{ webhookTimestampHeader: 'X-Svc-Signature' },
		{ webhookIdHeader: 'x-svc-signature' },
		{ webhookIdHeader: 'X-SVC-TIMESTAMP' },
	])('%j names one header twice', (change) => {
		expectRefused(
			{ ...withId, ...change },
			'Two of Webhook Header, Webhook Timestamp Header and Webhook ID Header are the same header',
		);
	});

	test.each([
		['webhookHeader', 'Webhook Header'],
		['webhookTimestampHeader', 'Webhook Timestamp Header'],
		['webhookIdHeader', 'Webhook ID Header'],
	])('%s has to be the name of a header', (field, label) => {
		for (const name of ['x svc', ' x-svc', 'x-svc ', 'x-svc:', 'x-svc\n', 'x-ß', '"x"']) {
			expectRefused({ ...withId, [field]: name }, `${label} is not the name of a header, such as x-svc-id`);
		}
	});
});

describe('values that only an expression can give', () => {
	const NO_TEXTS = [123, 0, false, ['x-s'], [], { a: 1 }];

	test.each<[field: string, label: string, settings?: object]>([
		['webhookHeader', 'Webhook Header'],
		['webhookSecret', 'Webhook Secret'],
		['webhookPreviousSecret', 'Previous Webhook Secret'],
		['webhookPayload', 'Webhook Payload'],
		['webhookSignatureFormat', 'Webhook Signature Format'],
		['webhookTimestampHeader', 'Webhook Timestamp Header'],
		['webhookIdHeader', 'Webhook ID Header'],
		['webhookPublicKey', 'Webhook Public Key', { webhookVerification: 'publicKey' }],
		['webhookPreviousPublicKey', 'Previous Webhook Public Key', { webhookVerification: 'publicKey' }],
	])('%s has to be text', (field, label, settings = {}) => {
		for (const value of NO_TEXTS)
			expectRefused({ ...HMAC, ...settings, [field]: value }, `${label} is not text`);
	});

	test.each<[field: string, label: string, change?: object]>([
		['serviceName', 'Service Name'],
		['apiKey', 'API Key'],
		['signatureSecret', 'Signature Secret'],
		['signaturePayload', 'Signature Payload'],
		['staticTimestamp', 'Timestamp', { timestampFormat: 'static' }],
		['staticSignature', 'Signature', { signatureMethod: 'static' }],
		['paymentKeyHeader', 'Payment Key Header'],
	])('%s has to be text', (field, label, change = {}) => {
		for (const value of NO_TEXTS) expectNotSigned({ ...change, [field]: value }, `${label} is not text`);
	});

	const NO_CHOICES = [
		'md5',
		'sha1',
		'httpDate',
		'hexUpper',
		'stripe',
		'',
		'latin1',
		'constructor',
		'__proto__',
		null,
		5,
		['sha256'],
	];

	test.each([
		['webhookStyle', 'Webhook Style'],
		['webhookVerification', 'Webhook Verification'],
		['webhookAlgorithm', 'Webhook Algorithm'],
		['webhookSecretEncoding', 'Webhook Secret Encoding'],
	])('an unknown %s is refused', (field, label) => {
		for (const value of NO_CHOICES)
			expectRefused({ ...timed, [field]: value }, `${label} has an unknown value`);
	});

	test.each([
		['signatureStyle', 'Signature Style'],
		['signatureMethod', 'Signature Method'],
		['signatureAlgorithm', 'Signature Algorithm'],
		['signatureSecretEncoding', 'Signature Secret Encoding'],
		['signatureEncoding', 'Signature Encoding'],
		['timestampFormat', 'Timestamp Format'],
	])('an unknown %s is refused', (field, label) => {
		for (const value of NO_CHOICES) expectNotSigned({ [field]: value }, `${label} has an unknown value`);
	});

	test('the message about an unknown style names custom, too', () => {
		expectRefused({ webhookStyle: 'other' }, 'one of default, standardWebhooks, custom');
		expectNotSigned(
			{ signatureStyle: 'other' },
			'Signature Style has an unknown value. It must be one of default, custom',
		);
	});

	test.each([Infinity, NaN, 86_401, -1, '300', 'long', null, true])(
		'the Webhook Tolerance %p is refused',
		(webhookTolerance) => {
			expectRefused(
				{ ...timed, webhookTolerance },
				'Webhook Tolerance is not a number of seconds from 0 to 86400',
			);
		},
	);
});

test.each([
	[{ apiKey: '' }, 'API Key is empty'],
	[{ signatureSecret: '' }, 'Signature Secret is empty'],
	[{ signatureMethod: 'static' }, 'Signature is empty'],
	[{ timestampFormat: 'static' }, 'Timestamp is empty'],
	[{ signaturePayload: '' }, 'Signature Payload is empty'],
	[
		{ signaturePayload: '{colour}{body}' },
		'Signature Payload contains {colour}, which is not one of {timestamp} {method} {path} {query} {pathWithQuery} {host} {key} {body} {bodySha256} {bodySha512}',
	],
	...['nonce', 'bodySha256Base64'].map((token): [object, string] => [
		{ signaturePayload: `{${token}}{body}` },
		`Signature Payload contains {${token}}, which is not one of`,
	]),
	[{ serviceName: '' }, 'Service Name is empty'],
	...['a b', 'Svc', '-a'].map((serviceName): [object, string] => [{ serviceName }, 'Service Name must be']),
])('with %j no request is signed: %s', (change, message) => expectNotSigned(change, message));

describe('Payment Key Header', () => {
	const headerOf = (change: object) => paymentKeyHeaderOf({ signatureStyle: 'custom', ...change });

	test.each(['Idempotency-Key', 'x-request-id', 'X-Svc-Idempotency-Key', 'x_key!'])(
		'%s can carry Payment Key',
		(name) => {
			expect(headerOf({ paymentKeyHeader: name })).toBe(name);
		},
	);

	test.each([undefined, null, ''])('the name %p stands for no header', (paymentKeyHeader) => {
		expect(headerOf({ paymentKeyHeader })).toBeUndefined();
	});

	test('it does nothing under another style, where the form hides it', () => {
		for (const paymentKeyHeader of ['Idempotency-Key', 'not a header', 5]) {
			expect(headerOf({ signatureStyle: 'default', paymentKeyHeader })).toBeUndefined();
			expect(sign({ signatureStyle: 'default', paymentKeyHeader })).toHaveProperty('x-svc-key');
		}
	});

	test.each(['Idempotency Key', 'x-key\n', 'x-schlüssel', '{key}'])(
		'%j is not the name of a header',
		(name) => {
			const message = 'Payment Key Header is not the name of a header, such as x-svc-id';
			expectNotSigned({ paymentKeyHeader: name }, message);
		},
	);

	test.each([
		...['X-Svc-Key', 'x-svc-signature', 'x-svc-timestamp'],
		...['Accept', 'accept-encoding', 'Authorization', 'Connection', 'Content-Type', 'content-length'],
		...[
			'content-encoding',
			'Cookie',
			'Expect',
			'Host',
			'Keep-Alive',
			'Proxy-Authorization',
			'Proxy-Connection',
			'TE',
		],
		...['trailer', 'Transfer-Encoding', 'Upgrade', 'User-Agent', '__proto__', 'constructor', 'prototype'],
	])('%s cannot carry Payment Key, because n8n or the credential uses it', (name) => {
		const message = `Payment Key Header cannot be ${name}, which n8n or this credential uses`;
		expectNotSigned({ paymentKeyHeader: name }, message);
		expect(() => headerOf({ paymentKeyHeader: name })).toThrow(message);
	});

	test('the headers that the credential uses contain the name of the service', () => {
		expect(headerOf({ serviceName: 'acme', paymentKeyHeader: 'x-svc-key' })).toBe('x-svc-key');
		expectNotSigned({ serviceName: 'acme', paymentKeyHeader: 'X-ACME-Key' }, 'cannot be X-ACME-Key');
	});
});
