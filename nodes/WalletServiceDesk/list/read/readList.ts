/** Payout List: Read. A file, or the items of any node, become one row for each payout, with all that is wrong with it. */
import type { IDataObject } from 'n8n-workflow';

import { readableAmount } from '../../../shared/text.ts';
import { currencyIn } from './amountName.ts';
import { isFilled } from './cells.ts';
import type { RawRow } from './cells.ts';
import { columnsProblem, labelsOf, placeFinder } from './columns.ts';
import type { ListSettings, Places } from './columns.ts';
import { tableIn } from './csvTable.ts';
import { fileProblems, fileRows } from './fileRows.ts';
import { isEarlierRow, readEarlierRows } from './earlierRows.ts';
import { fileText } from './fileText.ts';
import { itemRows, namesIn } from './itemRows.ts';
import { givenRows } from '../givenRows.ts';
import { wholeList } from '../listRow.ts';
import type { ListRow } from '../listRow.ts';
import { GIVEN, LIST } from './messages.ts';
import { readRow } from './readRow.ts';
import { addRepeatedKeys, addSamePayments } from './repeats.ts';
import { addTotals } from './totalRows.ts';

export { DEFAULT_COLUMNS } from './columns.ts';
export type { Columns, ListSettings } from './columns.ts';

/** Of a file or of items. Empty rows do not count. */
export const MAX_ROWS = 50_000;

/** Titles above the names are records of a file, too. */
const MAX_RECORDS = MAX_ROWS + 1_000;

/**
 * The rows of a CSV file, in their order. What is wrong with the file as a whole is a row with the number 0 before them; if it
 * cannot be read, this row is alone. No row without problems has an amount that a person can read in two ways.
 */
export function readFile(content: Uint8Array, settings: ListSettings): ListRow[] {
	const file = fileText(content);
	if ('problem' in file) return [wholeList([file.problem])];
	const table = tableIn(file.text, settings, MAX_RECORDS);
	if ('problem' in table) return [wholeList([table.problem])];
	const problems = fileProblems(table, MAX_ROWS);
	const isReadable = table.rows.length > 0 && table.rows.length <= MAX_ROWS;
	const raws = isReadable ? fileRows(table, settings.columns) : [];
	const rows = readRows(raws, { ...settings, names: table.names.cells, places: table.places });
	return problems.length === 0 ? rows : [wholeList(problems), ...rows];
}

/**
 * The same for rows that another node has read. A number keeps its digits if a double can hold them, and is refused if it cannot.
 * An item is the row that its `row_number` says, or else the first item is row 2, below the names.
 */
export function readItems(items: readonly IDataObject[], settings: ListSettings): ListRow[] {
	const { columns } = settings;
	const names = namesIn(items);
	if (names.length === 0) {
		return [wholeList([items.length === 0 ? LIST.hasNoItems() : LIST.hasItemsWithoutFields()])];
	}
	const places = placeFinder(columns)(names);
	const problem = columnsProblem(names, places, settings);
	if (problem !== undefined) return [wholeList([problem])];
	const raws = itemRows(items, { names, places, columns });
	if (raws.length === 0) return [wholeList([LIST.hasNoRows()])];
	if (raws.length > MAX_ROWS) return [wholeList([LIST.hasTooManyRows(readableAmount(String(MAX_ROWS)))])];
	return readRows(raws, { ...settings, names, places });
}

/**
 * The same for a list that an expression gives. Rows that Read or Report gave before keep their numbers and their problems, and are
 * told by their list of problems. All other rows are read as items are.
 */
export function readGiven(list: unknown, settings: ListSettings): ListRow[] {
	const given = givenRows(list);
	if ('is' in given) return [wholeList([GIVEN[given.is](String(given.place))])];
	const { rows } = given;
	if (rows.length === 0) return [wholeList([LIST.isEmpty()])];
	const earlier = rows.filter(isEarlierRow).length;
	if (earlier === 0) return readItems(rows, settings);
	if (earlier < rows.length) return [wholeList([LIST.isMixed()])];
	if (rows.length > MAX_ROWS) return [wholeList([LIST.hasTooManyRows(readableAmount(String(MAX_ROWS)))])];
	return readEarlierRows(rows);
}

interface Table extends ListSettings {
	/** As they are written in the list. */
	names: readonly string[];
	places: Places;
}

function readRows(raws: readonly RawRow[], { columns, codeOfAll, names, places }: Table): ListRow[] {
	const labels = labelsOf(names, places);
	const amountCurrency = currencyIn(names[places.amount] ?? '');
	const read = raws.map((raw) => ({ raw, listRow: readRow(raw, { labels, codeOfAll, amountCurrency }) }));
	const rows = read.map(({ listRow }) => listRow);
	// The cells of other rows may stand in wrong columns.
	const comparable = read.filter(({ raw }) => raw.shapeProblem === undefined);
	const payments = comparable.map(({ listRow }) => listRow);
	addRepeatedKeys(payments, labels.paymentKey);
	addSamePayments(payments, names[places.again] ?? columns.again);
	addTotals(comparable.map(({ raw, listRow }) => ({ listRow, texts: textsOf(raw) })));
	return rows;
}

function textsOf({ cells, extra }: RawRow): string[] {
	const filled = Object.values(cells).filter(isFilled);
	return [...filled.map(({ text }) => text), ...extra.map(([, text]) => text)];
}
