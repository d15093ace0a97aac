/** Parses the body of a delivery by the table of events. Any body may be hostile. */
import { createHash } from 'node:crypto';

import { EVENTS, isEventName } from '../../../api/events.ts';
import { isRecord, parseExact } from '../../../api/json.ts';
import { readRecord } from '../../../api/normalize.ts';
import type { Reading } from '../../../api/normalize.ts';
import { MESSAGES } from './messages.ts';

/** Read in every kind, even if the document shows none: the service may add attributes over time. */
const ID = { id: ['id', 'text'] } as const;
const STATUS = { status: ['status', 'status'] } as const;

export interface WebhookEvent {
	/** The kind of the event; any text if the service sends a kind that the document does not name. */
	event: string;
	/** Whether the document names this kind. */
	known: boolean;
	/** `event:id:status`, or without an ID `event:` + SHA-256 of the body in hex. */
	deliveryKey: string;
	reading: Reading;
	raw: Record<string, unknown>;
}

type Parsed = { ok: true; event: WebhookEvent } | { ok: false; reason: string };

/** Parses the bytes of a body ("Payload fields"). Never throws: a body that is no event gives the reason. */
export function parseDelivery(body: Uint8Array): Parsed {
	const text = Buffer.from(body)
		.toString('utf8')
		.replace(/^\uFEFF/, '');
	let raw: unknown;
	try {
		raw = parseExact(text);
	} catch (error) {
		return invalid(error instanceof RangeError ? MESSAGES.bodyIsNestedTooDeeply : MESSAGES.bodyIsNotJson);
	}
	if (!isRecord(raw)) return invalid(MESSAGES.bodyIsNotAnObject);
	const { event, ...fields } = raw;
	if (typeof event !== 'string' || event === '') return invalid(MESSAGES.eventIsMissing);
	const known = isEventName(event);
	const reading = readRecord({ ...ID, ...(known ? EVENTS[event].fields : {}) }, fields);
	const { id } = reading.fields;
	// One payout may report several statuses under one ID; each of them is a new event.
	const { status = '' } = readRecord(STATUS, { status: fields.status }).fields;
	const deliveryKey = id
		? `${event}:${String(id)}:${String(status)}`
		: `${event}:${createHash('sha256').update(body).digest('hex')}`;
	return { ok: true, event: { event, known, deliveryKey, reading, raw } };
}

function invalid(reason: string): Parsed {
	return { ok: false, reason };
}
