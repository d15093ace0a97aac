/** What makes two deliveries the same event ("Delivery rules", 5). docs/reference/events.md has the rule. */
import { hash } from 'node:crypto';

import { EVENTS, IN_EVERY_KIND, isEventName } from '../../../api/events.ts';
import type { EventField, EventKind } from '../../../api/events.ts';
import { canonical } from '../../../api/exact/decimal.ts';
import { canonicalJson } from '../../../api/exact/json.ts';
import { readRecord } from '../../../api/record.ts';
import type { ReadRecord } from '../../../api/record.ts';
import { coinFieldName, fieldOf, keysWithRole, namesWithRole } from '../../../api/shape.ts';
import type { EventRole } from '../../../api/shape.ts';
import { comparedAlias } from '../../shared/alias.ts';
import { EMPTY_VALUES, isNothing, NEVER_MEANT, NOT_KNOWN } from '../../shared/missingValues.ts';

/** What is compared of a delivery: its kind, and its body with the keys as they were sent. */
interface Delivery {
	event: string;
	raw: Record<string, unknown>;
}

export interface Identity {
	/** The same for the same event: SHA-256 in hex. */
	key: string;
	/** For other books: `event:id:status:` and the first characters of `key`; without an ID `event::` and `key`. */
	deliveryKey: string;
	/** The same for all states of what was reviewed. Only a review without message ID has it. */
	subject?: string;
}

/** By the signed message ID; or by the fields with a role; or by the whole body, without the field that names the event. */
export function identityOf({ event, raw }: Delivery, messageId?: string): Identity {
	const { fields = {}, isReview }: Partial<EventKind> = isEventName(event) ? EVENTS[event] : {};
	const content = contentOf({ ...IN_EVERY_KIND, ...fields }, raw);
	const [id] = keysWithRole(fields, 'id');
	const [subject = ''] = keysWithRole(fields, 'subject');
	const name = id === undefined ? textOf(content[subject]) : idIn(content[id]);
	// Without it, the other fields may be those of another event.
	const key = messageId ? digest('message', messageId) : digest(event, name === undefined ? raw : content);
	const first = (role: EventRole) =>
		[...keysWithRole(fields, role), ...keysWithRole(IN_EVERY_KIND, role)]
			.map((each) => textOf(content[each]))
			.find((text) => text !== undefined);
	return {
		key,
		deliveryKey: deliveryKeyOf(event, key, first('id'), first('status')),
		...(isReview && !messageId && name !== undefined && { subject: digest(event, name) }),
	};
}

/** Characters of `key` in a delivery key that has an ID. */
const SHORT = 8;

function deliveryKeyOf(event: string, key: string, id?: string, status = ''): string {
	const parts = id === undefined ? ['', key] : [id, status, key.slice(0, SHORT)];
	// Not escaped, the id `b:c` of the event `a` and the id `c` of the event `a:b` would have one key.
	return [event, ...parts].map((part) => part.replace(/[%:]/g, encodeURIComponent)).join(':');
}

/** What counts of an event: its filled fields with a role. */
function contentOf(shape: EventKind['fields'], raw: Delivery['raw']): Record<string, unknown> {
	const counted = Object.fromEntries(Object.entries(shape).filter(([, field]) => hasRole(field)));
	const read = readRecord(counted, raw);
	const [currency = ''] = namesWithRole(counted, 'currency');
	const content = Object.entries(counted).map(([key, field]) => {
		const value = comparedValue(key, field, read);
		// A fee without a coin is in that of the event.
		const coin = read.fields[coinFieldName(fieldOf(key, field)[0])];
		return [key, coin === undefined || coin === read.fields[currency] ? value : [value, coin]] as const;
	});
	return Object.fromEntries(content.filter(([, value]) => !isNothing(value)));
}

function hasRole(field: EventField): boolean {
	return typeof field !== 'string' && field.role !== undefined && field.role !== 'none';
}

/** The same for each spelling. What cannot be read counts as it was sent, or else another event might be taken for this one. */
function comparedValue(key: string, field: EventField, { fields, unreadable }: ReadRecord): unknown {
	const [name, kind] = fieldOf(key, field);
	const value = fields[name];
	if (value === undefined) return isNothing(unreadable[key]) ? undefined : { sent: unreadable[key] };
	if (typeof value !== 'string') return value.toSorted();
	switch (kind) {
		case 'id':
			return value.trim();
		case 'text':
			return comparedAlias(value);
		case 'number':
		case 'decimal':
		case 'money':
		case 'ownMoney':
			return canonical(value);
		case 'code':
		case 'status':
		case 'choice':
		case 'list':
		case 'time':
			return value;
	}
}

const NO_ID = [...EMPTY_VALUES, ...NOT_KNOWN];

/** Undefined for what programs write where they have no ID: it would be that of many events. */
function idIn(value: unknown): string | undefined {
	const text = textOf(value);
	const plain = comparedAlias(text ?? '');
	const isOne = /[\p{L}\p{N}]/u.test(plain.replaceAll('0', ''));
	const isMissing = NO_ID.includes(plain) || NEVER_MEANT.some((each) => plain.includes(each));
	return isOne && !isMissing ? text : undefined;
}

function textOf(value: unknown): string | undefined {
	return typeof value === 'string' ? value : undefined;
}

/** Nobody can find another delivery with the same digest. */
function digest(...parts: unknown[]): string {
	return hash('sha256', canonicalJson(parts));
}
