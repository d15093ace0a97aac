/** The fields about the signature of requests: first what, then how. */
import type { INodeProperties } from 'n8n-workflow';

import {
	algorithmField,
	listField,
	secretEncodingField,
	secretField,
	showWhen,
	signatureEncodingField,
	textField,
} from './shared.ts';

const SECRET = secretField('Signature Secret', 'signatureSecret', {
	required: true,
	description: 'The secret that signs each request, issued with the API key',
});

const HMAC_FIELDS: INodeProperties[] = [
	SECRET,
	textField('Signature Payload', 'signaturePayload', {
		description:
			'Text that is signed. Tokens: {timestamp} {nonce} {method} {path} {query} {pathWithQuery} {host} {body} {key} {bodySha256} {bodySha512} {bodySha256Base64}, and \\n for a line feed. {body} is the exact body sent. {nonce} is random text, also sent in the header x-svc-nonce.',
	}),
	listField(
		'Empty Body',
		'signatureEmptyBody',
		[
			{ name: 'Empty Object', value: 'emptyObject', description: 'The text {}' },
			{ name: 'Nothing', value: 'empty', description: 'The empty text' },
			{
				name: 'Nothing, Without Separator',
				value: 'leftOut',
				description: 'The token of the body and the text before it, up to the next token, are left out',
			},
		],
		{ description: 'What is signed as the body of a request that has none. Nothing is sent in either case.' },
	),
	algorithmField('Signature Algorithm', 'signatureAlgorithm'),
	signatureEncodingField('Signature Encoding', 'signatureEncoding'),
	secretEncodingField('Signature Secret Encoding', 'signatureSecretEncoding'),
];

const CUSTOM_FIELDS: INodeProperties[] = [
	listField(
		'Signature Method',
		'signatureMethod',
		[
			{ name: 'HMAC', value: 'hmac', description: 'Computed for each request with a shared secret' },
			{ name: 'Static', value: 'static', description: 'Always the same text, issued by the service' },
		],
		{ description: 'How the signature header is made. The service knows which method your API key uses.' },
	),
	...showWhen({ signatureMethod: ['static'] }, [
		secretField('Signature', 'staticSignature', { required: true }),
	]),
	...showWhen({ signatureMethod: ['hmac'] }, HMAC_FIELDS),
	listField(
		'Timestamp Format',
		'timestampFormat',
		[
			{ name: 'HTTP Date', value: 'httpDate', description: 'Such as Sat, 31 Jan 2026 12:00:00 GMT' },
			{ name: 'ISO 8601', value: 'iso8601', description: 'Such as 2026-01-31T12:00:00.000Z' },
			{
				name: 'ISO 8601, Seconds',
				value: 'iso8601Seconds',
				description: 'Such as 2026-01-31T12:00:00Z',
			},
			{
				name: 'ISO 8601, Seconds, No Zone',
				value: 'iso8601NoZone',
				description: 'Such as 2026-01-31T12:00:00, in UTC',
			},
			{ name: 'Static', value: 'static', description: 'Always the same text' },
			{
				name: 'Unix Microseconds',
				value: 'unixMicroseconds',
				description: 'Such as 1767225600000000',
			},
			{ name: 'Unix Milliseconds', value: 'unixMilliseconds', description: 'Such as 1767225600000' },
			{ name: 'Unix Seconds', value: 'unixSeconds', description: 'Such as 1767225600' },
		],
		{ description: 'How the timestamp header is written. Each request gets a new one.' },
	),
	...showWhen({ timestampFormat: ['static'] }, [
		{ displayName: 'Timestamp', name: 'staticTimestamp', type: 'string', required: true, default: '' },
	]),
	textField('Service Name', 'serviceName', {
		description: 'Name of the service in lower case. It is part of the request headers: x-svc-key for svc.',
	}),
	{
		displayName: 'Payment Key Header',
		name: 'paymentKeyHeader',
		type: 'string',
		default: '',
		placeholder: 'e.g. Idempotency-Key',
		description:
			'Header that carries Payment Key to a service that pays once for each key. Leave it empty unless the documentation of the service names one. With it, a payment with an unknown outcome is sent again under its key in the next run.',
	},
];

export const SIGNING_FIELDS: INodeProperties[] = [
	listField(
		'Signature Style',
		'signatureStyle',
		[
			{ name: 'Custom', value: 'custom', description: 'Every part of the signature is a field' },
			{
				name: 'Wallet Service Default',
				value: 'default',
				description: 'HMAC-SHA256 in hex of time, method, path and body',
			},
		],
		{ description: 'How requests are signed' },
	),
	// Several fields have this name. n8n uses the visible one.
	...showWhen({ signatureStyle: ['default'] }, [SECRET]),
	...showWhen({ signatureStyle: ['custom'] }, CUSTOM_FIELDS),
];
