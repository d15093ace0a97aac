/** Parses the body of a delivery by the table of events. Any body may be hostile. */
import { EVENTS, IN_EVERY_KIND, isEventName } from '../../api/events.ts';
import type { EventKind } from '../../api/events.ts';
import { isRecord, parseAllValues } from '../../api/exact/json.ts';
import { readRecord } from '../../api/record.ts';
import type { ReadRecord } from '../../api/record.ts';
import { MESSAGES } from './messages.ts';

export interface WebhookEvent {
	/** The kind of the event; any text if the service sends a kind that the document does not name. */
	event: string;
	reading: ReadRecord;
	raw: Record<string, unknown>;
}

/** In bytes. The service's deliveries have less than 4 KB. */
const MAX_SIZE = 2 ** 20;

/** Members, elements, objects and lists. Each takes some microseconds, here and again in n8n. */
const MAX_VALUES = 2000;

/** Checked before the signature, because the time to compute a signature grows with the size. */
export function isTooLarge(body: Uint8Array): boolean {
	return body.length > MAX_SIZE || valuesOf(body) > MAX_VALUES;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** Of a comma, a list and an object. */
const VALUES = [0x2c, 0x5b, 0x7b];

/** How many values a JSON text has at most. Takes a fraction of the time that parsing takes. */
function valuesOf(body: Uint8Array): number {
	let values = 1;
	let isText = false;
	for (let index = 0; index < body.length; index += 1) {
		const character = body[index]!;
		if (character === QUOTE) isText = !isText;
		else if (isText) index += character === BACKSLASH ? 1 : 0;
		else if (VALUES.includes(character)) values += 1;
	}
	return values;
}

/** By the name of the error. A replaced byte would change the event, so the bytes must be UTF-8. */
const UNREADABLE: Readonly<Record<string, string>> = {
	TypeError: MESSAGES.bodyIsNotUtf8,
	RangeError: MESSAGES.bodyIsNestedTooDeeply,
};

/** Parses a body that is not too large ("Payload fields"). Returns the reason if it is not an event. Never throws. */
export function parseDelivery(body: Uint8Array): WebhookEvent | string {
	let raw: unknown;
	try {
		// This drops a byte order mark.
		raw = parseAllValues(new TextDecoder('utf-8', { fatal: true }).decode(body));
	} catch (error) {
		return UNREADABLE[(error as Error).name] ?? MESSAGES.bodyIsNotJson;
	}
	if (!isRecord(raw)) return MESSAGES.bodyIsNotAnObject;
	// A key that is there twice has a list, which no field takes: none of its values is believed.
	const { event, ...fields } = raw;
	if (typeof event !== 'string' || event === '') return MESSAGES.eventIsMissing;
	const documented: EventKind['fields'] = isEventName(event) ? EVENTS[event].fields : {};
	const reading = readRecord({ ...documented, id: IN_EVERY_KIND.id }, fields);
	return { event, reading, raw };
}
