/** HMAC over a payload template. Signing of requests and verification of webhooks both use it. */
import { createHmac, timingSafeEqual } from 'node:crypto';

import { SETTING } from '../messages.ts';
import { requireText, SettingError } from '../settingError.ts';
import type { DigestAlgorithm, SecretEncoding, SignatureEncoding } from './settings.ts';

/** The secret stays text with its encoding: Node.js computes an HMAC five times as fast from text as from bytes. */
export interface Secret {
	text: string;
	encoding: SecretEncoding;
}

export interface HmacKey {
	secret: Secret;
	algorithm: DigestAlgorithm;
	encoding: SignatureEncoding;
}

/** A piece of what is signed: text, or bytes exactly as received. */
export type PayloadPart = string | Uint8Array;

/** Token name -> its value; computed only for the tokens that the template contains. */
export type TokenValues = Record<string, () => PayloadPart>;

/** The signature of the parts in their order, as text in the encoding of the key. */
export function hmac({ secret, algorithm, encoding }: HmacKey, parts: PayloadPart[]): string {
	const mac = createHmac(algorithm, secret.text, { encoding: secret.encoding });
	for (const part of parts) mac.update(part);
	return encoding === 'hexUpper' ? mac.digest('hex').toUpperCase() : mac.digest(encoding);
}

/**
 * The parts to sign, made from a template such as `{timestamp}.{body}`. `\n` in a template is a line feed. Throws
 * SettingError for an unknown token; `label` is the name of the template's field in the form.
 */
export function fillTemplate(template: string, label: string, tokens: TokenValues): PayloadPart[] {
	return template.split(/(\{\w+\})/).map((part) => {
		const token = /^\{(\w+)\}$/.exec(part)?.[1];
		if (token === undefined) return part.replaceAll('\\n', '\n');
		const value = Object.hasOwn(tokens, token) ? tokens[token] : undefined;
		if (value === undefined) {
			const known = Object.keys(tokens).map((name) => `{${name}}`);
			throw new SettingError(SETTING.tokenIsUnknown(label, part, known.join(' ')));
		}
		return value();
	});
}

/**
 * The secret in its encoding. Throws SettingError if it is empty or not in that encoding, because Node.js would silently
 * cut it off at the first wrong character. `label` is the name of the field in the form.
 */
export function readSecret(secret: string | undefined, encoding: SecretEncoding, label: string): Secret {
	const text = requireText(secret, label);
	if (encoding === 'utf8') return { text, encoding };
	const valid = encoding === 'hex' ? /^(?:[\da-f]{2})+$/i : /^[\w+/-]+={0,2}$/;
	// Standard Webhooks puts `whsec_` before a base64 secret.
	const encoded = encoding === 'base64' ? text.replace(/^whsec_/, '') : text;
	if (!valid.test(encoded)) throw new SettingError(SETTING.secretIsNotEncoded(label, encoding));
	return { text: encoded, encoding };
}

/** Whether two texts are equal. The time taken depends on their lengths only, so it reveals no character. */
export function constantTimeEqual(a: string, b: string): boolean {
	const [left, right] = [Buffer.from(a), Buffer.from(b)];
	return left.length === right.length && timingSafeEqual(left, right);
}
