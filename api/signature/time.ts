/** Writes the time of a request, and reads that of a delivery by its form. Times are milliseconds since 1970. */
import type { Value } from './settings.ts';

/** The ways in which a request can say its time. */
export const TIME_FORMATS: Record<Exclude<Value<'timestampFormat'>, 'static'>, (now: number) => string> = {
	iso8601: (now) => new Date(now).toISOString(),
	unixMilliseconds: String,
	unixSeconds: (now) => String(Math.floor(now / 1000)),
};

/** Seconds, milliseconds or microseconds, which keep their length until 2286. A longer fraction could be part of an ID. */
const UNIX = /^(\d{10}(?:\d{3}){0,2})(?:\.\d{1,9})?$/;
const ISO = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?)(?:Z|([+-]\d\d)(?::?(\d\d))?)$/i;

/** Undefined if the text is no time, or a date without a time zone. */
export function readTime(text: string): number | undefined {
	const [, digits] = UNIX.exec(text) ?? [];
	if (digits !== undefined) return Number(text) * 10 ** (13 - digits.length);
	const [, local, hours = '+00', minutes = '00'] = ISO.exec(text) ?? [];
	const time = Date.parse(`${local}${hours}:${minutes}`);
	return Number.isNaN(time) ? undefined : time;
}
