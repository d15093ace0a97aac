/** Deliveries to the trigger, signed and posted as the service does it. */
import { createHmac } from 'node:crypto';
import { send } from '../http.ts';

export const JSON_TYPE = { 'content-type': 'application/json' };

/** The signature of a webhook as the service makes it: hex HMAC-SHA256 of the body's bytes. */
export function sign(body: string, secret: string): string {
	return createHmac('sha256', secret).update(body).digest('hex');
}

/** The headers of a signed delivery. */
export function signedHeaders(body: string, secret: string): Record<string, string> {
	return { ...JSON_TYPE, 'x-svc-signature': sign(body, secret) };
}

/** Posts a delivery. The answer is parsed if it is a JSON object or a list, otherwise it is the text. */
export async function deliver(
	url: string,
	body: string | Buffer,
	headers: Record<string, string> = JSON_TYPE,
): Promise<{ status: number; answer: unknown }> {
	const { status, text } = await send(url, 'POST', body, headers);
	return { status, answer: /^[[{]/.test(text) ? JSON.parse(text) : text };
}
