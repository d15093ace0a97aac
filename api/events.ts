/**
 * The seven kinds of webhook events of the API document ("Events"), in its order.
 * Each key is exactly as sent, with its name and kind in an n8n item. Every event also has the field `event`, which no shape
 * repeats. A table: no logic.
 */
import type { FieldKind, RecordShape } from './shape.ts';

export interface EventKind {
	/** Name in the editor, title case. */
	readonly name: string;
	/** When the service sends it. */
	readonly description: string;
	/** Number of its output, which never changes, so that an event added later moves no wire: it takes the next number. */
	readonly output: number;
	/** The field with the name of what was reviewed. Its state may come back, and no id tells the deliveries apart. */
	readonly reviewed?: string;
	readonly fields: RecordShape;
}

const received = {
	id: ['id', 'text'],
	status: ['status', 'status'],
	Business: ['business', 'text'],
} as const;

const amount = ['amount', 'decimal'] as const satisfies readonly [string, FieldKind];

export const EVENTS = {
	settlement_wallet_update: {
		name: 'Settlement Wallet Update',
		description: 'A submitted settlement wallet was reviewed or updated',
		output: 0,
		reviewed: 'Alias',
		fields: {
			Alias: ['alias', 'text'],
			Address: ['address', 'text'],
			Network: ['network', 'text'],
			'Asset Supported': ['supportedAssets', 'list'],
			status: ['status', 'status'],
			Business: ['business', 'text'],
		},
	},
	settlement_account_update: {
		name: 'Settlement Account Update',
		description: 'A fiat settlement account was reviewed or updated',
		output: 1,
		reviewed: 'Alias',
		fields: {
			Alias: ['alias', 'text'],
			'Bank Name': ['bank', 'text'],
			'Account Number': ['accountNumber', 'text'],
			'Account Name': ['accountName', 'text'],
			status: ['status', 'status'],
			Business: ['business', 'text'],
			'other details': ['otherDetails', 'text'],
			Currency: ['currency', 'code'],
		},
	},
	crypto_received: {
		name: 'Crypto Received',
		description: 'On-chain funds were detected on one of your wallets',
		output: 2,
		fields: {
			...received,
			wallet_alias: ['walletAlias', 'text'],
			wallet_address: ['walletAddress', 'text'],
			tx_hash: ['txHash', 'text'],
			coin: ['coin', 'code'],
			Amount: amount,
			fee: ['fee', 'money'],
		},
	},
	virtual_account_created: {
		name: 'Virtual Account Created',
		description: 'A new fiat virtual account was issued',
		output: 3,
		fields: {
			Alias: ['alias', 'text'],
			Bank: ['bank', 'text'],
			'Account Number': ['accountNumber', 'text'],
			'Account Name': ['accountName', 'text'],
			'Merchant Associated': ['merchant', 'text'],
			Business: ['business', 'text'],
			Currency: ['currency', 'code'],
		},
	},
	virtual_account_credited: {
		name: 'Virtual Account Credited',
		description: 'A deposit landed in a virtual account',
		output: 4,
		fields: {
			...received,
			currency: ['currency', 'code'],
			Amount: amount,
			'Account received alias': ['accountAlias', 'text'],
			'Merchant Associated': ['merchant', 'text'],
			'Sender Bank': ['senderBank', 'text'],
			'Sender account name': ['senderAccountName', 'text'],
			'Sender account number': ['senderAccountNumber', 'text'],
		},
	},
	crypto_payout_update: {
		name: 'Crypto Payout Update',
		description: 'The status of a crypto payout changed',
		output: 5,
		fields: {
			...received,
			coin: ['coin', 'code'],
			'Amount sent': amount,
			'Wallet received alias': ['walletAlias', 'text'],
			fee: ['fee', 'money'],
			tx_hash: ['txHash', 'text'],
		},
	},
	admin_funding: {
		name: 'Admin Funding',
		description: 'An administrator credited or debited a balance',
		output: 6,
		fields: {
			...received,
			Asset: ['asset', 'code'],
			Amount: amount,
			fee: ['fee', 'money'],
			'credit/debit': ['direction', { oneOf: ['credit', 'debit'] }],
			'fiat/crypto': ['assetClass', { oneOf: ['fiat', 'crypto'] }],
		},
	},
} as const satisfies { readonly [kind: string]: EventKind };

export type EventName = keyof typeof EVENTS;

export function isEventName(name: string): name is EventName {
	return Object.hasOwn(EVENTS, name);
}
