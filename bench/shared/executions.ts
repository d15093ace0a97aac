/** Executions in n8n's database. It is read directly, because calls of n8n's API would take n8n's time. */
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

/** The database of an n8n: SQLite, or PostgreSQL in queue mode. The statements below are for both. */
export interface Queryable {
	query(sql: string): Promise<Row[]>;
}

export function sqliteOf(host: HasN8n): Queryable {
	return { query: (sql) => Promise.resolve(queryDatabase(host, sql)) };
}

/**
 * Waits until the executions of the workflow with ids above `since` have ended. Returns when the last one ended, in milliseconds
 * since 1970. Throws if one of them failed, or if there are more than this many.
 */
export async function allSucceeded(
	database: Queryable,
	workflowId: string,
	since: number,
	count: number,
): Promise<number> {
	const ended = async () => {
		const [row = {}] = await database.query(
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
		return Date.parse(/[+-]\d\d:\d\d$/.test(time) ? time : `${time}Z`);
	};
	return await until(`${count} executions to end`, ended, 600_000);
}

/** The id of the newest execution. 0 if there is none. */
export async function newestExecution(database: Queryable): Promise<number> {
	const [row] = await database.query('SELECT coalesce(max(id), 0) AS id FROM execution_entity');
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
	const copy = (database: DatabaseSync) => {
		// SQLite gives a new id in place of NULL.
		database.exec(`CREATE TEMP TABLE entity AS SELECT * FROM execution_entity ORDER BY id DESC LIMIT 1;
			CREATE TEMP TABLE data AS SELECT * FROM execution_data WHERE "executionId" = (SELECT id FROM entity);
			UPDATE entity SET id = NULL`);
		const addEntity = database.prepare('INSERT INTO execution_entity SELECT * FROM entity');
		const setId = database.prepare('UPDATE data SET "executionId" = ?');
		const addData = database.prepare('INSERT INTO execution_data SELECT * FROM data');
		for (let copied = 0; copied < count; ) {
			database.exec('BEGIN IMMEDIATE');
			for (const end = Math.min(count, copied + BATCH); copied < end; copied += 1) {
				setId.run(addEntity.run().lastInsertRowid);
				addData.run();
			}
			database.exec('COMMIT');
		}
	};
	withDatabase(host, copy, false);
}
