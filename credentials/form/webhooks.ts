/** The fields about the verification of webhooks: first what, then how. */
import type { INodeProperties } from 'n8n-workflow';

import { MAX_TOLERANCE, SIGNATURE_DEFAULTS } from '../../api/signature/settings.ts';
import { WEBHOOK_STYLES } from '../../api/signature/styles.ts';
import { ALGORITHM, SECRET_ENCODING, showWhen, SIGNATURE_ENCODING } from './shared.ts';

const SECRETS: INodeProperties[] = [
	{
		displayName: 'Webhook Secret',
		name: 'webhookSecret',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description:
			'The secret that signs the deliveries, or the expected token. Only a trigger whose Verification is Use Credential needs it.',
	},
	{
		displayName: 'Previous Webhook Secret',
		name: 'webhookPreviousSecret',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		displayOptions: { show: { webhookSecret: [{ _cnd: { not: '' } }] } },
		description:
			'The secret before a rotation. Deliveries with it are still accepted; leave empty when the rotation is done.',
	},
];

const SIGNATURE_FIELDS: INodeProperties[] = [
	{
		displayName: 'Webhook Payload',
		name: 'webhookPayload',
		type: 'string',
		default: SIGNATURE_DEFAULTS.webhookPayload,
		description:
			'Text that the service signs. Tokens: {body} (the bytes as received) {timestamp} {id}, and \\n for a line feed.',
	},
	{
		displayName: 'Webhook Signature Format',
		name: 'webhookSignatureFormat',
		type: 'string',
		default: SIGNATURE_DEFAULTS.webhookSignatureFormat,
		description:
			'Form of the header that holds the signature, such as {signature}, sha256={signature}, t={timestamp},v1={signature} or {signature}.{timestamp}',
	},
	{
		displayName: 'Webhook Signature Encoding',
		name: 'webhookSignatureEncoding',
		...SIGNATURE_ENCODING,
		default: SIGNATURE_DEFAULTS.webhookSignatureEncoding,
	},
	{
		displayName: 'Webhook ID Header',
		name: 'webhookIdHeader',
		type: 'string',
		default: '',
		placeholder: 'e.g. webhook-id',
		description: 'Name of the header with the ID of the delivery. Leave empty if the ID is not signed.',
	},
	{
		displayName: 'Webhook Timestamp Header',
		name: 'webhookTimestampHeader',
		type: 'string',
		default: '',
		placeholder: 'e.g. x-svc-timestamp',
		description:
			'Name of the header with the time of the delivery. Leave empty if the signature header holds the time, or if the time is not signed.',
	},
	{
		displayName: 'Webhook Timestamp Unit',
		name: 'webhookTimestampUnit',
		type: 'options',
		default: SIGNATURE_DEFAULTS.webhookTimestampUnit,
		description: 'How the time of the delivery is written',
		options: [
			{
				name: 'Auto',
				value: 'auto',
				description: '10 digits are seconds, 13 are milliseconds, and a date is ISO 8601',
			},
			{ name: 'ISO 8601', value: 'iso8601', description: 'With a time zone, such as 2026-01-31T12:00:00Z' },
			{ name: 'Milliseconds', value: 'milliseconds', description: 'Such as 1767225600000' },
			{ name: 'Seconds', value: 'seconds', description: 'Such as 1767225600' },
		],
	},
	{
		displayName: 'Webhook Tolerance',
		name: 'webhookTolerance',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: MAX_TOLERANCE },
		default: SIGNATURE_DEFAULTS.webhookTolerance,
		description:
			'Seconds that the time of a delivery may differ from the time here, in both directions. 0 means no timestamp check: a recorded delivery can then be sent again at any time.',
	},
];

