/** Decides whether the user selected an event. */
import { compare, isPlainDecimal } from '../../../api/decimal.ts';
import { EVENTS, isEventName } from '../../../api/events.ts';
import type { EventKind } from '../../../api/events.ts';
import { fieldOf, isField } from '../../../api/shape.ts';
import type { WebhookEvent } from './parse.ts';

/** An empty list or text does not filter, except `events`. */
export interface Filters {
	events: string[];
	unknownEvents: boolean;
	statuses: string[];
	currencies: string[];
	/** Decimal text. */
	minimumAmount: string;
}

/** Item fields that name the currency or coin of an event. */
const CURRENCY_FIELDS = ['currency', 'coin', 'asset'];

/** Whether the event passes the user's selection. A filter applies only to kinds that have its field. */
export function isWanted(event: WebhookEvent, filters: Filters): boolean {
	if (!event.known) return filters.unknownEvents;
	const { events, statuses, currencies, minimumAmount } = filters;
	return (
		events.includes(event.event) &&
		(statuses.length === 0 || matches(event, ['status'], isOneOf(statuses))) &&
		(currencies.length === 0 || matches(event, CURRENCY_FIELDS, isOneOf(currencies))) &&
		(minimumAmount === '' || matches(event, ['amount'], isAtLeast(minimumAmount), true))
	);
}

/** Whether every named field of this kind passes. `unreadable`: the result for a missing or unreadable field. */
function matches(
	{ event, reading: { fields } }: WebhookEvent,
	names: string[],
	passes: (value: string) => boolean,
	unreadable = false,
): boolean {
	return fieldNamesOf(event)
		.filter((name) => names.includes(name))
		.every((name) => (typeof fields[name] === 'string' ? passes(fields[name]) : unreadable));
}

function fieldNamesOf(event: string): string[] {
	if (!isEventName(event)) return [];
	const { fields }: EventKind = EVENTS[event];
	return Object.entries(fields).flatMap(([key, entry]) => (isField(entry) ? [fieldOf(key, entry)[0]] : []));
}

/** Ignores case. */
function isOneOf(list: string[]): (value: string) => boolean {
	return (value) => list.some((entry) => entry.toLowerCase() === value.toLowerCase());
}

/** Ignores a minus sign: the service may send a debit as a negative amount. */
function isAtLeast(minimum: string): (amount: string) => boolean {
	return (amount) => isPlainDecimal(minimum) && compare(amount.replace(/^-/, ''), minimum) >= 0;
}

/** The known kind that an unknown one differs from in case, spaces or signs only. */
export function similarKind({ event, known }: WebhookEvent): string | undefined {
	const letters = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');
	return known ? undefined : Object.keys(EVENTS).find((name) => letters(name) === letters(event));
}
