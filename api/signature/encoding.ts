/** Bytes as text. */

/** The bytes of complete hex, or of base64 or base64url with or without padding. Undefined for any other text. */
export function decode(text: string, encoding: 'hex' | 'base64'): Buffer | undefined {
	if (encoding === 'hex') return /^(?:[\da-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : undefined;
	if (!/^[\w+/-]+={0,2}$/.test(text)) return undefined;
	const padding = text.split('=').length - 1;
	const missing = (4 - ((text.length - padding) % 4)) % 4;
	// A digit holds six bits, so a single digit in the last group is less than a byte.
	const isComplete = missing < 3 && (padding === 0 || padding === missing);
	return isComplete ? Buffer.from(text, 'base64') : undefined;
}
