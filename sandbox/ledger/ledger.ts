/**
 * The ledger that the operations of this folder work on. Each runs in a transaction, so a refused operation changes nothing.
 * Amounts are plain decimals.
 */
import type * as records from '../records.ts';
import { notFound, Refusal } from '../refusal.ts';
import { randomHex } from '../settings.ts';
import type { Table } from '../store.ts';

/** What the ledger needs from outside. */
export interface Outside {
	/** Milliseconds since 1970. */
	now: () => number;
	/** Sends a webhook. */
	emit: (event: records.EventPayload) => void;
	/** Settles a payout after the configured time. */
	settle: (id: string) => void;
}

/** The keys are the names in the database and in `GET state`. */
interface Tables {
	balances: Table<records.Balance>;
	movements: Table<records.Movement>;
	virtual_accounts: Table<records.VirtualAccount>;
	funding_accounts: Table<records.FundingAccount>;
	funding_requests: Table<records.FundingRequest>;
	rates: Table<records.Rate>;
	contracts: Table<records.Contract>;
	transactions: Table<records.Transaction>;
	crypto_wallets: Table<records.CryptoWallet>;
	settlement_wallets: Table<records.SettlementWallet>;
	settlement_accounts: Table<records.SettlementAccount>;
	payouts: Table<records.Payout>;
}

export interface Ledger extends Outside, Tables {}

/** ISO 8601 in UTC. */
export function timestamp(ledger: Ledger): string {
	return new Date(ledger.now()).toISOString();
}

export function newId(prefix: string): string {
	return `${prefix}_${randomHex(8)}`;
}

/** How many records a message names. A longer list would hide the message. */
const MAX_NAMED = 20;

/** The record with this id. Throws a Refusal (404) that names the request field `field`, and the records that exist. */
export function requireRecord<T>(table: Table<T>, id: string, what: string, field: string): T {
	const record = table.get(id);
	if (record !== undefined) return record;
	const ids = table.ids();
	const known = ids.length > 0 && ids.length <= MAX_NAMED ? `. There are: ${ids.join(', ')}` : '';
	throw notFound(`There is no ${what} ${id}${known}`, field);
}

export function aliasTaken(alias: string): Refusal {
	return new Refusal(409, 'conflict', `The alias ${alias} is already in use`, 'alias');
}
