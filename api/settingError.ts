import { SETTING } from './messages.ts';

/**
 * A setting of a node or of the credential that cannot work. The message is shown to the user: it names the field by its
 * label and holds no secret.
 */
export class SettingError extends Error {
	/** n8n wraps errors in its own and keeps the code, so the code still identifies this one. */
	static readonly code = 'SETTING';
	readonly code = SettingError.code;
}

/** The text of a setting. Throws SettingError if it is missing or empty; `label` is its name in the form. */
export function requireText(value: string | undefined, label: string): string {
	if (!value) throw new SettingError(SETTING.isEmpty(label));
	return value;
}
