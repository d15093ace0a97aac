/** What a style stands for. What a row leaves out has the default in settings.ts; key and secrets are the user's. */
import { choice } from './readSettings.ts';
import { SETTINGS } from './settings.ts';
import type { SigningSettings, Value, VerificationSettings } from './settings.ts';

export const SIGNATURE_STYLES = {
	default: {},
} as const satisfies Record<Exclude<Value<'signatureStyle'>, 'custom'>, SigningSettings>;

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

/** The settings for requests. Those without a style, as the sandbox has them, count as custom. Throws SettingError. */
export function resolveSigning(settings: SigningSettings): SigningSettings {
	const { signatureStyle = 'custom', apiKey, signatureSecret } = settings;
	const style = choice({ signatureStyle }, 'signatureStyle');
	return style === 'custom' ? settings : { ...SIGNATURE_STYLES[style], apiKey, signatureSecret };
}

/** The same for deliveries. */
export function resolveVerification(settings: VerificationSettings): VerificationSettings {
	const { webhookStyle = 'custom', webhookSecret, webhookPreviousSecret } = settings;
	const style = choice({ webhookStyle }, 'webhookStyle');
	return style === 'custom' ? settings : { ...WEBHOOK_STYLES[style], webhookSecret, webhookPreviousSecret };
}
