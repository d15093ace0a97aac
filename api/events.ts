/** The kinds of webhook events ("Events"), in their order, without the field `event`, which each has. A table: no logic. */
import type { DescribedField, FieldKind } from './shape.ts';

/** Kinds of fields that say by themselves what the trigger does with them. */
type PlainKind = Exclude<FieldKind, 'id' | 'status' | 'code' | 'decimal' | 'number' | 'ownMoney' | 'money'>;

/** A field of this kind says its role, or that it has none: otherwise a filter or the identity of events would miss it in silence. */
interface FieldInRole<Kind extends FieldKind, Role extends DescribedField['role']> extends DescribedField {
	readonly kind: Kind;
	readonly role: Role | 'none';
}

export type EventField =
	| PlainKind
	| (DescribedField & { readonly kind: PlainKind; readonly role?: 'subject' | 'account' | 'txHash' })
	| FieldInRole<'id', 'id'>
	| FieldInRole<'status', 'status'>
	| FieldInRole<'code', 'currency'>
	| FieldInRole<'decimal' | 'number' | 'ownMoney', 'amount'>
	| FieldInRole<'money', 'fee'>;

export interface EventKind {
	/** Name in the editor, title case. */
	readonly name: string;
	/** When the service sends it. */
	readonly description: string;
	/** Whether the state of its subject may come back, and no id tells the deliveries apart. */
	readonly isReview?: true;
	readonly fields: { readonly [key: string]: EventField };
}

const id = { kind: 'id', role: 'id' } as const;
const status = { kind: 'status', role: 'status' } as const;
const subject = { kind: 'text', role: 'subject' } as const;
const currency = { kind: 'code', role: 'currency' } as const;
const amount = { kind: 'ownMoney', role: 'amount' } as const;
const account = { kind: 'text', role: 'account' } as const;
const fee = { kind: 'money', role: 'fee' } as const;
const txHash = { kind: 'text', role: 'txHash' } as const;

/** Read in every kind, even if the document shows none: the service may add attributes over time. */
export const IN_EVERY_KIND = { id, status } as const satisfies EventKind['fields'];

const received = { id, status, Business: 'text' } as const;

export const EVENTS = {
	settlement_wallet_update: {
		name: 'Settlement Wallet Update',
		description: 'A submitted settlement wallet was reviewed or updated',
		isReview: true,
		fields: {
			Alias: subject,
			Address: account,
			Network: account,
			'Asset Supported': { kind: 'list', name: 'supportedAssets', role: 'account' },
			status,
			Business: 'text',
		},
	},
	settlement_account_update: {
		name: 'Settlement Account Update',
		description: 'A fiat settlement account was reviewed or updated',
		isReview: true,
		fields: {
			Alias: subject,
			'Bank Name': { ...account, name: 'bank' },
			'Account Number': account,
			'Account Name': 'text',
			status,
			Business: 'text',
			'other details': 'text',
			Currency: currency,
		},
	},
	crypto_received: {
		name: 'Crypto Received',
		description: 'On-chain funds were detected on one of your wallets',
		fields: {
			...received,
			wallet_alias: account,
			wallet_address: account,
			tx_hash: txHash,
			coin: currency,
			Amount: amount,
			fee,
		},
	},
	virtual_account_created: {
		name: 'Virtual Account Created',
		description: 'A new fiat virtual account was issued',
		fields: {
			Alias: subject,
			Bank: account,
			'Account Number': account,
			'Account Name': 'text',
			'Merchant Associated': { kind: 'text', name: 'merchant' },
			Business: 'text',
			Currency: currency,
		},
	},
	virtual_account_credited: {
		name: 'Virtual Account Credited',
		description: 'A deposit landed in a virtual account',
		fields: {
			...received,
			currency,
			Amount: amount,
			'Account received alias': { ...account, name: 'accountAlias' },
			'Merchant Associated': { kind: 'text', name: 'merchant' },
			'Sender Bank': 'text',
			'Sender account name': { kind: 'text', isSender: true },
			'Sender account number': 'text',
		},
	},
	crypto_payout_update: {
		name: 'Crypto Payout Update',
		description: 'The status of a crypto payout changed',
		fields: {
			...received,
			coin: currency,
			'Amount sent': { ...amount, name: 'amount' },
			'Wallet received alias': { ...account, name: 'walletAlias' },
			fee,
			tx_hash: txHash,
		},
	},
	admin_funding: {
		name: 'Admin Funding',
		description: 'An administrator credited or debited a balance',
		fields: {
			...received,
			Asset: currency,
			Amount: amount,
			fee,
			'credit/debit': { kind: 'choice', name: 'direction' },
			'fiat/crypto': { kind: 'choice', name: 'assetClass' },
		},
	},
} as const satisfies { readonly [kind: string]: EventKind };

export type EventName = keyof typeof EVENTS;

export function isEventName(name: string): name is EventName {
	return Object.hasOwn(EVENTS, name);
}
