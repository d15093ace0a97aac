/** Hides secrets that a service repeats in its answer. */
import { isPlainDecimal } from '../../api/exact/decimal.ts';
import { isRecord } from '../../api/exact/json.ts';

/** Shorter texts occur in ordinary words too. */
const MIN_SECRET_LENGTH = 6;

/** What stands in place of a secret. */
export const REDACTED = '[redacted]';

/** Returns the value with the secrets in its texts replaced, whatever their case. Digits of a key inside a decimal stay. */
export function redact(value: unknown, secrets: string[]): unknown {
	// A longer one may begin with a shorter one.
	const hidden = secrets
		.filter((secret) => secret.length >= MIN_SECRET_LENGTH)
		.sort((a, b) => b.length - a.length);
	if (hidden.length === 0) return value;
	const pattern = new RegExp(hidden.map(escaped).join('|'), 'gi');
	const hide = (text: string) =>
		isPlainDecimal(text) && !hidden.includes(text) ? text : text.replace(pattern, REDACTED);
	const redacted = (inner: unknown): unknown => {
		if (typeof inner === 'string') return hide(inner);
		if (typeof inner === 'number' && hidden.includes(String(inner))) return REDACTED;
		if (Array.isArray(inner)) return inner.map(redacted);
		if (!isRecord(inner)) return inner;
		return Object.fromEntries(Object.entries(inner).map(([key, entry]) => [hide(key), redacted(entry)]));
	};
	return redacted(value);
}

function escaped(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Values of the headers that hold the key and the signature: a service may repeat them in its answer. A payment key is no secret. */
export function secretsIn(headers: Record<string, unknown> = {}, keyHeader?: string): string[] {
	return Object.entries(headers)
		.filter(([name]) => isSecretHeader(name) && name !== keyHeader)
		.map(([, value]) => String(value));
}

export function isSecretHeader(header: string): boolean {
	return ['-key', '-signature'].some((end) => header.endsWith(end));
}
