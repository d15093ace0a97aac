/** The option *Stop If a Row Is Wrong*: a list that is paid without another look by a person is handed on whole or not at all. */
import { firstAndMore } from '../../../shared/wording.ts';
import type { DeskHint } from '../../operation/operation.ts';
import { escapeHtml } from '../../page/html.ts';
import type { ListRow } from '../listRow.ts';
import { placesInWords } from '../places.ts';
import { STOPPED } from './messages.ts';

/** Rows whose problems one message names. */
const MOST_ROWS = 10;

/** Throws a DeskProblem that names the rows with problems. */
export function stopAtProblems(rows: readonly ListRow[]): void {
	const wrong = rows.filter(({ problems }) => problems.length > 0);
	if (wrong.length === 0) return;
	throw STOPPED.hasProblems(namedRows(wrong, MOST_ROWS));
}

/** Rows whose problems the editor names above the items, where a column may be out of sight. */
const MOST_ROWS_IN_HINT = 3;

/** What stands above the rows in n8n's editor. Undefined without a problem. */
export function hintOfProblems(rows: readonly ListRow[]): DeskHint | undefined {
	const wrong = rows.filter(({ problems }) => problems.length > 0);
	if (wrong.length === 0) return undefined;
	const text = STOPPED.hint(namedRows(wrong, MOST_ROWS_IN_HINT));
	return { type: 'warning', message: escapeHtml(text) };
}

function namedRows(wrong: readonly ListRow[], most: number): string[] {
	const named = wrong.map((row) => STOPPED.problem({ where: whereIs(row), ...row }));
	return firstAndMore(named, { most, more: STOPPED.more });
}

function whereIs({ row, line }: ListRow): string {
	return row === 0 ? STOPPED.whole() : placesInWords([{ row, line, position: 1, of: 1 }]);
}