/** Which key verifies a signature, for each method. */
const HMAC_FIELDS: INodeProperties[] = [
	{
		displayName: 'Webhook Algorithm',
		name: 'webhookAlgorithm',
		...ALGORITHM,
		options: [...ALGORITHM.options, { name: 'HMAC-SHA1 (Legacy)', value: 'sha1' }],
		default: SIGNATURE_DEFAULTS.webhookAlgorithm,
	},
	{
		displayName: 'Webhook Secret Encoding',
		name: 'webhookSecretEncoding',
		...SECRET_ENCODING,
		default: SIGNATURE_DEFAULTS.webhookSecretEncoding,
	},
];

const PUBLIC_KEY_FIELDS: INodeProperties[] = [
	{
		displayName: 'Webhook Public Key',
		name: 'webhookPublicKey',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		description: 'The public key of the service as PEM, hex or base64',
	},
	{
		displayName: 'Webhook Public Key Algorithm',
		name: 'webhookPublicKeyAlgorithm',
		type: 'options',
		default: SIGNATURE_DEFAULTS.webhookPublicKeyAlgorithm,
		options: [
			{ name: 'ECDSA P-256 with SHA-256', value: 'ecdsaP256' },
			{ name: 'Ed25519', value: 'ed25519' },
			{ name: 'RSA PSS with SHA-256', value: 'rsaPssSha256' },
			{ name: 'RSA PSS with SHA-512', value: 'rsaPssSha512' },
			{ name: 'RSA with SHA-256', value: 'rsaSha256' },
			{ name: 'RSA with SHA-512', value: 'rsaSha512' },
		],
	},
];

const CUSTOM_FIELDS: INodeProperties[] = [
	{
		displayName: 'Webhook Verification',
		name: 'webhookVerification',
		type: 'options',
		default: SIGNATURE_DEFAULTS.webhookVerification,
		description: 'How the trigger checks that a delivery comes from the service',
		options: [
			{ name: 'HMAC Signature', value: 'hmac', description: 'A header holds a signature of the body' },
			{ name: 'None', value: 'none', description: 'Nothing is checked: anyone can send forged deliveries' },
			{
				name: 'Public Key Signature',
				value: 'publicKey',
				description: 'A header holds a signature that the public key of the service verifies',
			},
			{ name: 'Token', value: 'token', description: 'A header holds a shared secret' },
		],
	},
	...showWhen({ webhookVerification: ['token', 'hmac'] }, SECRETS),
	...showWhen({ webhookVerification: ['publicKey'] }, PUBLIC_KEY_FIELDS),
	...showWhen({ webhookVerification: ['token', 'hmac', 'publicKey'] }, [
		{
			displayName: 'Webhook Header',
			name: 'webhookHeader',
			type: 'string',
			default: SIGNATURE_DEFAULTS.webhookHeader,
			description: 'Name of the header that holds the signature or the token',
		},
	]),
	...showWhen({ webhookVerification: ['hmac'] }, HMAC_FIELDS),
	...showWhen({ webhookVerification: ['hmac', 'publicKey'] }, SIGNATURE_FIELDS),
];

export const WEBHOOK_FIELDS: INodeProperties[] = [
	{
		displayName: 'Webhook Style',
		name: 'webhookStyle',
		type: 'options',
		default: SIGNATURE_DEFAULTS.webhookStyle,
		description: 'How the service signs its deliveries',
		options: [
			{ name: 'Custom', value: 'custom', description: 'Every part of the verification is a field' },
			{ name: 'GitHub', value: 'github' },
			{ name: 'Paystack', value: 'paystack' },
			{ name: 'Shopify', value: 'shopify' },
			{ name: 'Slack', value: 'slack' },
			{ name: 'Standard Webhooks', value: 'standardWebhooks', description: 'Svix and others' },
			{ name: 'Stripe', value: 'stripe' },
			{
				name: 'Wallet Service Default',
				value: 'default',
				description: 'HMAC-SHA256 in hex of the body, in the header x-svc-signature',
			},
		],
	},
	// n8n takes the field of a name that is visible.
	...showWhen({ webhookStyle: Object.keys(WEBHOOK_STYLES) }, SECRETS),
	...showWhen({ webhookStyle: ['custom'] }, CUSTOM_FIELDS),
];
