/** Reads the secrets of the credential. */
import { ECDH } from 'node:crypto';

import { SETTING } from '../messages.ts';
import { requireText, SettingError } from '../settingError.ts';
import type { Value } from './settings.ts';

type SecretEncoding = Value<'signatureSecretEncoding'>;

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
	// HMAC fills a short key up with zeros, so these equal the empty key.
	const isZero = Buffer.from(encoded, encoding).every((byte) => byte === 0);
	if (isZero) throw new SettingError(SETTING.secretIsZero(label));
	return { text: encoded, encoding };
}

/** A secret that is sent as it is. Node.js reads headers as Latin-1, so only ASCII arrives as it was sent. */
export function readToken(token: unknown, label: string): string {
	const text = requireSecretText(token, label);
	if (!/^[ -~]+$/.test(text)) throw new SettingError(SETTING.tokenIsNotAscii(label));
	return text;
}

function requireSecretText(value: unknown, label: string): string {
	const text = requireBareText(value, label);
	if (text === 'whsec_') throw new SettingError(SETTING.secretIsPrefix(label));
	if (isPublic(text)) throw new SettingError(SETTING.secretIsPublicKey(label));
	return text;
}

/** The text of a field that is often pasted. Throws SettingError if it is empty or has a space or a line break around it. */
export function requireBareText(value: unknown, label: string): string {
	const text = requireText(value, label);
	// `trim` keeps some invisible characters, such as a zero-width space.
	if (text !== text.trim() || /^\p{Cf}|\p{Cf}$/u.test(text))
		throw new SettingError(SETTING.hasSpaceAround(label));
	return text;
}

/**
 * Whether a text is a public key or a certificate, in any encoding. The first bytes tell, so a part of one is found too. Only
 * bare numbers look like a secret: any 32 bytes can be an Ed25519 key, and many of 33 bytes a compressed P-256 key.
 */
function isPublic(text: string, encodings = 3): boolean {
	if (PUBLIC_TEXT.test(text) || isPublicJwk(text)) return true;
	if (encodings === 0 || text.length < MIN_ENCODED_LENGTH) return false;
	const bare = text.replace(/\\[nrx]|0x|whsec_/gi, '');
	// The whole text without what separates its lines, and each word of it.
	const words = new Set([bare.replace(/[^\w+/=-]/g, ''), ...(text.match(/[\w+/=-]{24,}/g) ?? [])]);
	const encoded = [
		Buffer.from(bare.replace(/[^\da-f]/gi, ''), 'hex'),
		...[...words].map((word) => Buffer.from(word, 'base64')),
	];
	return encoded.some((bytes) => isPublicBytes(bytes) || isPublic(readableText(bytes), encodings - 1));
}

/** A shorter text holds no key. */
const MIN_ENCODED_LENGTH = 24;

/** How public keys begin in standards: whpk_, PEM, SSH. PEM of a private key is secret. */
const PUBLIC_TEXT = /^whpk_|-----? ?(?:BEGIN|END) (?!.*PRIVATE)|\b(?:ssh|ecdsa|sk)-[\w@.-]+ AAAA/is;

/** Text that may be encoded once more, '' if the bytes are none. UTF-16 has a zero in each character. */
function readableText(bytes: Buffer): string {
	const text = bytes.toString('latin1').replaceAll('\0', '').trim();
	return /^[\t\n\r -~]*$/.test(text) ? text : '';
}

/** DER (RFC 5280, RFC 8017), as hex: a key with its algorithm, a certificate or a request for one, and a bare RSA key. */
const DER = [
	/^30(?:[0-7].|81..|82....)30(?:[0-7].|81..)06/,
	/^308[12].{2,4}308[12]/,
	/^30(?:48|81..|82....)02(?:41|81..|82....)00/,
];

/** The form of SSH (RFC 4253): the length of a name, then the name. */
const SSH = /^000000..(?:7373682d|65636473612d|736b2d)/;

function isPublicBytes(bytes: Buffer): boolean {
	const start = bytes.toString('hex', 0, 16);
	return SSH.test(start) || DER.some((form) => form.test(start)) || isPoint(bytes);
}

/** The bare bytes of an elliptic key with both coordinates, by length. Random bytes are not on the curve. */
const CURVES: Record<number, string[]> = {
	65: ['prime256v1', 'secp256k1'],
	97: ['secp384r1'],
	133: ['secp521r1'],
};

function isPoint(bytes: Buffer): boolean {
	return (CURVES[bytes.length] ?? []).some((curve) => {
		try {
			return bytes[0] === 4 && ECDH.convertKey(bytes, curve).length > 0;
		} catch {
			return false;
		}
	});
}

/** Keys as JSON (RFC 7517), without what makes a key private (`d`) or is a shared secret (`k`). */
function isPublicJwk(text: string): boolean {
	return /^[[{]/.test(text) && /"kty"\s*:/.test(text) && !/"[dk]"\s*:/.test(text);
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
