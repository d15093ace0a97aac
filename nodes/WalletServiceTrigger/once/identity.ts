/** What makes two deliveries the same event ("Delivery rules", 5). docs/receive-events.md has the rule. */
import { hash } from 'node:crypto';

import { EVENTS, IN_EVERY_KIND, isEventName } from '../../../api/events.ts';
import type { EventKind } from '../../../api/events.ts';
import { canonicalJson } from '../../../api/exact/json.ts';
import { keysWithRole } from '../../../api/shape.ts';

/** What is compared of a delivery: its kind, and its body with the keys as they were sent. */
interface Delivery {
	event: string;
	raw: Record<string, unknown>;
}

export interface Identity {
	/** The same for the same event. */
	key: string;
	/** The same for all states of what was reviewed. Only a review without message ID has it. */
	subject?: string;
}

/** By the signed message ID; or by the documented fields, `id` and `status`; or by all fields, without those that name the event. */
export function identityOf({ event, raw }: Delivery, messageId?: string): Identity {
	if (messageId) return { key: digest('message', messageId) };
	if (!isEventName(event)) return { key: digest(event, raw) };
	const { fields, isReview }: EventKind = EVENTS[event];
	const [naming] = [...keysWithRole(fields, 'id'), ...keysWithRole(fields, 'subject')];
	const name = naming === undefined ? undefined : raw[naming];
	// Without it, the documented fields may be those of another event.
	if (!name) return { key: digest(event, raw) };
	const isDocumented = (key: string) => Object.hasOwn(fields, key) || Object.hasOwn(IN_EVERY_KIND, key);
	const content = Object.entries(raw).filter(([key]) => isDocumented(key));
	return {
		key: digest(event, Object.fromEntries(content)),
		...(isReview && { subject: digest(event, name) }),
	};
}

/** 128 bits: nobody can find another delivery with the same digest. */
function digest(...parts: unknown[]): string {
	return hash('sha256', canonicalJson(parts), 'base64').slice(0, 22);
}
