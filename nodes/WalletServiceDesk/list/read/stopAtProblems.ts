/** The option *Stop at Problems*: a list that is paid without another look by a person is handed on whole or not at all. */
import { firstAndMore } from '../../../shared/wording.ts';
import type { ListRow } from '../listRow.ts';
import { placesInWords } from '../places.ts';
import { STOPPED } from './messages.ts';

/** Rows whose problems one message names. */
const MOST_ROWS = 10;

/** Throws a DeskProblem that names the rows with problems. */
export function stopAtProblems(rows: readonly ListRow[]): void {
	const wrong = rows.filter(({ problems }) => problems.length > 0);
	if (wrong.length === 0) return;
	const named = wrong.map((row) => STOPPED.problem({ where: whereIs(row), ...row }));
	throw STOPPED.hasProblems(firstAndMore(named, { most: MOST_ROWS, more: STOPPED.more }));
}

function whereIs({ row, line }: ListRow): string {
	return row === 0 ? STOPPED.whole() : placesInWords([{ row, line, position: 1, of: 1 }]);
}
