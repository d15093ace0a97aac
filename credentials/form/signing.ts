/** The fields about the signature of requests: first what, then how. */
import type { INodeProperties } from 'n8n-workflow';

import { SIGNATURE_DEFAULTS } from '../../api/signature/settings.ts';
import { ALGORITHM, SECRET_ENCODING, showWhen, SIGNATURE_ENCODING } from './shared.ts';

const SECRET: INodeProperties = {
	displayName: 'Signature Secret',
	name: 'signatureSecret',
	type: 'string',
	typeOptions: { password: true },
	default: '',
	description: 'The secret that signs each request, issued with the API key',
};

const HMAC_FIELDS: INodeProperties[] = [
	SECRET,
	{
		displayName: 'Signature Payload',
		name: 'signaturePayload',
		type: 'string',
		default: SIGNATURE_DEFAULTS.signaturePayload,
		description:
			'Text that is signed. Tokens: {timestamp} {nonce} {method} {path} {query} {pathWithQuery} {host} {body} {key} {bodySha256} {bodySha512} {bodySha256Base64}, and \\n for a line feed. {body} is the exact body sent. {nonce} is random text, also sent in the header x-svc-nonce.',
	},
	{
		displayName: 'Empty Body',
		name: 'signatureEmptyBody',
		type: 'options',
		default: SIGNATURE_DEFAULTS.signatureEmptyBody,
		description: 'What is signed as the body of a request that has none. Nothing is sent in either case.',
		options: [
			{ name: 'Empty Object', value: 'emptyObject', description: 'The text {}' },
			{ name: 'Nothing', value: 'empty', description: 'The empty text' },
		],
	},
	{
		displayName: 'Signature Algorithm',
		name: 'signatureAlgorithm',
		...ALGORITHM,
		default: SIGNATURE_DEFAULTS.signatureAlgorithm,
	},
	{
		displayName: 'Signature Encoding',
		name: 'signatureEncoding',
		...SIGNATURE_ENCODING,
		default: SIGNATURE_DEFAULTS.signatureEncoding,
	},
	{
		displayName: 'Signature Secret Encoding',
		name: 'signatureSecretEncoding',
		...SECRET_ENCODING,
		default: SIGNATURE_DEFAULTS.signatureSecretEncoding,
	},
];

const CUSTOM_FIELDS: INodeProperties[] = [
	{
		displayName: 'Signature Method',
		name: 'signatureMethod',
		type: 'options',
		default: SIGNATURE_DEFAULTS.signatureMethod,
		description: 'How the signature header is made. The service knows which method your API key uses.',
		options: [
			{ name: 'HMAC', value: 'hmac', description: 'Computed for each request with a shared secret' },
			{ name: 'Static', value: 'static', description: 'Always the same text, issued by the service' },
		],
	},
	...showWhen({ signatureMethod: ['static'] }, [
		{
			displayName: 'Signature',
			name: 'staticSignature',
			type: 'string',
			typeOptions: { password: true },
			default: '',
		},
	]),
	...showWhen({ signatureMethod: ['hmac'] }, HMAC_FIELDS),
	{
		displayName: 'Timestamp Format',
		name: 'timestampFormat',
		type: 'options',
		default: SIGNATURE_DEFAULTS.timestampFormat,
		description: 'How the timestamp header is written. Each request gets a new one.',
		options: [
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
	},
	...showWhen({ timestampFormat: ['static'] }, [
		{ displayName: 'Timestamp', name: 'staticTimestamp', type: 'string', default: '' },
	]),
	{
		displayName: 'Service Name',
		name: 'serviceName',
		type: 'string',
		required: true,
		default: SIGNATURE_DEFAULTS.serviceName,
		description: 'Name of the service in lower case. It is part of the request headers: x-svc-key for svc.',
	},
];

export const SIGNING_FIELDS: INodeProperties[] = [
	{
		displayName: 'Signature Style',
		name: 'signatureStyle',
		type: 'options',
		default: SIGNATURE_DEFAULTS.signatureStyle,
		description: 'How requests are signed',
		options: [
			{ name: 'Custom', value: 'custom', description: 'Every part of the signature is a field' },
			{
				name: 'Wallet Service Default',
				value: 'default',
				description: 'HMAC-SHA256 in hex of time, method, path and body',
			},
		],
	},
	// n8n takes the field of a name that is visible.
	...showWhen({ signatureStyle: ['default'] }, [SECRET]),
	...showWhen({ signatureStyle: ['custom'] }, CUSTOM_FIELDS),
];
