/** Looks up endpoints in the table (endpoints.ts) by their identity, `resource.operation`. Names no endpoint. */
import { ENDPOINTS, RESOURCES } from './endpoints.ts';
import type { Endpoint, EndpointId } from './endpoints.ts';
import { isList, UNDOCUMENTED } from './shape.ts';
import type { MoneyRole, RequestShape } from './shape.ts';

/** All operations, in the order of the table: each endpoint with its identity, and its route split into method and path. */
export const CATALOG = Object.entries<Endpoint>(ENDPOINTS).map(([id, endpoint]) => {
	const [resource, operation] = id.split('.') as [keyof typeof RESOURCES, string];
	const [method, path] = endpoint.route.split(' ') as ['GET' | 'POST', string];
	const resourceName: string = RESOURCES[resource];
	return {
		...endpoint,
		id: id as EndpointId,
		resource: resource as string,
		resourceName,
		operation,
		method,
		path,
	};
});

/** An endpoint, or what the node makes of one under an identity of its own. */
export type Operation = Omit<(typeof CATALOG)[number], 'id'> & { id: string };

/** The operation with this identity. Throws an Error if there is none. */
export function getOperation(id: string): Operation {
	const found = CATALOG.find((each) => each.id === id);
	if (found === undefined) throw new Error(`There is no operation '${id}'`);
	return found;
}

/** Whether the response holds a list of records, each of which becomes an item. */
export function returnsMany({ response, lists }: Endpoint): boolean {
	return lists === true || (response !== UNDOCUMENTED && isList(response));
}

/** The fields that a request has, or is likely to have if the document does not show it. */
export function requestFieldsOf({ request, suggestedFields = {} }: Endpoint): RequestShape {
	return request === UNDOCUMENTED ? suggestedFields : request;
}

/** Names of the fields of a request by what they say about the money: `{ amount: 'amount', destination: 'account_alias', … }`. */
export type MoneyFields = { readonly [Role in MoneyRole]?: string };

/** Empty for an operation that moves no money. */
export function moneyFieldsOf(endpoint: Endpoint): MoneyFields {
	const names: { [Role in MoneyRole]?: string } = {};
	for (const [name, { roles = [] }] of Object.entries(requestFieldsOf(endpoint))) {
		for (const role of roles) names[role] = name;
	}
	return names;
}

export function movesMoney(endpoint: Endpoint): boolean {
	return Object.values(requestFieldsOf(endpoint)).some(({ roles }) => roles !== undefined);
}

/** Whether a call changes something at the service, so that a second one is not the same as one. */
export function isChange(endpoint: Endpoint): boolean {
	return movesMoney(endpoint) || endpoint.changes === true;
}
