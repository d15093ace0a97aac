/** Lists from which the user chooses a request field: where they come from and what they show. A table: no logic. */
import type { EndpointId } from './endpoints.ts';

export interface Lookup {
	/** The endpoint that lists the choices. */
	readonly endpoint: EndpointId;
	/** The field with the value of a choice; the record's alias if left out. */
	readonly value?: string;
	/**
	 * Text of an entry; the value itself if left out. `{field}` stands for a field, `{field#}` for a number with grouped
	 * digits, `{now}` for the present time. An empty field is dropped together with its comma or brackets. n8n cuts an entry
	 * off after about 40 characters, so what decides comes first.
	 */
	readonly label?: string;
	/** A field that request and record have. They must agree, if both are known. */
	readonly sameAs?: string;
	/** Whether the service reviews the records: one that it has not approved comes last and is marked. */
	readonly reviewed?: true;
	/** Name of the mode in which the user types the value. Stored workflows hold it in lower case. */
	readonly typed: 'ID' | 'Code' | 'Alias';
}

/** Where a record has its alias, as the documented resources and events have it. The first present field counts. */
export const ALIAS_FIELDS = ['alias', 'accountAlias', 'walletAlias', 'name'];

/** Whether a payout destination can be used: by the document's own word, or one that may mean the same. */
export function isApproved(status: unknown): boolean {
	return typeof status !== 'string' || /^(whitelisted|approved|active|ok)$/i.test(status.trim());
}

export const LOOKUPS = {
	contracts: {
		endpoint: 'instantLiquidity.getContracts',
		value: 'contractId',
		// The field keeps this text, but the rate moves.
		label: '{from} -> {to} at {rate#}, {amountAvailable#} left (as of {now})',
		typed: 'ID',
	},
	currencies: { endpoint: 'settlementAccount.getAll', value: 'currency', typed: 'Code' },
	cryptoWallets: { endpoint: 'cryptoWallet.getAll', label: '{value} ({network}, {status})', typed: 'Alias' },
	settlementAccounts: {
		endpoint: 'settlementAccount.getAll',
		label: '{value} ({currency}, {status}, {bankName}, {bank}, {accountNumber})',
		sameAs: 'currency',
		reviewed: true,
		typed: 'Alias',
	},
	settlementWallets: {
		endpoint: 'settlementWallet.getAll',
		label: '{value} ({assetSupported}, {status}, {network})',
		reviewed: true,
		typed: 'Alias',
	},
	virtualAccounts: {
		endpoint: 'virtualAccount.getAll',
		label: '{alias} ({bank}, {accountNumber})',
		typed: 'Alias',
	},
} as const satisfies { readonly [name: string]: Lookup };

export type LookupName = keyof typeof LOOKUPS;
