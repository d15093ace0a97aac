/** Lists from which the user chooses a request field: where they come from and what they show. A table: no logic. */
import type { EndpointId } from './endpoints.ts';

export interface LookupSource {
	/** The endpoint that lists records. */
	readonly endpoint: EndpointId;
	/** The fields of a record with the values of choices; its alias if left out. */
	readonly values?: readonly string[];
	/** Lists bank accounts, so their currencies are fiat money. */
	readonly ofBanks?: true;
}

export interface Lookup {
	/** Where the choices come from. What one source cannot give, the others do. */
	readonly sources: readonly LookupSource[];
	/**
	 * Text of an entry; the value itself if left out. `{field}` stands for a field, `{field#}` for a number with grouped
	 * digits, `{now}` for the present time. An empty field is dropped together with its comma or brackets. n8n cuts an entry
	 * off after about 40 characters, so what people compare comes first: numbers and networks.
	 */
	readonly label?: string;
	/** A field that request and record have. They must agree, if both are known. */
	readonly sameAs?: string;
	/** Whether the service reviews the records: one that it has not approved comes last and is marked. */
	readonly reviewed?: true;
	/** Only codes of fiat money. One that a person types, and that no source has, counts if it has a balance. */
	readonly isFiat?: true;
	/** What it lists, in words. */
	readonly what: string;
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
		sources: [{ endpoint: 'instantLiquidity.getContracts', values: ['contractId'] }],
		// The field keeps this text, but the rate moves.
		label: '{from} -> {to} at {rate#}, {amountAvailable#} left (as of {now})',
		what: 'contracts',
		typed: 'ID',
	},
	currencies: {
		sources: [
			{ endpoint: 'rate.getAll', values: ['baseCurrency', 'quoteCurrency'] },
			{ endpoint: 'settlementAccount.getAll', values: ['currency'] },
		],
		what: 'currencies',
		typed: 'Code',
	},
	fiatCurrencies: {
		sources: [
			{ endpoint: 'rate.getAll', values: ['baseCurrency', 'quoteCurrency'] },
			{ endpoint: 'settlementAccount.getAll', values: ['currency'], ofBanks: true },
			{ endpoint: 'virtualAccount.getAll', values: ['currency'], ofBanks: true },
		],
		isFiat: true,
		what: 'currencies',
		typed: 'Code',
	},
	cryptoWallets: {
		sources: [{ endpoint: 'cryptoWallet.getAll' }],
		label: '{value} ({network}, {status})',
		what: 'crypto wallets',
		typed: 'Alias',
	},
	settlementAccounts: {
		sources: [{ endpoint: 'settlementAccount.getAll' }],
		label: '{value} ({accountNumber}, {currency}, {bankName}, {bank}, {status})',
		sameAs: 'currency',
		reviewed: true,
		what: 'settlement accounts',
		typed: 'Alias',
	},
	settlementWallets: {
		sources: [{ endpoint: 'settlementWallet.getAll' }],
		label: '{value} ({network}, {assetSupported}, {status})',
		reviewed: true,
		what: 'settlement wallets',
		typed: 'Alias',
	},
	virtualAccounts: {
		sources: [{ endpoint: 'virtualAccount.getAll' }],
		label: '{alias} ({accountNumber}, {bank})',
		what: 'virtual accounts',
		typed: 'Alias',
	},
} as const satisfies { readonly [name: string]: Lookup };

export type LookupName = keyof typeof LOOKUPS;
