/** CSV files for people. */

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** A spreadsheet takes text that begins with such a sign for a formula, and strangers name themselves. */
const FORMULA = /^[\s]*[=+\-@\t\r]/;

/** The rows as a CSV file: commas, each cell in quotes, lines end as in Windows. */
export function toCsv(rows: string[][]): string {
	return rows.map((cells) => cells.map(cell).join(',')).join('\r\n');
}

function cell(text: string): string {
	const isFormula = FORMULA.test(text) && !NUMBER.test(text);
	return `"${(isFormula ? `'${text}` : text).replaceAll('"', '""')}"`;
}
