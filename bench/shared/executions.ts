/** Executions as n8n's SQLite database has them. Reading the database leaves n8n's own time to its work. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { until } from '../../host/n8n/client.ts';
import type { N8n } from '../../host/n8n/process.ts';

interface HasN8n {
	readonly n8n: N8n;
}

type Row = Record<string, unknown>;

const fileOf = ({ options }: N8n) => join(options.userFolder, '.n8n/database.sqlite');

/** Works with n8n's SQLite database, which n8n uses too. */
export function withDatabase<T>({ n8n }: HasN8n, work: (database: DatabaseSync) => T, readOnly = true): T {
	const database = new DatabaseSync(fileOf(n8n), { readOnly, timeout: 60_000 });
	try {
		return work(database);
	} finally {
		database.close();
	}
}

/** Works while n8n can read its database and not write to it. */
export async function whileLocked<T>({ n8n }: HasN8n, work: () => Promise<T>): Promise<T> {
	const database = new DatabaseSync(fileOf(n8n), { timeout: 60_000 });
	try {
		database.exec('BEGIN IMMEDIATE');
		return await work();
	} finally {
		database.close();
	}
}

/** The rows of a query. */
export function queryDatabase(host: HasN8n, sql: string, ...values: Array<string | number>): Row[] {
	return withDatabase(host, (database) => database.prepare(sql).all(...values));
}

/** Asks the database of an n8n. */
export type Query = (sql: string) => Promise<Row[]>;

/** The same statements for SQLite as for PostgreSQL. */
export function queryOf(host: HasN8n): Query {
	return (sql) => Promise.resolve(queryDatabase(host, sql));
}

/**
 * Waits until the executions of the workflow with ids above `since` have ended. Returns when the last one ended, in milliseconds
 * since 1970. Throws if one of them failed, or if there are more than this many.
 */
export async function allSucceeded(
	query: Query,
	workflowId: string,
	since: number,
	count: number,
): Promise<number> {
	const ended = async () => {
		const [row = {}] = await query(
			`SELECT count(*) AS "all", count(CASE WHEN status = 'success' THEN 1 END) AS "ended",
			count(CASE WHEN status IN ('error', 'crashed', 'canceled') THEN 1 END) AS "failed", max("stoppedAt") AS "lastEnd"
			FROM execution_entity WHERE "workflowId" = '${workflowId}' AND id > ${since}`,
		);
		if (Number(row.failed) > 0)
			throw new Error(`${Number(row.failed)} of ${Number(row.all)} executions failed`);
		if (Number(row.all) > count)
			throw new Error(`${count} deliveries were executed ${Number(row.all)} times`);
		if (Number(row.ended) < count) return undefined;
		// SQLite's times are UTC and do not say so.
		const time = String(row.lastEnd);
		return Date.parse(time.includes('+') ? time : `${time}Z`);
	};
	return await until(`${count} executions to end`, ended, 600_000);
}

/** The id of the newest execution; 0 if there is none. */
export async function newestExecution(query: Query): Promise<number> {
	const [row] = await query('SELECT coalesce(max(id), 0) AS id FROM execution_entity');
	return Number(row?.id);
}

export function countExecutions(host: HasN8n): number {
	return Number(queryDatabase(host, 'SELECT count(*) AS count FROM execution_entity')[0]?.count);
}

/** How many workflows are published. */
export function countPublished(host: HasN8n): number {
	const sql = 'SELECT count(*) AS count FROM workflow_entity WHERE activeVersionId IS NOT NULL';
	return Number(queryDatabase(host, sql)[0]?.count);
}

/** n8n waits for the end of a transaction, so each copies only this many. */
const BATCH = 1000;

/** Stores this many copies of the newest execution. */
export function copyNewestExecution(host: HasN8n, count: number): void {
	const newestIn = (database: DatabaseSync) =>
		Number(database.prepare('SELECT max(id) AS id FROM execution_entity').get()?.id);
	const copy = (database: DatabaseSync) => {
		const columnsOf = (table: string, key: string) =>
			database
				.prepare('SELECT name FROM pragma_table_info(?) WHERE name <> ?')
				.all(table, key)
				.map(({ name }) => `"${String(name)}"`);
		const columns = columnsOf('execution_entity', 'id').join();
		const dataColumns = columnsOf('execution_data', 'executionId').join();
		const newest = newestIn(database);
		for (let copied = 0; copied < count; copied += BATCH) {
			database.exec('BEGIN IMMEDIATE');
			const before = newestIn(database);
			database
				.prepare(
					`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
					INSERT INTO execution_entity (${columns}) SELECT ${columns} FROM execution_entity, numbers WHERE id = ?`,
				)
				.run(Math.min(BATCH, count - copied), newest);
			database
				.prepare(
					`WITH original AS (SELECT ${dataColumns} FROM execution_data WHERE "executionId" = ?)
					INSERT INTO execution_data ("executionId", ${dataColumns})
					SELECT copy.id, original.* FROM execution_entity AS copy, original WHERE copy.id > ?`,
				)
				.run(newest, before);
			database.exec('COMMIT');
		}
	};
	withDatabase(host, copy, false);
}
