/**
 * The kinds of webhook events of the API document ("Events"), in its order. A table: no logic. Every event also has the field
 * `event`, which no shape repeats.
 */
import type { Field } from './shape.ts';

export interface EventKind {
	/** Name in the editor, title case. */
	readonly name: string;
	/** When the service sends it. */
	readonly description: string;
	/** The field with the name of what was reviewed. Its state may come back, and no id tells the deliveries apart. */
	readonly reviewed?: string;
	readonly fields: { readonly [key: string]: Field };
}

const received = { id: 'text', status: 'status', Business: 'text' } as const;

export const EVENTS = {
	settlement_wallet_update: {
		name: 'Settlement Wallet Update',
		description: 'A submitted settlement wallet was reviewed or updated',
		reviewed: 'Alias',
		fields: {
			Alias: 'text',
			Address: 'text',
			Network: 'text',
			'Asset Supported': ['supportedAssets', 'list'],
			status: 'status',
			Business: 'text',
		},
	},
	settlement_account_update: {
		name: 'Settlement Account Update',
		description: 'A fiat settlement account was reviewed or updated',
		reviewed: 'Alias',
		fields: {
			Alias: 'text',
			'Bank Name': ['bank', 'text'],
			'Account Number': 'text',
			'Account Name': 'text',
			status: 'status',
			Business: 'text',
			'other details': 'text',
			Currency: 'code',
		},
	},
	crypto_received: {
		name: 'Crypto Received',
		description: 'On-chain funds were detected on one of your wallets',
		fields: {
			...received,
			wallet_alias: 'text',
			wallet_address: 'text',
			tx_hash: 'text',
			coin: 'code',
			Amount: 'decimal',
			fee: 'money',
		},
	},
	virtual_account_created: {
		name: 'Virtual Account Created',
		description: 'A new fiat virtual account was issued',
		fields: {
			Alias: 'text',
			Bank: 'text',
			'Account Number': 'text',
			'Account Name': 'text',
			'Merchant Associated': ['merchant', 'text'],
			Business: 'text',
			Currency: 'code',
		},
	},
	virtual_account_credited: {
		name: 'Virtual Account Credited',
		description: 'A deposit landed in a virtual account',
		fields: {
			...received,
			currency: 'code',
			Amount: 'decimal',
			'Account received alias': ['accountAlias', 'text'],
			'Merchant Associated': ['merchant', 'text'],
			'Sender Bank': 'text',
			'Sender account name': 'text',
			'Sender account number': 'text',
		},
	},
	crypto_payout_update: {
		name: 'Crypto Payout Update',
		description: 'The status of a crypto payout changed',
		fields: {
			...received,
			coin: 'code',
			'Amount sent': ['amount', 'decimal'],
			'Wallet received alias': ['walletAlias', 'text'],
			fee: 'money',
			tx_hash: 'text',
		},
	},
	admin_funding: {
		name: 'Admin Funding',
		description: 'An administrator credited or debited a balance',
		fields: {
			...received,
			Asset: 'code',
			Amount: 'decimal',
			fee: 'money',
			'credit/debit': ['direction', 'choice'],
			'fiat/crypto': ['assetClass', 'choice'],
		},
	},
} as const satisfies { readonly [kind: string]: EventKind };

export type EventName = keyof typeof EVENTS;

export function isEventName(name: string): name is EventName {
	return Object.hasOwn(EVENTS, name);
}
