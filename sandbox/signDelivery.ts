/** The signature header of a delivery, as a sender writes it. */
import { hmac } from '../api/signature/hmac.ts';
import { resolveVerification, valueOf } from '../api/signature/readSettings.ts';
import { readSecret } from '../api/signature/secret.ts';
import { SETTINGS } from '../api/signature/settings.ts';
import type { VerificationSettings } from '../api/signature/settings.ts';
import { BODY_TOKENS, fillTemplate, parseTemplate } from '../api/signature/template.ts';

/** `chosen` are the settings with which a receiver verifies the delivery. Throws SettingError. */
export function signDelivery(
	chosen: VerificationSettings,
	body: Uint8Array,
	{ timestamp = '', id = '' }: { timestamp?: string; id?: string } = {},
): string {
	const settings = resolveVerification(chosen);
	const { label } = SETTINGS.webhookPayload;
	const tokens = ['timestamp', 'id', ...BODY_TOKENS];
	const template = parseTemplate(valueOf(settings, 'webhookPayload'), label, tokens);
	const text = valueOf(settings, 'webhookSecret');
	const secret = readSecret(text, valueOf(settings, 'webhookSecretEncoding'), SETTINGS.webhookSecret.label);
	const payload = fillTemplate(template, { timestamp, id }, body);
	const signature = hmac(secret, valueOf(settings, 'webhookAlgorithm'), payload);
	const format = valueOf(settings, 'webhookSignatureFormat');
	// Standard Webhooks writes its signatures in base64.
	return format
		.replace('{signature}', signature.toString(format.startsWith('v1,') ? 'base64' : 'hex'))
		.replace('{timestamp}', timestamp);
}
