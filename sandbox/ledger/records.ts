/**
 * The records of the ledger. Field names come from the API document where it has the field. Amounts, rates and fees
 * are plain decimal text; times are ISO 8601 in UTC.
 */
import type * as seed from './seed.ts';

/** One change of one balance. The movements of a code add up to its balance. */
export interface Movement {
	at: string;
	code: string;
	/** Negative if the balance decreased. */
	amount: string;
	reason: 'opening' | 'adjustment' | 'deposit' | 'admin_funding' | 'payout' | 'payout_refund' | 'conversion';
	/** Id of the payout, transaction, deposit or funding; the code for an opening balance or an adjustment. */
	reference: string;
	/** The balance after it. */
	balance: string;
}

export type Balance = (typeof seed.BALANCES)[number];
export type VirtualAccount = (typeof seed.VIRTUAL_ACCOUNTS)[number];
export type FundingAccount = (typeof seed.FUNDING_ACCOUNTS)[number];
export type Rate = (typeof seed.RATES)[number];
export type Contract = (typeof seed.CONTRACTS)[number];
export type CryptoWallet = (typeof seed.CRYPTO_WALLETS)[number];
export type SettlementWallet = (typeof seed.SETTLEMENT_WALLETS)[number];
export type SettlementAccount = (typeof seed.SETTLEMENT_ACCOUNTS)[number];

/** A bank transfer to a virtual account. */
export type FiatDeposit = { id: string; amount: string } & typeof seed.SENDER;

/** A transfer of coins to a crypto wallet. */
export type CryptoDeposit = { id: string; coin: string; amount: string; tx_hash: string };

export type AdminFunding = { id: string; amount: string; direction: 'credit' | 'debit' };

/** A proof of payment. */
export type FundingRequest = { id: string; pop: string; status: 'pending' | 'credited' };

export interface Transaction {
	transaction_id: string;
	status: string;
	from_currency: string;
	to_currency: string;
	from_amount: string;
	to_amount: string;
	rate: string;
	completed_at: string;
}

/** `pending` and `successful` come from the document; the other two are invented. */
export const PAYOUT_STATUSES = ['pending', 'processing', 'successful', 'failed'] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

export interface Payout {
	payout_id: string;
	class: seed.AssetClass;
	/** Currency or coin code. */
	code: string;
	amount: string;
	/** In the same currency or coin, debited with the amount. */
	fee: string;
	/** Alias of the settlement account or settlement wallet. */
	destination: string;
	status: PayoutStatus;
	/** Empty until a crypto payout succeeds. */
	tx_hash: string;
	created_at: string;
}
