import type { Json, N8nClient } from './client.ts';

/** A Data Table of n8n, also one that is not there yet. */
export type DataTable = ReturnType<typeof dataTable>;

type Rest = N8nClient['rest'];

/** The most rows, and the most tables, that n8n returns at once. */
const PAGE = 100;

export type Column = { name: string; type: string };

/** The Data Table with that name. One that is not there has no rows. */
export function dataTable({ rest }: { rest: Rest }, name: string) {
	const path = async () => {
		const found = await findTable(rest, name);
		if (found === undefined) throw new Error(`There is no Data Table ${name}`);
		return found;
	};
	const exists = async () => (await findTable(rest, name)) !== undefined;
	const create = async (columns: Column[]) => {
		await rest('POST', await tablesPath(rest), { name, columns });
	};
	const insert = async (rows: Json[]) => {
		await rest('POST', `${await path()}/insert`, { data: rows, returnType: 'count' });
	};
	const clear = async () => {
		const everyRow = { type: 'and', filters: [{ columnName: 'id', condition: 'gt', value: 0 }] };
		const filter = encodeURIComponent(JSON.stringify(everyRow));
		if (await exists()) await rest('DELETE', `${await path()}/rows?filter=${filter}`);
	};
	/** Replaces all rows. */
	const fill = async (rows: Json[]) => {
		await clear();
		await insert(rows);
	};
	/** Changes the rows that have these values, as a person does in the editor. */
	const update = async (key: Json, data: Json) => {
		const filters = Object.entries(key).map(([columnName, value]) => ({
			columnName,
			condition: 'eq',
			value,
		}));
		await rest('PATCH', `${await path()}/rows`, { filter: { type: 'and', filters }, data });
	};
	/** All rows, oldest first. */
	const rows = async <Row = Json>(skip = 0): Promise<Row[]> => {
		if (!(await exists())) return [];
		const page = `${await path()}/rows?sortBy=id:asc&take=${PAGE}&skip=${skip}`;
		const { data } = await rest<{ data: Row[] }>('GET', page);
		return data.length < PAGE ? data : [...data, ...(await rows<Row>(skip + PAGE))];
	};
	/** Deletes a column, as a person does in the editor. Returns what adds it again, empty. */
	const deleteColumn = async (column: string) => {
		const columns = `${await path()}/columns`;
		const all = await rest<Array<Column & { id: string }>>('GET', columns);
		const { id, type } = all.find((one) => one.name === column)!;
		await rest('DELETE', `${columns}/${id}`);
		return async () => void (await rest('POST', columns, { name: column, type }));
	};
	return { exists, create, rows, insert, update, clear, fill, deleteColumn };
}

/** Deletes all Data Tables. */
export async function deleteDataTables({ rest }: { rest: Rest }): Promise<void> {
	for (const path of (await listTables(rest)).values()) await rest('DELETE', path);
}

/** The tables that were found, because asking for them takes longer than asking for rows. */
const known = new WeakMap<Rest, Map<string, string>>();

async function findTable(rest: Rest, name: string): Promise<string | undefined> {
	if (!known.get(rest)?.has(name)) known.set(rest, await listTables(rest));
	return known.get(rest)!.get(name);
}

/** The paths of the tables by their names. */
async function listTables(rest: Rest): Promise<Map<string, string>> {
	const path = await tablesPath(rest);
	type Tables = { data: Array<{ id: string; name: string }> };
	const { data } = await rest<Tables>('GET', `${path}?take=${PAGE}`);
	return new Map(data.map(({ id, name }) => [name, `${path}/${id}`]));
}

async function tablesPath(rest: Rest): Promise<string> {
	const { id } = await rest<{ id: string }>('GET', '/projects/personal');
	return `/projects/${id}/data-tables`;
}
