/** The Data Table of the book, as the examples write it: by *Upsert*, with columns mapped automatically. */
import type { IDataObject } from 'n8n-workflow';
import { rowsOfItem } from '../../nodes/WalletServiceDesk/book/make/makeRows.ts';
import type { RowContext } from '../../nodes/WalletServiceDesk/book/make/rowToWrite.ts';
import { BOOK_COLUMNS } from '../../nodes/WalletServiceDesk/book/row.ts';
import type { BookCells as BookRow } from '../../nodes/WalletServiceDesk/book/row.ts';

const EMPTY = Object.fromEntries(BOOK_COLUMNS.map((column) => [column, ''])) as unknown as BookRow;

/** By `key` and `execution`. Several rows of one payment, if one of them says `paid` or `unknown`: such a row stays as it is. */
type Table = Map<string, BookRow[]>;

/** The book after these rows were written in their order, into an empty table or the given one. */
export function bookOf(written: Array<Partial<BookRow>>, table: Table = new Map()): BookRow[] {
	for (const row of written) {
		const place = JSON.stringify([row.key, row.execution]);
		const rows = table.get(place) ?? [];
		const open = rows.filter(({ result }) => !['paid', 'unknown'].includes(result));
		for (const each of open) Object.assign(each, row);
		if (open.length === 0) rows.push({ ...EMPTY, ...row });
		table.set(place, rows);
	}
	return [...table.values()].flat();
}

/** The rows that these items make together. */
export const makeRows = (items: IDataObject[], context: RowContext) =>
	items.flatMap((item, place) => rowsOfItem(item, place, context));
