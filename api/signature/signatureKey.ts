/** Keys that verify the signatures of deliveries. */
import { constantTimeEqual, hmac } from './hmac.ts';
import type { HmacKey } from './hmac.ts';
import type { DigestAlgorithm, SignatureEncoding } from './settings.ts';
import type { PayloadPart } from './template.ts';

export interface SignatureKey {
	/** Whether a text has the length of a signature. Any other text is skipped. */
	couldBe(signature: string): boolean;
	/** Whether a text is a signature of the payload. */
	checkerOf(payload: PayloadPart[]): (signature: string) => boolean;
}

export function hmacSignatureKey(key: HmacKey): SignatureKey {
	const isHex = key.encoding.startsWith('hex');
	const length = encodedLength(DIGEST_BYTES[key.algorithm], key.encoding);
	return {
		couldBe: (signature) => signature.length === length,
		checkerOf: (payload) => {
			// Hex digits mean the same in upper and lower case; base64 characters do not.
			const expected = isHex ? hmac(key, payload).toLowerCase() : hmac(key, payload);
			return (signature) => constantTimeEqual(expected, isHex ? signature.toLowerCase() : signature);
		},
	};
}

const DIGEST_BYTES: Record<DigestAlgorithm, number> = { sha1: 20, sha256: 32, sha384: 48, sha512: 64 };

/** Characters of that number of bytes. */
function encodedLength(bytes: number, encoding: SignatureEncoding): number {
	switch (encoding) {
		case 'hex':
		case 'hexUpper':
			return bytes * 2;
		case 'base64':
			return Math.ceil(bytes / 3) * 4;
		case 'base64url':
			return Math.ceil((bytes * 4) / 3);
	}
}
