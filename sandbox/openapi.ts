/** The contract as an OpenAPI 3.1 document, made from the same tables that the sandbox runs on. */
import { z } from 'zod/v4';
import { EVENTS } from '../api/events.ts';
import { isField, isList } from '../api/shape.ts';
import type { FieldKind, ListShape, RecordShape } from '../api/shape.ts';
import { CONTROLS } from './controls.ts';
import { ROUTES } from './routes.ts';
import type { Route } from './routes.ts';
import { SAMPLES } from './samples.ts';

type Json = Record<string, unknown>;

const ABOUT = `A sandbox of the wallet service: no real money. Every request under /v1 carries three headers: x-svc-key,
x-svc-timestamp (Unix milliseconds, at most 300 seconds away) and x-svc-signature, the HMAC-SHA256, in lower-case hex
and keyed with the secret that the sandbox prints, of timestamp, method, path and body, one after the other with nothing
between them. The document of the service shows no signature and no error body: those here are made up.`;

const UNDOCUMENTED_NOTE = 'The document gives this endpoint’s name only; request and response are made up.';

const CONTROL_TAG = 'Sandbox controls';

/** What a call gives that another one takes: the names of operations, and expressions of OpenAPI ("Runtime Expressions"). */
const LINKS: Record<string, Json> = {
	'instantLiquidity.convert': {
		transaction: {
			operationId: 'instantLiquidity.getTransaction',
			requestBody: { id: '$response.body#/transaction_id' },
		},
	},
	'cryptoWallet.createPayout': {
		settle: { operationId: 'post.payouts.id', parameters: { id: '$response.body#/payout_id' } },
	},
	'post.events': {
		again: { operationId: 'post.deliveries.id.redeliver', parameters: { id: '$response.body#/id' } },
	},
};

/** The whole document; `origin` is where the sandbox is reached. */
export function openApi(origin: string): Json {
	return {
		openapi: '3.1.0',
		info: { title: 'Wallet service (sandbox)', version: '1', description: ABOUT.replaceAll('\n', ' ') },
		servers: [{ url: origin }],
		security: [{ key: [], signature: [], timestamp: [] }],
		tags: [...new Set([...ROUTES.values()].map(({ group }) => group)), CONTROL_TAG].map((name) => ({ name })),
		paths: paths([...[...ROUTES.values()].map(endpoint), ...Object.keys(CONTROLS).map(control)]),
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
					description: 'Refused. Status and body are made up.',
					content: json({
						type: 'object',
						properties: {
							error: {
								type: 'object',
								properties: { code: TEXT, message: TEXT, field: TEXT },
								required: ['code', 'message'],
							},
						},
						required: ['error'],
					}),
				},
			},
		},
	};
}

interface Operation {
	/** `POST /v1/fiat_balance`; a part of the path that stands for a value begins with a colon. */
	route: string;
	description: Json;
}

/** Operations under their path and method. */
function paths(operations: Operation[]): Json {
	const items: Record<string, Json> = {};
	for (const { route, description } of operations) {
		const [method, path] = route.split(' ');
		const template = path.replaceAll(/:(\w+)/g, '{$1}');
		items[template] = { ...items[template], [method.toLowerCase()]: description };
	}
	return items;
}

function endpoint({
	id,
	endpoint: { route, action, description },
	group,
	undocumented,
	request,
	response,
}: Route): Operation {
	const answer = undocumented ? withNote(schemaOf(response)) : schemaOf(response);
	return {
		route,
		description: {
			operationId: id,
			tags: [group],
			summary: action,
			description: undocumented ? `${description}. ${UNDOCUMENTED_NOTE}` : description,
			...(route.startsWith('GET ') ? {} : body(request)),
			responses: responses(id, answer),
		},
	};
}

function control(key: string): Operation {
	const { summary, request, streams } = CONTROLS[key];
	const [method, path] = key.split(' ');
	const operationId = key.toLowerCase().replaceAll(/\W+/g, '.');
	const parameters = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
		name,
		in: 'path',
		required: true,
		schema: TEXT,
	}));
	const schema = requestSchema(request);
	const query = Object.entries(schema.properties ?? {}).map(([name, field]) => ({
		name,
		in: 'query',
		schema: field,
	}));
	return {
		route: `${method} /_sandbox/${path}`,
		description: {
			operationId,
			tags: [CONTROL_TAG],
			summary,
			security: [],
			parameters: method === 'GET' ? query : parameters,
			...(method === 'GET' ? {} : body(request)),
			responses: streams
				? { 200: { description: 'A stream', content: { 'text/event-stream': { schema: TEXT } } } }
				: responses(operationId, { type: 'object' }),
		},
	};
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
				'2XX': { description: 'Received. Anything else, or no answer, leads to up to 3 retries.' },
			},
		},
	};
}

function json(schema: Json): Json {
	return { 'application/json': { schema } };
}

function body(request: z.ZodType): Json {
	const schema = requestSchema(request);
	return {
		requestBody: {
			required: (schema.required ?? []).length > 0 || 'anyOf' in schema,
			content: json({ ...schema }),
		},
	};
}

/** What a schema that checks requests takes. */
function requestSchema(request: z.ZodType): z.core.JSONSchema.BaseSchema {
	const { $schema, ...schema } = z.toJSONSchema(request, {
		io: 'input',
		unrepresentable: 'any',
		// zod leaves out the examples of what is transformed, since they might be of what comes out. Ours go in.
		override: ({ zodSchema, jsonSchema }) => {
			const { examples } = z.globalRegistry.get(zodSchema) ?? {};
			if (examples !== undefined) jsonSchema.examples = examples as unknown[];
		},
	});
	return schema;
}

function responses(operationId: string, schema: Json): Json {
	const links = Object.hasOwn(LINKS, operationId) ? { links: LINKS[operationId] } : {};
	return {
		200: { description: 'Done', content: json(schema), ...links },
		'4XX': { $ref: '#/components/responses/Refused' },
	};
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

/** Unknown fields are allowed everywhere, as the document demands of receivers. */
function recordSchema(shape: RecordShape): ObjectSchema {
	const properties = Object.entries(shape).map(([key, entry]) => [
		key,
		isField(entry) ? fieldSchema(entry[1]) : recordSchema(entry),
	]);
	return { type: 'object', properties: Object.fromEntries(properties), required: Object.keys(shape) };
}

function withNote({ properties, ...schema }: ObjectSchema): Json {
	return { ...schema, properties: { ...properties, sandbox_note: TEXT } };
}

/** As it is sent, whatever it becomes in an n8n item. */
function fieldSchema(kind: FieldKind): Json {
	switch (kind) {
		case 'number':
			return { type: 'number' };
		case 'decimal':
			return { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' };
		case 'time':
			return { type: 'string', format: 'date-time' };
		default:
			return TEXT;
	}
}
