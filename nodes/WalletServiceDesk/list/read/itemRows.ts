/** The rows of a list that another node has read: Google Sheets, a Data Table, Excel, a database. */
import type { IDataObject } from 'n8n-workflow';

import { fieldNames } from '../../values/itemValues.ts';
import { areNames, cellOf, isFilled, roleCell } from './cells.ts';
import type { RawRow } from './cells.ts';
import { ROLES } from './columns.ts';
import type { Columns, Places } from './columns.ts';
import { ROW } from './messages.ts';

/** Where the node Google Sheets says which row of the sheet an item is. */
const ROW_NUMBER = 'row_number';

/** What nodes add to each row. A row that has nothing else is empty. */
const ADDED_BY_NODES = new Set([ROW_NUMBER, 'id', 'createdAt', 'updatedAt']);

/** Row 1 of a spreadsheet has the names of the columns. */
export const FIRST_ROW = 2;

/** The names of the columns. */
export function namesIn(items: readonly IDataObject[]): string[] {
	const names = fieldNames(items);
	names.delete(ROW_NUMBER);
	return [...names];
}

export interface ItemTable {
	names: readonly string[];
	places: Places;
	columns: Columns;
}

/** Without empty rows. They count, as they do in Excel. */
export function itemRows(items: readonly IDataObject[], table: ItemTable): RawRow[] {
	const fields = ROLES.map((role) => [role, table.names[table.places[role]]] as const);
	const used = new Set(fields.map(([, name]) => name));
	return items.flatMap((item, index) => {
		if (isEmptyRow(item)) return [];
		const cells = Object.fromEntries(
			fields.map(([role, name]) => [role, roleCell(role, valueUnder(name, item))]),
		);
		const row = rowNumberOf(item) ?? index + FIRST_ROW;
		return [
			withShape({ row, line: row, cells: cells as RawRow['cells'], extra: extraIn(item, used) }, table),
		];
	});
}

/** The places of the items that are rows. */
export function placesOfRows(items: readonly IDataObject[]): number[] {
	return [...items.keys()].filter((place) => !isEmptyRow(items[place] ?? {}));
}

function withShape(raw: RawRow, { columns }: ItemTable): RawRow {
	return areNames(raw.cells, columns) ? { ...raw, shapeProblem: ROW.hasNamesAgain() } : raw;
}

function isEmptyRow(item: IDataObject): boolean {
	const isEmpty = (value: unknown) => typeof value === 'boolean' || !isFilled(cellOf(value));
	return Object.entries(item).every(([name, value]) => ADDED_BY_NODES.has(name) || isEmpty(value));
}

function valueUnder(name: string | undefined, item: IDataObject): unknown {
	return name !== undefined && Object.hasOwn(item, name) ? item[name] : undefined;
}

function extraIn(item: IDataObject, used: ReadonlySet<string | undefined>): RawRow['extra'] {
	return Object.entries(item)
		.filter(([name]) => name !== ROW_NUMBER && !used.has(name))
		.map(([name, value]) => [name, cellOf(value).text] as const)
		.filter(([, text]) => text !== '');
}

function rowNumberOf(item: IDataObject): number | undefined {
	const row = Number(cellOf(valueUnder(ROW_NUMBER, item)).text);
	return Number.isSafeInteger(row) && row > 0 ? row : undefined;
}
