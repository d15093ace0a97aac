/** Lists from which the user chooses a request field: where they come from and what they show. A table: no logic. */
import type { EndpointId } from './endpoints.ts';

export interface Lookup {
	/** The endpoint that lists the choices. */
	readonly endpoint: EndpointId;
	/** Fields of a simplified record; each gives one choice. An inner list holds alternative names; the first present one counts. */
	readonly values: ReadonlyArray<readonly string[]>;
	/**
	 * Text of an entry; the value itself if left out. `{field}` stands for a field, `{field#}` for a number with grouped
	 * digits. An empty field is dropped together with its comma or brackets.
	 */
	readonly label?: string;
	/** Name of the mode in which the user types the value. Stored workflows hold it in lower case. */
	readonly typed: 'ID' | 'Code' | 'Alias';
}

export const LOOKUPS = {
	contracts: {
		endpoint: 'instantLiquidity.getContracts',
		values: [['contractId']],
		label: '{from} -> {to} at {rate#}, {amountAvailable#} left',
		typed: 'ID',
	},
	currencies: {
		endpoint: 'rate.getAll',
		values: [['baseCurrency'], ['quoteCurrency']],
		typed: 'Code',
	},
	// The document does not show these records, so these names are likely ones. If none matches, the user types the alias.
	settlementAccounts: {
		endpoint: 'settlementAccount.getAll',
		values: [['alias', 'accountAlias', 'name']],
		label: '{value} ({bankName}, {bank}, {accountNumber}, {status})',
		typed: 'Alias',
	},
	virtualAccounts: {
		endpoint: 'virtualAccount.getAll',
		values: [['alias']],
		label: '{alias} ({bank}, {accountNumber})',
		typed: 'Alias',
	},
} as const satisfies { readonly [name: string]: Lookup };

export type LookupName = keyof typeof LOOKUPS;
