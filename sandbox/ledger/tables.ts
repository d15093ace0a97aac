/**
 * The tables of the ledger: one entry declares a table, fills it after a reset and shows it in `GET state`. The keys are
 * the names in the database and in `GET state`. A table: no logic.
 */
import type { Balance, FundingRequest, Movement, Payout, Transaction } from '../records.ts';
import type { Table } from '../store.ts';
import * as seed from './seed.ts';

export interface TableDefinition<T> {
	/** What `GET state` shows: `all` records, the `newest` (as many as asked for), or none if left out. */
	shown?: 'all' | 'newest';
	/** Id -> record after a reset; empty if left out. */
	initial?: ReadonlyMap<string, T>;
}

const hidden = <T>(): TableDefinition<T> => ({});
const growing = <T>(): TableDefinition<T> => ({ shown: 'newest' });
const filled = <T>(records: readonly T[], idOf: (record: T) => string): TableDefinition<T> => ({
	shown: 'all',
	initial: new Map(records.map((record) => [idOf(record), record])),
});

export const TABLES = {
	// A reset fills balances through movements; `GET state` shows balances as code -> amount.
	balances: hidden<Balance>(),
	movements: hidden<Movement>(),
	virtual_accounts: filled(seed.VIRTUAL_ACCOUNTS, ({ alias }) => alias),
	funding_accounts: filled(seed.FUNDING_ACCOUNTS, ({ currency }) => currency),
	funding_requests: growing<FundingRequest>(),
	rates: filled(seed.RATES, ({ base, quote }) => `${base}/${quote}`),
	contracts: filled(seed.CONTRACTS, ({ contract_id }) => contract_id),
	transactions: growing<Transaction>(),
	crypto_wallets: filled(seed.CRYPTO_WALLETS, ({ alias }) => alias),
	settlement_wallets: filled(seed.SETTLEMENT_WALLETS, ({ alias }) => alias),
	settlement_accounts: filled(seed.SETTLEMENT_ACCOUNTS, ({ alias }) => alias),
	payouts: growing<Payout>(),
};

export type TableName = keyof typeof TABLES;

/** A table of the right records for each entry above. */
export type Tables = {
	[Name in TableName]: (typeof TABLES)[Name] extends TableDefinition<infer T> ? Table<T> : never;
};
