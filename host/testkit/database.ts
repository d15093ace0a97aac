/** n8n's SQLite database, which n8n uses too. It is read directly where calls of n8n's API would take n8n's time. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { N8n } from '../n8n/process.ts';

interface HasN8n {
	readonly n8n: N8n;
}

const open = ({ n8n }: HasN8n) =>
	new DatabaseSync(join(n8n.options.userFolder, '.n8n/database.sqlite'), { timeout: 60_000 });

/** Works with the database, which is closed afterwards. */
export function withDatabase<T>(host: HasN8n, work: (database: DatabaseSync) => T): T {
	const database = open(host);
	try {
		return work(database);
	} finally {
		database.close();
	}
}

/** Works while n8n can read its database and not write to it. */
export async function whileLocked<T>(host: HasN8n, work: () => Promise<T>): Promise<T> {
	const database = open(host);
	try {
		database.exec('BEGIN IMMEDIATE');
		return await work();
	} finally {
		database.close();
	}
}

/** The rows of a query. */
export function queryDatabase(host: HasN8n, sql: string, ...values: Array<string | number>) {
	return withDatabase(host, (database) => database.prepare(sql).all(...values));
}

/** Counts the rows of a query that begins with FROM. */
export function countRows(host: HasN8n, from: string): number {
	return Number(queryDatabase(host, `SELECT count(*) AS count ${from}`)[0]?.count);
}

export const countExecutions = (host: HasN8n) => countRows(host, 'FROM execution_entity');
