/** The cells of a row, wherever it comes from: texts of a file, or values of an item. */
import { isExactDouble, readDecimal } from '../../../../api/exact/decimal.ts';
import { isAssetCode } from '../../values/asset.ts';
import { comparedName, NEEDED, ROLES } from './columns.ts';
import type { Columns, Role } from './columns.ts';

export interface Cell {
	/** Without spaces at its ends. '' if the cell is empty. */
	text: string;
	/** What the value was. `inexact`: a number that a double may have rounded. */
	kind: 'text' | 'number' | 'inexact' | 'date' | 'object';
}

/** A row of the list before anything in it is read. */
export interface RawRow {
	row: number;
	line: number;
	cells: Readonly<Record<Role, Cell>>;
	/** Filled cells of columns that have no meaning here, by their names. */
	extra: Array<readonly [name: string, text: string]>;
	/** Why it is no payout, or its cells may stand in wrong columns. Nothing else is said of such a row. */
	problem?: string;
}

export function isFilled({ text, kind }: Cell): boolean {
	return text !== '' || kind === 'object';
}

export const EMPTY_CELL: Cell = { text: '', kind: 'text' };

export function textCell(text: string): Cell {
	return { text, kind: 'text' };
}

/** The cell of a role. A check box says yes or no, which only *again* can mean: databases write false where a value is missing. */
export function roleCell(role: Role, value: unknown): Cell {
	return role !== 'again' && typeof value === 'boolean' ? EMPTY_CELL : cellOf(value);
}

/** The cell of a value in an item. */
export function cellOf(value: unknown): Cell {
	if (value === undefined || value === null) return EMPTY_CELL;
	if (typeof value === 'string') return textCell(value.trim());
	if (typeof value === 'number') return numberCell(value);
	if (typeof value === 'bigint') return { text: String(value), kind: 'number' };
	return typeof value === 'boolean' ? textCell(String(value)) : objectCell(value);
}

/** `1e-7` is exact. Only its spelling is not plain. */
function numberCell(value: number): Cell {
	const text = readDecimal(String(value)) ?? String(value);
	return { text, kind: isExactDouble(value) ? 'number' : 'inexact' };
}

/** Dates of databases and of Luxon are written as texts in JSON. */
function objectCell(value: unknown): Cell {
	const text = jsonOf(value);
	return text.startsWith('"') ? { text: text.slice(1, -1), kind: 'date' } : { text, kind: 'object' };
}

/** '' for what JSON cannot hold: a function, or a circle. */
function jsonOf(value: unknown): string {
	try {
		return JSON.stringify(value) ?? '';
	} catch {
		return '';
	}
}

/** A check box of a spreadsheet, in its language. */
const BOX = /^(?:true|false|wahr|falsch|vrai|faux|verdadero|falso|verdadeiro|vero|waar|onwaar)$/i;

/** Whether a row has nothing to pay: check boxes and codes often go down their column further than the rows. */
export function isBlank({ cells, extra }: Pick<RawRow, 'cells' | 'extra'>): boolean {
	const isEmpty = (role: Role) => {
		const { text } = cells[role];
		const isCode = role === 'currency' || role === 'coin';
		if (isCode && isAssetCode({ code: text.toUpperCase(), isFiat: role === 'currency' })) return true;
		return !isFilled(cells[role]) || BOX.test(text);
	};
	return ROLES.every(isEmpty) && extra.every(([, text]) => BOX.test(text));
}

/** Whether the cells are the names of the columns once more. */
export function areNames(cells: RawRow['cells'], columns: Columns): boolean {
	return NEEDED.every((role) => comparedName(cells[role].text) === comparedName(columns[role]));
}
