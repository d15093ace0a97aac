/**
 * The credential's fields, in one table that the form, the messages and the checks read. The API document ("Authentication")
 * does not show how the service signs, so each part of a signature is a setting. A table: no logic.
 */

/** A field. `label` is its name in the form. */
export interface Setting {
	label: string;
	/** The names under which stored credentials hold a choice, each with its words in the form. The first is the default. */
	choices?: Readonly<Record<string, readonly [name: string, description?: string]>>;
	/** Stands in the form at first, and for a value that is not set. */
	default?: string | number;
	/** The largest value of a number. */
	max?: number;
	/** Whether a text may be empty. */
	optional?: true;
	secret?: true;
}

const ENCODINGS = { utf8: ['UTF-8'], hex: ['Hex'], base64: ['Base64'] } as const;
const DIGESTS = { sha256: ['HMAC-SHA256'], sha384: ['HMAC-SHA384'], sha512: ['HMAC-SHA512'] } as const;

export const SETTINGS = {
	baseUrl: { label: 'Base URL' },
	apiKey: { label: 'API Key', secret: true },

	signatureStyle: {
		label: 'Signature Style',
		choices: {
			default: ['Wallet Service Default', 'HMAC-SHA256 in hex of time, method, path and body'],
			custom: ['Custom', 'Every part of the signature is a field'],
		},
	},
	serviceName: { label: 'Service Name', default: 'svc' },
	timestampFormat: {
		label: 'Timestamp Format',
		choices: {
			unixMilliseconds: ['Unix Milliseconds', 'Such as 1767225600000'],
			unixSeconds: ['Unix Seconds', 'Such as 1767225600'],
			iso8601: ['ISO 8601', 'Such as 2026-01-31T12:00:00.000Z'],
			static: ['Static', 'Always the same text'],
		},
	},
	staticTimestamp: { label: 'Timestamp' },
	signatureMethod: {
		label: 'Signature Method',
		choices: {
			hmac: ['HMAC', 'Computed for each request with a shared secret'],
			static: ['Static', 'Always the same text, issued by the service'],
		},
	},
	staticSignature: { label: 'Signature', secret: true },
	signatureSecret: { label: 'Signature Secret', secret: true },
	signatureSecretEncoding: { label: 'Signature Secret Encoding', choices: ENCODINGS },
	signatureAlgorithm: { label: 'Signature Algorithm', choices: DIGESTS },
	signaturePayload: { label: 'Signature Payload', default: '{timestamp}{method}{path}{body}' },
	signatureEncoding: { label: 'Signature Encoding', choices: { hex: ['Hex'], base64: ['Base64'] } },
	/** Carries Payment Key to a service that honours one. */
	paymentKeyHeader: { label: 'Payment Key Header', optional: true },

	webhookStyle: {
		label: 'Webhook Style',
		choices: {
			default: ['Wallet Service Default', 'HMAC-SHA256 in hex of the body, in the header x-svc-signature'],
			standardWebhooks: ['Standard Webhooks', 'HMAC-SHA256 of ID, time and body, in the headers webhook-…'],
			custom: ['Custom', 'Every part of the verification is a field'],
		},
	},
	webhookVerification: {
		label: 'Webhook Verification',
		choices: {
			none: ['None', 'Nothing is checked. Only a trigger whose Verification is None can be published.'],
			token: ['Token', 'A header holds a shared secret'],
			hmac: ['HMAC Signature', 'A header holds a signature of the body'],
			publicKey: ['Public Key Signature', 'A header holds a signature that a public key verifies'],
		},
	},
	webhookHeader: { label: 'Webhook Header', default: 'x-svc-signature' },
	webhookSecret: { label: 'Webhook Secret', secret: true },
	/** Also accepted, so that the secret can be rotated. */
	webhookPreviousSecret: { label: 'Previous Webhook Secret', secret: true, optional: true },
	webhookSecretEncoding: { label: 'Webhook Secret Encoding', choices: ENCODINGS },
	webhookAlgorithm: { label: 'Webhook Algorithm', choices: DIGESTS },
	webhookPublicKey: { label: 'Webhook Public Key' },
	/** Also accepted, so that the key can be rotated. */
	webhookPreviousPublicKey: { label: 'Previous Webhook Public Key', optional: true },
	webhookPayload: { label: 'Webhook Payload', default: '{body}' },
	webhookSignatureFormat: { label: 'Webhook Signature Format', default: '{signature}' },
	webhookTimestampHeader: { label: 'Webhook Timestamp Header', optional: true },
	webhookIdHeader: { label: 'Webhook ID Header', optional: true },
	/** Seconds, at most a day; 0 means no check of the time. */
	webhookTolerance: { label: 'Webhook Tolerance', default: 300, max: 86_400 },
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
