/** Decides whether the user selected an event. */
import { compare } from '../../../api/decimal.ts';
import { EVENTS, isEventName } from '../../../api/events.ts';
import type { EventRole } from '../../../api/shape.ts';
import { readInRole } from './parse.ts';
import type { WebhookEvent } from './parse.ts';
import type { TriggerSettings } from './settings.ts';

type Filters = Pick<
	TriggerSettings,
	'events' | 'unknownEvents' | 'statuses' | 'currencies' | 'minimumAmount'
>;

/** Whether the event passes the user's selection. A filter that is set applies to the kinds that have its field. */
export function isWanted({ event, reading }: WebhookEvent, settings: Filters): boolean {
	if (!isEventName(event)) return settings.unknownEvents;
	const { events, statuses, currencies, minimumAmount } = settings;
	const read = (role: EventRole) => readInRole(role, EVENTS[event].fields, reading.fields);
	return (
		events.includes(event) &&
		(statuses.length === 0 || read('status').every(isOn(statuses))) &&
		(currencies.length === 0 || read('currency').every(isOn(currencies))) &&
		(minimumAmount === undefined || read('amount').every(isAtLeast(minimumAmount)))
	);
}

/** A value that cannot be read is on no list. */
const isOn = (list: string[]) => (value: unknown) => list.includes(String(value).toLowerCase());

/** The service may send a debit as a negative amount. An amount that cannot be read may be large. */
const isAtLeast = (minimum: string) => (value: unknown) =>
	typeof value !== 'string' || compare(value.replace('-', ''), minimum) >= 0;

/** Another kind that differs in case, spaces or signs only. */
export function similarKind(event: string): string | undefined {
	const letters = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');
	const sent = letters(event);
	return Object.keys(EVENTS).find((name) => name !== event && letters(name) === sent);
}
