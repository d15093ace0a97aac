/** Rows that Read or Report gave before: read again as they are, and not as the columns of a stranger. */
import type { IDataObject } from 'n8n-workflow';

import { isPlainDecimal } from '../../../../api/exact/decimal.ts';
import { withProblems } from '../listRow.ts';
import type { ListRow } from '../listRow.ts';
import { readRowFields } from '../rowFields.ts';
import type { RowFields } from '../rowFields.ts';
import { roleCell } from './cells.ts';
import type { Cell, RawRow } from './cells.ts';
import { DEFAULT_COLUMNS, ROLE_WORDS, ROLES } from './columns.ts';
import type { ListSettings } from './columns.ts';
import { FIRST_ROW } from './itemRows.ts';
import { withoutRows } from './leaveOut.ts';
import { LEAVE_OUT } from './messages.ts';
import { isOfPeople, otherColumns } from './otherColumns.ts';
import { readRow } from './readRow.ts';
import { addRepeatedKeys, addSamePayments } from './repeats.ts';
import { asTotal } from './totalRows.ts';

/** Only these rows have such a list, even if it is empty. */
export function isEarlierRow({ problems }: IDataObject): boolean {
	return Array.isArray(problems);
}

/**
 * The same rows, with what is found in them now. A row with problems keeps them: it cannot be paid before its list is corrected and
 * read again.
 */
export function readEarlierRows(
	items: readonly IDataObject[],
	{ leaveOut }: Pick<ListSettings, 'leaveOut'>,
): ListRow[] {
	const read = items.map((item) => ({ item, fields: readRowFields(item) }));
	const aboutList = read.filter(isAboutList).flatMap(({ fields }) => fields.problems ?? []);
	const payments = read.filter((each) => !isAboutList(each));
	// A number that no page has shown takes out another row than the one that is meant.
	if (leaveOut !== undefined && !payments.every(({ fields }) => fields.row))
		throw LEAVE_OUT.isWithoutNumbers();
	const ofPayments = payments.map(({ item, fields: { row: given, line, ...fields } }, index) => {
		const row = given || index + FIRST_ROW;
		return { item, row, line: line ?? row, fields };
	});
	const settings = { labels: ROLE_WORDS, others: otherColumns() };
	const rows = withoutRows(ofPayments, leaveOut).map(({ item, row, line, fields }) => {
		const { destinationDetails, payeeMatch, note, leftOut, extra = {}, problems = [] } = fields;
		const others = [...Object.entries(extra), ...peopleIn(item)];
		const again = readRow(asTotal({ row, line, cells: cellsOf(item), extra: others }), settings);
		const details = {
			...(destinationDetails !== undefined && { destinationDetails }),
			...(payeeMatch !== undefined && { payeeMatch }),
			...(leftOut !== undefined && { leftOut }),
		};
		return { ...again, ...details, note, problems: problems.length > 0 ? problems : again.problems };
	});
	const clean = rows.filter(({ problems }) => problems.length === 0);
	addRepeatedKeys(clean, ROLE_WORDS.paymentKey);
	addSamePayments(clean, DEFAULT_COLUMNS.again);
	return withProblems([...new Set(aboutList)], rows);
}

/** Whether it says what is wrong with the list as a whole, and is no payment. */
function isAboutList({ item, fields }: { item: IDataObject; fields: RowFields }): boolean {
	if (fields.row !== 0) return false;
	const { amount, paymentKey } = cellsOf(item);
	return amount.text === '' && paymentKey.text === '';
}

/** Beside the columns of the row: who has said yes to it before does not count here. */
function peopleIn(item: IDataObject): RawRow['extra'] {
	return Object.entries(item)
		.map(([name, value]) => [name, roleCell('note', value).text] as const)
		.filter(([name, text]) => isOfPeople(name) && text !== '');
}

function cellsOf(item: IDataObject): RawRow['cells'] {
	const cells = Object.fromEntries(
		ROLES.map((role) => [role, roleCell(role, item[role])]),
	) as RawRow['cells'];
	return { ...cells, amount: decimalCell(cells.amount) };
}

/** The text of a row that was read is plain: its point is no sign between thousands. */
function decimalCell(cell: Cell): Cell {
	return cell.kind === 'text' && isPlainDecimal(cell.text) ? { ...cell, kind: 'number' } : cell;
}
