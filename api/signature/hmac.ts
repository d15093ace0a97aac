/** HMAC over the parts of a template. Signing of requests and verification of webhooks both use it. */
import { createHmac, timingSafeEqual } from 'node:crypto';

import type { Value } from './settings.ts';
import type { PayloadPart } from './template.ts';

/** Whether one of the signatures is the key's signature of a payload. Bytes that cannot be a signature are none. */
export type SignatureCheck = (payload: PayloadPart[], signatures: Buffer[]) => boolean;

/** The signature of the parts in their order. */
export function hmac(secret: Buffer, algorithm: Value<'webhookAlgorithm'>, parts: PayloadPart[]): Buffer {
	const mac = createHmac(algorithm, secret);
	for (const part of parts) mac.update(part);
	return mac.digest();
}

export function hmacCheck(secret: Buffer, algorithm: Value<'webhookAlgorithm'>): SignatureCheck {
	return (payload, signatures) => {
		const expected = hmac(secret, algorithm, payload);
		// Every signature is compared, so the time taken does not reveal which one matched.
		return signatures
			.filter(({ length }) => length === expected.length)
			.map((signature) => timingSafeEqual(expected, signature))
			.includes(true);
	};
}
