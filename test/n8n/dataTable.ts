import type { Json, N8nClient } from '../../host/n8nClient.ts';

/** A Data Table of n8n. */
export interface DataTable {
	/** The rows, oldest first, at most 100. */
	rows: <Row = Json>() => Promise<Row[]>;
	insert: (rows: Json[]) => Promise<void>;
	clear: () => Promise<void>;
	/** Replaces all rows. */
	fill: (rows: Json[]) => Promise<void>;
}

/** Finds the Data Table with that name, which an example has created. */
export async function dataTable({ rest }: N8nClient, name: string): Promise<DataTable> {
	const { id: project } = await rest<{ id: string }>('GET', '/projects/personal');
	const tables = `/projects/${project}/data-tables`;
	const { data } = await rest<{ data: Array<{ id: string; name: string }> }>('GET', tables);
	const path = `${tables}/${data.find((table) => table.name === name)!.id}`;
	const everyRow = { type: 'and', filters: [{ columnName: 'id', condition: 'gt', value: 0 }] };

	const insert = async (rows: Json[]) => {
		await rest('POST', `${path}/insert`, { data: rows, returnType: 'count' });
	};
	const clear = async () => {
		await rest('DELETE', `${path}/rows?filter=${encodeURIComponent(JSON.stringify(everyRow))}`);
	};
	return {
		rows: async <Row>() => (await rest<{ data: Row[] }>('GET', `${path}/rows?sortBy=id:asc&take=100`)).data,
		insert,
		clear,
		fill: async (rows) => {
			await clear();
			await insert(rows);
		},
	};
}
