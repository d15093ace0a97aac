/** Splits CSV text into cells, in one pass: RFC 4180, any separator and line end, and spaces around quotation marks. */
import { countLineEnds } from './fileText.ts';

export interface CsvRecord {
	/** Without spaces at their ends. */
	cells: string[];
	/** The number that Excel shows. */
	row: number;
	/** The number that a text editor shows for its first line. */
	line: number;
}

/** A cell that has line breaks and separators. Rows of the list may be hidden in it. */
export interface LongCell {
	text: string;
	/** The line of its quotation mark. */
	line: number;
	/** How many cells stand before it. */
	place: number;
	/** What stands behind it in its last line. */
	rest: string;
}

/** A cell in quotation marks that does not end as it should. `backslash`: a mark within it is written as `\"`. */
type OpenQuote = 'openQuote' | 'backslash';

/** Where reading has ended before the end of the text, and why. */
export interface CsvStop {
	reason: OpenQuote | 'tooManyCells' | 'tooManyRecords';
	line: number;
}

export interface CsvText {
	/** Without those that have no filled cell. */
	records: CsvRecord[];
	longCells: LongCell[];
	stop?: CsvStop;
}

/** More than Excel users ever fill; a text of separators only would fill the memory. */
export const MAX_CELLS = 1_000;

/** Characters of a cell in quotation marks. In a longer one, a mark is missing: Excel's cells have 32,767. */
const MAX_QUOTED = 1_000_000;

/** Characters behind a cell that are looked at. */
const MAX_REST = 10_000;
const LINE_END = /\r\n|\r|\n/;

export interface CsvOptions {
	/** One character. */
	separator: string;
	/** Reading stops behind so many records. */
	maxRecords: number;
	/** The number of the first line in a text editor. */
	firstLine: number;
}

export function readCsv(text: string, { separator, maxRecords, firstLine }: CsvOptions): CsvText {
	const records: CsvRecord[] = [];
	const longCells: LongCell[] = [];
	let place = 0;
	let line = firstLine;
	for (let row = 1; ; row += 1) {
		const read = readRecord(text, { place, separator, line });
		if ('reason' in read) return { records, longCells, stop: read };
		longCells.push(...read.longCells);
		if (read.cells.some((cell) => cell !== '')) records.push({ cells: read.cells, row, line });
		if (read.end >= text.length) return { records, longCells };
		if (records.length > maxRecords) return { records, longCells, stop: { reason: 'tooManyRecords', line } };
		place = read.end + (text.startsWith('\r\n', read.end) ? 2 : 1);
		line += read.lineBreaks + 1;
	}
}

interface Start {
	place: number;
	separator: string;
	line: number;
}

interface ReadRecord {
	cells: string[];
	longCells: LongCell[];
	lineBreaks: number;
	/** The place of the line end behind it. */
	end: number;
}

/** The cells up to the end of the line, or of the last line of a cell. */
function readRecord(text: string, { place, separator, line }: Start): ReadRecord | CsvStop {
	const cells: string[] = [];
	const longCells: LongCell[] = [];
	let lineBreaks = 0;
	let end = place;
	while (true) {
		const cell = readCell(text, end, separator);
		if (typeof cell === 'string') return { reason: cell, line: line + lineBreaks };
		cells.push(cell.text);
		if (cells.length > MAX_CELLS) return { reason: 'tooManyCells', line };
		const mayHoldRow = cell.lineBreaks > 0 && cell.written.includes(separator);
		if (mayHoldRow) {
			const [rest = ''] = text.slice(cell.end, cell.end + MAX_REST).split(LINE_END, 1);
			longCells.push({ text: cell.written, line: line + lineBreaks, place: cells.length - 1, rest });
		}
		lineBreaks += cell.lineBreaks;
		end = cell.end;
		if (text[end] !== separator) return { cells, longCells, lineBreaks, end };
		end += 1;
	}
}

interface ReadCell {
	text: string;
	/** With spaces and line breaks at its ends. */
	written: string;
	lineBreaks: number;
	/** The place of the separator or line end behind it. */
	end: number;
}

function readCell(text: string, place: number, separator: string): ReadCell | OpenQuote {
	const start = skipSpaces(text, place, separator);
	if (text[start] === '"') return readQuoted(text, start, separator);
	let end = place;
	while (!isCellEnd(text[end], separator)) end += 1;
	const written = text.slice(place, end);
	return { text: written.trim(), written, lineBreaks: 0, end };
}

/** A quotation mark within the cell is written twice. */
function readQuoted(text: string, start: number, separator: string): ReadCell | OpenQuote {
	let close = text.indexOf('"', start + 1);
	while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
	if (close === -1 || close - start > MAX_QUOTED) return 'openQuote';
	const end = skipSpaces(text, close + 1, separator);
	if (!isCellEnd(text[end], separator)) return text[close - 1] === '\\' ? 'backslash' : 'openQuote';
	const written = text.slice(start + 1, close).replaceAll('""', '"');
	return { text: written.trim(), written, lineBreaks: countLineEnds(written), end };
}

function skipSpaces(text: string, place: number, separator: string): number {
	let end = place;
	while (text[end] === ' ' || (text[end] === '\t' && separator !== '\t')) end += 1;
	return end;
}

/** Undefined: the end of the text. */
function isCellEnd(sign: string | undefined, separator: string): boolean {
	return sign === undefined || sign === separator || sign === '\r' || sign === '\n';
}
