import type { Json, N8nClient } from './client.ts';

/** A Data Table of n8n. */
export type DataTable = ReturnType<typeof tableAt>;

/** The most rows, and the most tables, that n8n returns at once. */
const PAGE = 100;

export interface Column {
	name: string;
	type: string;
}

/** Finds the Data Table with that name; undefined if there is none. */
export async function findDataTable(client: N8nClient, name: string): Promise<DataTable | undefined> {
	const { path, tables } = await listTables(client);
	const found = tables.find((table) => table.name === name);
	return found && tableAt(client, `${path}/${found.id}`);
}

/** Creates an empty Data Table. */
export async function createDataTable(
	client: N8nClient,
	name: string,
	columns: Column[],
): Promise<DataTable> {
	const path = await tablesPath(client);
	const { id } = await client.rest<{ id: string }>('POST', path, { name, columns });
	return tableAt(client, `${path}/${id}`);
}

/** Deletes all Data Tables. */
export async function deleteDataTables(client: N8nClient): Promise<void> {
	const { path, tables } = await listTables(client);
	for (const { id } of tables) await client.rest('DELETE', `${path}/${id}`);
}

async function listTables(client: N8nClient) {
	const path = await tablesPath(client);
	type Tables = { data: Array<{ id: string; name: string }> };
	const { data: tables } = await client.rest<Tables>('GET', `${path}?take=${PAGE}`);
	return { path, tables };
}

async function tablesPath({ rest }: N8nClient): Promise<string> {
	const { id } = await rest<{ id: string }>('GET', '/projects/personal');
	return `/projects/${id}/data-tables`;
}

function tableAt({ rest }: N8nClient, path: string) {
	const insert = async (rows: Json[]) => {
		await rest('POST', `${path}/insert`, { data: rows, returnType: 'count' });
	};
	const clear = async () => {
		const everyRow = { type: 'and', filters: [{ columnName: 'id', condition: 'gt', value: 0 }] };
		await rest('DELETE', `${path}/rows?filter=${encodeURIComponent(JSON.stringify(everyRow))}`);
	};
	/** Replaces all rows. */
	const fill = async (rows: Json[]) => {
		await clear();
		await insert(rows);
	};
	/** Changes the rows that have these values, as a person does in the editor. */
	const update = async (key: Json, data: Json) => {
		const equal = ([columnName, value]: [string, unknown]) => ({ columnName, condition: 'eq', value });
		const filter = { type: 'and', filters: Object.entries(key).map(equal) };
		await rest('PATCH', `${path}/rows`, { filter, data });
	};
	/** All rows, oldest first. */
	const rows = async <Row = Json>(skip = 0): Promise<Row[]> => {
		const page = `${path}/rows?sortBy=id:asc&take=${PAGE}&skip=${skip}`;
		const { data } = await rest<{ data: Row[] }>('GET', page);
		return data.length < PAGE ? data : [...data, ...(await rows<Row>(skip + PAGE))];
	};
	/** Deletes a column, as a person does in the editor. Returns what adds it again, empty. */
	const deleteColumn = async (name: string) => {
		type Columns = Array<{ id: string; name: string; type: string }>;
		const { id, type } = (await rest<Columns>('GET', `${path}/columns`)).find((one) => one.name === name)!;
		await rest('DELETE', `${path}/columns/${id}`);
		return async () => {
			await rest('POST', `${path}/columns`, { name, type });
		};
	};
	return { rows, insert, update, clear, fill, deleteColumn };
}
