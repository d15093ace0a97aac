import { SETTING } from '../messages.ts';
import { SettingError } from '../settingError.ts';

/**
 * One of the known values. An expression can give a field any value. Throws SettingError for an unknown one; `label` is the
 * name of the field in the form.
 */
export function requireOption<Value extends string>(
	value: Value,
	known: readonly Value[],
	label: string,
): Value {
	if (!known.includes(value)) throw new SettingError(SETTING.valueIsUnknown(label, known.join(', ')));
	return value;
}
