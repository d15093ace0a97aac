/** The types of requests and responses in the API, inferred from the tables. */
import type { ENDPOINTS, EndpointId } from '../api/endpoints.ts';
import type { UNDOCUMENTED } from '../api/shape.ts';

/** Type of the table's entry for an identity, with its literal values. */
export type EndpointOf<Id extends EndpointId> = (typeof ENDPOINTS)[Id];

export type Undocumented = typeof UNDOCUMENTED;

/** Type of a response. `N` is the type for a JSON number. */
export type Wire<S, N> = S extends Undocumented
	? unknown
	: S extends { listKey: infer K extends string; element: infer E }
		? { [key in K]: Array<Wire<E, N>> }
		: { [key in keyof S]: WireField<S[key], N> };

type WireField<F, N> = F extends 'number' | readonly [string, 'number']
	? N
	: F extends string | readonly unknown[]
		? string
		: Wire<F, N>;

/** Type of a request. `N` is the type for a JSON number. */
export type WireRequest<S, N> = S extends Undocumented
	? Record<string, unknown>
	: { [key in keyof S]: S[key] extends { kind: 'amount' | 'signedAmount' } ? N : string };
