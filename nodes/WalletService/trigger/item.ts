/** Builds the item that the workflow receives, and chooses its output. */
import { toPlain } from '../../../api/json.ts';
import type { WebhookEvent } from './parse.ts';

/** The normalized item. `headers` is left out if undefined. */
export function toItem(
	{ event, deliveryKey, reading, raw }: WebhookEvent,
	receivedAt: Date,
	{ includeRaw, headers }: { includeRaw: boolean; headers?: Record<string, unknown> },
): Record<string, unknown> {
	const { id, ...fields } = reading.fields;
	return {
		event,
		...(id ? { id } : {}),
		deliveryKey,
		receivedAt: receivedAt.toISOString(),
		...fields,
		...(Object.keys(reading.unknown).length > 0 ? { extra: toPlain(reading.unknown) } : {}),
		...(includeRaw ? { raw: toPlain(raw) } : {}),
		...(headers === undefined ? {} : { headers }),
	};
}

/** Leaves out the headers that hold a secret, and the one with the token or signature. */
export function withoutSecretHeaders<T>(
	headers: Record<string, T>,
	signatureHeader?: string,
): Record<string, T> {
	const secret = ['authorization', 'cookie', 'proxy-authorization', signatureHeader?.toLowerCase()];
	return Object.fromEntries(Object.entries(headers).filter(([name]) => !secret.includes(name)));
}

/** The events that have an output of their own, given the parameters Output and Events. */
export function eventsWithOutput(output: unknown, events: string[]): string[] {
	return output === 'perEvent' ? events : [];
}

/** One list for each output, all but one empty. The last output takes the events that have none of their own. */
export function placeOnOutput<T>(item: T, event: string, eventOutputs: string[]): T[][] {
	const own = eventOutputs.indexOf(event);
	const index = own === -1 ? eventOutputs.length : own;
	return [...eventOutputs, ''].map((_, output) => (output === index ? [item] : []));
}
