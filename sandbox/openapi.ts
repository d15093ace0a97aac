/** The OpenAPI 3.1 document, derived from the tables that the sandbox runs on. */
import { z } from 'zod/v4';
import { EVENTS } from '../api/events.ts';
import { fieldOf, isField, isList } from '../api/shape.ts';
import type { FieldKind, ListShape, RecordShape } from '../api/shape.ts';
import { ROUTES } from './routes.ts';
import type { Route } from './routes.ts';
import { SAMPLES } from './samples.ts';
import { UNDOCUMENTED_NOTE } from './undocumented.ts';

type Json = Record<string, unknown>;

const DESCRIPTION = `A sandbox of the wallet service: no real money. Every request under /v1 has three headers: x-svc-key,
x-svc-timestamp (Unix milliseconds, at most 300 seconds from now) and x-svc-signature. The signature is the HMAC-SHA256 of
timestamp, method, path and body, joined without separators, in lower-case hex. Its key is the secret that the sandbox
prints. The API document shows no signature and no error body, so both are invented here.`;

const REFUSED = z.object({
	error: z.object({ code: z.string(), message: z.string(), field: z.string().optional() }),
});

/** The whole document. `origin` is the base URL of the sandbox. */
export function openApi(origin: string): Json {
	const routes = [...ROUTES.values()];
	return {
		openapi: '3.1.0',
		info: { title: 'Wallet service (sandbox)', version: '1', description: DESCRIPTION.replaceAll('\n', ' ') },
		servers: [{ url: origin }],
		security: [{ key: [], signature: [], timestamp: [] }],
		tags: [...new Set(routes.map(({ group }) => group))].map((name) => ({ name })),
		paths: Object.fromEntries(routes.map(endpoint)),
		webhooks: Object.fromEntries(
			Object.entries(EVENTS).map(([event, kind]) => [event, webhook(event, kind)]),
		),
		components: {
			securitySchemes: {
				key: { type: 'apiKey', in: 'header', name: 'x-svc-key' },
				signature: { type: 'apiKey', in: 'header', name: 'x-svc-signature' },
				timestamp: { type: 'apiKey', in: 'header', name: 'x-svc-timestamp' },
			},
			responses: {
				Refused: {
					description: 'Refused. Status and body are invented.',
					content: json(jsonSchemaOf(REFUSED)),
				},
			},
		},
	};
}

/** Path and operation. No two routes have one path. */
function endpoint({ id, endpoint, group, undocumented, request, response }: Route): [string, Json] {
	const [method = '', path = ''] = endpoint.route.split(' ');
	const schema = schemaOf(response);
	const operation = {
		operationId: id,
		tags: [group],
		summary: endpoint.action,
		description: undocumented ? `${endpoint.description}. ${UNDOCUMENTED_NOTE}` : endpoint.description,
		...(method === 'GET' ? {} : body(request)),
		responses: {
			200: { description: 'Done', content: json(undocumented ? withNote(schema) : schema) },
			'4XX': { $ref: '#/components/responses/Refused' },
		},
	};
	return [path, { [method.toLowerCase()]: operation }];
}

function webhook(event: string, { description, fields }: (typeof EVENTS)[keyof typeof EVENTS]): Json {
	const { properties, required } = recordSchema(fields);
	const schema = {
		type: 'object',
		properties: { event: { const: event }, ...properties },
		required: ['event', ...required],
		examples: [SAMPLES[event as keyof typeof SAMPLES]],
	};
	return {
		post: {
			operationId: `webhook.${event}`,
			summary: description,
			security: [],
			requestBody: { required: true, content: json(schema) },
			responses: {
				'2XX': { description: 'Received. Any other response, or none, leads to up to 3 retries.' },
			},
		},
	};
}

function json(schema: Json): Json {
	return { 'application/json': { schema } };
}

function body(request: z.ZodType): Json {
	const schema = jsonSchemaOf(request);
	return { requestBody: { required: (schema.required ?? []).length > 0, content: json(schema) } };
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

const TEXT = { type: 'string' };

interface ObjectSchema extends Json {
	properties: Json;
	required: string[];
}

function schemaOf(shape: RecordShape | ListShape): ObjectSchema {
	if (!isList(shape)) return recordSchema(shape);
	const results = { type: 'array', items: recordSchema(shape.element) };
	return { type: 'object', properties: { [shape.listKey]: results }, required: [shape.listKey] };
}

/** Allows unknown fields everywhere, because the document requires receivers to ignore them. */
function recordSchema(shape: RecordShape): ObjectSchema {
	const properties = Object.entries(shape).map(([key, entry]): [string, Json] => [
		key,
		isField(entry) ? FIELD_SCHEMAS[fieldOf(key, entry)[1]] : recordSchema(entry),
	]);
	return { type: 'object', properties: Object.fromEntries<Json>(properties), required: Object.keys(shape) };
}

function withNote({ properties, ...schema }: ObjectSchema): Json {
	return { ...schema, properties: { ...properties, sandbox_note: TEXT } };
}

/** The schema of each kind of field as sent. The compiler asks for an entry for every kind. */
const FIELD_SCHEMAS: Record<FieldKind, Json> = {
	text: TEXT,
	code: TEXT,
	status: TEXT,
	number: { type: 'number' },
	decimal: { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' },
	money: TEXT,
	list: TEXT,
	time: { type: 'string', format: 'date-time' },
	// The words may come in any case, so the schema does not list them.
	choice: TEXT,
};
