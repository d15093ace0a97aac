/** The operations that send requests: the endpoints of the service, and what the node makes of some of them. */
import { CATALOG, getOperation } from '../../../api/catalog.ts';
import type { Operation } from '../../../api/catalog.ts';
import { CONVERT_AT_RATE } from './convertAtRate.ts';
import { PAY_LIST } from './payList.ts';

/** All of them, in the order of the form. */
export const OPERATIONS: readonly Operation[] = [...CATALOG, CONVERT_AT_RATE, PAY_LIST];

/** The operation with this identity. Throws an Error if there is none. */
export function operationWithId(id: string): Operation {
	return OPERATIONS.find((each) => each.id === id) ?? getOperation(id);
}
