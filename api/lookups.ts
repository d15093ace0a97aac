/** Lists from which the user chooses a request field: where they come from and what they show. A table: no logic. */
import type { EndpointId } from './endpoints.ts';

export interface LookupSource {
	/** The endpoint that lists the choices. */
	readonly endpoint: EndpointId;
	/** Each inner list is one choice of a record: alternative names of its field, of which the first present one counts. */
	readonly values: ReadonlyArray<readonly string[]>;
}

export interface Lookup {
	/** The choices of all are offered. A source that fails is left out. */
	readonly sources: readonly LookupSource[];
	/**
	 * Text of an entry; the value itself if left out. `{field}` stands for a field, `{field#}` for a number with grouped
	 * digits, `{now}` for the present time. An empty field is dropped together with its comma or brackets. n8n cuts an entry
	 * off after about 40 characters, so what decides comes first.
	 */
	readonly label?: string;
	/** A request field and the field of a record that must agree with it, if both are known. */
	readonly sameAs?: { readonly request: string; readonly record: string };
	/** Whether the service reviews the records: one that it has not approved comes last and is marked. */
	readonly reviewed?: true;
	/** Name of the mode in which the user types the value. Stored workflows hold it in lower case. */
	readonly typed: 'ID' | 'Code' | 'Alias';
}

/** The record's name for itself, as the documented resources and events have it. The first present one counts. */
const ALIAS = [['alias', 'accountAlias', 'walletAlias', 'name']] as const;

/** Whether a payout destination can be used: by the document's own word, or one that may mean the same. */
export function isApproved(status: unknown): boolean {
	return typeof status !== 'string' || /^(whitelisted|approved|active|ok)$/i.test(status.trim());
}

export const LOOKUPS = {
	contracts: {
		sources: [{ endpoint: 'instantLiquidity.getContracts', values: [['contractId']] }],
		// The field keeps this text, but the rate moves.
		label: '{from} -> {to} at {rate#}, {amountAvailable#} left (as of {now})',
		typed: 'ID',
	},
	currencies: {
		sources: [{ endpoint: 'settlementAccount.getAll', values: [['currency']] }],
		typed: 'Code',
	},
	cryptoWallets: {
		sources: [{ endpoint: 'cryptoWallet.getAll', values: ALIAS }],
		label: '{value} ({network}, {status})',
		typed: 'Alias',
	},
	settlementAccounts: {
		sources: [{ endpoint: 'settlementAccount.getAll', values: ALIAS }],
		label: '{value} ({currency}, {status}, {bankName}, {bank}, {accountNumber})',
		sameAs: { request: 'currency', record: 'currency' },
		reviewed: true,
		typed: 'Alias',
	},
	settlementWallets: {
		sources: [{ endpoint: 'settlementWallet.getAll', values: ALIAS }],
		label: '{value} ({assetSupported}, {status}, {network})',
		reviewed: true,
		typed: 'Alias',
	},
	virtualAccounts: {
		sources: [{ endpoint: 'virtualAccount.getAll', values: [['alias']] }],
		label: '{alias} ({bank}, {accountNumber})',
		typed: 'Alias',
	},
} as const satisfies { readonly [name: string]: Lookup };

export type LookupName = keyof typeof LOOKUPS;
