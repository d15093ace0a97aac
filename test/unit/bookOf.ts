/** The Data Table of the book, as *Upsert* on `key` and `execution` with columns mapped automatically writes it. */
import type { IDataObject } from 'n8n-workflow';
import { rowsOfItem } from '../../nodes/WalletService/desk/book/make/makeRows.ts';
import type { RowContext } from '../../nodes/WalletService/desk/book/make/rowToWrite.ts';
import { BOOK_COLUMNS } from '../../nodes/WalletService/desk/book/bookRow.ts';
import type { BookRow } from '../../nodes/WalletService/desk/book/bookRow.ts';

const EMPTY = Object.fromEntries(BOOK_COLUMNS.map((column) => [column, ''])) as unknown as BookRow;

/** The book after these rows were written in their order, into an empty table or the given one. */
export function bookOf(written: Array<Partial<BookRow>>, table = new Map<string, BookRow>()): BookRow[] {
	for (const row of written) {
		const key = JSON.stringify([row.key, row.execution]);
		table.set(key, { ...EMPTY, ...table.get(key), ...row });
	}
	return [...table.values()];
}

/** The rows that these items make together. */
export const makeRows = (items: IDataObject[], context: RowContext) =>
	items.flatMap((item, place) => rowsOfItem(item, place, context));
