/** Payout List: Read. A file, or the items of any node, become one row for each payout, with all that is wrong with it. */
import type { IDataObject } from 'n8n-workflow';

import { readableAmount } from '../../../shared/text.ts';
import { readAmountName } from './amountName.ts';
import type { AmountName } from './amountName.ts';
import type { RawRow } from './cells.ts';
import { columnsProblem, labelsOf } from './columns.ts';
import type { ListSettings, Places } from './columns.ts';
import type { CsvRecord } from './csv.ts';
import { tableIn } from './csvTable.ts';
import { fileProblems, fileRows } from './fileRows.ts';
import { isEarlierRow, readEarlierRows } from './earlierRows.ts';
import { fileText } from './fileText.ts';
import { itemTable } from './itemRows.ts';
import { withoutRows } from './leaveOut.ts';
import { givenRows } from '../../values/givenRows.ts';
import { wholeList, withProblems } from '../listRow.ts';
import type { ListRow } from '../listRow.ts';
import { COLUMN, GIVEN, LIST } from './messages.ts';
import { addOppositeDirections, otherColumns } from './otherColumns.ts';
import { readRow } from './readRow.ts';
import { addFilledWidths, addRepeatedKeys, addSamePayments } from './repeats.ts';
import { readTitles } from './titles.ts';
import type { Title } from './titles.ts';
import { asTotal } from './totalRows.ts';

export { DEFAULT_COLUMNS } from './columns.ts';
export type { Columns, ListSettings } from './columns.ts';

/** Of a file or of items. Empty rows do not count. */
const MAX_ROWS = 50_000;

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
	const raws = table.rows.length > MAX_ROWS ? [] : fileRows(table, settings.columns);
	const problems = fileProblems(table, raws, MAX_ROWS);
	const { names, places, above } = table;
	return withProblems(problems, readRows({ raws, names: names.cells, places, above }, settings));
}

/**
 * The same for rows that another node has read. A number keeps its digits if a double can hold them, and is refused if it cannot.
 * An item is the row that its `row_number` says, or else the first item is row 2, below the names.
 */
export function readItems(items: readonly IDataObject[], settings: ListSettings): ListRow[] {
	const { names, places, raws } = itemTable(items, settings.columns);
	if (names.length === 0) {
		return [wholeList([items.length === 0 ? LIST.hasNoItems() : LIST.hasItemsWithoutFields()])];
	}
	const problem = columnsProblem(names, places, settings);
	if (problem !== undefined) return [wholeList([problem])];
	if (raws.length === 0) return [wholeList([LIST.hasNoRows()])];
	if (raws.length > MAX_ROWS) return [wholeList([tooManyRows()])];
	return readRows({ raws, names, places }, settings);
}

/** The places of the items that `readItems` gives as rows. */
export function placesOfRows(items: readonly IDataObject[], { columns, leaveOut }: ListSettings): number[] {
	return withoutRows(itemTable(items, columns).raws, leaveOut).map(({ item }) => item);
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
	if (rows.length > MAX_ROWS) return [wholeList([tooManyRows()])];
	return readEarlierRows(rows, settings);
}

function tooManyRows(): string {
	return LIST.hasTooManyRows(readableAmount(String(MAX_ROWS)));
}

interface Table {
	raws: readonly RawRow[];
	/** As they are written in the list. */
	names: readonly string[];
	places: Places;
	/** What stands above the names. */
	above?: readonly CsvRecord[];
}

function readRows({ raws, names, places, above = [] }: Table, settings: ListSettings): ListRow[] {
	const { columns, codeOfAll } = settings;
	const name = names[places.amount] ?? '';
	const codes = codesIn(raws, settings);
	const [amountName, titles] = [readAmountName(name, codes), readTitles(above, codes)];
	const problem = unitProblem(name, amountName, titles);
	if (problem !== undefined) return [wholeList([problem])];
	const [labels, others] = [labelsOf(names, places), otherColumns()];
	const read = withoutRows(raws, settings.leaveOut)
		.map(asTotal)
		.map((raw) => ({ raw, listRow: readRow(raw, { labels, codeOfAll, amountName, titles, others }) }));
	// What is no payout, or stands in wrong columns, is compared with nothing.
	const payments = read.filter(({ raw }) => raw.problem === undefined).map(({ listRow }) => listRow);
	addRepeatedKeys(payments, labels.paymentKey);
	addFilledWidths(payments);
	addSamePayments(payments, names[places.again] ?? columns.again);
	addOppositeDirections(payments);
	return read.map(({ listRow }) => listRow);
}

/** Why no amount of the list can be paid as it stands. */
function unitProblem(name: string, { unit }: AmountName, titles: readonly Title[]): string | undefined {
	if (unit !== undefined) return COLUMN.mayHaveOtherUnit({ name, unit });
	const title = titles.find((each) => each.unit !== undefined);
	if (title?.unit === undefined) return undefined;
	return COLUMN.titleHasOtherUnit({ row: String(title.row), text: title.text, unit: title.unit });
}

/** The currencies and coins of a list, in capitals. */
function codesIn(raws: readonly RawRow[], { codeOfAll }: ListSettings): Set<string> {
	const ofRows = raws.flatMap(({ cells }) => [cells.currency.text, cells.coin.text]);
	return new Set([...ofRows, codeOfAll?.code ?? ''].map((code) => code.trim().toUpperCase()));
}
