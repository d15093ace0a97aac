/**
 * With which row of the Data Table an alert began. Of several executions that look at the same rows, one has inserted it, and mails the
 * alert. Rows that come later have larger numbers, so another one never takes its place.
 */
import type { BookRow } from '../row.ts';

/** The `id` of the first of these rows in the table; '' if none has one. */
export function firstIn(rows: readonly BookRow[]): string {
	const [first = ''] = inOrder(rows.map(({ id }) => id));
	return first;
}

/** The last of these: with it, all of them are there. */
export function lastIn(ids: readonly string[]): string {
	return inOrder(ids).at(-1) ?? '';
}

function inOrder(ids: readonly string[]): string[] {
	return ids.filter((id) => id !== '').sort((a, b) => Number(a) - Number(b));
}
