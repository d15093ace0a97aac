/** Reads the rows of the book as n8n's Data Table, a spreadsheet or a person gives them. */
import type { IDataObject } from 'n8n-workflow';
import { negate, readDecimal, withoutSign } from '../../../api/exact/decimal.ts';
import { fieldNames } from '../values/itemValues.ts';
import { oneLine, shortLine } from '../../shared/text.ts';
import { RESULTS, UNDER_WAY } from '../operation/result.ts';
import { BOOK_COLUMNS, BOOK_KINDS, EMPTY_ROW } from './bookRow.ts';
import type { BookRow } from './bookRow.ts';
import { AND_MORE, BOOK_ROWS, oddCell, ROW_NUMBER } from './messages.ts';
import { utcTime } from './bookTime.ts';

export interface BookRows {
	rows: BookRow[];
	/** Sentences for a person: what could not be read as it stands. One for each kind of fault, however many rows have it. */
	notes: string[];
	missingColumns: string[];
}

type Column = keyof BookRow;

/** Results of a payment or conversion, as the book writes them. */
const WORDS = [UNDER_WAY, ...RESULTS];

/** Kinds whose money always goes out, whether a person wrote the minus or not. */
const ALWAYS_OUT = ['fiat payout', 'coin payout', 'admin debit'];

type Fault = 'kind' | 'result' | 'amount' | 'fee' | 'time' | 'asset' | 'noRow';

/** Examples that one sentence names, and the longest text of one. */
const MOST_EXAMPLES = 3;
const LONGEST_EXAMPLE = 60;

/**
 * Rows of the Data Table `wallet_service_book` (with `id`, `createdAt`, `updatedAt`, and null for an empty cell) as rows of the book.
 * Words are read without regard to case and spaces; times become UTC, and `createdAt` stands in for a time that is missing. A cell that
 * cannot be read is named in `notes`, and is '' if it is an amount, a fee or a time. Never drops a row, and never joins two of them.
 */
export function readBookRows(items: IDataObject[]): BookRows {
	const headers = headersOf(items);
	const faults = new Faults();
	const rows: BookRow[] = [];
	for (const [index, item] of items.entries()) {
		// n8n's "Always Output Data" gives one item without fields in place of no row.
		if (Object.keys(item).length === 0) continue;
		const cells = cellsOf(item, headers);
		const isRow = BOOK_COLUMNS.some((column) => cells[column] !== '');
		if (isRow) rows.push(readRow(cells, item, { index, faults }));
		else faults.add('noRow', { name: ROW_NUMBER(index + 1), value: '' });
	}
	const missingColumns =
		rows.length === 0 ? [] : BOOK_COLUMNS.filter((column) => headers.get(column) === undefined);
	return { rows, notes: faults.inWords(), missingColumns };
}

/** Sentences about columns that the book does not have. */
export function columnsInWords(missingColumns: string[]): string[] {
	return missingColumns.length === 0 ? [] : [BOOK_ROWS.missingColumns(missingColumns.join(', '))];
}

type Headers = Map<Column, string[]>;

/** How the items write the names of the columns: `Amount` and `tx hash` are read too. The exact name comes first. */
function headersOf(items: IDataObject[]): Headers {
	const columnOfName = new Map(BOOK_COLUMNS.map((column) => [withoutSpaces(column), column]));
	const headers: Headers = new Map();
	for (const header of fieldNames(items)) {
		const column = columnOfName.get(withoutSpaces(header));
		if (column === undefined) continue;
		const others = headers.get(column) ?? [];
		headers.set(column, header === column ? [header, ...others] : [...others, header]);
	}
	return headers;
}

function withoutSpaces(text: string): string {
	return text.replace(/[\s_]+/g, '').toLowerCase();
}

function cellsOf(item: IDataObject, headers: Headers): BookRow {
	const cells = { ...EMPTY_ROW };
	for (const [column, names] of headers) {
		for (const name of names) cells[column] ||= cellText(item[name]);
	}
	return cells;
}

function cellText(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	if (value === undefined || value === null) return '';
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The row with its words, numbers and times in the writing of the book. */
function readRow(cells: BookRow, item: IDataObject, at: { index: number; faults: Faults }): BookRow {
	const name = oneLine(cells.key || cells.reference) || ROW_NUMBER(at.index + 1);
	const tell = (fault: Fault, value: string) => at.faults.add(fault, { name, value });
	const kind = oneLine(cells.kind).toLowerCase();
	if (!BOOK_KINDS.some((known) => known === kind)) tell('kind', cells.kind);
	const result = readResult(cells.result);
	if (result === undefined) tell('result', cells.result);
	const amount = readNumber(cells.amount);
	if (amount === undefined) tell('amount', cells.amount);
	const fee = readNumber(cells.fee);
	if (fee === undefined) tell('fee', cells.fee);
	const time = utcTime(cells.time);
	if (time === '' && cells.time !== '') tell('time', cells.time);
	if (cells.asset === '') tell('asset', '');
	return {
		...cells,
		kind,
		time: time || utcTime(cellText(item.createdAt)),
		asset: cells.asset.toUpperCase(),
		amount: signed(kind, amount ?? ''),
		result: result ?? oneLine(cells.result),
		status: oneLine(cells.status).toLowerCase(),
		fee: withoutSign(fee ?? ''),
		feeAsset: cells.feeAsset.toUpperCase(),
	};
}

/** The word of the book for `Paid`, `already paid` or `under_way`. Undefined for a word that the book does not know. */
function readResult(written: string): string | undefined {
	if (written === '') return '';
	return WORDS.find((result) => withoutSpaces(result) === withoutSpaces(written));
}

/** Plain decimal text; '' if there is none, undefined if there is something else. A minus may be that of a typesetter. */
function readNumber(written: string): string | undefined {
	return written === '' ? '' : readDecimal(written.replace('\u2212', '-'));
}

function signed(kind: string, amount: string): string {
	const isWrittenAsIn = amount !== '' && !amount.startsWith('-');
	return ALWAYS_OUT.includes(kind) && isWrittenAsIn ? negate(amount) : amount;
}

/** Counts the faults, and keeps some examples of each. */
class Faults {
	readonly #found = new Map<Fault, { count: number; examples: string[] }>();

	add(fault: Fault, { name, value }: { name: string; value: string }): void {
		const found = this.#found.get(fault) ?? { count: 0, examples: [] };
		this.#found.set(fault, found);
		found.count += 1;
		if (found.examples.length < MOST_EXAMPLES)
			found.examples.push(
				oddCell({
					name: shortLine(name, LONGEST_EXAMPLE),
					value: shortLine(value, LONGEST_EXAMPLE),
				}),
			);
	}

	inWords(): string[] {
		return [...this.#found].map(([fault, { count, examples }]) => {
			const more = count > examples.length ? [AND_MORE(count - examples.length)] : [];
			return BOOK_ROWS[fault]({ count, examples: [...examples, ...more].join(', ') });
		});
	}
}
