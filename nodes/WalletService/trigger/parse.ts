/** Parses the body of a delivery by the table of events. Any body may be hostile. */
import { createHash } from 'node:crypto';

import { EVENTS, isEventName } from '../../../api/events.ts';
import { isRecord, MAX_DEPTH, parseExact } from '../../../api/json.ts';
import { readRecord } from '../../../api/readRecord.ts';
import type { ReadRecord } from '../../../api/readRecord.ts';
import { MESSAGES } from './messages.ts';

/** Read in every kind, even if the document shows none: the service may add attributes over time. */
const ID = { id: ['id', 'text'] } as const;
const STATUS = { status: ['status', 'status'] } as const;

export interface WebhookEvent {
	/** The kind of the event; any text if the service sends a kind that the document does not name. */
	event: string;
	/** Whether the document names this kind. */
	known: boolean;
	/** `event:id:status`, or without an ID `event:` + SHA-256 of the body in hex. A colon or percent sign within a part is escaped. */
	deliveryKey: string;
	reading: ReadRecord;
	raw: Record<string, unknown>;
}

type Parsed = { ok: true; event: WebhookEvent } | { ok: false; status: 400 | 413; reason: string };

/** In bytes. The service's deliveries have less than 4 KB. */
const MAX_SIZE = 2 ** 20;

/** Values of a body: its members, elements, objects and lists. Each takes some microseconds, here and again in n8n. */
const MAX_VALUES = 2000;

/** Checked before the signature, because the time to compute a signature grows with the size. */
export function isTooLarge(body: Uint8Array): boolean {
	return body.length > MAX_SIZE;
}

/** Parses the bytes of a body ("Payload fields"). Never throws: a body that is not an event gives the reason. */
export function parseDelivery(body: Uint8Array): Parsed {
	if (isTooLarge(body)) return unusable(MESSAGES.bodyIsTooLarge, 413);
	const { values, depth } = measure(body);
	if (depth > MAX_DEPTH) return unusable(MESSAGES.bodyIsNestedTooDeeply);
	if (values > MAX_VALUES) return unusable(MESSAGES.bodyIsTooLarge, 413);
	const text = readUtf8(body);
	if (text === undefined) return unusable(MESSAGES.bodyIsNotUtf8);
	let raw: unknown;
	try {
		raw = parseExact(text);
	} catch {
		return unusable(MESSAGES.bodyIsNotJson);
	}
	if (!isRecord(raw)) return unusable(MESSAGES.bodyIsNotAnObject);
	const { event, ...fields } = raw;
	if (typeof event !== 'string' || event === '') return unusable(MESSAGES.eventIsMissing);
	const known = isEventName(event);
	const reading = readRecord({ ...ID, ...(known ? EVENTS[event].fields : {}) }, fields);
	const { id } = reading.fields;
	// One payout may report several statuses under one ID; each of them is a new event.
	const { status = '' } = readRecord(STATUS, { status: fields.status }).fields;
	const parts = id ? [id, status] : [createHash('sha256').update(body).digest('hex')];
	const deliveryKey = [event, ...parts].map(escaped).join(':');
	return { ok: true, event: { event, known, deliveryKey, reading, raw } };
}

/** The text, without a byte order mark. Undefined if the bytes are not UTF-8: a replaced byte would change the event. */
function readUtf8(body: Uint8Array): string | undefined {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(body);
	} catch {
		return undefined;
	}
}

/** Without it, the id `b:c` of the event `a` and the id `c` of the event `a:b` would have one key. */
function escaped(part: string | string[]): string {
	return String(part).replace(/[%:]/g, encodeURIComponent);
}

function unusable(reason: string, status: 400 | 413 = 400): Parsed {
	return { ok: false, status, reason };
}

/** How many values a JSON text has at most, and how deep they are nested. Takes a fraction of the time that parsing takes. */
function measure(body: Uint8Array): { values: number; depth: number } {
	let [values, level, depth] = [1, 0, 0];
	let isText = false;
	for (let index = 0; index < body.length; index += 1) {
		const character = body[index];
		if (character === QUOTE) isText = !isText;
		else if (isText) index += character === BACKSLASH ? 1 : 0;
		else if (character === COMMA) values += 1;
		else if (character === OPEN_LIST || character === OPEN_OBJECT) {
			values += 1;
			level += 1;
			if (level > depth) depth = level;
		} else if (character === CLOSE_LIST || character === CLOSE_OBJECT) level -= 1;
	}
	return { values, depth };
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
