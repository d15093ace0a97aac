/** Lists from which a request field can be chosen: where they come from and how an entry reads. A table: no logic. */
import type { EndpointId } from './endpoints.ts';

export interface Lookup {
	/** The endpoint that lists the choices. */
	readonly endpoint: EndpointId;
	/** Fields of a simplified record with a choice each. Of several names for one field the first that is there counts. */
	readonly values: ReadonlyArray<readonly string[]>;
	/**
	 * What an entry shows; `{field}` is filled in, `{field#}` with its digits grouped, and what has nothing to show falls
	 * away with its comma or brackets. Left out: the value itself.
	 */
	readonly label?: string;
	/** What a choice is called where it is typed instead. Stored workflows hold it in lower case. */
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
	// The document does not show these records: likely names, and typing where none fits.
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
