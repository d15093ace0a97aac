/**
 * The credential's fields, in one table that the form, the messages and the checks read. The API document ("Authentication")
 * does not show how the service signs, so each part of a signature is a setting. A table: no logic.
 */
import { sentences } from '../texts.ts';

/** The value of a choice, under which stored credentials hold it, with its words in the form. The first is the default. */
type Choices = Readonly<Record<string, { name: string; description?: string }>>;

/** A setting: a choice, a number of seconds (with `max`), or text. The form, the messages and the checks read this one row. */
export interface Setting {
	/** The name in the form. */
	label: string;
	/** What stands below the field. */
	description?: string;
	placeholder?: string;
	hint?: string;
	choices?: Choices;
	/** What a new form shows, if that is not the default. */
	whenNew?: string;
	/** Stands in the form at first, and for a value that is not set. */
	default?: string | number;
	/** The largest value of a number. */
	max?: number;
	/** Whether a text may be empty. */
	optional?: true;
	secret?: true;
	/** The height of the field for a text of several lines. */
	lines?: number;
}

const ENCODINGS = {
	utf8: { name: 'UTF-8' },
	hex: { name: 'Hex' },
	base64: { name: 'Base64' },
} as const satisfies Choices;

const DIGESTS = {
	sha256: { name: 'HMAC-SHA256' },
	sha384: { name: 'HMAC-SHA384' },
	sha512: { name: 'HMAC-SHA512' },
} as const satisfies Choices;

