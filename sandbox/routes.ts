/** The endpoints by route, with their requests and responses: documented, or else from undocumented.ts. */
import type { z } from 'zod/v4';
import { CATALOG } from '../api/catalog.ts';
import type { Endpoint, EndpointId } from '../api/endpoints.ts';
import { UNDOCUMENTED } from '../api/shape.ts';
import type { ListShape, RecordShape } from '../api/shape.ts';
import { UNDOCUMENTED_SHAPES } from './undocumented.ts';
import type { UndocumentedId } from './undocumented.ts';
import { requestSchema } from './requests.ts';
import type { EndpointOf, WireRequest } from './wire.ts';

/** What a handler gets: the validated request, with amounts as plain decimals. */
export type RequestOf<Id extends EndpointId> = Id extends UndocumentedId
	? z.output<(typeof UNDOCUMENTED_SHAPES)[Id]['request']>
	: WireRequest<EndpointOf<Id>['request'], string>;

/** The shape of its response. */
export type ResponseShapeOf<Id extends EndpointId> = Id extends UndocumentedId
	? (typeof UNDOCUMENTED_SHAPES)[Id]['response']
	: EndpointOf<Id>['response'];

export interface Route {
	id: EndpointId;
	endpoint: Endpoint;
	/** Display name of its resource. */
	group: string;
	/** Whether the document does not show request and response. */
	undocumented: boolean;
	request: z.ZodType;
	response: RecordShape | ListShape;
}

/** `POST /v1/fiat_balance` -> its route. */
export const ROUTES = new Map<string, Route>(
	CATALOG.map(({ id, resourceName, ...endpoint }) => [
		endpoint.route,
		{ id, endpoint, group: resourceName, ...shapes(id, endpoint) },
	]),
);

function shapes(
	id: string,
	{ request, response }: Endpoint,
): Pick<Route, 'undocumented' | 'request' | 'response'> {
	return request === UNDOCUMENTED || response === UNDOCUMENTED
		? { undocumented: true, ...UNDOCUMENTED_SHAPES[id as UndocumentedId] }
		: { undocumented: false, request: requestSchema(request), response };
}
