/**
 * A row of the book, the Data Table `wallet_service_book`: its columns, its kinds, and how it is read. Rows are only inserted. A workflow
 * writes one row for one fact, a person may write any row, and whoever reads the book folds rows together (fold.ts).
 */
import type { IDataObject } from 'n8n-workflow';

import { negate, readDecimal, withoutSign } from '../../../api/exact/decimal.ts';
import { oneLine, shortLine } from '../../shared/text.ts';
import { firstAndMore } from '../../shared/wording.ts';
import { RESULTS, UNDER_WAY } from '../operation/result.ts';
import { addTo } from '../values/groups.ts';
import { anyText, fieldNames } from '../values/itemValues.ts';
import { utcTime } from './bookTime.ts';
import { AND_MORE, BOOK_ROWS, oddCell, ROW_NUMBER } from './messages.ts';

/** The columns of the book, in the order of the table. All are text. */
const COLUMNS = {
	key: 'Payment Key, delivery key of an event, or the name of the row',
	kind: 'one of KINDS',
	time: 'ISO 8601: when it happened, or was told',
	asset: 'code of the currency or coin',
	amount: 'decimal text, with a minus if the money goes out; of a reconciliation, the balance',
	counterpart: 'alias of the destination, wallet, virtual account or contract',
	details: 'the destination as it was; `fiat` or `crypto` where the kind does not say it',
	reference:
		'the ID that the service gave; of a correction, what it books; of a reconciliation, the difference',
	result: 'of a payment: `under way`, then its result; empty in an event',
	status: 'as the service tells it; of a reconciliation, the verdict',
	txHash: 'hash of the transaction',
	fee: 'decimal text without a sign',
	feeAsset: 'code of the fee; empty: the asset of the row',
	message: 'what a person must know',
	workflow: '`<id> <name>`; empty in a row of a person',
	execution: 'number of the execution; empty in a row of a person',
	approvedBy: 'who said yes',
} as const;

export type Column = keyof typeof COLUMNS;
export const BOOK_COLUMNS = Object.keys(COLUMNS) as Column[];

/** A row as it is inserted. */
export type BookCells = Record<Column, string>;

/** The cells of a row to insert; columns that are left out are empty. */
export function rowToInsert(cells: Partial<BookCells>): BookCells {
	return { ...EMPTY, ...cells };
}

const EMPTY = Object.fromEntries(BOOK_COLUMNS.map((column) => [column, ''])) as BookCells;

interface Kind {
	/** What a row of this kind is about. A `payment` is ordered here, the service reports `funding`. */
	is: 'payment' | 'funding' | 'bookkeeping';
	/** What the kind says of its asset; undefined if it may be both. */
	assetClass?: AssetClass;
	/** Whether its money goes out, whatever sign a person wrote. */
	isOut?: true;
}

export type AssetClass = 'fiat' | 'crypto';

