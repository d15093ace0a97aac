/** Words for the end of one movement that cannot all be true. */
import { isFailedStatus, isFinalStatus, isUnknownStatus } from '../../../shared/answers/statuses.ts';
import type { BookRow } from '../row.ts';
import { firstIn, lastIn } from './began.ts';

interface Contradiction {
	/** Says the first end. */
	first: BookRow;
	/** The last row that says another one. */
	last: BookRow;
	/** The row of the table with which both were said. */
	began: string;
}

/**
 * Two ends of a movement that its rows say: a failure behind a success, a success behind a failure, or behind a success a word that nobody
 * knows, such as `charged_back`. Undefined if there are none. `rows`: the oldest first.
 */
export function contradictionIn(rows: readonly BookRow[]): Contradiction | undefined {
	const first = rows.find(({ status }) => isFinalStatus(status));
	if (first === undefined) return undefined;
	const same = rows.filter(
		({ status }) => isFinalStatus(status) && isFailedStatus(status) === isFailedStatus(first.status),
	);
	const others = rows.filter((row) => isOtherEnd(row, first));
	const last = others.at(-1);
	return last && { first, last, began: lastIn([firstIn(same), firstIn(others)]) };
}

function isOtherEnd(row: BookRow, first: BookRow): boolean {
	const hasFailed = isFailedStatus(first.status);
	if (isFinalStatus(row.status)) return isFailedStatus(row.status) !== hasFailed;
	return !hasFailed && row.time > first.time && isUnknownStatus(row.status);
}
