/** Settlement wallets and settlement accounts: payouts go to them once a review whitelists them. */
import type { ReviewStatus, SettlementAccount, SettlementWallet } from '../records.ts';
import { aliasTaken, requireRecord } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import { BUSINESS } from './seed.ts';

/** The new wallet is `Pending` until a review. */
export function submitSettlementWallet(
	ledger: Ledger,
	wallet: Omit<SettlementWallet, 'status'>,
): SettlementWallet {
	refuseTakenAlias(ledger, wallet.alias);
	const submitted: SettlementWallet = { ...wallet, status: 'Pending' };
	ledger.settlement_wallets.put(wallet.alias, submitted);
	return submitted;
}

/** The same for an account. Only a control calls this: the API has no endpoint for it. */
export function submitSettlementAccount(
	ledger: Ledger,
	account: Omit<SettlementAccount, 'status'>,
): SettlementAccount {
	refuseTakenAlias(ledger, account.alias);
	const submitted: SettlementAccount = { ...account, status: 'Pending' };
	ledger.settlement_accounts.put(account.alias, submitted);
	return submitted;
}

/** Sets the review status of the settlement wallet or settlement account with this alias. */
export function reviewDestination(
	ledger: Ledger,
	alias: string,
	status: ReviewStatus,
): SettlementWallet | SettlementAccount {
	const wallet = ledger.settlement_wallets.get(alias);
	if (wallet !== undefined) return reviewWallet(ledger, wallet, status);
	const account = requireRecord(ledger.settlement_accounts, alias, 'settlement wallet or account', 'alias');
	return reviewAccount(ledger, account, status);
}

function reviewWallet(ledger: Ledger, wallet: SettlementWallet, status: ReviewStatus): SettlementWallet {
	const reviewed = { ...wallet, status };
	ledger.settlement_wallets.put(wallet.alias, reviewed);
	ledger.emit({
		event: 'settlement_wallet_update',
		Alias: wallet.alias,
		Address: wallet.address,
		Network: wallet.network,
		'Asset Supported': wallet.asset_supported,
		status,
		Business: BUSINESS,
	});
	return reviewed;
}

function reviewAccount(ledger: Ledger, account: SettlementAccount, status: ReviewStatus): SettlementAccount {
	const reviewed = { ...account, status };
	ledger.settlement_accounts.put(account.alias, reviewed);
	ledger.emit({
		event: 'settlement_account_update',
		Alias: account.alias,
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

/** A review names an alias only, so wallets and accounts share one set of aliases. */
function refuseTakenAlias(ledger: Ledger, alias: string): void {
	if (ledger.settlement_wallets.has(alias) || ledger.settlement_accounts.has(alias)) throw aliasTaken(alias);
}
