/** HMAC. Signing of requests and verification of webhooks both use it. */
import { createHmac, timingSafeEqual } from 'node:crypto';

import type { Secret } from './secret.ts';
import type { Value } from './settings.ts';
import type { PayloadPart } from './template.ts';

type SignatureEncoding = Value<'signatureEncoding'>;

export interface HmacKey {
	secret: Secret;
	algorithm: Value<'webhookAlgorithm'>;
	encoding: SignatureEncoding;
}

/** A key that verifies the signatures of deliveries. */
export interface SignatureKey {
	/** How many texts with the form of a signature are tried. */
	maxSignatures: number;
	/** Whether a text has the form of a signature. Any other text is skipped. */
	couldBe(signature: string): boolean;
	/** Whether a text is a signature of the payload. */
	checkerOf(payload: PayloadPart[]): (signature: string) => boolean;
}

/** The signature of the parts in their order, as text in the encoding of the key. */
export function hmac({ secret, algorithm, encoding }: HmacKey, parts: PayloadPart[]): string {
	const mac = createHmac(algorithm, secret.text, { encoding: secret.encoding });
	for (const part of parts) mac.update(part);
	return encoding === 'hexUpper' ? mac.digest('hex').toUpperCase() : mac.digest(encoding);
}

/** Whether two texts are equal. The time taken depends on their lengths only, so it reveals no character. */
export function constantTimeEqual(a: string, b: string): boolean {
	const [left, right] = [Buffer.from(a), Buffer.from(b)];
	return left.length === right.length && timingSafeEqual(left, right);
}

export function hmacSignatureKey(key: HmacKey): SignatureKey {
	// Hex digits mean the same in upper and lower case; base64 characters do not.
	const inOneCase = (text: string) => (key.encoding.startsWith('hex') ? text.toLowerCase() : text);
	const { length } = hmac(key, []);
	return {
		// Senders that rotate a secret send two or three.
		maxSignatures: 10,
		couldBe: (signature) => signature.length === length,
		checkerOf: (payload) => {
			const expected = inOneCase(hmac(key, payload));
			return (signature) => constantTimeEqual(expected, inOneCase(signature));
		},
	};
}
