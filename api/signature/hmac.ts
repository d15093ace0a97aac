/** HMAC. Signing of requests and verification of webhooks both use it. */
import { createHmac, timingSafeEqual } from 'node:crypto';

import type { Secret } from './secret.ts';
import type { DigestAlgorithm, SignatureEncoding } from './settings.ts';
import type { PayloadPart } from './template.ts';

export interface HmacKey {
	secret: Secret;
	algorithm: DigestAlgorithm;
	encoding: SignatureEncoding;
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
