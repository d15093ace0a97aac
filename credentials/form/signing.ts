/** The fields about the signature of requests: first what, then how. */
import type { INodeProperties } from 'n8n-workflow';

import { algorithmField, choiceField, field, FILLED_IN, secretEncodingField, showWhen } from './shared.ts';

const SECRET = field('signatureSecret', {
	required: true,
	description: 'The secret that signs each request, issued with the API key',
});

/** Both fields have one name. n8n uses the visible one. */
export const SIGNING_SECRET: INodeProperties[] = [
	{ ...SECRET, displayOptions: { hide: { signatureStyle: ['custom'] } } },
	...showWhen({ signatureStyle: ['custom'], signatureMethod: ['hmac'] }, [SECRET]),
];

const HMAC_FIELDS: INodeProperties[] = [
	field('signaturePayload', {
		description:
			'Text that is signed. Tokens: {timestamp} {method} {path} {query} {pathWithQuery} {host} {body} {key} {bodySha256} {bodySha512}, and \\n for a line feed. {body} is the exact body sent, empty if there is none.',
	}),
	algorithmField('signatureAlgorithm'),
	choiceField('signatureEncoding', { base64: 'Base64', hex: 'Hex' }),
	secretEncodingField('signatureSecretEncoding'),
];

const CUSTOM_FIELDS: INodeProperties[] = [
	choiceField(
		'signatureMethod',
		{
			hmac: ['HMAC', 'Computed for each request with a shared secret'],
			static: ['Static', 'Always the same text, issued by the service'],
		},
		{ description: 'How the signature header is made. The service knows which method your API key uses.' },
	),
	...showWhen({ signatureMethod: ['static'] }, [field('staticSignature', { required: true })]),
	...showWhen({ signatureMethod: ['hmac'] }, HMAC_FIELDS),
	choiceField(
		'timestampFormat',
		{
			iso8601: ['ISO 8601', 'Such as 2026-01-31T12:00:00.000Z'],
			static: ['Static', 'Always the same text'],
			unixMilliseconds: ['Unix Milliseconds', 'Such as 1767225600000'],
			unixSeconds: ['Unix Seconds', 'Such as 1767225600'],
		},
		{ description: 'How the timestamp header is written. Each request gets a new one.' },
	),
	...showWhen({ timestampFormat: ['static'] }, [field('staticTimestamp', { required: true })]),
	field('serviceName', {
		description: 'Name of the service in lower case. It is part of the request headers: x-svc-key for svc.',
	}),
	field('paymentKeyHeader', {
		placeholder: 'e.g. Idempotency-Key',
		description:
			'Header that carries Payment Key, as the user wrote it, to a service that pays once for each key. Leave it empty unless the documentation of the service names one.',
	}),
];

/** The style appears with the API Key: without a key nothing is signed, so a new form begins with five fields. */
export const SIGNING_FIELDS: INodeProperties[] = [
	choiceField(
		'signatureStyle',
		{
			custom: ['Custom', 'Every part of the signature is a field'],
			default: ['Wallet Service Default', 'HMAC-SHA256 in hex of time, method, path and body'],
		},
		{ description: 'How requests are signed', displayOptions: { show: { apiKey: FILLED_IN } } },
	),
	...showWhen({ signatureStyle: ['custom'] }, CUSTOM_FIELDS),
];
