/** Reads the secrets of the credential. `label` is the name of the field in the form. */
import { SETTING } from '../messages.ts';
import { SettingError } from '../settingError.ts';
import type { Value } from './settings.ts';

/** The bytes of a secret. Throws SettingError for zeros only, and for text that Node.js would silently cut off. */
export function readSecret(text: string, encoding: Value<'signatureSecretEncoding'>, label: string): Buffer {
	requireSecret(text, label);
	// Standard Webhooks puts `whsec_` before a base64 secret.
	const encoded = encoding === 'base64' ? text.replace(/^whsec_/, '') : text;
	const bytes = encoding === 'utf8' ? Buffer.from(text) : decode(encoded, encoding);
	if (bytes === undefined) throw new SettingError(SETTING.secretIsNotEncoded({ label, encoding }));
	// HMAC fills a short key up with zeros, so these equal the empty key.
	if (bytes.every((byte) => byte === 0)) throw new SettingError(SETTING.secretIsZero(label));
	return bytes;
}

/** A secret that is sent as it is. Node.js reads headers as Latin-1, so only ASCII arrives as it was sent. */
export function readToken(text: string, label: string): string {
	requireSecret(text, label);
	if (!/^[ -~]+$/.test(text)) throw new SettingError(SETTING.tokenIsNotAscii(label));
	return text;
}

/** A field that is often pasted. `trim` keeps some invisible characters, such as a zero-width space. */
function requireSecret(text: string, label: string): void {
	if (text !== text.trim() || /^\p{Cf}|\p{Cf}$/u.test(text))
		throw new SettingError(SETTING.hasSpaceAround(label));
	if (text === 'whsec_') throw new SettingError(SETTING.secretIsPrefix(label));
	if (isPublic(text)) throw new SettingError(SETTING.secretIsPublicKey(label));
}

/** The bytes of complete hex, or of base64 or base64url with or without padding. Undefined for any other text. */
export function decode(text: string, encoding: 'hex' | 'base64'): Buffer | undefined {
	if (encoding === 'hex') return /^(?:[\da-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : undefined;
	if (!/^[\w+/-]+={0,2}$/.test(text)) return undefined;
	const padding = text.split('=').length - 1;
	const missing = (4 - ((text.length - padding) % 4)) % 4;
	// A digit holds six bits, so a single digit in the last group is less than a byte.
	const isComplete = missing < 3 && (padding === 0 || padding === missing);
	return isComplete ? Buffer.from(text, 'base64') : undefined;
}

/** Whether a text is a public key or a certificate as PEM, SSH or JSON has it. */
function isPublic(text: string): boolean {
	if (/^(?:ssh-|-----BEGIN (?!.*PRIVATE))/.test(text)) return true;
	// A key as JSON (RFC 7517) is private with `d`, and a shared secret with `k`.
	return /^\{[^]*"kty"\s*:/.test(text) && !/"[dk]"\s*:/.test(text);
}
