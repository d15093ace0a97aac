/** The rows of a list that another node has read: Google Sheets, a Data Table, Excel, a database. */
import type { IDataObject } from 'n8n-workflow';

import { fieldNames } from '../../values/itemValues.ts';
import { areNames, cellOf, isBlank, roleCell } from './cells.ts';
import type { RawRow } from './cells.ts';
import { placeFinder, ROLES } from './columns.ts';
import type { Columns, Places } from './columns.ts';
import { ROW } from './messages.ts';

/** Where the node Google Sheets says which row of the sheet an item is. */
const ROW_NUMBER = 'row_number';

/** What nodes add to each row. A row that has nothing else is empty. */
const ADDED_BY_NODES = new Set([ROW_NUMBER, 'id', 'createdAt', 'updatedAt']);

/** Row 1 of a spreadsheet has the names of the columns. */
export const FIRST_ROW = 2;

export interface ItemTable {
	/** The names of the columns. */
	names: readonly string[];
	places: Places;
	/** Without rows in which there is nothing to pay. They count, as they do in Excel. */
	raws: ItemRow[];
}

/** `item`: its place among the items. */
export type ItemRow = RawRow & { item: number };

export function itemTable(items: readonly IDataObject[], columns: Columns): ItemTable {
	const all = fieldNames(items);
	all.delete(ROW_NUMBER);
	const names = [...all];
	const places = placeFinder(columns)(names);
	const fields = ROLES.map((role) => [role, names[places[role]]] as const);
	const used = new Set(fields.map(([, name]) => name));
	const raws = items.flatMap((json, item): ItemRow[] => {
		const entries = fields.map(([role, name]) => [role, roleCell(role, valueUnder(name, json))]);
		const cells = Object.fromEntries(entries) as RawRow['cells'];
		const extra = extraIn(json, used);
		if (isBlank({ cells, extra: extra.filter(([name]) => !ADDED_BY_NODES.has(name)) })) return [];
		const row = rowNumberOf(json) ?? item + FIRST_ROW;
		const problem = areNames(cells, columns) ? ROW.hasNamesAgain() : undefined;
		return [{ row, line: row, cells, extra, problem, item }];
	});
	return { names, places, raws };
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
