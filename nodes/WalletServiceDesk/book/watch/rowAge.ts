/** How old a row is. */
import type { BookCells as BookRow } from '../row.ts';

const HOUR = 3_600_000;

/** What happened is told for three days. Then it is known, or a person has seen it many times. */
const HOURS_OF_NEWS = 72;

/**
 * Hours since the time of a row. A time that cannot be read, or that lies more than an hour ahead, is as old as can be: what waits for its
 * age must not wait for ever.
 */
export function ageInHours(time: string, now: string): number {
	const hours = (Date.parse(now) - Date.parse(time)) / HOUR;
	return hours >= -1 ? hours : Infinity;
}

/** Whether one of the rows is new enough to be told. A row without a time that can be read is. */
export function isNews(rows: BookRow[], now: string): boolean {
	return rows.some(({ time }) => isYoungerThan(HOURS_OF_NEWS, ageInHours(time, now)));
}

/** Whether something of this age is told now, if it is told from so many hours on. What is as old as can be always is. */
export function isNewsAfter(hours: number, age: number): boolean {
	return age >= hours && isYoungerThan(hours + HOURS_OF_NEWS, age);
}

/** A row may lie up to an hour ahead: the clocks of two workers differ. */
function isYoungerThan(hours: number, age: number): boolean {
	return age === Infinity || age <= hours;
}
