/** The fields about the verification of webhooks: first what, then how. */
import type { INodeProperties } from 'n8n-workflow';

import { MAX_TOLERANCE, SETTINGS } from '../../api/signature/settings.ts';
import { WEBHOOK_STYLES } from '../../api/signature/styles.ts';
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

/** Only the default style may stay without a secret: no trigger that uses the credential can then be published. */
const secrets = (required: boolean): INodeProperties[] => [
	field('webhookSecret', {
		required,
		description:
			'The secret that signs the deliveries, or the expected token. Only a trigger whose Verification is Use Credential needs it.',
	}),
	field('webhookPreviousSecret', {
		displayOptions: { show: { webhookSecret: [{ _cnd: { not: '' } }] } },
		description:
			'The secret before a rotation. Deliveries with it are still accepted; leave empty when the rotation is done.',
	}),
];

const DEFAULT_STYLE = SETTINGS.webhookStyle.default;
const OTHER_STYLES = Object.keys(WEBHOOK_STYLES).filter((name) => name !== DEFAULT_STYLE);

/** Several fields have these names. n8n uses the visible ones. */
export const WEBHOOK_SECRETS: INodeProperties[] = [
	...showWhen({ webhookStyle: [DEFAULT_STYLE] }, secrets(false)),
	...showWhen({ webhookStyle: OTHER_STYLES }, secrets(true)),
	...showWhen({ webhookStyle: ['custom'], webhookVerification: ['token', 'hmac'] }, secrets(true)),
];

const SIGNATURE_FIELDS: INodeProperties[] = [
	field('webhookPayload', {
		description:
			'Text that the service signs. Tokens: {body} (the bytes as received) {timestamp} {id} {bodySha256} {bodySha512} {bodySha256Base64}, and \\n for a line feed.',
	}),
	field('webhookSignatureFormat', {
		description:
			'Form of the header that holds the signature, such as {signature}, sha256={signature}, t={timestamp},v1={signature} or {signature}.{timestamp}',
	}),
	choiceField('webhookSignatureEncoding', SIGNATURE_ENCODINGS),
	field('webhookIdHeader', {
		placeholder: 'e.g. webhook-id',
		description: 'Name of the header with the ID of the delivery. Leave empty if the ID is not signed.',
	}),
	field('webhookTimestampHeader', {
		placeholder: 'e.g. x-svc-timestamp',
		description:
			'Name of the header with the time of the delivery. Leave empty if the signature header holds the time, or if the time is not signed.',
	}),
	choiceField(
		'webhookTimestampFormat',
		{
			auto: ['Auto', '10 digits are seconds, 13 are milliseconds, and a date is ISO 8601 with a time zone'],
			...TIME_FORMATS,
		},
		{ description: 'How the time of the delivery is written' },
	),
	field('webhookTolerance', {
		typeOptions: { minValue: 0, maxValue: MAX_TOLERANCE },
		description:
			'Seconds that the time of a delivery may differ from the time here, in both directions. 0 means no timestamp check: a recorded delivery can then be sent again at any time.',
	}),
];

/** Which key verifies a signature, for each method. */
const HMAC_FIELDS: INodeProperties[] = [
	choiceField('webhookAlgorithm', { sha1: 'HMAC-SHA1 (Legacy)', ...DIGESTS }),
	choiceField('webhookSecretEncoding', SECRET_ENCODINGS, SECRET_ENCODING),
];

const PUBLIC_KEY_FIELDS: INodeProperties[] = [
	field('webhookPublicKey', {
		typeOptions: { rows: 4 },
		required: true,
		description: 'The public key of the service as PEM, hex or base64',
	}),
	field('webhookPreviousPublicKey', {
		typeOptions: { rows: 4 },
		displayOptions: { show: { webhookPublicKey: [{ _cnd: { not: '' } }] } },
		description:
			'The public key before a rotation. Deliveries with it are still accepted; leave empty when the rotation is done.',
	}),
	choiceField('webhookPublicKeyAlgorithm', {
		ecdsaP256: 'ECDSA P-256 with SHA-256',
		ed25519: 'Ed25519',
		rsaPssSha256: 'RSA PSS with SHA-256',
		rsaSha256: 'RSA with SHA-256',
		rsaSha512: 'RSA with SHA-512',
	}),
];

const CUSTOM_FIELDS: INodeProperties[] = [
	choiceField(
		'webhookVerification',
		{
			hmac: ['HMAC Signature', 'A header holds a signature of the body'],
			none: ['None', 'Nothing is checked. Only a trigger whose Verification is None can be published.'],
			publicKey: [
				'Public Key Signature',
				'A header holds a signature that the public key of the service verifies',
			],
			token: ['Token', 'A header holds a shared secret'],
		},
		{
			description: 'How the trigger checks that a delivery comes from the service',
			// A style that is custom has a signature. None would hide the secret that was entered before.
			default: 'hmac',
		},
	),
	...showWhen({ webhookVerification: ['publicKey'] }, PUBLIC_KEY_FIELDS),
	...showWhen({ webhookVerification: ['token', 'hmac', 'publicKey'] }, [
		field('webhookHeader', { description: 'Name of the header that holds the signature or the token' }),
	]),
	...showWhen({ webhookVerification: ['hmac'] }, HMAC_FIELDS),
	...showWhen({ webhookVerification: ['hmac', 'publicKey'] }, SIGNATURE_FIELDS),
];

export const WEBHOOK_FIELDS: INodeProperties[] = [
	choiceField(
		'webhookStyle',
		{
			custom: ['Custom', 'Every part of the verification is a field'],
			github: 'GitHub',
			paystack: 'Paystack',
			shopify: 'Shopify',
			slack: 'Slack',
			standardWebhooks: ['Standard Webhooks', 'Svix and others'],
			stripe: 'Stripe',
			default: ['Wallet Service Default', 'HMAC-SHA256 in hex of the body, in the header x-svc-signature'],
		},
		{
			description: 'How the service signs its deliveries',
			hint: 'Webhook settings: only for triggers that verify deliveries',
		},
	),
	...showWhen({ webhookStyle: ['custom'] }, CUSTOM_FIELDS),
];
