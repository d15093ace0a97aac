/** Words for the end of one movement that cannot all be true. */
import { isFailedStatus, isFinalStatus, isUnknownStatus } from '../../../../api/statuses.ts';
import type { BookRow } from './bookRow.ts';
import { byTime } from './bookTime.ts';

/**
 * The first end of a movement, and the last row that says another one: a failure behind a success, a success behind a failure, or
 * behind a success a word that nobody knows, such as `charged_back`. Undefined if there is none.
 */
export function contradictionIn(rows: BookRow[]): { first: BookRow; last: BookRow } | undefined {
	const inOrder = rows.toSorted(byTime);
	const first = inOrder.find(({ status }) => isFinalStatus(status));
	if (first === undefined) return undefined;
	const last = inOrder.findLast((row) => isOtherEnd(row, first));
	return last && { first, last };
}

function isOtherEnd(row: BookRow, first: BookRow): boolean {
	const hasFailed = isFailedStatus(first.status);
	if (isFinalStatus(row.status)) return isFailedStatus(row.status) !== hasFailed;
	return !hasFailed && row.time > first.time && isUnknownStatus(row.status);
}
