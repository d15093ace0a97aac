/** The endpoints by route, with their requests and responses: documented, or else from undocumented.ts. */
import type { z } from 'zod/v4';
import { CATALOG } from '../api/catalog.ts';
import type { Operation } from '../api/catalog.ts';
import type { ENDPOINTS, EndpointId } from '../api/endpoints.ts';
import { UNDOCUMENTED } from '../api/shape.ts';
import type { ListShape, RecordShape } from '../api/shape.ts';
import { UNDOCUMENTED_SHAPES } from './undocumented.ts';
import type { UndocumentedId } from './undocumented.ts';
import { requestSchema } from './requests.ts';

/** What a handler gets: the validated request, with amounts as plain decimals. */
export type RequestOf<Id extends EndpointId> = Id extends UndocumentedId
	? z.output<(typeof UNDOCUMENTED_SHAPES)[Id]['request']>
	: { [key in keyof (typeof ENDPOINTS)[Id]['request']]: string };

export interface Route {
	operation: Operation;
	/** Whether the document does not show request and response. */
	undocumented: boolean;
	request: z.ZodType;
	response: RecordShape | ListShape;
}

/** `POST /v1/fiat_balance` -> its route. */
export const ROUTES = new Map<string, Route>(
	CATALOG.map((operation) => [operation.route, routeOf(operation)]),
);

function routeOf(operation: Operation): Route {
	const { id, request, response } = operation;
	return request === UNDOCUMENTED || response === UNDOCUMENTED
		? { operation, undocumented: true, ...UNDOCUMENTED_SHAPES[id as UndocumentedId] }
		: { operation, undocumented: false, request: requestSchema(request), response };
}
