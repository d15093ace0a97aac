/** The time zone of a workflow, and times in it. */

/** UTC for one that is none: n8n accepts any text, such as `DEFAULT` in an imported workflow, and the engine throws for it. */
export function timeZoneOf(context: { getTimezone(): string }): string {
	const given = context.getTimezone();
	try {
		new Intl.DateTimeFormat('en', { timeZone: given });
		return given;
	} catch {
		return 'UTC';
	}
}

/** `2026-11-27 14:07 (Europe/Berlin)`: a time, or the next full minute. If it is on the day of `now`, without the day. */
export function minuteIn(timeZone: string, time: Date, now?: Date): string {
	const minute = new Date(Math.ceil(time.getTime() / 60_000) * 60_000);
	const day = dayIn(timeZone, minute);
	// In Sweden a time is written as in ISO 8601.
	const hour = new Intl.DateTimeFormat('sv-SE', { timeStyle: 'short', timeZone }).format(minute);
	const isToday = now !== undefined && dayIn(timeZone, now) === day;
	return `${isToday ? '' : `${day} `}${hour} (${timeZone})`;
}

/** `2026-11-22`, the day in a time zone. */
export function dayIn(timeZone: string, time = new Date()): string {
	return dayFormat(timeZone).format(time);
}

/** The same for many times of ISO 8601: a format takes long to make. */
export function daysIn(timeZone: string): (time: string) => string {
	const format = dayFormat(timeZone);
	return (time) => format.format(new Date(time));
}

const dayFormat = (timeZone: string) => new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone });
