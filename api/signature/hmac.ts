/** HMAC over the parts of a template. Signing of requests and verification of webhooks both use it. */
import { createHmac, timingSafeEqual } from 'node:crypto';

import type { Secret } from './secret.ts';
import type { Value } from './settings.ts';
import type { PayloadPart } from './template.ts';

export interface HmacKey {
	secret: Secret;
	algorithm: Value<'webhookAlgorithm'>;
}

/** A key that verifies the signatures of deliveries. */
export interface SignatureKey {
	/** How many signatures with a possible form are tried. */
	maxSignatures: number;
	/** Whether bytes can be a signature. Any others are skipped. */
	couldBe(signature: Buffer): boolean;
	/** Whether bytes that could be one are a signature of the payload. */
	checkerOf(payload: PayloadPart[]): (signature: Buffer) => boolean;
}

/** The signature of the parts in their order. */
export function hmac({ secret, algorithm }: HmacKey, parts: PayloadPart[]): Buffer {
	const mac = createHmac(algorithm, secret.text, { encoding: secret.encoding });
	for (const part of parts) mac.update(part);
	return mac.digest();
}

/** Whether two texts are equal. The time taken depends on their lengths only, so it reveals no character. */
export function constantTimeEqual(a: string, b: string): boolean {
	const [left, right] = [Buffer.from(a), Buffer.from(b)];
	return left.length === right.length && timingSafeEqual(left, right);
}

export function hmacSignatureKey(key: HmacKey): SignatureKey {
	const length = hmac(key, []).length;
	return {
		// Senders that rotate a secret send two or three.
		maxSignatures: 10,
		couldBe: (signature) => signature.length === length,
		checkerOf: (payload) => {
			const expected = hmac(key, payload);
			return (signature) => timingSafeEqual(expected, signature);
		},
	};
}
