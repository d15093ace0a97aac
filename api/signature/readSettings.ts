/** Reads the values of settings: checked, with their defaults. Messages name a setting by its label. */
import { SETTING } from '../messages.ts';
import { optionalText, requireOption, requireText, SettingError } from '../settingError.ts';
import { SETTINGS } from './settings.ts';
import type { ChoiceName, Setting, SettingName, Some, Value } from './settings.ts';

/** The chosen value, or the default. Throws SettingError for an unknown one: an expression can give a field any value. */
export function choice<Name extends ChoiceName>(settings: Some<Name>, name: Name): Value<Name> {
	const { label, values, default: fallback } = SETTINGS[name];
	const value = (settings[name] === undefined ? fallback : settings[name]) as string;
	return requireOption<string>(value, values, label) as Value<Name>;
}

/** The text of a field, its default if it is not set, '' if there is none. Throws SettingError if it is not text. */
export function textOf<Name extends SettingName>(settings: Some<Name>, name: Name): string {
	const { label, default: fallback = '' }: Setting = SETTINGS[name];
	return optionalText(settings[name] === undefined ? fallback : settings[name], label);
}

/** The same for a field that must not be empty. */
export function requiredTextOf<Name extends SettingName>(settings: Some<Name>, name: Name): string {
	return requireText(textOf(settings, name), SETTINGS[name].label);
}

/** The name of a header (RFC 9110, section 5.6.2), '' if there is none. Throws SettingError. */
export function headerNameOf<Name extends SettingName>(
	settings: Some<Name>,
	name: Name,
	example: string = SETTINGS.webhookHeader.default,
): string {
	const header = textOf(settings, name);
	if (/^[\w!#$%&'*+.^`|~-]*$/.test(header)) return header;
	throw new SettingError(SETTING.headerNameIsInvalid(SETTINGS[name].label, example));
}
