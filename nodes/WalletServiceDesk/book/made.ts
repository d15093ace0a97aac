/** Whether the money of a payment or conversion has moved, by the word in the column `result`. */
import type { BookCells as BookRow } from './row.ts';

/** What the result of a row says about its money. */
export type Made = 'made' | 'madeBefore' | 'notKnown' | 'notMade';

const NOT_MADE = ['notSent', 'rejected', 'dryRun'];

/**
 * `made`: by the run that wrote the row. `madeBefore`: under the same key, and nobody says when. `notKnown`: each other word, also one
 * that the book does not know, since the money may have moved.
 */
export function madeOf({ result }: BookRow): Made {
	if (result === 'paid') return 'made';
	if (result === 'alreadyPaid') return 'madeBefore';
	return NOT_MADE.includes(result) ? 'notMade' : 'notKnown';
}
