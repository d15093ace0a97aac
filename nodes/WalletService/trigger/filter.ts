/** Decides whether the user selected an event. */
import { compare } from '../../../api/decimal.ts';
import { EVENTS, isEventName } from '../../../api/events.ts';
import { fieldOf } from '../../../api/shape.ts';
import type { Field } from '../../../api/shape.ts';
import type { WebhookEvent } from './parse.ts';
import type { TriggerSettings } from './settings.ts';

type Filters = Pick<
	TriggerSettings,
	'events' | 'unknownEvents' | 'statuses' | 'currencies' | 'minimumAmount'
>;

/** Whether the event passes the user's selection. A filter that is set applies to the kinds that have its field. */
export function isWanted({ event, reading: { fields } }: WebhookEvent, settings: Filters): boolean {
	if (!isEventName(event)) return settings.unknownEvents;
	const { events, statuses, currencies, minimumAmount } = settings;
	/** Whether each of these fields of the kind has a value of the list. A value that cannot be read is on no list. */
	const isOn = (list: string[], ...filtered: string[]) =>
		list.length === 0 ||
		Object.entries<Field>(EVENTS[event].fields)
			.map(([key, field]) => fieldOf(key, field)[0])
			.every((name) => !filtered.includes(name) || list.includes(String(fields[name]).toLowerCase()));
	// The service may send a debit as a negative amount. An amount that cannot be read may be large.
	const amount = typeof fields.amount === 'string' ? fields.amount.replace('-', '') : undefined;
	return (
		events.includes(event) &&
		isOn(statuses, 'status') &&
		isOn(currencies, 'currency', 'coin', 'asset') &&
		(minimumAmount === undefined || amount === undefined || compare(amount, minimumAmount) >= 0)
	);
}

/** Another kind that differs in case, spaces or signs only. */
export function similarKind(event: string): string | undefined {
	const letters = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');
	const sent = letters(event);
	return Object.keys(EVENTS).find((name) => name !== event && letters(name) === sent);
}