export const SETTINGS = {
	baseUrl: {
		label: 'Base URL',
		description: 'Address of the service. It must begin with https; http is accepted only for localhost.',
		placeholder: 'e.g. https://api.example.com',
	},
	apiKey: {
		label: 'API Key',
		secret: true,
	},

	signatureStyle: {
		label: 'Signature Style',
		choices: {
			default: {
				name: 'Wallet Service Default',
				description: 'HMAC-SHA256 in hex of time, method, path and body',
			},
			custom: { name: 'Custom', description: 'Every part of the signature is a field' },
		},
	},
	serviceName: {
		label: 'Service Name',
		description: 'Name of the service in lower case. It is part of the request headers: x-svc-key for svc.',
		default: 'svc',
	},
	timestampFormat: {
		label: 'Timestamp Format',
		description: 'How the timestamp header is written. Each request gets a new one.',
		choices: {
			unixMilliseconds: { name: 'Unix Milliseconds', description: 'Such as 1767225600000' },
			unixSeconds: { name: 'Unix Seconds', description: 'Such as 1767225600' },
			iso8601: { name: 'ISO 8601', description: 'Such as 2026-01-31T12:00:00.000Z' },
			static: { name: 'Static', description: 'Always the same text' },
		},
	},
	staticTimestamp: {
		label: 'Timestamp',
	},
	signatureMethod: {
		label: 'Signature Method',
		description: 'How the signature header is made. The service knows which method your API key uses.',
		choices: {
			hmac: { name: 'HMAC', description: 'Computed for each request with a shared secret' },
			static: { name: 'Static', description: 'Always the same text, issued by the service' },
		},
	},
	staticSignature: {
		label: 'Signature',
		secret: true,
	},
	signatureSecret: {
		label: 'Signature Secret',
		description: 'The secret that signs each request, issued with the API key',
		secret: true,
	},
	signatureSecretEncoding: {
		label: 'Signature Secret Encoding',
		description: 'How the secret is written. Choose UTF-8 to use its characters unchanged.',
		choices: ENCODINGS,
	},
	signatureAlgorithm: {
		label: 'Signature Algorithm',
		choices: DIGESTS,
	},
	signaturePayload: {
		label: 'Signature Payload',
		description: sentences(
			'Text that is signed. Tokens: {timestamp} {method} {path} {query} {pathWithQuery} {host}',
			'{body} {key} {bodySha256} {bodySha512}, and \\n for a line feed.',
			'{body} is the exact body sent, empty if there is none.',
		),
		default: '{timestamp}{method}{path}{body}',
	},
	signatureEncoding: {
		label: 'Signature Encoding',
		choices: { hex: { name: 'Hex' }, base64: { name: 'Base64' } },
	},
	/** Carries Payment Key to a service that honours one. */
	paymentKeyHeader: {
		label: 'Payment Key Header',
		description: sentences(
			'Header that carries Payment Key, with plain dashes, quotes and spaces, to a service that pays once for each key.',
			'Leave it empty unless the documentation of the service names one.',
		),
		placeholder: 'e.g. Idempotency-Key',
		optional: true,
	},

	webhookStyle: {
		label: 'Webhook Style',
		hint: 'Webhook settings: only for triggers that verify deliveries',
		choices: {
			default: {
				name: 'Wallet Service Default',
				description: 'HMAC-SHA256 in hex of the body, in the header x-svc-signature',
			},
			standardWebhooks: {
				name: 'Standard Webhooks',
				description: 'HMAC-SHA256 of ID, time and body, in the headers webhook-…',
			},
			custom: { name: 'Custom', description: 'Every part of the verification is a field' },
		},
	},
	webhookVerification: {
		label: 'Webhook Verification',
		description: 'How the trigger checks that a delivery comes from the service',
		choices: {
			none: {
				name: 'None',
				description: 'Nothing is checked. Only a trigger whose Verification is None can be published.',
			},
			token: { name: 'Token', description: 'A header holds a shared secret' },
			hmac: { name: 'HMAC Signature', description: 'A header holds a signature of the body' },
			publicKey: {
				name: 'Public Key Signature',
				description: 'A header holds a signature that a public key verifies',
			},
		},
		/** A style that is custom has a signature. None would hide the secret that was entered before. */
		whenNew: 'hmac',
	},
	webhookHeader: {
		label: 'Webhook Header',
		description: 'Name of the header that holds the signature or the token',
		default: 'x-svc-signature',
	},
	webhookSecret: {
		label: 'Webhook Secret',
		description:
			'The secret that signs the deliveries, or the expected token. Only a trigger whose Verification is Use Credential needs it.',
		secret: true,
	},
	/** Also accepted, so that the secret can be rotated. */
	webhookPreviousSecret: {
		label: 'Previous Webhook Secret',
		description: 'The secret before a rotation, still accepted. Clear it when the rotation is done.',
		optional: true,
		secret: true,
	},
	webhookSecretEncoding: {
		label: 'Webhook Secret Encoding',
		description: 'How the secret is written. Choose UTF-8 to use its characters unchanged.',
		choices: ENCODINGS,
	},
	webhookAlgorithm: {
		label: 'Webhook Algorithm',
		choices: DIGESTS,
	},
	webhookPublicKey: {
		label: 'Webhook Public Key',
		description:
			'The public key of the service as it shows it: PEM, base64 or hex. RSA PKCS#1 v1.5 or ECDSA P-256 with SHA-256, or Ed25519.',
		lines: 4,
	},
	/** Also accepted, so that the key can be rotated. */
	webhookPreviousPublicKey: {
		label: 'Previous Webhook Public Key',
		description: 'The key before a rotation, still accepted. Clear it when the rotation is done.',
		optional: true,
		lines: 4,
	},
	webhookPayload: {
		label: 'Webhook Payload',
		description:
			'Text that the service signs. Tokens: {body} (the bytes as received) {timestamp} {id} {bodySha256} {bodySha512}, and \\n for a line feed.',
		default: '{body}',
	},
	webhookSignatureFormat: {
		label: 'Webhook Signature Format',
		description: sentences(
			'Form of the header that holds the signature, such as {signature}, sha256={signature},',
			't={timestamp},v1={signature} or v1,{signature}. A header may hold several.',
		),
		default: '{signature}',
	},
	webhookTimestampHeader: {
		label: 'Webhook Timestamp Header',
		description:
			'Name of the header with the time of the delivery. Leave empty if the signature header holds the time, or if the time is not signed.',
		placeholder: 'e.g. x-svc-timestamp',
		optional: true,
	},
	webhookIdHeader: {
		label: 'Webhook ID Header',
		description: 'Name of the header with the ID of the delivery. Leave empty if the ID is not signed.',
		placeholder: 'e.g. webhook-id',
		optional: true,
	},
	/** Seconds, at most a day; 0 means no check of the time. */
	webhookTolerance: {
		label: 'Webhook Tolerance',
		description: sentences(
			'Seconds that the time of a delivery may differ from the time here, in both directions.',
			'Set it higher if the service repeats a delivery with its first time.',
			'0 means no timestamp check: a recorded delivery can then be sent again at any time.',
		),
		default: 300,
		max: 86_400,
	},
} as const satisfies Record<string, Setting>;

type Table = typeof SETTINGS;
export type SettingName = keyof Table;

/** The type of a field's value. */
export type Value<Name extends SettingName> = Table[Name] extends { choices: infer Known }
	? keyof Known
	: Table[Name] extends { default: number }
		? number
		: string;

export type Some<Names extends SettingName> = { [Name in Names]?: Value<Name> };
type WebhookName = Extract<SettingName, `webhook${string}`>;

/** How requests are signed. */
export type SigningSettings = Some<Exclude<SettingName, WebhookName | 'baseUrl'>>;
/** How webhook deliveries are verified. */
export type VerificationSettings = Some<WebhookName>;

/** What a Webhook Style stands for. What a row leaves out has its default; the secrets are the user's. */
export const WEBHOOK_STYLES = {
	default: { webhookVerification: 'hmac', webhookHeader: SETTINGS.webhookHeader.default },
	standardWebhooks: {
		webhookVerification: 'hmac',
		webhookHeader: 'webhook-signature',
		webhookSecretEncoding: 'base64',
		webhookPayload: '{id}.{timestamp}.{body}',
		webhookSignatureFormat: 'v1,{signature}',
		webhookTimestampHeader: 'webhook-timestamp',
		webhookIdHeader: 'webhook-id',
	},
} as const satisfies Record<Exclude<Value<'webhookStyle'>, 'custom'>, VerificationSettings>;
