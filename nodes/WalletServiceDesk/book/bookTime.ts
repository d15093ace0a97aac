/** Times in the book. A time here is ISO 8601 in UTC with milliseconds, so that texts sort as times do. */
import { readTime } from '../../../api/signature/time.ts';

/** What people write: a day, or a day and a time without a zone. It is taken to be UTC. */
const WITHOUT_ZONE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?)?$/;

const MINUTE = 60_000;

/** The time in UTC, or '' if the text is no time that can be read in one way only: `02/01/2026` is two days. */
export function utcTime(text: string): string {
	const milliseconds = readTime(withZone(text));
	const isTime = Math.abs(milliseconds) < 8.64e15;
	return isTime ? new Date(milliseconds).toISOString() : '';
}

function withZone(text: string): string {
	const [, day, minutes = '00:00', seconds = ':00'] = WITHOUT_ZONE.exec(text) ?? [];
	return day === undefined ? text : `${day}T${minutes}${seconds}Z`;
}

/** So many minutes before a time of the book; '' if that is not known. */
export function minutesBefore(time: string, minutes: number): string {
	return time === '' ? '' : new Date(Date.parse(time) - minutes * MINUTE).toISOString();
}

/** Something that has a time of the book; '' if that is not known. */
interface Timed {
	time: string;
}

/** The oldest first. */
export function byTime(a: Timed, b: Timed): number {
	if (a.time === b.time) return 0;
	return a.time < b.time ? -1 : 1;
}
