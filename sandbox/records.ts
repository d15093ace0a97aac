/**
 * What the sandbox remembers. Field names are the API's own where it has them; amounts, rates and fees are plain
 * decimal text; times are ISO 8601 in UTC.
 */

export type AssetClass = 'fiat' | 'crypto';

export interface Balance {
	/** Code of the currency or coin, upper case. */
	code: string;
	class: AssetClass;
	amount: string;
}

/** One change of one balance. The movements of a code add up to its balance. */
export interface Movement {
	at: string;
	code: string;
	/** Negative when the balance went down. */
	amount: string;
	reason: 'opening' | 'adjustment' | 'deposit' | 'admin_funding' | 'payout' | 'payout_refund' | 'conversion';
	/** Id of the record that it belongs to. */
	reference: string;
}

export interface VirtualAccount {
	alias: string;
	account_number: string;
	account_name: string;
	bank: string;
	currency: string;
	merchant: string;
	status: string;
}

export interface FundingAccount {
	currency: string;
	account_name: string;
	account_number: string;
	bank: string;
}

export interface FundingRequest {
	id: string;
	pop: string;
	status: 'pending' | 'credited';
}

export interface Rate {
	base: string;
	quote: string;
	bid: string;
	ask: string;
}

export interface Contract {
	contract_id: string;
	from: string;
	to: string;
	/** Units of `to` for one unit of `from`, before the fee. */
	rate: string;
	/** A ratio: 0.005 is half a percent. */
	fee: string;
	/** In units of `from`. */
	available: string;
	direction: string;
}

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

export interface CryptoWallet {
	alias: string;
	address: string;
	network: string;
}

/** `Whitelisted` and `Rejected` are the document's; `Pending` (under review) is made up. */
export type ReviewStatus = 'Pending' | 'Whitelisted' | 'Rejected';

export interface SettlementWallet {
	alias: string;
	address: string;
	network: string;
	/** Comma-separated codes. */
	asset_supported: string;
	status: ReviewStatus;
}

export interface SettlementAccount {
	alias: string;
	bank_name: string;
	account_number: string;
	account_name: string;
	currency: string;
	other_details: string;
	status: ReviewStatus;
}

/** `pending` and `successful` are the document's; the other two are made up. */
export const PAYOUT_STATUSES = ['pending', 'processing', 'successful', 'failed'] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

export interface Payout {
	payout_id: string;
	class: AssetClass;
	/** Code of the currency or coin. */
	code: string;
	amount: string;
	/** In the same currency or coin, debited with the amount. */
	fee: string;
	/** Alias of the settlement account or settlement wallet. */
	destination: string;
	status: PayoutStatus;
	/** Empty until a crypto payout is successful. */
	tx_hash: string;
	created_at: string;
}

export interface Attempt {
	at: string;
	url: string;
	durationMs: number;
	/** HTTP status of the answer; absent when there was none. */
	status?: number;
	/** The answer's body, cut to its first 2,000 characters. */
	answer?: string;
	/** Why there was no answer. */
	error?: string;
}

export interface DeliveryRecord {
	id: string;
	event: string;
	/** Exactly what is sent, each time. */
	body: string;
	created_at: string;
	/** `unsent`: there was no webhook URL. `failed`: every attempt was in vain. */
	status: 'unsent' | 'pending' | 'delivered' | 'failed';
	triesLeft: number;
	attempts: Attempt[];
}
