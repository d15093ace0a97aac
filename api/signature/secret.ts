/** Reads the secrets of the credential. `label` is the name of the field in the form. */
import { SETTING } from '../messages.ts';
import { SettingError } from '../settingError.ts';
import { decode } from './encoding.ts';
import { isPublicKey } from './publicKey.ts';
import type { Value } from './settings.ts';

/** The bytes of a secret. Throws SettingError for zeros only, and for text that Node.js would silently cut off. */
export function readSecret(text: string, encoding: Value<'signatureSecretEncoding'>, label: string): Buffer {
	requireSecret(text, label);
	// Standard Webhooks puts `whsec_` before a base64 secret, and some services the version of the signature before that.
	const encoded = encoding === 'base64' ? text.replace(/^(?:v1,)?whsec_/, '') : text;
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
	if (/^(?:v1,)?whsec_$/.test(text)) throw new SettingError(SETTING.secretIsPrefix(label));
	if (isPublic(text)) throw new SettingError(SETTING.secretIsPublicKey(label));
}

/** Whether a text is a public key or a certificate as PEM, SSH or JSON has it, or a public key in base64 that says so itself. */
function isPublic(text: string): boolean {
	if (/^(?:ssh-|-----BEGIN (?!.*PRIVATE))/.test(text) || isPublicKey(text)) return true;
	// A key as JSON (RFC 7517) is private with `d`, and a shared secret with `k`.
	return /^\{[^]*"kty"\s*:/.test(text) && !/"[dk]"\s*:/.test(text);
}
