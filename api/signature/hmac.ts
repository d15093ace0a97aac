/** Signatures with a shared secret (HMAC, RFC 2104). */
import { createHmac, timingSafeEqual } from 'node:crypto';

import type { Value } from './settings.ts';
import type { PayloadPart, SignatureCheck } from './template.ts';

type Algorithm = Value<'webhookAlgorithm'>;

/** The signature of the parts in their order. */
export function hmac(secret: Buffer, algorithm: Algorithm, parts: PayloadPart[]): Buffer {
	const mac = createHmac(algorithm, secret);
	for (const part of parts) mac.update(part);
	return mac.digest();
}

/** The check with a secret. */
export function hmacCheck(secret: Buffer, algorithm: Algorithm): SignatureCheck {
	return (payload, signatures) => {
		const expected = hmac(secret, algorithm, payload);
		// Every signature is compared, so the time taken does not reveal which one matched.
		return signatures
			.filter(({ length }) => length === expected.length)
			.map((signature) => timingSafeEqual(expected, signature))
			.includes(true);
	};
}
