/**
 * The credential's settings for signatures, their values and defaults. The API document ("Authentication") does not show
 * how the service signs, so each part of a signature is a setting. A table: no logic.
 */

/** The values of each setting that has a list of them. Stored credentials use these names. */
export const VALUES = {
	signatureMethod: ['hmac', 'static'],
	timestampFormat: [
		...(['unixMilliseconds', 'unixSeconds', 'unixMicroseconds'] as const),
		...(['iso8601', 'iso8601Seconds', 'iso8601NoZone', 'httpDate', 'static'] as const),
	],
	emptyBody: ['empty', 'emptyObject', 'leftOut'],
	secretEncoding: ['utf8', 'hex', 'base64'],
	signatureAlgorithm: ['sha256', 'sha384', 'sha512'],
	/** SHA-1 is for old services only. */
	webhookAlgorithm: ['sha256', 'sha384', 'sha512', 'sha1'],
	signatureEncoding: ['hex', 'hexUpper', 'base64', 'base64url'],
	webhookVerification: ['none', 'token', 'hmac', 'publicKey'],
	publicKeyAlgorithm: [
		...(['ecdsaP256', 'ed25519'] as const),
		...(['rsaSha256', 'rsaSha512', 'rsaPssSha256', 'rsaPssSha512'] as const),
	],
	timestampUnit: ['auto', 'seconds', 'milliseconds', 'iso8601'],
} as const;

type Value<Name extends keyof typeof VALUES> = (typeof VALUES)[Name][number];

export type SecretEncoding = Value<'secretEncoding'>;
export type DigestAlgorithm = Value<'signatureAlgorithm' | 'webhookAlgorithm'>;
export type SignatureEncoding = Value<'signatureEncoding'>;
export type TimestampFormat = Value<'timestampFormat'>;
export type PublicKeyAlgorithm = Value<'publicKeyAlgorithm'>;
export type TimestampUnit = Value<'timestampUnit'>;

export type WebhookStyle =
	| 'default'
	| 'github'
	| 'paystack'
	| 'shopify'
	| 'slack'
	| 'standardWebhooks'
	| 'stripe'
	| 'custom';

/** How requests are signed. The credential describes each field. */
export interface SigningSettings {
	/** A row of SIGNING_STYLES in styles.ts. All fields but key and secret belong to `custom`. */
	signatureStyle?: 'default' | 'custom';
	serviceName: string;
	apiKey: string;
	timestampFormat: TimestampFormat;
	staticTimestamp?: string;
	signatureMethod: Value<'signatureMethod'>;
	staticSignature?: string;
	signatureSecret?: string;
	signatureSecretEncoding?: SecretEncoding;
	signatureAlgorithm?: Value<'signatureAlgorithm'>;
	signaturePayload?: string;
	/** What stands for the body of a request without one. */
	signatureEmptyBody?: Value<'emptyBody'>;
	signatureEncoding?: SignatureEncoding;
	/** Carries Payment Key to a service that honours one. paymentKeyHeader.ts reads it. */
	paymentKeyHeader?: string;
}

/** How webhook deliveries are verified. The credential describes each field. */
export interface VerificationSettings {
	/** A row of WEBHOOK_STYLES in styles.ts. All fields but the secrets belong to `custom`. */
	webhookStyle?: WebhookStyle;
	webhookVerification: Value<'webhookVerification'>;
	webhookHeader?: string;
	webhookSecret?: string;
	/** Also accepted, so that the secret can be rotated. */
	webhookPreviousSecret?: string;
	webhookPublicKey?: string;
	webhookPublicKeyAlgorithm?: PublicKeyAlgorithm;
	webhookSecretEncoding?: SecretEncoding;
	webhookAlgorithm?: Value<'webhookAlgorithm'>;
	webhookSignatureEncoding?: SignatureEncoding;
	webhookPayload?: string;
	webhookSignatureFormat?: string;
	webhookTimestampHeader?: string;
	webhookTimestampUnit?: TimestampUnit;
	webhookIdHeader?: string;
	/** Seconds; 0 means no check of the timestamp. */
	webhookTolerance?: number;
}

/** The largest Webhook Tolerance: one day, in seconds. */
export const MAX_TOLERANCE = 86_400;

/** Initial values of the form. The code uses them for an encoding, algorithm, template or tolerance that is not set. */
export const SIGNATURE_DEFAULTS = {
	signatureStyle: 'default',
	webhookStyle: 'default',
	serviceName: 'svc',
	timestampFormat: 'unixMilliseconds',
	signatureMethod: 'hmac',
	signatureSecretEncoding: 'utf8',
	signatureAlgorithm: 'sha256',
	signaturePayload: '{timestamp}{method}{path}{body}',
	signatureEmptyBody: 'empty',
	signatureEncoding: 'hex',
	webhookVerification: 'none',
	webhookHeader: 'x-svc-signature',
	webhookPublicKeyAlgorithm: 'rsaSha256',
	webhookSecretEncoding: 'utf8',
	webhookAlgorithm: 'sha256',
	webhookSignatureEncoding: 'hex',
	webhookPayload: '{body}',
	webhookSignatureFormat: '{signature}',
	webhookTimestampUnit: 'auto',
	webhookTolerance: 300,
} as const satisfies Partial<SigningSettings & VerificationSettings>;
