/**
 * Records in memory and, where a database is given, on disk: what has been committed before an answer goes out is still
 * there after a kill.
 */
import type { DatabaseSync } from 'node:sqlite';

/** Records of one kind under their ids, in the order in which they were made. A record is replaced, never changed. */
export interface Table<T> {
	get(id: string): T | undefined;
	has(id: string): boolean;
	all(): T[];
	readonly size: number;
	put(id: string, record: T): void;
}

interface Change {
	kind: string;
	id: string;
	record: unknown;
}

export class Store {
	readonly #database?: DatabaseSync;
	readonly #kinds = new Map<string, Map<string, unknown>>();
	#changes: Change[] = [];

	/** Takes the database over, closing it in the end. */
	constructor(database?: DatabaseSync) {
		this.#database = database;
		if (database === undefined) return;
		// WAL with NORMAL outlives a kill of the process; only a power cut may take the last commits.
		database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
			CREATE TABLE IF NOT EXISTS records (kind TEXT, id TEXT, record TEXT, UNIQUE (kind, id))`);
		for (const row of database.prepare('SELECT kind, id, record FROM records ORDER BY rowid').all()) {
			this.#records(String(row.kind)).set(String(row.id), JSON.parse(String(row.record)));
		}
	}

	table<T>(kind: string): Table<T> {
		const records = this.#records(kind) as Map<string, T>;
		return {
			get: (id) => records.get(id),
			has: (id) => records.has(id),
			all: () => [...records.values()],
			get size() {
				return records.size;
			},
			put: (id, record) => {
				records.set(id, record);
				if (this.#database !== undefined) this.#changes.push({ kind, id, record });
			},
		};
	}

	/** Everything put since the last commit goes to the disk, or nothing does. */
	commit(): void {
		if (this.#database === undefined || this.#changes.length === 0) return;
		const upsert = this.#database.prepare(
			`INSERT INTO records VALUES (?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET record = excluded.record`,
		);
		this.#database.exec('BEGIN');
		for (const { kind, id, record } of this.#changes) upsert.run(kind, id, JSON.stringify(record));
		this.#database.exec('COMMIT');
		this.#changes = [];
	}

	/** Forgets all records of these kinds, at once. */
	clear(kinds: readonly string[]): void {
		this.commit();
		for (const kind of kinds) {
			this.#records(kind).clear();
			this.#database?.prepare('DELETE FROM records WHERE kind = ?').run(kind);
		}
	}

	close(): void {
		this.commit();
		this.#database?.close();
	}

	#records(kind: string): Map<string, unknown> {
		const records = this.#kinds.get(kind) ?? new Map<string, unknown>();
		this.#kinds.set(kind, records);
		return records;
	}
}
