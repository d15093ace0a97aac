/** The time of a delivery, by the setting Webhook Timestamp Unit. */
import type { TimestampUnit } from './settings.ts';

/**
 * What a time looks like. Unix seconds have 10 digits and milliseconds have 13 until the year 2286. Each length has one
 * meaning, so no digit can be added or taken away. ISO 8601 needs a time zone.
 */
const SHAPES: Record<Exclude<TimestampUnit, 'auto'>, { shape: RegExp; read: (text: string) => number }> = {
	seconds: { shape: /^\d{10}$/, read: (text) => Number(text) * 1000 },
	milliseconds: { shape: /^\d{13}$/, read: Number },
	iso8601: {
		shape: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/,
		read: Date.parse,
	},
};

/** Milliseconds since 1970. Undefined if the text is not a time in that unit. `auto` tries all of them. */
export function readTime(text: string, unit: TimestampUnit): number | undefined {
	const candidates = unit === 'auto' ? Object.values(SHAPES) : [SHAPES[unit]];
	const time = candidates.find(({ shape }) => shape.test(text))?.read(text);
	return time === undefined || Number.isNaN(time) ? undefined : time;
}
