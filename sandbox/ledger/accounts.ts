/**
 * What receives money: virtual accounts and crypto wallets from customers; settlement wallets and settlement accounts from
 * payouts, once a review whitelists them.
 */
import type { CryptoWallet, SettlementAccount, SettlementWallet, VirtualAccount } from '../records.ts';
import { randomHex } from '../settings.ts';
import { aliasTaken, newId, requireBalance, requireRecord } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import { BUSINESS } from './seed.ts';
import type { ReviewStatus } from './seed.ts';

export function issueVirtualAccount(
	ledger: Ledger,
	account: Omit<VirtualAccount, 'account_number' | 'status'>,
): VirtualAccount {
	requireBalance(ledger, 'fiat', account.currency, 'currency');
	if (ledger.virtual_accounts.get(account.alias) !== undefined) throw aliasTaken(account.alias);
	const account_number = (BigInt(`0x${randomHex(8)}`) % 10n ** 10n).toString().padStart(10, '0');
	const issued: VirtualAccount = { ...account, account_number, status: 'active' };
	ledger.virtual_accounts.put(issued.alias, issued);
	ledger.emit({
		event: 'virtual_account_created',
		Alias: issued.alias,
		Bank: issued.bank,
		'Account Number': issued.account_number,
		'Account Name': issued.account_name,
		'Merchant Associated': issued.merchant,
		Business: BUSINESS,
		Currency: issued.currency,
	});
	return issued;
}

/** Without an alias the wallet gets a random one. */
export function createCryptoWallet(ledger: Ledger, alias: string | undefined, network: string): CryptoWallet {
	const wallet: CryptoWallet = {
		alias: alias ?? newId('wallet'),
		address: `T${randomHex(16)}`,
		network,
	};
	if (ledger.crypto_wallets.get(wallet.alias) !== undefined) throw aliasTaken(wallet.alias);
	ledger.crypto_wallets.put(wallet.alias, wallet);
	return wallet;
}

/** A review names an alias only, so wallets and accounts share one set of aliases. */
function requireFree({ settlement_wallets, settlement_accounts }: Ledger, alias: string): void {
	if (settlement_wallets.get(alias) ?? settlement_accounts.get(alias)) throw aliasTaken(alias);
}

export function createSettlementWallet(
	ledger: Ledger,
	wallet: Omit<SettlementWallet, 'status'>,
): SettlementWallet {
	requireFree(ledger, wallet.alias);
	const submitted: SettlementWallet = { ...wallet, status: 'Pending' };
	ledger.settlement_wallets.put(wallet.alias, submitted);
	return submitted;
}

export function createSettlementAccount(
	ledger: Ledger,
	account: Omit<SettlementAccount, 'status'>,
): SettlementAccount {
	requireBalance(ledger, 'fiat', account.currency, 'currency');
	requireFree(ledger, account.alias);
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
