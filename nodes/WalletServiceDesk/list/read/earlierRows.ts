/** Rows that Read or Report gave before: read again as they are, and not as the columns of a stranger. */
import type { IDataObject } from 'n8n-workflow';

import { isPlainDecimal } from '../../../../api/exact/decimal.ts';
import { wholeList } from '../listRow.ts';
import type { ListRow } from '../listRow.ts';
import { readReportItem } from '../report/reportRow.ts';
import { roleCell } from './cells.ts';
import type { Cell, RawRow } from './cells.ts';
import { DEFAULT_COLUMNS, ROLE_WORDS, ROLES } from './columns.ts';
import { FIRST_ROW } from './itemRows.ts';
import { isOfPeople } from './otherColumns.ts';
import { readRow } from './readRow.ts';
import { addRepeatedKeys, addSamePayments } from './repeats.ts';
import { addNamedTotals } from './totalRows.ts';

/** Only these rows have such a list, also if it is empty. */
export function isEarlierRow({ problems }: IDataObject): boolean {
	return Array.isArray(problems);
}

/**
 * The same rows, with what is found in them now. A row with problems keeps them: it cannot be paid before its list is corrected and
 * read again. No sum is looked for, because some of the rows may have been left out since.
 */
export function readEarlierRows(items: readonly IDataObject[]): ListRow[] {
	const read = items.map((item, index) => ({ item, given: readReportItem(item).row, place: index }));
	const aboutList = read.filter(({ given }) => given.row === 0).flatMap(({ given }) => given.problems);
	const rows = read
		.filter(({ given }) => given.row !== 0)
		.map(({ item, given, place }) => {
			const { row = place + FIRST_ROW, destinationDetails, note, problems } = given;
			const raw: RawRow = {
				row,
				line: given.line ?? row,
				cells: cellsOf(item),
				extra: [...Object.entries(given.extra ?? {}), ...peopleIn(item)],
			};
			const again = readRow(raw, { labels: ROLE_WORDS });
			const details = destinationDetails === undefined ? {} : { destinationDetails };
			return { ...again, ...details, note, problems: problems.length > 0 ? problems : again.problems };
		});
	const clean = rows.filter(({ problems }) => problems.length === 0);
	addRepeatedKeys(clean, ROLE_WORDS.paymentKey);
	addSamePayments(clean, DEFAULT_COLUMNS.again);
	addNamedTotals(clean);
	return aboutList.length === 0 ? rows : [wholeList([...new Set(aboutList)]), ...rows];
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
