/** The fields about the verification of webhooks: first what, then how. */
import type { INodeProperties } from 'n8n-workflow';

import { MAX_TOLERANCE, SIGNATURE_DEFAULTS } from '../../api/signature/settings.ts';
import { WEBHOOK_STYLES } from '../../api/signature/styles.ts';
import {
	algorithmField,
	listField,
	secretEncodingField,
	secretField,
	showWhen,
	signatureEncodingField,
	textField,
} from './shared.ts';

/** Only the default style may stay without a secret: it then means that no trigger verifies deliveries. */
const secrets = (required: boolean): INodeProperties[] => [
	secretField('Webhook Secret', 'webhookSecret', {
		required,
		description:
			'The secret that signs the deliveries, or the expected token. Only a trigger whose Verification is Use Credential needs it.',
	}),
	secretField('Previous Webhook Secret', 'webhookPreviousSecret', {
		displayOptions: { show: { webhookSecret: [{ _cnd: { not: '' } }] } },
		description:
			'The secret before a rotation. Deliveries with it are still accepted; leave empty when the rotation is done.',
	}),
];

const SIGNATURE_FIELDS: INodeProperties[] = [
	textField('Webhook Payload', 'webhookPayload', {
		description:
			'Text that the service signs. Tokens: {body} (the bytes as received) {timestamp} {id}, and \\n for a line feed.',
	}),
	textField('Webhook Signature Format', 'webhookSignatureFormat', {
		description:
			'Form of the header that holds the signature, such as {signature}, sha256={signature}, t={timestamp},v1={signature} or {signature}.{timestamp}',
	}),
	signatureEncodingField('Webhook Signature Encoding', 'webhookSignatureEncoding'),
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
	listField(
		'Webhook Timestamp Unit',
		'webhookTimestampUnit',
		[
			{
				name: 'Auto',
				value: 'auto',
				description: '10 digits are seconds, 13 are milliseconds, and a date is ISO 8601',
			},
			{ name: 'ISO 8601', value: 'iso8601', description: 'With a time zone, such as 2026-01-31T12:00:00Z' },
			{ name: 'Milliseconds', value: 'milliseconds', description: 'Such as 1767225600000' },
			{ name: 'Seconds', value: 'seconds', description: 'Such as 1767225600' },
		],
		{ description: 'How the time of the delivery is written' },
	),
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
	algorithmField('Webhook Algorithm', 'webhookAlgorithm', [{ name: 'HMAC-SHA1 (Legacy)', value: 'sha1' }]),
	secretEncodingField('Webhook Secret Encoding', 'webhookSecretEncoding'),
];

const PUBLIC_KEY_FIELDS: INodeProperties[] = [
	{
		displayName: 'Webhook Public Key',
		name: 'webhookPublicKey',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: '',
		description: 'The public key of the service as PEM, hex or base64',
	},
	listField('Webhook Public Key Algorithm', 'webhookPublicKeyAlgorithm', [
		{ name: 'ECDSA P-256 with SHA-256', value: 'ecdsaP256' },
		{ name: 'Ed25519', value: 'ed25519' },
		{ name: 'RSA PSS with SHA-256', value: 'rsaPssSha256' },
		{ name: 'RSA PSS with SHA-512', value: 'rsaPssSha512' },
		{ name: 'RSA with SHA-256', value: 'rsaSha256' },
		{ name: 'RSA with SHA-512', value: 'rsaSha512' },
	]),
];

const CUSTOM_FIELDS: INodeProperties[] = [
	listField(
		'Webhook Verification',
		'webhookVerification',
		[
			{ name: 'HMAC Signature', value: 'hmac', description: 'A header holds a signature of the body' },
			{ name: 'None', value: 'none', description: 'Nothing is checked: anyone can send forged deliveries' },
			{
				name: 'Public Key Signature',
				value: 'publicKey',
				description: 'A header holds a signature that the public key of the service verifies',
			},
			{ name: 'Token', value: 'token', description: 'A header holds a shared secret' },
		],
		{ description: 'How the trigger checks that a delivery comes from the service' },
	),
	...showWhen({ webhookVerification: ['token', 'hmac'] }, secrets(true)),
	...showWhen({ webhookVerification: ['publicKey'] }, PUBLIC_KEY_FIELDS),
	...showWhen({ webhookVerification: ['token', 'hmac', 'publicKey'] }, [
		textField('Webhook Header', 'webhookHeader', {
			description: 'Name of the header that holds the signature or the token',
		}),
	]),
	...showWhen({ webhookVerification: ['hmac'] }, HMAC_FIELDS),
	...showWhen({ webhookVerification: ['hmac', 'publicKey'] }, SIGNATURE_FIELDS),
];

/** The styles of other senders. */
const OTHER_STYLES = Object.keys(WEBHOOK_STYLES).filter((name) => name !== SIGNATURE_DEFAULTS.webhookStyle);

export const WEBHOOK_FIELDS: INodeProperties[] = [
	listField(
		'Webhook Style',
		'webhookStyle',
		[
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
		{
			description: 'How the service signs its deliveries',
			hint: 'Webhook settings: only for triggers that verify deliveries',
		},
	),
	// Several fields have these names. n8n uses the visible ones.
	...showWhen({ webhookStyle: [SIGNATURE_DEFAULTS.webhookStyle] }, secrets(false)),
	...showWhen({ webhookStyle: OTHER_STYLES }, secrets(true)),
	...showWhen({ webhookStyle: ['custom'] }, CUSTOM_FIELDS),
];
