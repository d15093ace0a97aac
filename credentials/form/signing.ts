/** The fields about the signature of requests: first what, then how. */
import type { INodeProperties } from 'n8n-workflow';

import {
	choiceField,
	DIGESTS,
	field,
	SECRET_ENCODING,
	SECRET_ENCODINGS,
	showWhen,
	SIGNATURE_ENCODINGS,
	TIME_FORMATS,
} from './shared.ts';

const SECRET = field('signatureSecret', {
	required: true,
	description: 'The secret that signs each request, issued with the API key',
});

/** Several fields have this name. n8n uses the visible one. */
export const SIGNING_SECRET: INodeProperties[] = [
	...showWhen({ signatureStyle: ['default'] }, [SECRET]),
	...showWhen({ signatureStyle: ['custom'], signatureMethod: ['hmac'] }, [SECRET]),
];

const HMAC_FIELDS: INodeProperties[] = [
	field('signaturePayload', {
		description:
			'Text that is signed. Tokens: {timestamp} {nonce} {method} {path} {query} {pathWithQuery} {host} {body} {key} {bodySha256} {bodySha512} {bodySha256Base64}, and \\n for a line feed. {body} is the exact body sent. {nonce} is random text, also sent in the header x-svc-nonce.',
	}),
	choiceField(
		'signatureEmptyBody',
		{
			emptyObject: ['Empty Object', 'The text {}'],
			empty: ['Nothing', 'The empty text'],
			leftOut: [
				'Nothing, Without Separator',
				'The token of the body and the text before it, up to the next token, are left out',
			],
		},
		{ description: 'What is signed as the body of a request that has none. Nothing is sent in either case.' },
	),
	choiceField('signatureAlgorithm', DIGESTS),
	choiceField('signatureEncoding', SIGNATURE_ENCODINGS),
	choiceField('signatureSecretEncoding', SECRET_ENCODINGS, SECRET_ENCODING),
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
		{ ...TIME_FORMATS, static: ['Static', 'Always the same text'] },
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

export const SIGNING_FIELDS: INodeProperties[] = [
	choiceField(
		'signatureStyle',
		{
			custom: ['Custom', 'Every part of the signature is a field'],
			default: ['Wallet Service Default', 'HMAC-SHA256 in hex of time, method, path and body'],
		},
		{ description: 'How requests are signed' },
	),
	...showWhen({ signatureStyle: ['custom'] }, CUSTOM_FIELDS),
];
