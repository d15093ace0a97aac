/** Checks the three headers of an API request ("Authentication") against the credential's default settings. */
import { timingSafeEqual } from 'node:crypto';

import { signRequest } from '../api/signature/signRequest.ts';
import { Refusal } from './refusal.ts';

/** Clock difference that is accepted, in seconds. Invented: the document shows no limit. */
const TIMESTAMP_TOLERANCE = 300;

/**
 * Throws a Refusal (401) that names the header and holds no secret. `body` is the exact text; `now` is in milliseconds
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
	const signed = { method: request.method, url: new URL(request.url), body };
	const received = { timestampFormat: 'static', staticTimestamp: timestamp } as const;
	const expected = signRequest({ apiKey: key, signatureSecret: secret, ...received }, signed, now);
	if (!constantTimeEqual(signature, expected['x-svc-signature'] ?? '')) {
		throw unauthorized('x-svc-signature', 'does not match the request and the secret of this sandbox');
	}
	if (Math.abs(now - Number(timestamp)) > TIMESTAMP_TOLERANCE * 1000) {
		throw unauthorized(
			'x-svc-timestamp',
			`differs from the sandbox's clock by more than ${TIMESTAMP_TOLERANCE} seconds`,
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
	return new Refusal(401, 'unauthorized', `${header} ${message}`, header);
}
