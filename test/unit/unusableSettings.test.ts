/** Settings that protect nothing, contradict each other, or come wrong out of an expression are refused by their label. */
import { paymentKeyHeaderOf } from '../../api/signature/signRequest.ts';
import { WalletServiceApi } from '../../credentials/WalletServiceApi.credentials.ts';
import { expectNotSigned, expectRefused, HMAC, sign } from './trySettings.ts';

const timed = { ...HMAC, webhookPayload: '{timestamp}.{body}', webhookTimestampHeader: 'x-svc-timestamp' };
const withId = { ...timed, webhookPayload: '{id}.{timestamp}.{body}', webhookIdHeader: 'x-svc-id' };
const STRIPE = { webhookSignatureFormat: 't={timestamp},v1={signature}' };

const NONE = 'Webhook Verification of the credential is None, so it checks no delivery';
const NO_BODY = 'Webhook Payload does not contain {body}, so anyone could change the body of a delivery';
const NOT_SIGNED = 'Webhook Payload does not contain {timestamp}, but another field reads it';
const NO_HEADER = 'but no other field says which header has it';
const SAME = 'Two of Webhook Header, Webhook Timestamp Header and Webhook ID Header are the same header';

test.each<[settings: object, message: string]>([
	[{}, NONE],
	[{ ...HMAC, webhookVerification: 'none' }, NONE],
	[{ ...HMAC, webhookHeader: '' }, 'Webhook Header is empty'],
	[{ ...HMAC, webhookPayload: '' }, 'Webhook Payload is empty'],
	[{ ...withId, webhookPayload: '{id}.{timestamp}.body' }, NO_BODY],
	[
		{ ...HMAC, webhookPayload: '{Body}' },
		'Webhook Payload contains {Body}, which is not one of {timestamp} ',
	],
	[{ ...timed, webhookPayload: '{body}' }, NOT_SIGNED],
	[{ ...HMAC, ...STRIPE }, NOT_SIGNED],
	[{ ...HMAC, webhookIdHeader: 'x-svc-id' }, NOT_SIGNED.replace('timestamp', 'id')],
	[{ ...HMAC, webhookPayload: '{timestamp}{body}' }, `Webhook Payload contains {timestamp}, ${NO_HEADER}`],
	[{ ...HMAC, webhookPayload: '{id}{body}' }, `Webhook Payload contains {id}, ${NO_HEADER}`],
	[{ ...timed, ...STRIPE }, 'Webhook Timestamp Header and Webhook Signature Format both read {timestamp}'],
	[{ ...withId, webhookTimestampHeader: 'X-Svc-Signature' }, SAME],
	[{ ...withId, webhookIdHeader: 'X-SVC-TIMESTAMP' }, SAME],
	...[NaN, 86_401, -1, '300', null].map((webhookTolerance): [object, string] => [
		{ ...timed, webhookTolerance },
		'Webhook Tolerance is not a number of seconds from 0 to 86400',
	]),
])('%j verifies nothing: %s', (settings, message) => expectRefused(settings, message));

const { properties } = new WalletServiceApi();
/** The names and labels of the fields of a type. */
const fieldsOf = (type: string) => {
	const fields = properties.filter((field) => field.type === type && field.name !== 'baseUrl');
	return [...new Map(fields.map(({ name, displayName }) => [name, displayName]))];
};

describe('values that only an expression can give', () => {
	/** A trigger reads some of the fields, a request the others. */
	const expectUnusable = (field: string, value: unknown, message: string) => {
		const change = {
			...(field.endsWith('PublicKey') && { webhookVerification: 'publicKey' }),
			...(field === 'staticTimestamp' && { timestampFormat: 'static' }),
			...(field === 'staticSignature' && { signatureMethod: 'static' }),
			[field]: value,
		};
		if (field.startsWith('webhook')) expectRefused({ ...timed, ...change }, message);
		else expectNotSigned(change, message);
	};

	test.each(fieldsOf('string'))('%s has to be text', (field, label) => {
		for (const value of [0, false, ['x-s'], { a: 1 }]) expectUnusable(field, value, `${label} is not text`);
	});

	test.each(fieldsOf('options'))('an unknown %s is refused', (field, label) => {
		for (const value of ['md5', '', 'constructor', null, 5, ['sha256']])
			expectUnusable(field, value, `${label} has an unknown value`);
	});

	test('the message about an unknown style names custom, too', () => {
		expectRefused({ webhookStyle: 'other' }, 'It must be one of default, standardWebhooks, custom');
		expectNotSigned({ signatureStyle: 'other' }, 'It must be one of default, custom');
	});
});

test.each(fieldsOf('string').filter(([name]) => name.endsWith('Header')))(
	'%s is the name of a header',
	(field, label) => {
		const message = `${label} is not the name of a header, such as x-svc-id`;
		for (const name of ['x svc', ' x-svc', 'x-svc:', 'x-svc\n', 'x-ß', '{key}'])
			if (field === 'paymentKeyHeader') expectNotSigned({ [field]: name }, message);
			else expectRefused({ ...withId, [field]: name }, message);
	},
);

test.each<[change: object, message: string]>([
	[{ apiKey: '' }, 'API Key is empty'],
	[{ signatureMethod: 'static' }, 'Signature is empty'],
	[{ timestampFormat: 'static' }, 'Timestamp is empty'],
	[{ signaturePayload: '' }, 'Signature Payload is empty'],
	[{ serviceName: '' }, 'Service Name is empty'],
	...['a b', 'Svc', '-a'].map((serviceName): [object, string] => [{ serviceName }, 'Service Name must be']),
	[
		{ signaturePayload: '{nonce}{body}' },
		'Signature Payload contains {nonce}, which is not one of {timestamp} {method} {path} {query} {pathWithQuery} {host} {key} {body} {bodySha256} {bodySha512}',
	],
])('with %j no request is signed: %s', (change, message) => expectNotSigned(change, message));

describe('Payment Key Header', () => {
	const headerOf = (change: object) => paymentKeyHeaderOf({ signatureStyle: 'custom', ...change });

	test('any other name of a header can carry Payment Key, and without one it is not sent', () => {
		for (const name of ['Idempotency-Key', 'x-request-id', 'X-Svc-Idempotency-Key', 'x_key!'])
			expect(headerOf({ paymentKeyHeader: name })).toBe(name);
		for (const paymentKeyHeader of [undefined, null, ''])
			expect(headerOf({ paymentKeyHeader })).toBeUndefined();
	});

	test('it does nothing under another style, where the form hides it', () => {
		for (const paymentKeyHeader of ['Idempotency-Key', 'not a header', 5]) {
			expect(headerOf({ signatureStyle: 'default', paymentKeyHeader })).toBeUndefined();
			expect(sign({ signatureStyle: 'default', paymentKeyHeader })).toHaveProperty('x-svc-key');
		}
	});

	test.each([
		'X-Svc-Key',
		'x-svc-signature',
		'x-svc-timestamp',
		'Accept',
		'accept-encoding',
		'Authorization',
		'Connection',
		'Content-Type',
		'content-length',
		'content-encoding',
		'Cookie',
		'Expect',
		'Host',
		'Keep-Alive',
		'Proxy-Authorization',
		'Proxy-Connection',
		'TE',
		'trailer',
		'Transfer-Encoding',
		'Upgrade',
		'User-Agent',
		'__proto__',
		'constructor',
		'prototype',
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
