/** The option *Leave Out*: the rows of a list that a person takes out by their numbers. */
import { ROW_NUMBERS } from '../rowFields.ts';
import { LEAVE_OUT } from './messages.ts';

/** Throws DeskProblem for anything else, for a number that is not exactly one row of the list, and if no row is left. */
export function withoutRows<Row extends { row: number }>(rows: readonly Row[], leaveOut?: string): Row[] {
	if (leaveOut === undefined) return [...rows];
	if (!ROW_NUMBERS.test(leaveOut)) throw LEAVE_OUT.isNoNumbers(leaveOut);
	const numbers = new Set(leaveOut.split(',').map(Number));
	const counts = Map.groupBy(rows, ({ row }) => row);
	for (const number of numbers) {
		const count = counts.get(number)?.length ?? 0;
		if (count !== 1 || number === 0) throw LEAVE_OUT.isNotOneRow({ number: String(number), count });
	}
	const left = rows.filter(({ row }) => !numbers.has(row));
	if (left.length === 0) throw LEAVE_OUT.leavesNothing();
	return left;
}
