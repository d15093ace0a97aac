/** Reads the secrets of the credential. */
import { SETTING } from '../messages.ts';
import { requireText, SettingError } from '../settingError.ts';
import type { SecretEncoding } from './settings.ts';

/** The secret stays text with its encoding: Node.js computes an HMAC five times as fast from text as from bytes. */
export interface Secret {
	text: string;
	encoding: SecretEncoding;
}

/**
 * The secret in its encoding: at least one byte. Throws SettingError if it is empty or not complete text of that encoding,
 * because Node.js would silently cut it off. `label` is the name of the field in the form.
 */
export function readSecret(secret: string | undefined, encoding: SecretEncoding, label: string): Secret {
	const text = requireBareText(secret, label);
	// Standard Webhooks puts `whsec_` before a base64 secret.
	const encoded = encoding === 'base64' ? text.replace(/^whsec_/, '') : text;
	if (!isComplete(encoded, encoding)) throw new SettingError(SETTING.secretIsNotEncoded(label, encoding));
	return { text: encoded, encoding };
}

/** The text of a field that is often pasted. Throws SettingError if it is empty or has a space or a line break around it. */
export function requireBareText(value: string | undefined, label: string): string {
	const text = requireText(value, label);
	if (text !== text.trim()) throw new SettingError(SETTING.hasSpaceAround(label));
	return text;
}

function isComplete(encoded: string, encoding: SecretEncoding): boolean {
	switch (encoding) {
		case 'utf8':
			return true;
		case 'hex':
			return /^(?:[\da-f]{2})+$/i.test(encoded);
		case 'base64': {
			const [, digits = '', padding = ''] = /^([\w+/-]+)(={0,2})$/.exec(encoded) ?? [];
			const missing = (4 - (digits.length % 4)) % 4;
			// A digit holds six bits, so a last group of a single digit is no byte.
			return digits !== '' && missing < 3 && (padding === '' || padding.length === missing);
		}
	}
}
