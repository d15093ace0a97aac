/** Words for the end of one movement that cannot all be true. */
import { isFailedStatus, isFinalStatus, isUnknownStatus } from '../../shared/answers/statuses.ts';
import type { BookCells as BookRow } from './row.ts';
import { byTime } from './bookTime.ts';

interface Contradiction {
	/** Says the first end. */
	first: BookRow;
	/** Say another one, the oldest first. */
	others: BookRow[];
	/** Of the others. */
	last: BookRow;
}

/**
 * The rows of a movement that say two ends of it: a failure behind a success, a success behind a failure, or behind a success a word
 * that nobody knows, such as `charged_back`. Undefined if there are none.
 */
export function contradictionIn(rows: BookRow[]): Contradiction | undefined {
	const inOrder = rows.toSorted(byTime);
	const first = inOrder.find(({ status }) => isFinalStatus(status));
	if (first === undefined) return undefined;
	const others = inOrder.filter((row) => isOtherEnd(row, first));
	const last = others.at(-1);
	return last && { first, others, last };
}

function isOtherEnd(row: BookRow, first: BookRow): boolean {
	const hasFailed = isFailedStatus(first.status);
	if (isFinalStatus(row.status)) return isFailedStatus(row.status) !== hasFailed;
	return !hasFailed && row.time > first.time && isUnknownStatus(row.status);
}
