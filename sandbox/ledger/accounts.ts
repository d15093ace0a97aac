/**
 * What receives money: virtual accounts and crypto wallets from customers; settlement wallets and settlement accounts from
 * payouts, once a review whitelists them.
 */
import type { CryptoWallet, SettlementAccount, SettlementWallet, VirtualAccount } from './records.ts';
import { EVENT_FIELDS } from './events.ts';
import { newId, randomHex } from './ids.ts';
import { requireBalance } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import type { ReviewStatus } from './seed.ts';
import { requireFree, requireRecord } from './table.ts';

export function issueVirtualAccount(
	ledger: Ledger,
	account: Omit<VirtualAccount, 'account_number' | 'status'>,
): VirtualAccount {
	requireBalance(ledger, 'fiat', account.currency, 'currency');
	requireFree(account.alias, ledger.virtual_accounts);
	const account_number = (BigInt(`0x${randomHex(8)}`) % 10n ** 10n).toString().padStart(10, '0');
	const issued = { ...account, account_number, status: 'active' };
	ledger.virtual_accounts.put(issued.alias, issued);
	ledger.emit('virtual_account_created', EVENT_FIELDS.virtual_account_created(issued));
	return issued;
}

/** Without an alias the wallet gets a random one. */
export function createCryptoWallet(
	ledger: Ledger,
	{ alias = newId('wallet'), network }: { alias?: string; network: string },
): CryptoWallet {
	requireFree(alias, ledger.crypto_wallets);
	const wallet = { alias, address: `T${randomHex(16)}`, network };
	ledger.crypto_wallets.put(alias, wallet);
	return wallet;
}

// A review names an alias only, so settlement wallets and accounts share one set of aliases.

export function createSettlementWallet(
	ledger: Ledger,
	wallet: Omit<SettlementWallet, 'status'>,
): SettlementWallet {
	requireFree(wallet.alias, ledger.settlement_wallets, ledger.settlement_accounts);
	const submitted = { ...wallet, status: 'Pending' as const };
	ledger.settlement_wallets.put(wallet.alias, submitted);
	return submitted;
}

export function createSettlementAccount(
	ledger: Ledger,
	account: Omit<SettlementAccount, 'status'>,
): SettlementAccount {
	requireBalance(ledger, 'fiat', account.currency, 'currency');
	requireFree(account.alias, ledger.settlement_wallets, ledger.settlement_accounts);
	const submitted = { ...account, status: 'Pending' as const };
	ledger.settlement_accounts.put(account.alias, submitted);
	return submitted;
}

/** Sets the review status of the settlement wallet or settlement account with this alias. */
export function reviewDestination(
	ledger: Ledger,
	{ alias, decision: status }: { alias: string; decision: ReviewStatus },
): SettlementWallet | SettlementAccount {
	const wallet = ledger.settlement_wallets.get(alias);
	if (wallet !== undefined) {
		const reviewed = { ...wallet, status };
		ledger.settlement_wallets.put(alias, reviewed);
		ledger.emit('settlement_wallet_update', EVENT_FIELDS.settlement_wallet_update(reviewed));
		return reviewed;
	}
	const account = requireRecord(ledger.settlement_accounts, alias, 'settlement wallet or account', 'alias');
	const reviewed = { ...account, status };
	ledger.settlement_accounts.put(alias, reviewed);
	ledger.emit('settlement_account_update', EVENT_FIELDS.settlement_account_update(reviewed));
	return reviewed;
}
