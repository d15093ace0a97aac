/**
 * The ledger that the operations of this folder work on: its tables and what they need from outside. Every operation checks
 * first and changes afterwards, so a refused operation changes nothing. Amounts are plain decimals.
 */
import type { EventPayload, Payout } from '../records.ts';
import { notFound, Refusal } from '../refusal.ts';
import type { Store, Table } from '../store.ts';
import type { Tables } from './tables.ts';

/** What the ledger needs from outside. */
export interface Dependencies {
	store: Store;
	/** Milliseconds since 1970. */
	now: () => number;
	/** The given number of random bytes as lower-case hex. */
	randomHex: (bytes: number) => string;
	/** Sends a webhook. */
	emit: (event: EventPayload) => void;
	/** Settles a new payout after the configured time. */
	scheduleSettlement: (payout: Payout) => void;
}

export interface Ledger extends Dependencies, Tables {}

/** ISO 8601 in UTC. */
export function timestamp(ledger: Ledger): string {
	return new Date(ledger.now()).toISOString();
}

export function newId(ledger: Ledger, prefix: string): string {
	return `${prefix}_${ledger.randomHex(8)}`;
}

/** How many records a message names. A longer list would hide the message. */
const MAX_NAMED = 20;

/** The record with this id. Throws a Refusal (404) that names the request field `field`, and the records that exist. */
export function requireRecord<T>(table: Table<T>, id: string, what: string, field: string): T {
	const record = table.get(id);
	if (record !== undefined) return record;
	const known = table.size > 0 && table.size <= MAX_NAMED ? `. There are: ${table.ids().join(', ')}` : '';
	throw notFound(`There is no ${what} ${id}${known}`, field);
}

export function aliasTaken(alias: string): Refusal {
	return new Refusal(409, 'conflict', `The alias ${alias} is already in use`, 'alias');
}
