/** Signatures with a shared secret (HMAC, RFC 2104). */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import type { Value } from './settings.ts';
import type { PayloadPart, SignatureCheck } from './template.ts';

/** No setting chooses SHA-1. It is only recognized, so that its user can be told. */
type Algorithm = Value<'webhookAlgorithm'> | 'sha1';

/** The signature of the parts in their order. */
export function hmac(secret: Buffer | KeyObject, algorithm: Algorithm, parts: PayloadPart[]): Buffer {
	const mac = createHmac(algorithm, secret);
	for (const part of parts) mac.update(part);
	return mac.digest();
}

/** The check with a secret. */
export function hmacCheck(secret: Buffer, algorithm: Algorithm): SignatureCheck {
	// Node.js would make this of the bytes anew for each signature, which takes five times as long as the signature.
	const key = createSecretKey(secret);
	return (payload, signatures) => {
		const expected = hmac(key, algorithm, payload);
		// Every signature is compared, so the time taken does not reveal which one matched.
		return signatures
			.filter(({ length }) => length === expected.length)
			.map((signature) => timingSafeEqual(expected, signature))
			.includes(true);
	};
}
