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
export function readSecret(secret: unknown, encoding: SecretEncoding, label: string): Secret {
	const text = requireSecretText(secret, label);
	// Standard Webhooks puts `whsec_` before a base64 secret.
	const encoded = encoding === 'base64' ? text.replace(/^whsec_/, '') : text;
	if (!isComplete(encoded, encoding)) throw new SettingError(SETTING.secretIsNotEncoded(label, encoding));
	const bytes = Buffer.from(encoded, encoding);
	if (isPublic(bytes.toString('latin1'))) throw new SettingError(SETTING.secretIsPublicKey(label));
	// HMAC fills a short key up with zeros, so these equal the empty key.
	if (bytes.every((byte) => byte === 0)) throw new SettingError(SETTING.secretIsZero(label));
	return { text: encoded, encoding };
}

/** A secret that is sent as it is. Node.js reads headers as Latin-1, so only ASCII arrives as it was sent. */
export function readToken(token: unknown, label: string): string {
	const text = requireSecretText(token, label);
	if (isPublic(text)) throw new SettingError(SETTING.secretIsPublicKey(label));
	if (!/^[ -~]+$/.test(text)) throw new SettingError(SETTING.tokenIsNotAscii(label));
	return text;
}

function requireSecretText(value: unknown, label: string): string {
	const text = requireBareText(value, label);
	if (text === 'whsec_') throw new SettingError(SETTING.secretIsPrefix(label));
	return text;
}

/** Whether a text is PEM of something public. */
function isPublic(text: string): boolean {
	return /^\s*-----BEGIN [A-Z0-9 ]*(?:PUBLIC KEY|CERTIFICATE)-----/.test(text);
}

/** The text of a field that is often pasted. Throws SettingError if it is empty or has a space or a line break around it. */
export function requireBareText(value: unknown, label: string): string {
	const text = requireText(value, label);
	// `trim` keeps some invisible characters, such as a zero-width space.
	if (text !== text.trim() || /^\p{Cf}|\p{Cf}$/u.test(text))
		throw new SettingError(SETTING.hasSpaceAround(label));
	return text;
}

/** Whether a text is complete in an encoding. Node.js ignores the rest of one that is not. */
export function isComplete(encoded: string, encoding: SecretEncoding): boolean {
	switch (encoding) {
		case 'utf8':
			return true;
		case 'hex':
			return /^(?:[\da-f]{2})+$/i.test(encoded);
		case 'base64': {
			const [, digits = '', padding = ''] = /^([\w+/-]+)(={0,2})$/.exec(encoded) ?? [];
			const missing = (4 - (digits.length % 4)) % 4;
			// A digit holds six bits, so a single digit in the last group is less than a byte.
			return digits !== '' && missing < 3 && (padding === '' || padding.length === missing);
		}
	}
}
