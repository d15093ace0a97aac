/** How requests and deliveries write their time. A time here is in milliseconds since 1970. */
import type { Value } from './settings.ts';

type Format = Exclude<Value<'timestampFormat'>, 'static'>;

/** The time of a request as text. */
export function writeTime(format: Format, now: number): string {
	switch (format) {
		case 'iso8601':
			return new Date(now).toISOString();
		case 'unixMilliseconds':
			return String(now);
		case 'unixSeconds':
			return String(Math.floor(now / 1000));
	}
}

/** Seconds, milliseconds or microseconds, which keep their length until 2286. A longer fraction could be part of an ID. */
const UNIX = /^(\d{10}(?:\d{3}){0,2})(?:\.\d{1,9})?$/;
const ISO = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?)(?:Z|([+-]\d\d)(?::?(\d\d))?)$/i;

/** The time that a text says by its form. NaN for any other text, and without a time zone. */
export function readTime(text: string): number {
	const [, digits] = UNIX.exec(text) ?? [];
	if (digits !== undefined) return Number(text) * 10 ** (13 - digits.length);
	const [, local, hours = '+00', minutes = '00'] = ISO.exec(text) ?? [];
	return Date.parse(`${local}${hours}:${minutes}`);
}

/** Whether the separator behind a time could also stand earlier, after a shorter time: `1767225600.5` before a point. */
export function couldEndEarlier(time: string, separator: string): boolean {
	const ends = Array.from(time, (_, at) => at);
	const isEnd = (at: number) => (time.slice(at) + separator).startsWith(separator);
	return ends.some((at) => isEnd(at) && !Number.isNaN(readTime(time.slice(0, at))));
}
