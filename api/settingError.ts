import { SETTING } from './messages.ts';

/** A setting that cannot work. The message is for the user: it names the field by its label and holds no secret. */
export class SettingError extends Error {
	/** n8n wraps errors in its own and keeps the code, so the code still identifies this one. */
	static readonly code = 'SETTING';
	readonly code = SettingError.code;
}

/** The text of a setting. Throws SettingError if it is empty or not text; `label` is its name in the form. */
export function requireText(value: unknown, label: string): string {
	const text = optionalText(value, label);
	if (text === '') throw new SettingError(SETTING.isEmpty(label));
	return text;
}

/** The same for a setting that may be missing. An expression can give a field any value. */
export function optionalText(value: unknown, label: string): string {
	if (value === undefined || value === null) return '';
	if (typeof value !== 'string') throw new SettingError(SETTING.isNotText(label));
	return value;
}

/** One of the known values. Throws SettingError for any other. */
export function requireOption(value: unknown, known: string[], label: string): string {
	if (typeof value === 'string' && known.includes(value)) return value;
	throw new SettingError(SETTING.valueIsUnknown({ label, known: known.join(', ') }));
}
