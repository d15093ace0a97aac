/**
 * The credential's fields, in one table that the form, the messages and the checks read. The API document ("Authentication")
 * does not show how the service signs, so each part of a signature is a setting. A table: no logic.
 */

/** A field. `label` is its name in the form; `default` stands in it at first, and for a value that is not set. */
export interface Setting {
	label: string;
	/** The names under which stored credentials hold a choice. */
	values?: readonly string[];
	default?: string | number;
	secret?: true;
}

const ENCODINGS = ['utf8', 'hex', 'base64'] as const;
const DIGESTS = ['sha256', 'sha384', 'sha512'] as const;
const TIMES = ['unixMilliseconds', 'unixSeconds', 'iso8601', 'static'] as const;

export const SETTINGS = {
	baseUrl: { label: 'Base URL' },
	apiKey: { label: 'API Key', secret: true },

	signatureStyle: { label: 'Signature Style', values: ['default', 'custom'], default: 'default' },
	serviceName: { label: 'Service Name', default: 'svc' },
	timestampFormat: { label: 'Timestamp Format', values: TIMES, default: 'unixMilliseconds' },
	staticTimestamp: { label: 'Timestamp' },
	signatureMethod: { label: 'Signature Method', values: ['hmac', 'static'], default: 'hmac' },
	staticSignature: { label: 'Signature', secret: true },
	signatureSecret: { label: 'Signature Secret', secret: true },
	signatureSecretEncoding: { label: 'Signature Secret Encoding', values: ENCODINGS, default: 'utf8' },
	signatureAlgorithm: { label: 'Signature Algorithm', values: DIGESTS, default: 'sha256' },
	signaturePayload: { label: 'Signature Payload', default: '{timestamp}{method}{path}{body}' },
	signatureEncoding: { label: 'Signature Encoding', values: ['hex', 'base64'], default: 'hex' },
	/** Carries Payment Key to a service that honours one. */
	paymentKeyHeader: { label: 'Payment Key Header' },

	webhookStyle: {
		label: 'Webhook Style',
		values: ['default', 'standardWebhooks', 'custom'],
		default: 'default',
	},
	webhookVerification: {
		label: 'Webhook Verification',
		values: ['none', 'token', 'hmac', 'publicKey'],
		default: 'none',
	},
	webhookHeader: { label: 'Webhook Header', default: 'x-svc-signature' },
	webhookSecret: { label: 'Webhook Secret', secret: true },
	/** Also accepted, so that the secret can be rotated. */
	webhookPreviousSecret: { label: 'Previous Webhook Secret', secret: true },
	webhookSecretEncoding: { label: 'Webhook Secret Encoding', values: ENCODINGS, default: 'utf8' },
	webhookAlgorithm: { label: 'Webhook Algorithm', values: DIGESTS, default: 'sha256' },
	webhookPublicKey: { label: 'Webhook Public Key' },
	/** Also accepted, so that the key can be rotated. */
	webhookPreviousPublicKey: { label: 'Previous Webhook Public Key' },
	webhookPayload: { label: 'Webhook Payload', default: '{body}' },
	webhookSignatureFormat: { label: 'Webhook Signature Format', default: '{signature}' },
	webhookTimestampHeader: { label: 'Webhook Timestamp Header' },
	webhookIdHeader: { label: 'Webhook ID Header' },
	/** Seconds; 0 means no check of the time. */
	webhookTolerance: { label: 'Webhook Tolerance', default: 300 },
} as const satisfies Record<string, Setting>;

type Table = typeof SETTINGS;
export type SettingName = keyof Table;
type NameWith<Property> = { [Name in SettingName]: Table[Name] extends Property ? Name : never }[SettingName];
export type ChoiceName = NameWith<{ values: readonly string[] }>;

/** The type of a field's value. */
export type Value<Name extends SettingName> = Table[Name] extends { values: ReadonlyArray<infer Choice> }
	? Choice
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

/** The same for a Signature Style. */
export const SIGNATURE_STYLES = { default: {} } as const;

/** The largest Webhook Tolerance: one day, in seconds. */
export const MAX_TOLERANCE = 86_400;
