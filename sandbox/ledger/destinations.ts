/** Settlement wallets and settlement accounts: payouts go to them once a review whitelists them. */
import type { ReviewStatus, SettlementAccount, SettlementWallet } from '../records.ts';
import type { Table } from '../store.ts';
import { aliasTaken, requireRecord } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import { BUSINESS } from './seed.ts';

/** Adds a destination. A review names an alias only, so wallets and accounts share one set of aliases. */
export function submitDestination<T extends SettlementWallet | SettlementAccount>(
	{ settlement_wallets, settlement_accounts }: Ledger,
	table: Table<T>,
	destination: NoInfer<T>,
): T {
	const { alias } = destination;
	if (settlement_wallets.has(alias) || settlement_accounts.has(alias)) throw aliasTaken(alias);
	table.put(alias, destination);
	return destination;
}

/** Sets the review status of the settlement wallet or settlement account with this alias. */
export function reviewDestination(
	ledger: Ledger,
	alias: string,
	status: ReviewStatus,
): SettlementWallet | SettlementAccount {
	const wallet = ledger.settlement_wallets.get(alias);
	if (wallet === undefined) return reviewAccount(ledger, alias, status);
	const reviewed = { ...wallet, status };
	ledger.settlement_wallets.put(alias, reviewed);
	ledger.emit({
		event: 'settlement_wallet_update',
		Alias: alias,
		Address: wallet.address,
		Network: wallet.network,
		'Asset Supported': wallet.asset_supported,
		status,
		Business: BUSINESS,
	});
	return reviewed;
}

function reviewAccount(ledger: Ledger, alias: string, status: ReviewStatus): SettlementAccount {
	const account = requireRecord(ledger.settlement_accounts, alias, 'settlement wallet or account', 'alias');
	const reviewed = { ...account, status };
	ledger.settlement_accounts.put(alias, reviewed);
	ledger.emit({
		event: 'settlement_account_update',
		Alias: alias,
		'Bank Name': account.bank_name,
		'Account Number': account.account_number,
		'Account Name': account.account_name,
		status,
		Business: BUSINESS,
		'other details': account.other_details,
		Currency: account.currency,
	});
	return reviewed;
}
