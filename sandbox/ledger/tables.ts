/**
 * The tables of the ledger: one entry declares a table, fills it after a reset and shows it in `GET state`. The keys are
 * the names in the database and in `GET state`. A table: no logic.
 */
import type {
	Balance,
	Contract,
	CryptoWallet,
	FundingAccount,
	FundingRequest,
	Movement,
	Payout,
	Rate,
	SettlementAccount,
	SettlementWallet,
	Transaction,
	VirtualAccount,
} from '../records.ts';
import type { Table } from '../store.ts';
import * as seed from './seed.ts';

export interface TableDefinition<T> {
	/** What `GET state` shows: `all` records, the `newest` (as many as asked for), or none if left out. */
	shown?: 'all' | 'newest';
	/** Id -> record after a reset; empty if left out. */
	initial?: ReadonlyMap<string, T>;
}

/** Names the type of the records, which the definition alone does not show. */
const table = <T>(definition: TableDefinition<T>) => definition;

const keyed = <T>(records: readonly T[], idOf: (record: T) => string): ReadonlyMap<string, T> =>
	new Map(records.map((record) => [idOf(record), record]));

export const TABLES = {
	// A reset fills balances through movements; `GET state` shows balances as code -> amount.
	balances: table<Balance>({}),
	movements: table<Movement>({}),
	virtual_accounts: table<VirtualAccount>({
		shown: 'all',
		initial: keyed(seed.VIRTUAL_ACCOUNTS, ({ alias }) => alias),
	}),
	funding_accounts: table<FundingAccount>({
		shown: 'all',
		initial: keyed(seed.FUNDING_ACCOUNTS, ({ currency }) => currency),
	}),
	funding_requests: table<FundingRequest>({ shown: 'newest' }),
	rates: table<Rate>({
		shown: 'all',
		initial: keyed(seed.RATES, ({ base, quote }) => `${base}/${quote}`),
	}),
	contracts: table<Contract>({
		shown: 'all',
		initial: keyed(seed.CONTRACTS, ({ contract_id }) => contract_id),
	}),
	transactions: table<Transaction>({ shown: 'newest' }),
	crypto_wallets: table<CryptoWallet>({
		shown: 'all',
		initial: keyed(seed.CRYPTO_WALLETS, ({ alias }) => alias),
	}),
	settlement_wallets: table<SettlementWallet>({
		shown: 'all',
		initial: keyed(seed.SETTLEMENT_WALLETS, ({ alias }) => alias),
	}),
	settlement_accounts: table<SettlementAccount>({
		shown: 'all',
		initial: keyed(seed.SETTLEMENT_ACCOUNTS, ({ alias }) => alias),
	}),
	payouts: table<Payout>({ shown: 'newest' }),
};

export type TableName = keyof typeof TABLES;

/** A table of the right records for each entry above. */
export type Tables = {
	[Name in TableName]: (typeof TABLES)[Name] extends TableDefinition<infer T> ? Table<T> : never;
};
