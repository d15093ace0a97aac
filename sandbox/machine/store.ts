/**
 * Everything that the sandbox keeps: records of several kinds in one table of SQLite, in a file or in memory. What belongs
 * together changes in one transaction, and it is committed before the answer, so an acknowledged change survives a kill.
 */
import { DatabaseSync } from 'node:sqlite';
import type { Table } from '../ledger/table.ts';

export class Store {
	readonly #database: DatabaseSync;

	/** Throws if another process has the file open. */
	constructor(file = ':memory:') {
		this.#database = new DatabaseSync(file);
		// WAL with NORMAL survives a kill of the process; only a power cut can lose the last commits.
		// EXCLUSIVE, because two sandboxes on one file would both settle its payouts and send its deliveries.
		this.#database
			.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
			CREATE TABLE IF NOT EXISTS records (kind TEXT, id TEXT, record TEXT, UNIQUE (kind, id));
			CREATE INDEX IF NOT EXISTS records_in_order ON records (kind)`);
	}

	table<T>(kind: string): Table<T> {
		const one = this.#database.prepare('SELECT record FROM records WHERE kind = ? AND id = ?');
		const newest = this.#database.prepare(
			'SELECT id, record FROM records WHERE kind = ? ORDER BY rowid DESC LIMIT ?',
		);
		const upsert = this.#database.prepare(
			'INSERT INTO records VALUES (?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET record = excluded.record',
		);
		const parse = (row: Record<string, unknown>) => JSON.parse(String(row.record)) as T;
		// To SQLite, -1 is no limit.
		const rows = (last = -1) => newest.all(kind, last).reverse();
		return {
			get: (id) => {
				const row = one.get(kind, id);
				return row && parse(row);
			},
			all: (last) => rows(last).map(parse),
			ids: () => rows().map(({ id }) => String(id)),
			put: (id, record) => void upsert.run(kind, id, JSON.stringify(record)),
		};
	}

	/** Commits what `work` changes, or nothing if it throws. */
	transaction<T>(work: () => T): T {
		this.#database.exec('BEGIN');
		try {
			const result = work();
			this.#database.exec('COMMIT');
			return result;
		} catch (error) {
			if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
			throw error;
		}
	}

	/** Deletes all records except those of this kind. */
	clear(except: string): void {
		this.#database.prepare('DELETE FROM records WHERE kind <> ?').run(except);
	}

	/** A number that is another one after each change. */
	get changes(): number {
		return Number(this.#database.prepare('SELECT total_changes() AS changes').get()?.changes);
	}

	close(): void {
		if (this.#database.isOpen) this.#database.close();
	}
}
