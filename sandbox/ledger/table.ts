import { Refusal } from './refusal.ts';

/** Records of one kind by id, in order of creation. */
export interface Table<T> {
	get(id: string): T | undefined;
	/** Oldest first. `last`: only so many of the newest. */
	all(last?: number): T[];
	ids(): string[];
	/** Adds a record, or replaces it in its place. */
	put(id: string, record: T): void;
}

/** The record with this id. Throws a Refusal that names the request field `field`. */
export function requireRecord<T>(table: Table<T>, id: string, what: string, field: string): T {
	const record = table.get(id);
	if (record !== undefined) return record;
	throw new Refusal('not_found', `There is no ${what} ${id}`, field);
}

/** Throws a Refusal if a record of the tables has this alias. */
export function requireFree(alias: string, ...tables: Array<Table<unknown>>): void {
	if (tables.every((table) => table.get(alias) === undefined)) return;
	throw new Refusal('conflict', `The alias ${alias} is already in use`, 'alias');
}
