/** What one event changes: for a mail at the moment at which it is booked. */
import type { BookCells as BookRow } from '../row.ts';
import { byTime } from '../bookTime.ts';
import { NEWS } from './messages.ts';
import type { Matter } from './messages.ts';
import { watch } from './watch.ts';
import type { WatchInput } from './watch.ts';
import { watchedBook } from './watchedBook.ts';

/**
 * The matters that are there with the row of this key, and were not there before it. Events that came after it are left out: each of
 * them tells what it changes itself. So of several updates of a payout that nobody ordered, the first tells it, whichever is looked
 * at first. Throws DeskProblem if the row is not there: its matters would never be told.
 */
export function newMatters(input: WatchInput, key: string): Matter[] {
	const { rows } = input;
	const row = rows.find((each) => each.key === key);
	if (row === undefined) throw NEWS.rowIsMissing(key);
	const events = new Set(watchedBook(rows).events);
	const upToIt = rows.filter((each) => !events.has(each) || inOrder(each, row) <= 0);
	const beforeIt = upToIt.filter((each) => each.key !== key);
	const known = new Set(watch({ ...input, rows: beforeIt }).map(({ matter }) => matter));
	return watch({ ...input, rows: upToIt }).filter(({ matter }) => !known.has(matter));
}

/** Two events may have the same time, and one of them must be the first for both. */
function inOrder(a: BookRow, b: BookRow): number {
	return byTime(a, b) || Number(a.key > b.key) - Number(a.key < b.key);
}
