/** The operations of the desk. A table: no logic but to find one. */
import { BOOK_OPERATIONS } from './bookOperations.ts';
import { LIST_OPERATIONS } from './listOperations.ts';
import type { DeskOperation } from './operation/operation.ts';
import { WORKFLOW_OPERATIONS } from './workflowOperations.ts';

/** Names of the resources in the editor. */
export const DESK_RESOURCES = { list: 'Payout List', book: 'Book', workflows: 'Workflow' } as const;

/** By `resource.operation`. */
const DESK: Readonly<Record<`${keyof typeof DESK_RESOURCES}.${string}`, DeskOperation>> = {
	...LIST_OPERATIONS,
	...BOOK_OPERATIONS,
	...WORKFLOW_OPERATIONS,
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
