/** The fields about the verification of webhooks: first what, then how. */
import type { INodeProperties } from 'n8n-workflow';

import { MAX_TOLERANCE } from '../../api/signature/settings.ts';
import { algorithmField, choiceField, field, FILLED_IN, secretEncodingField, showWhen } from './shared.ts';

const previous = (name: 'webhookPreviousSecret' | 'webhookPreviousPublicKey', current: string) =>
	field(name, {
		...(name === 'webhookPreviousPublicKey' && { typeOptions: { rows: 4 } }),
		displayOptions: { show: { [current]: FILLED_IN } },
		description:
			'The one before a rotation. Deliveries with it are still accepted; leave empty when the rotation is done.',
	});

/** Only the default style may stay without a secret: no trigger that uses the credential can then be published. */
const secrets = (required: boolean): INodeProperties[] => [
	field('webhookSecret', {
		required,
		description:
			'The secret that signs the deliveries, or the expected token. Only a trigger whose Verification is Use Credential needs it.',
	}),
	previous('webhookPreviousSecret', 'webhookSecret'),
];

/** Several fields have these names. n8n uses the visible ones. */
export const WEBHOOK_SECRETS: INodeProperties[] = [
	...showWhen({ webhookStyle: ['default'] }, secrets(false)),
	...showWhen({ webhookStyle: ['standardWebhooks'] }, secrets(true)),
	...showWhen({ webhookStyle: ['custom'], webhookVerification: ['token', 'hmac'] }, secrets(true)),
];

const SIGNATURE_FIELDS: INodeProperties[] = [
	field('webhookPayload', {
		description:
			'Text that the service signs. Tokens: {body} (the bytes as received) {timestamp} {id} {bodySha256} {bodySha512}, and \\n for a line feed',
	}),
	field('webhookSignatureFormat', {
		description:
			'Form of the header that holds the signature, such as {signature}, sha256={signature}, t={timestamp},v1={signature} or v1,{signature}. A header may hold several.',
	}),
	field('webhookIdHeader', {
		placeholder: 'e.g. webhook-id',
		description: 'Name of the header with the ID of the delivery. Leave empty if the ID is not signed.',
	}),
	field('webhookTimestampHeader', {
		placeholder: 'e.g. x-svc-timestamp',
		description:
			'Name of the header with the time of the delivery. Leave empty if the signature header holds the time, or if the time is not signed.',
	}),
	field('webhookTolerance', {
		typeOptions: { minValue: 0, maxValue: MAX_TOLERANCE },
		description:
			'Seconds that the time of a delivery may differ from the time here, in both directions. Set it higher if the service repeats a delivery with its first time. 0 means no timestamp check: a recorded delivery can then be sent again at any time.',
	}),
];

const PUBLIC_KEY_FIELDS: INodeProperties[] = [
	field('webhookPublicKey', {
		typeOptions: { rows: 4 },
		required: true,
		description:
			'The public key of the service as PEM. Its type names the algorithm: RSA PKCS#1 v1.5 or ECDSA P-256 with SHA-256, or Ed25519.',
	}),
	previous('webhookPreviousPublicKey', 'webhookPublicKey'),
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
	...showWhen({ webhookVerification: ['hmac'] }, [
		algorithmField('webhookAlgorithm'),
		secretEncodingField('webhookSecretEncoding'),
	]),
	...showWhen({ webhookVerification: ['hmac', 'publicKey'] }, SIGNATURE_FIELDS),
];

export const WEBHOOK_FIELDS: INodeProperties[] = [
	choiceField(
		'webhookStyle',
		{
			custom: ['Custom', 'Every part of the verification is a field'],
			standardWebhooks: ['Standard Webhooks', 'HMAC-SHA256 of ID, time and body, in the webhook-… headers'],
			default: ['Wallet Service Default', 'HMAC-SHA256 in hex of the body, in the header x-svc-signature'],
		},
		{
			description: 'How the service signs its deliveries',
			hint: 'Webhook settings: only for triggers that verify deliveries',
		},
	),
	...showWhen({ webhookStyle: ['custom'] }, CUSTOM_FIELDS),
];
