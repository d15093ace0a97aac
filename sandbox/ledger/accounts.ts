/** Accounts and wallets that receive deposits. */
import type { CryptoWallet, VirtualAccount } from '../records.ts';
import { requireBalance } from './balances.ts';
import { aliasTaken, newId } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import { BUSINESS } from './seed.ts';

export function issueVirtualAccount(
	ledger: Ledger,
	account: Omit<VirtualAccount, 'account_number' | 'status'>,
): VirtualAccount {
	requireBalance(ledger, 'fiat', account.currency, 'currency');
	if (ledger.virtual_accounts.has(account.alias)) throw aliasTaken(account.alias);
	const account_number = (BigInt(`0x${ledger.randomHex(8)}`) % 10n ** 10n).toString().padStart(10, '0');
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
		alias: alias ?? newId(ledger, 'wallet'),
		address: `T${ledger.randomHex(16)}`,
		network,
	};
	if (ledger.crypto_wallets.has(wallet.alias)) throw aliasTaken(wallet.alias);
	ledger.crypto_wallets.put(wallet.alias, wallet);
	return wallet;
}
