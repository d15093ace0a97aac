/** What makes two deliveries the same event ("Delivery rules", 5). docs/receive-events.md has the rule. */
import { hash } from 'node:crypto';

import { EVENTS, isEventName } from '../../../../api/events.ts';
import type { EventKind } from '../../../../api/events.ts';
import { canonicalJson } from '../../../../api/json.ts';
import type { WebhookEvent } from '../parse.ts';

export interface Identity {
	/** The same for the same event. */
	key: string;
	/** The same for all states of what was reviewed. Only a review without message ID has it. */
	subject?: string;
}

/** The signed message ID; or the kind with its documented fields, `id` and `status`; or all fields, without those that name it. */
export function identityOf({ event, raw }: WebhookEvent, messageId?: string): Identity {
	if (messageId) return { key: digest('message', messageId) };
	if (!isEventName(event)) return { key: digest(event, raw) };
	const { fields, reviewed }: EventKind = EVENTS[event];
	// Without it, the documented fields may be those of another event.
	if (!raw['id' in fields ? 'id' : 'Alias']) return { key: digest(event, raw) };
	const names = new Set(['id', 'status', ...Object.keys(fields)]);
	const content = Object.fromEntries(Object.entries(raw).filter(([name]) => names.has(name)));
	return {
		key: digest(event, content),
		...(reviewed !== undefined && { subject: digest(event, raw[reviewed]) }),
	};
}

/** 128 bits: nobody can find another delivery with the same digest. */
function digest(...parts: unknown[]): string {
	return hash('sha256', canonicalJson(parts), 'base64').slice(0, 22);
}
