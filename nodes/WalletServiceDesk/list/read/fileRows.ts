/** The rows of a file: their cells by meaning, and what shows that a separator, a quotation mark or other names have moved them. */
import { enumerated, readableAmount } from '../../../shared/text.ts';
import { areAmountWords, KNOWN_CODES } from './amountName.ts';
import { isLikeAmount } from './amounts.ts';
import { EMPTY_CELL, isBlank, textCell } from './cells.ts';
import type { RawRow } from './cells.ts';
import { countNeeded, extraNamesOf, NEEDED, placeFinder, ROLES } from './columns.ts';
import type { Columns, Places, Role } from './columns.ts';
import type { CsvRecord, LongCell } from './csv.ts';
import { stopProblem } from './csvTable.ts';
import type { CsvTable } from './csvTable.ts';
import { FILE, LIST, ROW } from './messages.ts';

/** What is wrong with the file as a whole: rows that would be lost. `maxRows`: how many it may have. */
export function fileProblems(table: CsvTable, raws: readonly RawRow[], maxRows: number): string[] {
	const { rows, stop } = table;
	const isTooLong = rows.length > maxRows || stop?.reason === 'tooManyRecords';
	const isCut = stop !== undefined && stop.reason !== 'tooManyRecords';
	return [
		...(isCut ? [stopProblem(stop)] : []),
		...rowInCellProblem(table),
		...rowsAboveNames(table),
		...(raws.length === 0 && !isCut && !isTooLong ? [LIST.hasNoRows()] : []),
		...(isTooLong ? [LIST.hasTooManyRows(readableAmount(String(maxRows)))] : []),
	];
}

/** A quotation mark that somebody forgot ends at the next one, and the rows between them are in one cell. */
function rowInCellProblem({ longCells, separator, names, places, stop }: CsvTable): string[] {
	const hasRow = (cell: LongCell) => {
		const whole = isRestOfRow(cell, { separator, columns: names.cells.length }) ? cell.rest : '';
		for (const line of linesBehindFirst(`${cell.text}${whole}`))
			if (isPayout(cellsIn(line, separator), places)) return true;
		return false;
	};
	// Of the line that never ends, it is said already.
	const found = longCells.find((cell) => cell.line !== stop?.line && hasRow(cell));
	return found === undefined ? [] : [FILE.hasRowInCell(String(found.line))];
}

/** Whether the first line of the cell has all that is missing in its row, so that its last line is the beginning of another one. */
function isRestOfRow(
	{ text, place }: LongCell,
	{ separator, columns }: { separator: string; columns: number },
): boolean {
	const [first = ''] = text.split(/[\r\n]/, 1);
	return first.split(separator).length >= columns - place;
}

/** One at a time, because a cell can be as long as the file. */
function* linesBehindFirst(text: string): Generator<string> {
	const lines = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
	let end = lines.indexOf('\n');
	while (end >= 0) {
		const start = end + 1;
		end = lines.indexOf('\n', start);
		yield lines.slice(start, end === -1 ? undefined : end);
	}
}

function cellsIn(line: string, separator: string): string[] {
	return line.split(separator).map((cell) => cell.replaceAll('"', '').trim());
}

/** Whether the cells under these names are a payout, which must not be skipped. */
function isPayout(cells: readonly string[], places: Places): boolean {
	const hasAll = NEEDED.every((role) => (cells[places[role]] ?? '') !== '');
	return hasAll && isLikeAmount(cells[places.amount] ?? '');
}

/** Payouts above the names: of this table, or of one with names of its own. A letterhead is none. */
function rowsAboveNames({ above, names, places }: CsvTable): string[] {
	const ofOthers = rowsOfOtherTables(above);
	const found = above.filter((record) => ofOthers.has(record) || isPayout(record.cells, places));
	if (found.length === 0) return [];
	const rows = found.map(({ row }) => String(row));
	return [
		FILE.hasRowsAboveNames({ rows: enumerated(rows), count: rows.length, namesRow: String(names.row) }),
	];
}

const FEWEST_COLUMNS = 3;

/** Files of banks have one row below names of its own above the table: the sum and the number of payouts. */
const FEWEST_ROWS = 2;

/** Rows that stand directly below names of columns, in time that grows with the records. */
function rowsOfOtherTables(records: readonly CsvRecord[]): Set<CsvRecord> {
	const tables: Array<{ names: readonly string[]; rows: CsvRecord[] }> = [];
	for (const record of records) {
		const last = tables.at(-1);
		if (last !== undefined && isRowUnder(last.names, record.cells)) last.rows.push(record);
		else tables.push({ names: record.cells.some(isLikeAmount) ? [] : record.cells, rows: [] });
	}
	return new Set(tables.filter(({ rows }) => rows.length >= FEWEST_ROWS).flatMap(({ rows }) => rows));
}

