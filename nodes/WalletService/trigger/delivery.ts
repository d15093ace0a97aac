/** From the raw bytes of a delivery to what the workflow gets. Every body is taken for hostile. */
import { createHash } from 'node:crypto';

import { compare, isPlainDecimal } from '../../../api/decimal.ts';
import { EVENTS, isEventName } from '../../../api/events.ts';
import type { EventKind } from '../../../api/events.ts';
import { isRecord, parseExact, toPlain } from '../../../api/json.ts';
import { readRecord } from '../../../api/normalize.ts';
import { isField } from '../../../api/shape.ts';
import type { Reading } from '../../../api/normalize.ts';

/** Looked for in every kind, also where the document has none: attributes may be added over time. */
const ID = { id: ['id', 'text'] } as const;
const STATUS = { status: ['status', 'status'] } as const;

/**
 * Levels of lists and objects that a delivery may be nested. The document's are flat; some thousands of levels are more
 * than n8n can store, and would fail only there, with an answer that makes the service try again.
 */
const MAX_DEPTH = 500;

export interface WebhookEvent {
	/** The kind; any text where the service sends a kind that the document does not have. */
	event: string;
	known: boolean;
	/** `event:id:status`, or `event:` + SHA-256 of the bytes where there is no id. */
	deliveryKey: string;
	reading: Reading;
	raw: Record<string, unknown>;
}

export type Received = { ok: true; event: WebhookEvent } | { ok: false; reason: string };

const tooDeep: Received = { ok: false, reason: 'The body is nested too deeply' };

/** Reads a delivery by its event's table. */
export function readDelivery(body: Uint8Array): Received {
	const text = Buffer.from(body)
		.toString('utf8')
		.replace(/^\uFEFF/, '');
	let raw: unknown;
	try {
		raw = parseExact(text);
	} catch (error) {
		return error instanceof RangeError ? tooDeep : { ok: false, reason: 'The body is not valid JSON' };
	}
	if (isDeeperThan(raw, MAX_DEPTH)) return tooDeep;
	if (!isRecord(raw)) return { ok: false, reason: 'The body is not a JSON object' };
	const { event, ...fields } = raw;
	if (typeof event !== 'string' || event === '') {
		return { ok: false, reason: "The body has no text in 'event'" };
	}
	const known = isEventName(event);
	const reading = readRecord({ ...ID, ...(known ? EVENTS[event].fields : {}) }, fields);
	const { id } = reading.fields;
	// The same payout may report several statuses under one id; each is news.
	const { status = '' } = readRecord(STATUS, { status: fields.status }).fields;
	const deliveryKey = id
		? `${event}:${String(id)}:${String(status)}`
		: `${event}:${createHash('sha256').update(body).digest('hex')}`;
	return { ok: true, event: { event, known, deliveryKey, reading, raw } };
}

function isDeeperThan(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}

/** What the user wants to hear of. Empty lists and texts hold nothing back. */
export interface Wanted {
	events: string[];
	unknownEvents: boolean;
	statuses: string[];
	currencies: string[];
	minimumAmount: string;
}

/** Names in items of the fields that say which currency or coin an event is about. */
const CURRENCY = ['currency', 'coin', 'asset'];

/** Whether the user selected this event. A filter leaves alone the kinds that do not have its field. */
export function isWanted({ event, known, reading: { fields } }: WebhookEvent, wanted: Wanted): boolean {
	if (!known) return wanted.unknownEvents;
	if (!wanted.events.includes(event)) return false;
	// A field of the kind that is missing or unreadable in this delivery matches nothing: when in doubt, hold back.
	const matches = (names: string[], fits: (value: string) => boolean) =>
		namesOf(event)
			.filter((name) => names.includes(name))
			.every((name) => typeof fields[name] === 'string' && fits(fields[name]));
	const isOneOf = (list: string[]) => (value: string) =>
		list.some((entry) => entry.toLowerCase() === value.toLowerCase());
	return (
		(wanted.statuses.length === 0 || matches(['status'], isOneOf(wanted.statuses))) &&
		(wanted.currencies.length === 0 || matches(CURRENCY, isOneOf(wanted.currencies))) &&
		(wanted.minimumAmount === '' || matches(['amount'], (value) => reaches(value, wanted.minimumAmount)))
	);
}

function namesOf(event: string): string[] {
	if (!isEventName(event)) return [];
	const { fields }: EventKind = EVENTS[event];
	return Object.values(fields)
		.filter(isField)
		.map(([name]) => name);
}

/** A debit may be written with a sign; its size counts. */
function reaches(amount: string, minimum: string): boolean {
	return isPlainDecimal(minimum) && compare(amount.replace(/^-/, ''), minimum) >= 0;
}

/** The item that the workflow gets. */
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
