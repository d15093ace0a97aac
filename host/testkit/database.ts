/** n8n's SQLite database, which n8n uses too. It is read directly where calls of n8n's API would take n8n's time. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Stack } from '../stack.ts';
import { until } from '../until.ts';

type HasN8n = Pick<Stack, 'n8n'>;

const open = ({ n8n }: HasN8n) =>
	new DatabaseSync(join(n8n.options.userFolder, '.n8n/database.sqlite'), { timeout: 60_000 });

/** Works with the database, which is closed afterwards. */
export function withDatabase<T>(host: HasN8n, work: (database: DatabaseSync) => T): T {
	using database = open(host);
	return work(database);
}

/** Works while n8n can read its database and not write to it. */
export async function whileLocked<T>(host: HasN8n, work: () => Promise<T>): Promise<T> {
	using database = open(host);
	database.exec('BEGIN IMMEDIATE');
	return await work();
}

/** The rows of a query. */
export function queryDatabase(host: HasN8n, sql: string, ...values: Array<string | number>) {
	return withDatabase(host, (database) => database.prepare(sql).all(...values));
}

/** Executions that have not ended. What n8n does not save stays there as running, marked as deleted. Those that wait for a person or a time count only `withWaiting`. */
function underWay(host: HasN8n, { withWaiting = false } = {}) {
	const statuses = ['new', 'running', ...(withWaiting ? ['waiting'] : [])];
	const marks = statuses.map(() => '?').join();
	const sql = `SELECT id, status, createdAt, startedAt FROM execution_entity WHERE status IN (${marks}) AND deletedAt IS NULL`;
	return queryDatabase(host, sql, ...statuses);
}

/** How many executions have not ended. */
export const countUnderWay = (host: HasN8n, options?: { withWaiting: boolean }): number =>
	underWay(host, options).length;

/** Waits until nothing runs. What is called without waiting for it runs by itself. */
export async function quiet(host: HasN8n, options?: { withWaiting: boolean }): Promise<void> {
	const what = () => `the end of all executions: ${JSON.stringify(underWay(host, options))}`;
	await until(what, () => countUnderWay(host, options) === 0);
}

export const countExecutions = (host: HasN8n): number =>
	queryDatabase(host, 'SELECT id FROM execution_entity').length;
