import type { Json, N8nClient } from './client.ts';

/** A Data Table of n8n. */
export interface DataTable {
	/** All rows, oldest first. */
	rows: <Row = Json>() => Promise<Row[]>;
	insert: (rows: Json[]) => Promise<void>;
	/** Changes the rows that have these values, as a person does in the editor. */
	update: (key: Json, data: Json) => Promise<void>;
	clear: () => Promise<void>;
	/** Replaces all rows. */
	fill: (rows: Json[]) => Promise<void>;
}

/** The most rows that n8n gives at once. */
const PAGE = 100;

export interface Column {
	name: string;
	type: string;
}

/** Finds the Data Table with that name; undefined if there is none. */
export async function findDataTable(client: N8nClient, name: string): Promise<DataTable | undefined> {
	const tables = await tablesPath(client);
	const { data } = await client.rest<{ data: Array<{ id: string; name: string }> }>('GET', tables);
	const found = data.find((table) => table.name === name);
	return found && tableAt(client, `${tables}/${found.id}`);
}

/** Creates an empty Data Table. */
export async function createDataTable(
	client: N8nClient,
	name: string,
	columns: Column[],
): Promise<DataTable> {
	const tables = await tablesPath(client);
	const { id } = await client.rest<{ id: string }>('POST', tables, { name, columns });
	return tableAt(client, `${tables}/${id}`);
}

/** Deletes all Data Tables. */
export async function deleteDataTables(client: N8nClient): Promise<void> {
	const tables = await tablesPath(client);
	const { data } = await client.rest<{ data: Array<{ id: string }> }>('GET', `${tables}?take=100`);
	for (const { id } of data) await client.rest('DELETE', `${tables}/${id}`);
}

async function tablesPath({ rest }: N8nClient): Promise<string> {
	const { id } = await rest<{ id: string }>('GET', '/projects/personal');
	return `/projects/${id}/data-tables`;
}

function tableAt({ rest }: N8nClient, path: string): DataTable {
	const everyRow = { type: 'and', filters: [{ columnName: 'id', condition: 'gt', value: 0 }] };
	const insert = async (rows: Json[]) => {
		await rest('POST', `${path}/insert`, { data: rows, returnType: 'count' });
	};
	const clear = async () => {
		await rest('DELETE', `${path}/rows?filter=${encodeURIComponent(JSON.stringify(everyRow))}`);
	};
	const rows = async <Row>(skip = 0): Promise<Row[]> => {
		const page = `${path}/rows?sortBy=id:asc&take=${PAGE}&skip=${skip}`;
		const { data } = await rest<{ data: Row[] }>('GET', page);
		return data.length < PAGE ? data : [...data, ...(await rows<Row>(skip + PAGE))];
	};
	return {
		rows: () => rows(),
		update: async (key, data) => {
			const filters = Object.entries(key).map(([columnName, value]) => ({
				columnName,
				condition: 'eq',
				value,
			}));
			await rest('PATCH', `${path}/rows`, { filter: { type: 'and', filters }, data });
		},
		insert,
		clear,
		fill: async (rows) => {
			await clear();
			await insert(rows);
		},
	};
}
