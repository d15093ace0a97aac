/**
 * The credential's settings for signatures, and their defaults. The API document ("Authentication") does not show how the
 * service signs, so each part of a signature is a setting. A table: no logic.
 */

export type SecretEncoding = 'utf8' | 'hex' | 'base64';
export type DigestAlgorithm = 'sha256' | 'sha384' | 'sha512';
export type SignatureEncoding = 'hex' | 'hexUpper' | 'base64' | 'base64url';
export type TimestampFormat = 'unixMilliseconds' | 'unixSeconds' | 'iso8601' | 'static';

/** How requests are signed. Stored credentials use these names; the credential describes each field. */
export interface SigningSettings {
	serviceName: string;
	apiKey: string;
	timestampFormat: TimestampFormat;
	staticTimestamp?: string;
	signatureMethod: 'hmac' | 'static';
	staticSignature?: string;
	signatureSecret?: string;
	signatureSecretEncoding?: SecretEncoding;
	signatureAlgorithm?: DigestAlgorithm;
	signaturePayload?: string;
	signatureEncoding?: SignatureEncoding;
}

/** How webhook deliveries are verified. Stored credentials use these names; the credential describes each field. */
export interface VerificationSettings {
	webhookVerification: 'none' | 'token' | 'hmac';
	webhookHeader?: string;
	webhookSecret?: string;
	/** Also accepted, so that the secret can be rotated. */
	webhookPreviousSecret?: string;
	webhookSecretEncoding?: SecretEncoding;
	webhookAlgorithm?: DigestAlgorithm;
	webhookSignatureEncoding?: SignatureEncoding;
	webhookPayload?: string;
	webhookSignatureFormat?: string;
	webhookTimestampHeader?: string;
	webhookIdHeader?: string;
	/** Seconds; 0 means no check of the timestamp. */
	webhookTolerance?: number;
}

/** Initial values of the form. The code uses them for an encoding, algorithm, template or tolerance that is not set. */
export const SIGNATURE_DEFAULTS = {
	serviceName: 'svc',
	timestampFormat: 'unixMilliseconds',
	signatureMethod: 'hmac',
	signatureSecretEncoding: 'utf8',
	signatureAlgorithm: 'sha256',
	signaturePayload: '{timestamp}{method}{path}{body}',
	signatureEncoding: 'hex',
	webhookVerification: 'none',
	webhookHeader: 'x-svc-signature',
	webhookSecretEncoding: 'utf8',
	webhookAlgorithm: 'sha256',
	webhookSignatureEncoding: 'hex',
	webhookPayload: '{body}',
	webhookSignatureFormat: '{signature}',
	webhookTolerance: 300,
} as const satisfies Partial<SigningSettings & VerificationSettings>;
