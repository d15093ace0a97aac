/**
 * The styles that the credential offers: the settings of the service itself and of well-known senders. What a row leaves out
 * has the default in settings.ts; key and secrets are the user's.
 */
import { choice } from './readSettings.ts';
import { SETTINGS } from './settings.ts';
import type { SigningSettings, Value, VerificationSettings } from './settings.ts';

/** How deliveries are signed, by Webhook Style. */
export const WEBHOOK_STYLES = {
	default: { webhookVerification: 'hmac', webhookHeader: SETTINGS.webhookHeader.default },
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
		webhookTimestampFormat: 'unixSeconds',
	},
	standardWebhooks: {
		webhookVerification: 'hmac',
		webhookHeader: 'webhook-signature',
		webhookSecretEncoding: 'base64',
		webhookSignatureEncoding: 'base64',
		webhookPayload: '{id}.{timestamp}.{body}',
		webhookSignatureFormat: 'v1,{signature}',
		webhookTimestampHeader: 'webhook-timestamp',
		webhookTimestampFormat: 'unixSeconds',
		webhookIdHeader: 'webhook-id',
	},
	stripe: {
		webhookVerification: 'hmac',
		webhookHeader: 'stripe-signature',
		webhookPayload: '{timestamp}.{body}',
		webhookSignatureFormat: 't={timestamp},v1={signature}',
		webhookTimestampFormat: 'unixSeconds',
	},
} as const satisfies Record<Exclude<Value<'webhookStyle'>, 'custom'>, VerificationSettings>;

/** The settings for requests. Those without a style, as the sandbox has them, count as custom. Throws SettingError. */
export function resolveSigning(settings: SigningSettings): SigningSettings {
	const { signatureStyle = 'custom', apiKey, signatureSecret } = settings;
	// Every part of the service's own style is a default.
	return choice({ signatureStyle }, 'signatureStyle') === 'custom' ? settings : { apiKey, signatureSecret };
}

/** The same for deliveries. */
export function resolveVerification(settings: VerificationSettings): VerificationSettings {
	const { webhookStyle = 'custom', webhookSecret, webhookPreviousSecret } = settings;
	const style = choice({ webhookStyle }, 'webhookStyle');
	return style === 'custom' ? settings : { ...WEBHOOK_STYLES[style], webhookSecret, webhookPreviousSecret };
}
