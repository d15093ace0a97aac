/** Turns a style into settings, so that styles and custom settings take one path from here on. */
import { requireOption } from './option.ts';
import type { SigningSettings, VerificationSettings } from './settings.ts';
import { SIGNING_STYLES, WEBHOOK_STYLES } from './styles.ts';

/** Settings without a style, as the sandbox has them, count as custom. Throws SettingError for an unknown style. */
export function resolveSigning(settings: SigningSettings): SigningSettings {
	const { signatureStyle = 'custom', apiKey, signatureSecret } = settings;
	if (signatureStyle === 'custom') return settings;
	const style = rowOf(SIGNING_STYLES, signatureStyle, 'Signature Style');
	return { ...style, apiKey, signatureSecret };
}

/** Settings without a style, as the sandbox has them, count as custom. Throws SettingError for an unknown style. */
export function resolveVerification(settings: VerificationSettings): VerificationSettings {
	const { webhookStyle = 'custom', webhookSecret, webhookPreviousSecret } = settings;
	if (webhookStyle === 'custom') return settings;
	const style = rowOf(WEBHOOK_STYLES, webhookStyle, 'Webhook Style');
	return { ...style, webhookSecret, webhookPreviousSecret };
}

/** A row of a table of styles. */
function rowOf<Styles extends object>(styles: Styles, style: keyof Styles & string, label: string) {
	const names = Object.keys(styles) as Array<keyof Styles & string>;
	if (!names.includes(style)) requireOption<string>(style, [...names, 'custom'], label);
	return styles[style];
}
