/** Executions as n8n's SQLite database has them. Reading the database leaves n8n's own time to its work. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SQLOutputValue } from 'node:sqlite';
import { until } from '../../host/n8n/client.ts';
import type { N8n } from '../../host/n8n/process.ts';

interface HasN8n {
	readonly n8n: N8n;
}

type Row = Record<string, SQLOutputValue>;

export interface Executions {
	count: number;
	/** When the last one ended, in milliseconds since 1970. */
	lastEnd: number;
}

const fileOf = ({ options }: N8n) => join(options.userFolder, '.n8n/database.sqlite');

function withDatabase<T>({ n8n }: HasN8n, work: (database: DatabaseSync) => T, readOnly = true): T {
	// n8n writes, too.
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

/**
 * Waits until this many executions of the workflow with ids above `since` have ended and no other one is under way. Throws if one
 * of them failed, or after two minutes.
 */
export async function allSucceeded(
	host: HasN8n,
	workflowId: string,
	since: number,
	count: number,
): Promise<Executions> {
	return await until(
		`${count} executions to end`,
		() => {
			const [row = {}] = queryDatabase(
				host,
				`SELECT count(*) AS count, sum(status = 'success') AS ended,
				sum(status IN ('error', 'crashed', 'canceled')) AS failed, max(stoppedAt) AS lastEnd
				FROM execution_entity WHERE workflowId = ? AND id > ?`,
				workflowId,
				since,
			);
			const [all, ended, failed] = [Number(row.count), Number(row.ended), Number(row.failed)];
			if (failed > 0) throw new Error(`${failed} of ${all} executions failed`);
			if (ended < count || all > ended) return undefined;
			return { count: all, lastEnd: Date.parse(`${String(row.lastEnd)}Z`) };
		},
		120_000,
	);
}

/** The id of the newest execution; 0 if there is none. */
export function newestExecution(host: HasN8n): number {
	const [row] = queryDatabase(host, 'SELECT coalesce(max(id), 0) AS id FROM execution_entity');
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

/** Executions that are copied in one transaction: n8n waits for its end. */
const BATCH = 1000;

/** Stores this many copies of the newest execution. */
export function copyNewestExecution(host: HasN8n, count: number): void {
	const newest = newestExecution(host);
	const copy = (database: DatabaseSync) => {
		const columnsOf = (table: string, key: string) =>
			database
				.prepare('SELECT name FROM pragma_table_info(?) WHERE name <> ?')
				.all(table, key)
				.map(({ name }) => `"${String(name)}"`);
		const columns = columnsOf('execution_entity', 'id').join();
		const dataColumns = columnsOf('execution_data', 'executionId');
		for (let copied = 0; copied < count; copied += BATCH) {
			const before = newestExecution(host);
			database.exec('BEGIN IMMEDIATE');
			database
				.prepare(
					`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
					INSERT INTO execution_entity (${columns}) SELECT ${columns} FROM execution_entity, numbers WHERE id = ?`,
				)
				.run(Math.min(BATCH, count - copied), newest);
			database
				.prepare(
					`INSERT INTO execution_data ("executionId", ${dataColumns.join()})
					SELECT copy.id, ${dataColumns.map((name) => `original.${name}`).join()}
					FROM execution_entity AS copy, execution_data AS original
					WHERE original."executionId" = ? AND copy.id > ?`,
				)
				.run(newest, before);
			database.exec('COMMIT');
		}
	};
	withDatabase(host, copy, false);
}
