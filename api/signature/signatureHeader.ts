/** The header that carries the signature of a delivery, by the setting Webhook Signature Format. */

export interface SignatureHeader {
	/** A header may carry several: old and new secret, or several versions of a scheme. */
	signatures: string[];
	timestamp?: string;
}

/**
 * Reads a header by its format. With a timestamp (`t={timestamp},v1={signature}`) the header is a list, separated by the
 * character after the first token. Without one (`sha256={signature}`, `v1,{signature}`) the format describes one
 * signature, and the header may carry several, separated by spaces.
 */
export function readSignatureHeader(format: string, value: string): SignatureHeader {
	const separator = format.includes('{timestamp}') ? (/\}(.)/.exec(format)?.[1] ?? ' ') : ' ';
	const patterns = format.split(separator).map((pattern) => pattern.trim());
	const parts = value.split(separator).map((part) => part.trim());
	const [timestamp] = valuesOf('{timestamp}', patterns, parts);
	return { signatures: valuesOf('{signature}', patterns, parts), timestamp };
}

/** The values of a token in the parts: `v1={signature}` finds `abc` in `v1=abc`. */
function valuesOf(token: string, patterns: string[], parts: string[]): string[] {
	const pattern = patterns.find((candidate) => candidate.includes(token));
	if (pattern === undefined) return [];
	const [prefix = '', suffix = ''] = pattern.split(token);
	const length = prefix.length + suffix.length;
	return parts
		.filter((part) => part.length > length && part.startsWith(prefix) && part.endsWith(suffix))
		.map((part) => part.slice(prefix.length, part.length - suffix.length));
}

/** The header as a sender writes it. */
export function writeSignatureHeader(format: string, signature: string, timestamp: string): string {
	return format.replace(/\{(timestamp|signature)\}/g, (_, token) =>
		token === 'timestamp' ? timestamp : signature,
	);
}
