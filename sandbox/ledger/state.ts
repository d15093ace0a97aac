/** Opening, filling and showing the whole ledger. */
import { canonical } from '../../api/decimal.ts';
import type { Store } from '../store.ts';
import { moveBalance } from './balances.ts';
import type { Ledger, Outside } from './ledger.ts';
import * as seed from './seed.ts';

/** The ledger in the store; an empty store gets the initial records. */
export function openLedger(store: Store, outside: Outside): Ledger {
	const ledger: Ledger = {
		...outside,
		balances: store.table('balances'),
		movements: store.table('movements'),
		virtual_accounts: store.table('virtual_accounts'),
		funding_accounts: store.table('funding_accounts'),
		funding_requests: store.table('funding_requests'),
		rates: store.table('rates'),
		contracts: store.table('contracts'),
		transactions: store.table('transactions'),
		crypto_wallets: store.table('crypto_wallets'),
		settlement_wallets: store.table('settlement_wallets'),
		settlement_accounts: store.table('settlement_accounts'),
		payouts: store.table('payouts'),
	};
	if (ledger.balances.ids().length === 0) store.transaction(() => resetLedger(ledger));
	return ledger;
}

/** Adds the initial records. */
export function resetLedger(ledger: Ledger): void {
	for (const { code, amount, ...balance } of seed.BALANCES) {
		ledger.balances.put(code, { code, amount: '0', ...balance });
		moveBalance(ledger, { code, amount, reason: 'opening', reference: code });
	}
	for (const each of seed.VIRTUAL_ACCOUNTS) ledger.virtual_accounts.put(each.alias, each);
	for (const each of seed.FUNDING_ACCOUNTS) ledger.funding_accounts.put(each.currency, each);
	for (const each of seed.RATES) ledger.rates.put(`${each.base}/${each.quote}`, each);
	for (const each of seed.CONTRACTS) ledger.contracts.put(each.contract_id, each);
	for (const each of seed.CRYPTO_WALLETS) ledger.crypto_wallets.put(each.alias, each);
	for (const each of seed.SETTLEMENT_WALLETS) ledger.settlement_wallets.put(each.alias, each);
	for (const each of seed.SETTLEMENT_ACCOUNTS) ledger.settlement_accounts.put(each.alias, each);
}

/** What `GET state` shows: balances as code -> amount, and the other tables. `last` limits those that grow. */
export function snapshotLedger(ledger: Ledger, last?: number): Record<string, unknown> {
	const balances = ledger.balances.all();
	return {
		balances: Object.fromEntries(balances.map(({ code, amount }) => [code, canonical(amount)])),
		coins: balances.filter((balance) => balance.class === 'crypto').map(({ code }) => code),
		network_coins: seed.NETWORK_COINS,
		virtual_accounts: ledger.virtual_accounts.all(),
		funding_accounts: ledger.funding_accounts.all(),
		funding_requests: ledger.funding_requests.all(last),
		rates: ledger.rates.all(),
		contracts: ledger.contracts.all(),
		transactions: ledger.transactions.all(last),
		crypto_wallets: ledger.crypto_wallets.all(),
		settlement_wallets: ledger.settlement_wallets.all(),
		settlement_accounts: ledger.settlement_accounts.all(),
		payouts: ledger.payouts.all(last),
	};
}
