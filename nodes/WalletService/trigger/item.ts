/** Builds the item that the workflow receives. */
import { toPlain } from '../../../api/json.ts';
import type { WebhookEvent } from './parse.ts';

/** The normalized item. People look for amounts, so the fields of the event come first. `headers` is left out if undefined. */
export function toItem(
	{ event, deliveryKey, reading, raw }: WebhookEvent,
	receivedAt: Date,
	{ includeRaw, headers }: { includeRaw: boolean; headers?: Record<string, unknown> },
): Record<string, unknown> {
	const { id, ...fields } = reading.fields;
	return {
		event,
		...(id ? { id } : {}),
		...fields,
		deliveryKey,
		receivedAt: receivedAt.toISOString(),
		...(Object.keys(reading.unknown).length > 0 ? { extra: toPlain(reading.unknown) } : {}),
		...(includeRaw ? { raw: toPlain(raw) } : {}),
		...(headers === undefined ? {} : { headers }),
	};
}

/** The field with the reason, in the item of a delivery that was refused while the user listened for a test event. */
export const REFUSAL_FIELD = 'refused';

/** What a workflow may see of a delivery. Any other header may hold a token, under a name that nobody knows here. */
export const HARMLESS_HEADERS = [
	...['accept', 'accept-encoding', 'accept-language', 'content-encoding', 'content-length', 'content-type'],
	...['date', 'host', 'user-agent', 'traceparent', 'x-correlation-id', 'x-request-id'],
	...['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'],
];

/** The harmless headers, without the one that the credential uses for its token or signature. */
export function harmlessHeaders<T>(headers: Record<string, T>, used?: string): Record<string, T> {
	const isHarmless = ([name]: [string, T]) => HARMLESS_HEADERS.includes(name) && name !== used;
	return Object.fromEntries(Object.entries(headers).filter(isHarmless));
}
