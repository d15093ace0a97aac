/** The rows of a file: their cells by meaning, and what shows that a separator or a quotation mark has moved them. */
import { readableAmount } from '../../../shared/text.ts';
import { areNames, EMPTY_CELL, textCell } from './cells.ts';
import type { RawRow } from './cells.ts';
import { extraNamesOf, NEEDED, ROLES } from './columns.ts';
import type { Columns, Places, Role } from './columns.ts';
import type { CsvTable } from './csvTable.ts';
import { FILE, LIST, ROW } from './messages.ts';

/** What is wrong with the file as a whole: rows that would be lost. `maxRows`: how many it may have. */
export function fileProblems(table: CsvTable, maxRows: number): string[] {
	const { rows, stop } = table;
	const isOpen = stop?.reason === 'openQuote';
	const isTooLong = rows.length > maxRows || stop?.reason === 'tooManyRecords';
	return [
		...(isOpen ? [FILE.hasOpenQuote(String(stop.line))] : []),
		...rowInCellProblem(table),
		...rowsAboveNames(table),
		...(rows.length === 0 && !isOpen ? [LIST.hasNoRows()] : []),
		...(isTooLong ? [LIST.hasTooManyRows(readableAmount(String(maxRows)))] : []),
	];
}

/** A quotation mark that somebody forgot ends at the next one, and the rows between them are in one cell. */
function rowInCellProblem({ longCells, separator, places, stop }: CsvTable): string[] {
	const hasRow = (text: string) => {
		for (const line of linesBehindFirst(text))
			if (looksLikeRow(cellsIn(line, separator), places)) return true;
		return false;
	};
	// Of the line that never ends, it is said already.
	const found = longCells.find(({ text, line }) => line !== stop?.line && hasRow(text));
	return found === undefined ? [] : [FILE.hasRowInCell(String(found.line))];
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

function rowsAboveNames({ above, names, places }: CsvTable): string[] {
	return above
		.filter(({ cells }) => looksLikeRow(cells, places))
		.map(({ row }) => FILE.hasRowAboveNames({ row: String(row), namesRow: String(names.row) }));
}

/** Whether the cells have what a payment has, so that they must not be skipped. */
function looksLikeRow(cells: readonly string[], places: Places): boolean {
	const reachesAll = cells.length > Math.max(...NEEDED.map((role) => places[role]));
	const hasNumber = /\d/.test(cells[places.amount] ?? '');
	const isCode = (role: Role) => /^[A-Z]{3,6}$/.test(cells[places[role]] ?? '');
	return reachesAll && (hasNumber || isCode('currency') || isCode('coin'));
}

export function fileRows(table: CsvTable, columns: Columns): RawRow[] {
	const { names, places } = table;
	const extraNames = extraNamesOf(names.cells, places);
	return table.rows.map(({ cells, row, line }) => {
		const cellsByRole = cellsAt(places, cells);
		const isNames = areNames(cellsByRole, columns);
		return {
			row,
			line,
			cells: cellsByRole,
			extra: extraIn(cells, extraNames),
			shapeProblem: shapeProblem(cells, table) ?? (isNames ? ROW.hasNamesAgain() : undefined),
		};
	});
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
	const amount = cells[places.amount] ?? '';
	const behind = cells[places.amount + 1] ?? '';
	const hasRoom = behindAll.length > 0 || (separator === ',' && isFree(places.amount + 1, places));
	const canBeOneNumber = /^\d+$/.test(amount) && /^\d{1,3}(?:\.\d+)?$/.test(behind);
	return hasRoom && canBeOneNumber ? ROW.mayHaveSplitAmount({ amount, behind }) : undefined;
}

/** Whether nothing would be said of a number that stands in this column by mistake. */
function isFree(place: number, places: Places): boolean {
	return ROLES.every((role) => role === 'note' || places[role] !== place);
}
