/** Finds the table in the text of a file: which sign separates its cells, and which row has the names of the columns. */
import { columnsProblem, comparedName, countNeeded, missingRoles, NEEDED, placeFinder } from './columns.ts';
import type { Columns, ListSettings, PlaceFinder, Places } from './columns.ts';
import { MAX_CELLS, readCsv } from './csv.ts';
import type { CsvOptions, CsvRecord, CsvStop, CsvText, LongCell } from './csv.ts';
import { FILE } from './messages.ts';

export interface CsvTable {
	separator: string;
	/** Above the names: titles. */
	above: CsvRecord[];
	names: CsvRecord;
	places: Places;
	/** Below the names. */
	rows: CsvRecord[];
	longCells: LongCell[];
	/** Undefined: the text was read to its end. */
	stop: CsvStop | undefined;
}

/** The text, read with one of the separators. */
interface Reading extends CsvText {
	separator: string;
	/** The index of the record that has most of the needed names. */
	head: number;
	names: CsvRecord;
	places: Places;
	found: number;
}

/** In this order: of two that fit as well, the first counts. */
const SEPARATORS = [',', ';', '\t', '|'];

/** Excel writes and reads this line, and does not show it. */
const SEPARATOR_LINE = /^"?sep=(.)"?[,;\t|]*(?:\r\n|\r|\n|$)/i;

/** The table, or in one sentence why there is none. */
export function tableIn(
	text: string,
	settings: ListSettings,
	maxRecords: number,
): CsvTable | { problem: string } {
	const [told, asked = ''] = SEPARATOR_LINE.exec(text) ?? [''];
	const list = text.slice(told.length);
	const firstLine = told === '' ? 1 : 2;
	const findPlaces = placeFinder(settings.columns);
	const stops: Array<CsvStop | undefined> = [];
	let best: Reading | undefined;
	for (const separator of separatorsWith(asked)) {
		const read = readWith(findPlaces, list, { separator, maxRecords, firstLine });
		stops.push(read.stop);
		if (best === undefined || isBetter(read, best)) best = read;
		if (best.found === NEEDED.length) break;
	}
	if (best === undefined) return { problem: FILE.isEmpty() };
	const problem = noTableProblem(best, stops, settings);
	return problem === undefined ? tableOf(best) : { problem };
}

/** A separator that the file names is tried first. A letter, a space or a quotation mark is none. */
function separatorsWith(asked: string): string[] {
	const isUsable = asked === '\t' || /[^\s"\p{L}\p{N}]/u.test(asked);
	return [...new Set([...(isUsable ? [asked] : []), ...SEPARATORS])];
}

function readWith(findPlaces: PlaceFinder, list: string, options: CsvOptions): Reading {
	const read = readCsv(list, options);
	let [head, found] = [0, 0];
	for (const [index, { cells }] of read.records.entries()) {
		const count = countNeeded(findPlaces(cells));
		if (count > found) [head, found] = [index, count];
		if (found === NEEDED.length) break;
	}
	const names = read.records[head] ?? { cells: [], row: 0, line: 0 };
	return { ...read, separator: options.separator, head, names, places: findPlaces(names.cells), found };
}

/** Where no name is found, the reading with more columns shows them better. */
function isBetter(one: Reading, other: Reading): boolean {
	if (one.found !== other.found) return one.found > other.found;
	return one.found === 0 && one.names.cells.length > other.names.cells.length;
}

function tableOf({ separator, records, head, names, places, longCells, stop }: Reading): CsvTable {
	const [above, rows] = [records.slice(0, head), records.slice(head + 1)];
	return { separator, above, names, places, rows, longCells, stop };
}

function noTableProblem(
	best: Reading,
	stops: ReadonlyArray<CsvStop | undefined>,
	settings: ListSettings,
): string | undefined {
	const { names, places, stop } = best;
	if (stop?.reason === 'tooManyCells') return stopProblem(stop);
	const problem = columnsProblem(names.cells, places, settings);
	const missing = missingRoles(places);
	if (problem === undefined || missing.length === 0) return problem;
	// Why there are no names at all: they may stand where reading has stopped.
	const isStop = (end: CsvStop | undefined) => end !== undefined && end.reason !== 'tooManyRecords';
	const early = missing.length === NEEDED.length ? stops.find(isStop) : undefined;
	if (early !== undefined) return stopProblem(early);
	return namesInOneCell(best, settings.columns) ?? problem;
}

/** Why reading has ended within a line. */
export function stopProblem({ reason, line }: CsvStop): string {
	if (reason === 'openQuote') return FILE.hasOpenQuote(String(line));
	if (reason === 'backslash') return FILE.hasBackslash(String(line));
	return FILE.hasTooManyCells({ line: String(line), most: String(MAX_CELLS) });
}

function namesInOneCell({ records }: Reading, columns: Columns): string | undefined {
	const wanted = NEEDED.map((role) => comparedName(columns[role]));
	if (wanted.includes('')) return undefined;
	const hasAll = (cell: string) => {
		const compared = comparedName(cell);
		return wanted.every((name) => compared.includes(name));
	};
	const packed = records.find(({ cells }) => cells.some(hasAll));
	return packed && FILE.hasNamesInOneCell(String(packed.row));
}
