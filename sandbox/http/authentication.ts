/** Checks the three headers of an API request ("Authentication") against the defaults of the credential. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../ledger/refusal.ts';

/** Clock difference that is accepted, in seconds. Invented: the document shows no limit. */
const TOLERANCE = 300;

/**
 * Throws a Refusal that names the header and holds no secret. `body` is the exact text; `now` is in milliseconds
 * since 1970.
 */
export function authenticate(
	{ key, secret }: { key: string; secret: string },
	request: Request,
	body: string,
	now: number,
): void {
	const sentKey = requireHeader(request, 'x-svc-key');
	const signature = requireHeader(request, 'x-svc-signature');
	const timestamp = requireHeader(request, 'x-svc-timestamp');
	if (!constantTimeEqual(sentKey, key)) throw unauthorized('x-svc-key', 'is not the key of this sandbox');
	if (!/^\d{12,14}$/.test(timestamp)) throw unauthorized('x-svc-timestamp', 'is not in Unix milliseconds');
	const signed = `${timestamp}${request.method}${new URL(request.url).pathname}${body}`;
	if (!constantTimeEqual(signature, createHmac('sha256', secret).update(signed).digest('hex'))) {
		throw unauthorized('x-svc-signature', 'does not match the request and the secret of this sandbox');
	}
	if (Math.abs(now - Number(timestamp)) > TOLERANCE * 1000) {
		throw unauthorized(
			'x-svc-timestamp',
			`differs from the sandbox's clock by more than ${TOLERANCE} seconds`,
		);
	}
}

/** Whether two texts are equal. The time taken depends on their lengths only, so it reveals no character. */
function constantTimeEqual(a: string, b: string): boolean {
	const [left, right] = [Buffer.from(a), Buffer.from(b)];
	return left.length === right.length && timingSafeEqual(left, right);
}

function requireHeader(request: Request, header: string): string {
	const value = request.headers.get(header);
	if (value === null || value === '') throw unauthorized(header, 'is missing');
	return value;
}

function unauthorized(header: string, message: string): Refusal {
	return new Refusal('unauthorized', `${header} ${message}`, header);
}
