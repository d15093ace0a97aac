/** The signature header of a delivery, as a sender writes it. */
import { hmac } from '../../api/signature/hmac.ts';
import { choice, requiredTextOf, resolveVerification, textOf } from '../../api/signature/readSettings.ts';
import { readSecret } from '../../api/signature/secret.ts';
import { SETTINGS } from '../../api/signature/settings.ts';
import type { VerificationSettings } from '../../api/signature/settings.ts';
import { BODY_TOKENS, bodyValues, fillTemplate, parseTemplate } from '../../api/signature/template.ts';

/** `chosen` are the settings with which a receiver verifies the delivery. Throws SettingError. */
export function signDelivery(
	chosen: VerificationSettings,
	body: Uint8Array,
	{ timestamp = '', id = '' }: { timestamp?: string; id?: string } = {},
): string {
	const settings = resolveVerification(chosen);
	const { label } = SETTINGS.webhookPayload;
	const tokens = ['timestamp', 'id', ...BODY_TOKENS] as const;
	const payload = fillTemplate(parseTemplate(textOf(settings, 'webhookPayload'), label, tokens), {
		...bodyValues(body),
		timestamp: () => timestamp,
		id: () => id,
	});
	const encoding = choice(settings, 'webhookSecretEncoding');
	const text = requiredTextOf(settings, 'webhookSecret');
	const secret = readSecret(text, encoding, SETTINGS.webhookSecret.label);
	const signature = hmac({ secret, algorithm: choice(settings, 'webhookAlgorithm') }, payload);
	const format = textOf(settings, 'webhookSignatureFormat');
	// Standard Webhooks writes its signatures in base64.
	return format
		.replace('{signature}', signature.toString(format.startsWith('v1,') ? 'base64' : 'hex'))
		.replace('{timestamp}', timestamp);
}
