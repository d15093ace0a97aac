/** The operations of the desk. A table: no logic but to find one. */
import { BOOK } from './bookOperations.ts';
import { PAYOUT_LIST } from './listOperations.ts';
import type { DeskOperation } from './operation/operation.ts';
import { SET_UP } from './workflowOperations.ts';

/** Names of the resources in the editor. */
export const DESK_RESOURCES = { payoutList: 'Payout List', book: 'Book', setUp: 'Set-Up' } as const;

/** By `resource.operation`. */
const DESK: Readonly<Record<`${keyof typeof DESK_RESOURCES}.${string}`, DeskOperation>> = {
	...PAYOUT_LIST,
	...BOOK,
	...SET_UP,
};

/** All operations with their identity, in the order of the table. */
export const DESK_OPERATIONS = Object.entries(DESK).map(([id, definition]) => {
	const [resource, operation] = id.split('.') as [keyof typeof DESK_RESOURCES, string];
	return {
		...definition,
		id,
		resource: resource as string,
		resourceName: DESK_RESOURCES[resource] as string,
		operation,
	};
});

const byId = new Map<string, DeskOperation>(Object.entries(DESK));

/** Throws an Error if there is none with this identity. */
export function deskOperationOf(id: string): DeskOperation {
	const found = byId.get(id);
	if (found === undefined) throw new Error(`There is no operation '${id}'`);
	return found;
}

export function isDeskOperation(id: string): boolean {
	return byId.has(id);
}
