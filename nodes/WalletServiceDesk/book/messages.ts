/** What is said about rows and columns of the book that cannot be read as they stand. `examples`: some of them, in words. */
import { counted } from '../../shared/text.ts';

interface Odd {
	count: number;
	examples: string;
}

const rows = (count: number) => (count === 1 ? '1 row of the book has' : `${count} rows of the book have`);

export const BOOK_ROWS = {
	noRow: ({ count, examples }: Odd) =>
		`${counted(count, 'item is no row', 'items are no rows')} of the book, for no column has a name of the book: ${examples}. Connect the node that reads the table wallet_service_book.`,
	equal: ({ count, examples }: Odd) =>
		`${counted(count, 'row that a person wrote is', 'rows that people wrote are')} equal to another one in each cell, and ${count === 1 ? 'counts' : 'count'} with it as one: ${examples}. If more were meant, change the message of one.`,
	missingColumns: (columns: string) =>
		`The book has no column ${columns}. What stood there is not known. Add the column, of the type text.`,
	kind: ({ count, examples }: Odd) =>
		`${rows(count)} a kind that the book does not know, and ${count === 1 ? 'does' : 'do'} not count: ${examples}. Correct the word.`,
	result: ({ count, examples }: Odd) =>
		`${rows(count)} a result that the book does not know: ${examples}. It is read as unknown. Correct the word.`,
	amount: ({ count, examples }: Odd) =>
		`${rows(count)} an amount that cannot be read: ${examples}. Write it as 1250.50, with a minus if the money went out.`,
	fee: ({ count, examples }: Odd) =>
		`${rows(count)} a fee that cannot be read: ${examples}. Write it as 0.50.`,
	time: ({ count, examples }: Odd) =>
		`${rows(count)} a time that cannot be read: ${examples}. Write it as 2026-01-31T08:00:00Z.`,
	asset: ({ count, examples }: Odd) =>
		`${rows(count)} no currency or coin: ${examples}. Write its code into the column asset.`,
};

/** One odd cell in words, with the name of its row. */
export const oddCell = ({ name, value }: { name: string; value: string }) =>
	value === '' ? name : `'${value}' in ${name}`;

export const AND_MORE = (count: number) => `and ${count} more`;

/** A row that has neither a key nor a reference. Rows are counted from 1. */
export const ROW_NUMBER = (number: number) => `row ${number}`;