const KINDS = {
	'fiat payout': { is: 'payment', assetClass: 'fiat', isOut: true },
	/** With a result: a payment. Without one: an update of the service. */
	'crypto payout': { is: 'payment', assetClass: 'crypto', isOut: true },
	deposit: { is: 'funding', assetClass: 'fiat' },
	'crypto deposit': { is: 'funding', assetClass: 'crypto' },
	'admin credit': { is: 'funding' },
	'admin debit': { is: 'funding', isOut: true },
	/** One row for each side. */
	conversion: { is: 'payment' },
	/** The balance from which reconciling starts. */
	opening: { is: 'bookkeeping' },
	/** A person books what no other row does. */
	correction: { is: 'bookkeeping' },
	/** What a reading of a balance found. */
	reconciliation: { is: 'bookkeeping' },
	/** An item of which Make Rows could make no other row. */
	odd: { is: 'bookkeeping' },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof KINDS;

function isKind(kind: string): kind is KindName {
	return Object.hasOwn(KINDS, kind);
}

/** The properties of a kind; undefined for a word that is none. */
export function kindOf(kind: string): Kind | undefined {
	return isKind(kind) ? KINDS[kind] : undefined;
}

/**
 * What cannot be read in a row as it stands. `noRow`: no column has a name of the book. `equal`: nothing tells a row that a person wrote
 * from another one, not even a number of the table.
 */
export type Fault = 'kind' | 'result' | 'amount' | 'fee' | 'time' | 'asset' | 'noRow' | 'equal';

export interface OddCell {
	fault: Fault;
	/** As it was written. */
	value: string;
}

/**
 * A row as it was read: each cell in the writing of the book. `amount` and `fee` are plain decimals (api/exact/decimal.ts), '' if there is
 * none that can be read; a `fee` has no sign. `time` is ISO 8601 in UTC with milliseconds, so that times compare as texts; '' if there is
 * none. `kind` and `status` are in lower case, codes in capitals. A `kind` or `result` that the book does not know stays as it is.
 */
export interface BookRow extends BookCells {
	/** Its number in the Data Table; '' in rows from elsewhere. */
	id: string;
	/** Its place among the rows that were read, from 1: the name of a row that has neither key nor reference. */
	place: number;
	/** When it was inserted, if the table says so and it is later than `time`; else `time`. */
	written: string;
	/** ID of the workflow that wrote it, without its name: a renamed workflow is the same. '' in a row of a person. */
	workflowId: string;
	/** Who wrote it: the execution of a workflow, as one text. '' in a row of a person. */
	run: string;
	/** What is odd in it. Such a cell is '' if it is an amount, a fee or a time. */
	odd: OddCell[];
}

export interface Book {
	/** In the order in which they came. Two that are one row of the table, or equal in each cell, are read once. */
	rows: BookRow[];
	/** Columns that the table does not have. */
	missingColumns: Column[];
	/** Sentences for a person about what is odd in rows: one for each kind of fault, however many rows have it. */
	notes: string[];
}

/**
 * Reads rows as n8n's Data Table (with `id` and `createdAt`, and null for an empty cell), a spreadsheet or a person gives them. Names of
 * columns and words are read without regard to case and spaces, and `createdAt` stands in for a time that is missing.
 */
export function readRows(items: readonly IDataObject[]): Book {
	const headers = headersOf(items);
	const strangers: number[] = [];
	const equal: BookRow[] = [];
	const rows = new Map<string, BookRow>();
	for (const [index, item] of items.entries()) {
		// n8n's "Always Output Data" gives one item without fields in place of no row.
		if (Object.keys(item).length === 0) continue;
		const cells = cellsOf(item, headers);
		const place = index + 1;
		if (BOOK_COLUMNS.every((column) => cells[column] === '')) strangers.push(place);
		else {
			const id = anyText(item.id);
			const row = readRow(cells, { id, place, createdAt: anyText(item.createdAt) });
			const name = JSON.stringify([id, row.time, ...Object.values(cells)]);
			if (!rows.has(name)) rows.set(name, row);
			else if (id === '' && isWithoutName(row)) equal.push(row);
		}
	}
	const missingColumns = rows.size === 0 ? [] : BOOK_COLUMNS.filter((column) => !headers.has(column));
	const read = [...rows.values()];
	return { rows: read, missingColumns, notes: oddInWords(read, strangers, equal) };
}

/** Whether a person wrote a row that no key or reference tells from another one: of two such rows, each may be meant. */
export function isWithoutName({ run, kind, key, reference }: BookRow): boolean {
	return run === '' && (kind === 'correction' || (key === '' && reference === ''));
}

/** What a person calls a row. */
export function nameOfRow({ key, reference, place }: BookRow): string {
	return oneLine(key || reference) || ROW_NUMBER(place);
}

/** Whether the item has the column, even if it is empty. */
export function hasColumn(item: IDataObject, column: Column): boolean {
	return headersOf([item]).has(column);
}

type Headers = Map<Column, string[]>;

/** How the items write the names of the columns: `Amount` and `tx hash` are read too. The exact name comes first. */
function headersOf(items: readonly IDataObject[]): Headers {
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

function cellsOf(item: IDataObject, headers: Headers): BookCells {
	const cells = { ...EMPTY };
	for (const [column, names] of headers) {
		for (const name of names) cells[column] ||= anyText(item[name]);
	}
	return cells;
}

function readRow(
	cells: BookCells,
	{ id, place, createdAt }: { id: string; place: number; createdAt: string },
): BookRow {
	const kind = oneLine(cells.kind).toLowerCase();
	const result = readResult(cells.result);
	const [amount, fee] = [readNumber(cells.amount), readNumber(cells.fee)];
	const [time, inserted] = [utcTime(cells.time), utcTime(createdAt)];
	const workflowId = cells.workflow.split(/\s/, 1)[0] ?? '';
	const faults: Array<[Fault, boolean, string]> = [
		['kind', !isKind(kind), cells.kind],
		['result', result === undefined, cells.result],
		['amount', amount === undefined, cells.amount],
		['fee', fee === undefined, cells.fee],
		['time', time === '' && cells.time !== '', cells.time],
		['asset', cells.asset === '' && kind !== 'odd', ''],
	];
	return {
		...cells,
		kind,
		time: time || inserted,
		written: time > inserted ? time : inserted,
		asset: cells.asset.toUpperCase(),
		amount: signed(kind, amount ?? ''),
		result: result ?? oneLine(cells.result),
		status: oneLine(cells.status).toLowerCase(),
		fee: withoutSign(fee ?? ''),
		feeAsset: cells.feeAsset.toUpperCase(),
		id,
		place,
		workflowId,
		run: [workflowId, cells.execution].join(' ').trim(),
		odd: faults.filter(([, isOdd]) => isOdd).map(([fault, , value]) => ({ fault, value })),
	};
}

/** Results of a payment or conversion, as the book writes them. */
const WORDS = [UNDER_WAY, ...RESULTS];

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
	return kindOf(kind)?.isOut === true && isWrittenAsIn ? negate(amount) : amount;
}

/** Examples that one sentence names, and the longest text of one. */
const MOST_EXAMPLES = 3;
const LONGEST_EXAMPLE = 60;

/** One sentence for each fault. */
function oddInWords(
	rows: readonly BookRow[],
	strangers: readonly number[],
	equal: readonly BookRow[],
): string[] {
	const found = new Map<Fault, Array<{ name: string; value: string }>>();
	for (const row of rows)
		for (const { fault, value } of row.odd) addTo(found, fault, { name: nameOfRow(row), value });
	for (const row of equal) addTo(found, 'equal', { name: nameOfRow(row), value: '' });
	for (const place of strangers) addTo(found, 'noRow', { name: ROW_NUMBER(place), value: '' });
	return [...found].map(([fault, all]) => {
		const named = all.map(({ name, value }) =>
			oddCell({ name: shortLine(name, LONGEST_EXAMPLE), value: shortLine(value, LONGEST_EXAMPLE) }),
		);
		const examples = firstAndMore(named, { most: MOST_EXAMPLES, more: AND_MORE });
		return BOOK_ROWS[fault]({ count: all.length, examples: examples.join(', ') });
	});
}
