/** A CSV file for people, who open it in a spreadsheet. What reads files is list/read/csv.ts. */
import { isPlainDecimal } from '../../../api/exact/decimal.ts';

/** Excel reads UTF-8 only behind this mark. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A spreadsheet takes no more in a cell, and would move the rest into the next ones. */
const MOST_CHARACTERS = 32_000;

/** Separators of any country, line breaks, and spaces that a reader would cut off. */
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

/** Nobody sees these, and a text viewer turns around what stands behind them. */
const UNSEEN = /[\0\u202A-\u202E\u2066-\u2069]/g;

/** What begins a formula, also as the wide letters of East Asian keyboards. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** The same behind a sign at which a spreadsheet of another country begins a new cell. There, quotation marks of a text are none of it. */
const FORMULA_INSIDE = /([;\t\r\n])(?="*[=+\-@＝＋－＠])/g;

/**
 * The CSV text: a row with the names of the columns, then the rows, each with as many cells. No text is a formula for a
 * spreadsheet: it gets a `'` in front. An amount stays a number, also a negative one.
 */
export function csvFile(columns: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
	const written = [columns, ...rows].map((cells) => cells.map(cellOf).join(','));
	return `${BYTE_ORDER_MARK}${written.join('\r\n')}\r\n`;
}

/** Whether a cell has the text as it is: whatever begins like a formula, or is not seen, is changed. */
export function isWrittenAsIs(text: string): boolean {
	return isPlainDecimal(text) || harmless(text) === text;
}

function harmless(text: string): string {
	return withoutFormula(text.slice(0, MOST_CHARACTERS).toWellFormed().replace(UNSEEN, ''));
}

function cellOf(text: string): string {
	if (isPlainDecimal(text)) return text;
	const written = harmless(text);
	return NEEDS_QUOTES.test(written) ? `"${written.replaceAll('"', '""')}"` : written;
}

function withoutFormula(text: string): string {
	const inside = text.replace(FORMULA_INSIDE, "$1'");
	return FORMULA.test(inside) ? `'${inside}` : inside;
}
