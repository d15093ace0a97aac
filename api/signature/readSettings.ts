/** Reads the values of settings: checked, with their defaults. Messages name a setting by its label. */
import { SETTING } from '../messages.ts';
import { optionalText, requireOption, requireText, SettingError } from '../settingError.ts';
import { SETTINGS, WEBHOOK_STYLES } from './settings.ts';
import type { Setting, SettingName, SigningSettings, Some, Value, VerificationSettings } from './settings.ts';

/** The value of a setting, or its default. Throws SettingError if it is unusable: an expression can give a field any value. */
export function valueOf<Name extends SettingName>(settings: Some<Name>, name: Name): Value<Name> {
	return read(settings[name], SETTINGS[name]) as Value<Name>;
}

function read(given: unknown, { label, choices, default: first = '', max, optional }: Setting) {
	const known = Object.keys(choices ?? {});
	const value = given === undefined ? (known[0] ?? first) : given;
	if (choices !== undefined) return requireOption(value, known, label);
	if (max === undefined) return optional ? optionalText(value, label) : requireText(value, label);
	if (typeof value === 'number' && value >= 0 && value <= max) return value;
	throw new SettingError(SETTING.secondsAreInvalid({ label, largest: String(max) }));
}

/** The name of a header (RFC 9110, section 5.6.2), '' if an optional one is not set. Throws SettingError. */
export function headerNameOf<Name extends SettingName>(settings: Some<Name>, name: Name): string {
	const header = String(valueOf(settings, name));
	if (/^[\w!#$%&'*+.^`|~-]*$/.test(header)) return header;
	throw new SettingError(SETTING.headerNameIsInvalid(SETTINGS[name].label));
}

/** The settings for requests. Those without a style, as the sandbox has them, count as custom. Throws SettingError. */
export function resolveSigning(settings: SigningSettings): SigningSettings {
	const { signatureStyle = 'custom', apiKey, signatureSecret } = settings;
	return valueOf({ signatureStyle }, 'signatureStyle') === 'custom' ? settings : { apiKey, signatureSecret };
}

/** The same for deliveries. */
export function resolveVerification(settings: VerificationSettings): VerificationSettings {
	const { webhookStyle = 'custom', webhookSecret, webhookPreviousSecret } = settings;
	const style = valueOf({ webhookStyle }, 'webhookStyle');
	return style === 'custom' ? settings : { ...WEBHOOK_STYLES[style], webhookSecret, webhookPreviousSecret };
}
