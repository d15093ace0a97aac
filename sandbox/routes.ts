/** The 23 endpoints by their routes, with what each takes and gives: the document's where it shows it, else made up. */
import type { z } from 'zod/v4';
import { CATALOG } from '../api/catalog.ts';
import type { Endpoint, EndpointId, EndpointOf } from '../api/endpoints.ts';
import { UNDOCUMENTED } from '../api/shape.ts';
import type { ListShape, RecordShape, WireRequest } from '../api/shape.ts';
import { UNDOCUMENTED_SHAPES } from './undocumented.ts';
import type { UndocumentedId } from './undocumented.ts';
import { requestSchema } from './requests.ts';

/** What a handler gets: the checked request, with amounts as plain decimals. */
export type RequestOf<Id extends EndpointId> = Id extends UndocumentedId
	? z.output<(typeof UNDOCUMENTED_SHAPES)[Id]['request']>
	: WireRequest<EndpointOf<Id>['request'], string>;

/** What its answer looks like. */
export type ResponseShapeOf<Id extends EndpointId> = Id extends UndocumentedId
	? (typeof UNDOCUMENTED_SHAPES)[Id]['response']
	: EndpointOf<Id>['response'];

export interface Route {
	id: EndpointId;
	endpoint: Endpoint;
	/** The name of its resource. */
	group: string;
	/** Whether request and response are not the document's. */
	undocumented: boolean;
	request: z.ZodType;
	response: RecordShape | ListShape;
}

/** `POST /v1/fiat_balance` -> its route. */
export const ROUTES = new Map<string, Route>(
	CATALOG.map(({ id, endpoint, resourceName }) => [
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
