/** The endpoints by route, with the schemas of their requests: documented, or else from undocumented.ts. */
import type { z } from 'zod/v4';
import { CATALOG } from '../../api/catalog.ts';
import type { ENDPOINTS, EndpointId } from '../../api/endpoints.ts';
import { UNDOCUMENTED } from '../../api/shape.ts';
import { requestSchema } from './requests.ts';
import { UNDOCUMENTED_REQUESTS } from './undocumented.ts';
import type { UndocumentedId } from './undocumented.ts';

/** What a handler gets: the validated request, with amounts as plain decimals. */
export type RequestOf<Id extends EndpointId> = Id extends UndocumentedId
	? z.output<(typeof UNDOCUMENTED_REQUESTS)[Id]>
	: { [key in keyof (typeof ENDPOINTS)[Id]['request']]: string };

type CatalogEntry = (typeof CATALOG)[number];

export interface Route {
	operation: CatalogEntry;
	schema: z.ZodType;
}

/** `POST /v1/fiat_balance` -> its route. */
export const ROUTES = new Map<string, Route>(
	CATALOG.map((operation) => {
		const { id, request, route } = operation;
		const isDocumented = request !== UNDOCUMENTED;
		const schema = isDocumented ? requestSchema(request) : UNDOCUMENTED_REQUESTS[id as UndocumentedId];
		return [route, { operation, schema }];
	}),
);
