/** Reads the values of settings: checked, with their defaults. Messages name a setting by its label. */
import { SETTING } from '../messages.ts';
import { optionalText, requireOption, requireText, SettingError } from '../settingError.ts';
import { SETTINGS, SIGNATURE_STYLES, WEBHOOK_STYLES } from './settings.ts';
import type * as Settings from './settings.ts';

/** The chosen value, or the default. Throws SettingError for an unknown one: an expression can give a field any value. */
export function choice<Name extends Settings.ChoiceName>(
	settings: Settings.Some<Name>,
	name: Name,
): Settings.Value<Name> {
	const { label, values, default: fallback } = SETTINGS[name];
	const value = (settings[name] === undefined ? fallback : settings[name]) as string;
	return requireOption<string>(value, values, label) as Settings.Value<Name>;
}

/** The text of a field, its default if it is not set, '' if there is none. Throws SettingError if it is not text. */
export function textOf<Name extends Settings.SettingName>(settings: Settings.Some<Name>, name: Name): string {
	const { label, default: fallback = '' }: Settings.Setting = SETTINGS[name];
	return optionalText(settings[name] === undefined ? fallback : settings[name], label);
}

/** The same for a field that must not be empty. */
export function requiredTextOf<Name extends Settings.SettingName>(
	settings: Settings.Some<Name>,
	name: Name,
): string {
	return requireText(textOf(settings, name), SETTINGS[name].label);
}

/** The name of a header (RFC 9110, section 5.6.2), '' if there is none. Throws SettingError. */
export function headerNameOf<Name extends Settings.SettingName>(
	settings: Settings.Some<Name>,
	name: Name,
	example: string = SETTINGS.webhookHeader.default,
): string {
	const header = textOf(settings, name);
	if (/^[\w!#$%&'*+.^`|~-]*$/.test(header)) return header;
	throw new SettingError(SETTING.headerNameIsInvalid(SETTINGS[name].label, example));
}

/** The settings for requests. Those without a style, as the sandbox has them, count as custom. Throws SettingError. */
export function resolveSigning(settings: Settings.SigningSettings): Settings.SigningSettings {
	const { signatureStyle = 'custom', apiKey, signatureSecret } = settings;
	const style = choice({ signatureStyle }, 'signatureStyle');
	return style === 'custom' ? settings : { ...SIGNATURE_STYLES[style], apiKey, signatureSecret };
}

/** The same for deliveries. */
export function resolveVerification(settings: Settings.VerificationSettings): Settings.VerificationSettings {
	const { webhookStyle = 'custom', webhookSecret, webhookPreviousSecret } = settings;
	const style = choice({ webhookStyle }, 'webhookStyle');
	return style === 'custom' ? settings : { ...WEBHOOK_STYLES[style], webhookSecret, webhookPreviousSecret };
}
