/**
 * Keeps records in memory and, given a database, on disk. Committing before responding makes every acknowledged change
 * survive a kill.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Records of one kind by id, in order of creation. A record is replaced, never changed. */
export interface Table<T> {
	get(id: string): T | undefined;
	has(id: string): boolean;
	all(): T[];
	ids(): string[];
	readonly size: number;
	put(id: string, record: T): void;
}

/** A record that was put; without an id: all records of the kind were deleted. */
type Change = { kind: string; id: string; record: unknown } | { kind: string; id?: undefined };

interface Disk {
	database: DatabaseSync;
	upsert: StatementSync;
	clear: StatementSync;
}

export class Store {
	readonly #disk?: Disk;
	readonly #kinds = new Map<string, Map<string, unknown>>();
	readonly #listeners = new Set<() => void>();
	#changes: Change[] = [];
	#changed = false;

	/** `close` closes the database too. Throws if another process has it open. */
	constructor(database?: DatabaseSync) {
		if (database === undefined) return;
		// WAL with NORMAL survives a kill of the process; only a power cut can lose the last commits.
		// EXCLUSIVE, because another sandbox on this file would not see the records in this one's memory.
		database.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
			CREATE TABLE IF NOT EXISTS records (kind TEXT, id TEXT, record TEXT, UNIQUE (kind, id))`);
		for (const row of database.prepare('SELECT kind, id, record FROM records ORDER BY rowid').all()) {
			this.#records(String(row.kind)).set(String(row.id), JSON.parse(String(row.record)));
		}
		this.#disk = {
			database,
			upsert: database.prepare(
				`INSERT INTO records VALUES (?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET record = excluded.record`,
			),
			clear: database.prepare('DELETE FROM records WHERE kind = ?'),
		};
	}

	table<T>(kind: string): Table<T> {
		const records = this.#records(kind) as Map<string, T>;
		return {
			get: (id) => records.get(id),
			has: (id) => records.has(id),
			all: () => [...records.values()],
			ids: () => [...records.keys()],
			get size() {
				return records.size;
			},
			put: (id, record) => {
				records.set(id, record);
				this.#recordChange({ kind, id, record });
			},
		};
	}

	/** Deletes all records of these kinds. */
	clear(kinds: readonly string[]): void {
		for (const kind of kinds) {
			this.#records(kind).clear();
			this.#recordChange({ kind });
		}
	}

	/** Writes all changes since the last commit, or none and throws. The next commit tries again. */
	commit(): void {
		if (!this.#changed) return;
		if (this.#disk !== undefined) this.#write(this.#disk);
		this.#changes = [];
		this.#changed = false;
		for (const listener of this.#listeners) listener();
	}

	/** Calls back after each commit that changed something, until the returned function is called. */
	onCommit(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	close(): void {
		this.commit();
		this.#disk?.database.close();
	}

	#recordChange(change: Change): void {
		this.#changed = true;
		if (this.#disk !== undefined) this.#changes.push(change);
	}

	#write({ database, upsert, clear }: Disk): void {
		database.exec('BEGIN');
		try {
			for (const change of this.#changes) {
				if (change.id === undefined) clear.run(change.kind);
				else upsert.run(change.kind, change.id, JSON.stringify(change.record));
			}
			database.exec('COMMIT');
		} catch (error) {
			if (database.isTransaction) database.exec('ROLLBACK');
			throw error;
		}
	}

	#records(kind: string): Map<string, unknown> {
		const records = this.#kinds.get(kind) ?? new Map<string, unknown>();
		this.#kinds.set(kind, records);
		return records;
	}
}
