/**
 * The styles that the credential offers: the settings of the service itself and of well-known senders. What a row leaves out
 * has the default in settings.ts; key and secrets are the user's. A table: no logic.
 */
import { SIGNATURE_DEFAULTS } from './settings.ts';
import type { SigningSettings, VerificationSettings } from './settings.ts';

type SigningStyle = Omit<SigningSettings, 'signatureStyle' | 'apiKey' | 'signatureSecret'>;

type WebhookStyle = Omit<VerificationSettings, 'webhookStyle' | 'webhookSecret' | 'webhookPreviousSecret'>;

/** How requests are signed, by Signature Style. */
export const SIGNING_STYLES = {
	default: {
		serviceName: SIGNATURE_DEFAULTS.serviceName,
		timestampFormat: SIGNATURE_DEFAULTS.timestampFormat,
		signatureMethod: 'hmac',
	},
} as const satisfies Record<string, SigningStyle>;

/** How deliveries are signed, by Webhook Style. */
export const WEBHOOK_STYLES = {
	default: { webhookVerification: 'hmac', webhookHeader: SIGNATURE_DEFAULTS.webhookHeader },
	github: {
		webhookVerification: 'hmac',
		webhookHeader: 'x-hub-signature-256',
		webhookSignatureFormat: 'sha256={signature}',
	},
	paystack: {
		webhookVerification: 'hmac',
		webhookHeader: 'x-paystack-signature',
		webhookAlgorithm: 'sha512',
	},
	shopify: {
		webhookVerification: 'hmac',
		webhookHeader: 'x-shopify-hmac-sha256',
		webhookSignatureEncoding: 'base64',
	},
	slack: {
		webhookVerification: 'hmac',
		webhookHeader: 'x-slack-signature',
		webhookPayload: 'v0:{timestamp}:{body}',
		webhookSignatureFormat: 'v0={signature}',
		webhookTimestampHeader: 'x-slack-request-timestamp',
		webhookTimestampUnit: 'seconds',
	},
	standardWebhooks: {
		webhookVerification: 'hmac',
		webhookHeader: 'webhook-signature',
		webhookSecretEncoding: 'base64',
		webhookSignatureEncoding: 'base64',
		webhookPayload: '{id}.{timestamp}.{body}',
		webhookSignatureFormat: 'v1,{signature}',
		webhookTimestampHeader: 'webhook-timestamp',
		webhookTimestampUnit: 'seconds',
		webhookIdHeader: 'webhook-id',
	},
	stripe: {
		webhookVerification: 'hmac',
		webhookHeader: 'stripe-signature',
		webhookPayload: '{timestamp}.{body}',
		webhookSignatureFormat: 't={timestamp},v1={signature}',
		webhookTimestampUnit: 'seconds',
	},
} as const satisfies Record<string, WebhookStyle>;
