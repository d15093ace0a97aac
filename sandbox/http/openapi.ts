/** The OpenAPI 3.1 document, derived from the tables that the sandbox runs on. */
import { z } from 'zod/v4';
import { EVENTS } from '../../api/events.ts';
import type { EventName } from '../../api/events.ts';
import { fieldOf, isField, isList, UNDOCUMENTED } from '../../api/shape.ts';
import type { FieldKind, ListShape, RecordShape } from '../../api/shape.ts';
import { ROUTES } from './routes.ts';
import type { Route } from './routes.ts';
import { SAMPLES } from './samples.ts';
import { UNDOCUMENTED_NOTE } from './undocumented.ts';

type Json = Record<string, unknown>;

const DESCRIPTION = `A sandbox of the wallet service: no real money. Every request under /v1 has three headers: x-svc-key,
x-svc-timestamp (Unix milliseconds, at most 300 seconds from now) and x-svc-signature. The signature is the HMAC-SHA256 of
timestamp, method, path and body, joined without separators, in lower-case hex. Its key is the secret that the sandbox
prints. The API document shows no signature and no error body, so both are invented here.`;

const TEXT = { type: 'string' };

/** The schemas of fields as sent, where they are not just text. Words may come in any case, so they are text too. */
const FIELDS: Partial<Record<FieldKind, Json>> = {
	number: { type: 'number' },
	decimal: { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' },
	time: { type: 'string', format: 'date-time' },
};

const REFUSED = object({ error: object({ code: TEXT, message: TEXT, field: TEXT }, ['code', 'message']) });

/** The whole document. `origin` is the base URL of the sandbox. */
export function openApi(origin: string): Json {
	const headers = ['key', 'signature', 'timestamp'];
	const apiKey = (name: string): Json => ({ type: 'apiKey', in: 'header', name: `x-svc-${name}` });
	return {
		openapi: '3.1.0',
		info: { title: 'Wallet service (sandbox)', version: '1', description: DESCRIPTION.replaceAll('\n', ' ') },
		servers: [{ url: origin }],
		security: [Object.fromEntries(headers.map((name) => [name, []]))],
		paths: Object.fromEntries([...ROUTES.values()].map(endpoint)),
		webhooks: Object.fromEntries(Object.keys(EVENTS).map((event) => [event, webhook(event as EventName)])),
		components: {
			securitySchemes: Object.fromEntries(headers.map((name) => [name, apiKey(name)])),
			responses: { Refused: { description: 'Refused. Status and body are invented.', ...json(REFUSED) } },
		},
	};
}

/** Path and operation. No two routes have one path. */
function endpoint({ operation, schema }: Route): [path: string, Json] {
	const { id, method, path, resourceName, action, description, response } = operation;
	const isDocumented = response !== UNDOCUMENTED;
	const request = jsonSchemaOf(schema);
	const required = (request.required ?? []).length > 0;
	const described = {
		operationId: id,
		tags: [resourceName],
		summary: action,
		description: isDocumented ? description : `${description}. ${UNDOCUMENTED_NOTE}`,
		...(method === 'GET' ? {} : { requestBody: { required, ...json(request) } }),
		responses: {
			200: {
				description: 'Done',
				...json(isDocumented ? responseSchema(response) : object({})),
			},
			'4XX': { $ref: '#/components/responses/Refused' },
		},
	};
	return [path, { [method.toLowerCase()]: described }];
}

function webhook(event: EventName): Json {
	const { description, fields } = EVENTS[event];
	const schema = { ...recordSchema(fields, { event: { const: event } }), examples: [SAMPLES[event]] };
	return {
		post: {
			operationId: `webhook.${event}`,
			summary: description,
			security: [],
			requestBody: { required: true, ...json(schema) },
			responses: { '2XX': { description: 'Received. Otherwise there are up to 3 retries.' } },
		},
	};
}

function json(schema: Json): Json {
	return { content: { 'application/json': { schema } } };
}

/** The JSON Schema of what a validating schema accepts. */
function jsonSchemaOf(request: z.ZodType): z.core.JSONSchema.BaseSchema {
	const { $schema, ...schema } = z.toJSONSchema(request, {
		io: 'input',
		unrepresentable: 'any',
		// zod omits examples of transformed values, because they may show the output. Ours show the input.
		override: ({ zodSchema, jsonSchema }) => {
			const { examples } = z.globalRegistry.get(zodSchema) ?? {};
			if (examples !== undefined) jsonSchema.examples = examples as unknown[];
		},
	});
	return schema;
}

function responseSchema(shape: RecordShape | ListShape): Json {
	if (!isList(shape)) return recordSchema(shape);
	return object({ [shape.listKey]: { type: 'array', items: recordSchema(shape.element) } });
}

function recordSchema(shape: RecordShape, more: Json = {}): Json {
	const schemas = Object.entries(shape).map(([key, entry]): [string, Json] => [
		key,
		isField(entry) ? (FIELDS[fieldOf(key, entry)[1]] ?? TEXT) : recordSchema(entry.record),
	]);
	return object({ ...more, ...Object.fromEntries(schemas) });
}

/** Allows unknown fields, because the document requires receivers to ignore them. */
function object(properties: Json, required = Object.keys(properties)): Json {
	return { type: 'object', properties, required };
}