/** Whether the cells have an amount, and none of them stands where there is no name. */
function isRowUnder(names: readonly string[], cells: readonly string[]): boolean {
	const areColumns = [names, cells].every((each) => countFilled(each) >= FEWEST_COLUMNS);
	return (
		areColumns && cells.some(isLikeAmount) && cells.every((cell, at) => cell === '' || Boolean(names[at]))
	);
}

function countFilled(cells: readonly string[]): number {
	return cells.filter((cell) => cell !== '').length;
}

/** Without rows in which there is nothing to pay. */
export function fileRows(table: CsvTable, columns: Columns): RawRow[] {
	const { names, places } = table;
	const extraNames = extraNamesOf(names.cells, places);
	const problemOfNames = namesFinder(places, columns);
	const raws = table.rows.map(({ cells, row, line }) => {
		const problem = problemOfNames(cells, row) ?? shapeProblem(cells, table);
		return { row, line, cells: cellsAt(places, cells), extra: extraIn(cells, extraNames), problem };
	});
	return raws.filter((raw) => !isBlank(raw));
}

/** Finds rows with the names of the columns again, and those below them whose cells stand under other names. */
function namesFinder(places: Places, columns: Columns) {
	const findPlaces = placeFinder(columns);
	let otherNames: number | undefined;
	return (cells: readonly string[], row: number): string | undefined => {
		// Nearly each row has a number, so that it need not be compared.
		const found = cells.some((cell) => /\d/.test(cell)) ? undefined : findPlaces(cells);
		const hasNames = found !== undefined && countNeeded(found) === NEEDED.length;
		if (!hasNames && (found === undefined || !areOtherNames(cells, places)))
			return otherNames === undefined ? undefined : ROW.isBelowOtherNames(String(otherNames));
		otherNames = ROLES.every((role) => found[role] === places[role]) ? undefined : row;
		return ROW.hasNamesAgain();
	};
}

/** Whether cells without a digit are the names of another table: `Name, Total, Ccy, Alias`. */
function areOtherNames(cells: readonly string[], places: Places): boolean {
	const textIn = (role: Role) => cells[places[role]] ?? '';
	const isCodeIn = (role: Role) => KNOWN_CODES.has(textIn(role).toUpperCase());
	const areFilled = NEEDED.every((role) => textIn(role) !== '');
	return areFilled && areAmountWords(textIn('amount')) && !isCodeIn('currency') && !isCodeIn('coin');
}

function cellsAt(places: Places, cells: readonly string[]): RawRow['cells'] {
	const cellAt = (place: number) => {
		const text = cells[place];
		return text === undefined ? EMPTY_CELL : textCell(text);
	};
	return Object.fromEntries(ROLES.map((role) => [role, cellAt(places[role])])) as RawRow['cells'];
}

function extraIn(cells: readonly string[], names: ReadonlyArray<string | undefined>): RawRow['extra'] {
	return names.flatMap((name, place) => {
		const text = cells[place] ?? '';
		return name === undefined || text === '' ? [] : [[name, text] as const];
	});
}

/** What shows that the cells of a row stand in wrong columns. */
function shapeProblem(cells: readonly string[], { separator, names, places }: CsvTable): string | undefined {
	const behindAll = cells.slice(names.cells.length);
	if (behindAll.some((cell) => cell !== '')) {
		return separator === ',' ? ROW.mayHaveCommaInAmount() : ROW.hasTooManyCells();
	}
	// 1,250.50 without quotation marks falls into two cells.
	const [amount = '', behind = ''] = cells.slice(places.amount);
	const isLonger = behindAll.length > 0;
	const hasRoom = isLonger || (separator === ',' && isFree(names.cells.length - 1, places));
	const rest = isLonger ? REST_OF_AMOUNT : restBehind(places);
	const isSplit = /^\d+$/.test(amount) && rest.test(behind);
	return hasRoom && isSplit ? ROW.mayHaveSplitAmount({ amount, behind }) : undefined;
}

const REST_OF_AMOUNT = /^\d{1,3}(?:\.\d+)?$/;

/** What may be the rest of an amount in a row that is not longer. The number of an invoice is none, and few aliases are. */
function restBehind(places: Places): RegExp {
	const place = places.amount + 1;
	if (places.paymentKey === place) return /^\d{3}\.\d+$/;
	return isFree(place, places) ? REST_OF_AMOUNT : /^\d{3}(?:\.\d+)?$/;
}

/** Whether nothing would be said of a cell that stands in this column by mistake. */
function isFree(place: number, places: Places): boolean {
	return ROLES.every((role) => role === 'note' || role === 'payee' || places[role] !== place);
}
