/** How long ago something was. */

const HOUR = 3_600_000;

/** An event is news for three days after its newest row. Then it is known, or a person has seen it many times. */
const HOURS_OF_NEWS = 72;

/** Times of the book. A row may lie ahead: the clocks of two workers differ. */
export function hoursBetween(time: string, now: string): number {
	return (Date.parse(now) - Date.parse(time)) / HOUR;
}

export function isNews({ newest }: { newest: string }, now: string): boolean {
	return hoursBetween(newest, now) <= HOURS_OF_NEWS;
}
