import { SETTING } from '../messages.ts';
import { SettingError } from '../settingError.ts';

/** The name of a header: RFC 9110, section 5.6.2. Throws SettingError; `label` is the name of the field in the form. */
export function requireHeaderName(name: string, label: string, example: string): string {
	if (/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return name;
	throw new SettingError(SETTING.headerNameIsInvalid(label, example));
}
