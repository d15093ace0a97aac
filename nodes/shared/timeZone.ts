/** The time zone of a workflow, and times in it. */

/** UTC for one that is none: n8n accepts any text, such as `DEFAULT` in an imported workflow, and the engine throws for it. */
export function timeZoneOf(context: { getTimezone(): string }): string {
	const given = context.getTimezone();
	try {
		dayFormat(given);
		return given;
	} catch {
		return 'UTC';
	}
}

/** `2026-11-27 14:07 (Europe/Berlin)`: a time, or the next full minute. If it is on the day of `now`, without the day. */
export function minuteIn(timeZone: string, time: Date, now?: Date): string {
	const minute = new Date(Math.ceil(time.getTime() / 60_000) * 60_000);
	const day = dayIn(timeZone, minute);
	const hour = new Intl.DateTimeFormat('sv-SE', { timeStyle: 'short', timeZone }).format(minute);
	const isToday = now !== undefined && dayIn(timeZone, now) === day;
	return `${isToday ? '' : `${day} `}${hour} (${timeZone})`;
}

/** `2026-11-22`, the day in a time zone. */
export function dayIn(timeZone: string, time = new Date()): string {
	return dayFormat(timeZone).format(time);
}

/** By time zone. Each takes long to make, and a list asks for the day of each payment. */
const dayFormats = new Map<string, Intl.DateTimeFormat>();

function dayFormat(timeZone: string): Intl.DateTimeFormat {
	// In Sweden a day is written as in ISO 8601.
	const format =
		dayFormats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone });
	dayFormats.set(timeZone, format);
	return format;
}
