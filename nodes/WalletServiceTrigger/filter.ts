/** Decides whether the user selected an event. */
import { compare } from '../../api/exact/decimal.ts';
import { EVENTS, isEventName } from '../../api/events.ts';
import { namesWithRole } from '../../api/shape.ts';
import type { EventRole } from '../../api/shape.ts';
import type { WebhookEvent } from './parse.ts';
import type { TriggerSettings } from './settings.ts';

type Filters = Pick<
	TriggerSettings,
	'events' | 'unknownEvents' | 'statuses' | 'currencies' | 'minimumAmount'
>;

/** `notFiltered`: names in items of the fields that a filter asks for, and that are missing or cannot be read. */
type Selection = { isWanted: false } | { isWanted: true; notFiltered: string[] };

/** A filter that is set applies to the kinds that have its field. What it cannot read passes: an event must not vanish in silence. */
export function select({ event, reading }: WebhookEvent, settings: Filters): Selection {
	if (!isEventName(event)) return { isWanted: settings.unknownEvents, notFiltered: [] };
	if (!settings.events.includes(event)) return { isWanted: false };
	const notFiltered: string[] = [];
	for (const { role, passes } of filtersIn(settings))
		for (const name of namesWithRole(EVENTS[event].fields, role)) {
			const value = reading.fields[name];
			if (typeof value !== 'string') notFiltered.push(name);
			else if (!passes(value)) return { isWanted: false };
		}
	return { isWanted: true, notFiltered };
}

interface Filter {
	role: EventRole;
	passes: (value: string) => boolean;
}

/** The filters that are set. */
function filtersIn({ statuses, currencies, minimumAmount }: Filters): Filter[] {
	const filters: Filter[] = [];
	if (statuses.length > 0) filters.push({ role: 'status', passes: isOn(statuses) });
	if (currencies.length > 0) filters.push({ role: 'currency', passes: isOn(currencies) });
	if (minimumAmount !== undefined) filters.push({ role: 'amount', passes: isAtLeast(minimumAmount) });
	return filters;
}

const isOn = (list: string[]) => (value: string) => list.includes(value.toLowerCase());

/** The service may send a debit as a negative amount. */
const isAtLeast = (minimum: string) => (value: string) => compare(value.replace('-', ''), minimum) >= 0;

/** Another kind that differs in case, spaces or signs only. */
export function similarKind(event: string): string | undefined {
	const letters = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');
	const sent = letters(event);
	return Object.keys(EVENTS).find((name) => name !== event && letters(name) === sent);
}
