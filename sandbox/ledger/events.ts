/** The fields of the webhooks, by the keys of the API document. All values are text. A table: no logic. */
import type { EVENTS, EventName } from '../../api/events.ts';
import type * as records from './records.ts';

export type EventFields<Name extends EventName> = { [key in keyof (typeof EVENTS)[Name]['fields']]: string };

const Business = 'Acme Trading';

export const EVENT_FIELDS = {
	settlement_wallet_update: ({
		alias,
		address,
		network,
		asset_supported,
		status,
	}: records.SettlementWallet) => ({
		Alias: alias,
		Address: address,
		Network: network,
		'Asset Supported': asset_supported,
		status,
		Business,
	}),
	settlement_account_update: (account: records.SettlementAccount) => ({
		Alias: account.alias,
		'Bank Name': account.bank_name,
		'Account Number': account.account_number,
		'Account Name': account.account_name,
		status: account.status,
		Business,
		'other details': account.other_details,
		Currency: account.currency,
	}),
	crypto_received: (wallet: records.CryptoWallet, deposit: records.CryptoDeposit) => ({
		id: deposit.id,
		wallet_alias: wallet.alias,
		wallet_address: wallet.address,
		tx_hash: deposit.tx_hash,
		status: 'successful',
		Business,
		coin: deposit.coin,
		Amount: deposit.amount,
		fee: '0',
	}),
	virtual_account_created: (account: records.VirtualAccount) => ({
		Alias: account.alias,
		Bank: account.bank,
		'Account Number': account.account_number,
		'Account Name': account.account_name,
		'Merchant Associated': account.merchant,
		Business,
		Currency: account.currency,
	}),
	virtual_account_credited: (account: records.VirtualAccount, deposit: records.FiatDeposit) => ({
		id: deposit.id,
		currency: account.currency,
		status: 'successful',
		Amount: deposit.amount,
		'Account received alias': account.alias,
		Business,
		'Merchant Associated': account.merchant,
		'Sender Bank': deposit.sender_bank,
		'Sender account name': deposit.sender_account_name,
		'Sender account number': deposit.sender_account_number,
	}),
	crypto_payout_update: ({ payout_id, code, status, amount, destination, fee, tx_hash }: records.Payout) => ({
		id: payout_id,
		// The document says that it may be in lower case.
		coin: code.toLowerCase(),
		status,
		'Amount sent': amount,
		'Wallet received alias': destination,
		Business,
		fee: `${fee} ${code.toLowerCase()}`,
		tx_hash,
	}),
	admin_funding: (balance: records.Balance, funding: records.AdminFunding) => ({
		id: funding.id,
		Asset: balance.code,
		status: 'successful',
		Amount: funding.amount,
		Business,
		fee: '0',
		'credit/debit': funding.direction === 'credit' ? 'Credit' : 'Debit',
		'fiat/crypto': balance.class === 'fiat' ? 'Fiat' : 'Crypto',
	}),
} satisfies { [Name in EventName]: (...records: never[]) => EventFields<Name> };
