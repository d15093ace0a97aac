/**
 * A client that knows the sandbox only by its OpenAPI document. It builds requests from the document's examples and validates
 * responses and webhooks with its schemas.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { request } from 'undici';
import { signed } from './client.ts';
import type { AnyJson } from './client.ts';
import { EVENT_KINDS } from '../fixtures/eventKinds.ts';
import { OPERATIONS } from '../fixtures/operations.ts';
import { withSandboxAndReceiver } from './withSandbox.ts';

interface Operation {
	method: string;
	path: string;
	/** The operation object of the document. */
	description: AnyJson;
}

interface Result {
	status: number;
	type: string;
	json: AnyJson;
}

const ISO_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ajv = new Ajv2020({
	strict: true,
	// For a field that is a number or text.
	allowUnionTypes: true,
	formats: { 'date-time': ISO_UTC, uri: (text: string) => URL.canParse(text) },
});

const { sandbox, receiver } = withSandboxAndReceiver(
	{ settleAfterMs: null, retryDelayMs: 5 },
	{ once: true },
);
let document: AnyJson;
let operations: Operation[];

beforeAll(async () => {
	document = await (await request(`${sandbox.url}/openapi.json`)).body.json();
	operations = Object.entries<AnyJson>(document.paths).flatMap(([path, methods]) =>
		Object.entries<AnyJson>(methods).map(([method, description]) => ({
			method: method.toUpperCase(),
			path,
			description,
		})),
	);
});

function expectValid(schema: AnyJson, value: AnyJson): void {
	const validate = ajv.compile(schema);
	expect({ value, valid: validate(value), errors: validate.errors }).toEqual({
		value,
		valid: true,
		errors: null,
	});
}

async function call(
	{ method, path, description }: Operation,
	body: AnyJson,
	parameters: Record<string, string> = {},
): Promise<Result> {
	const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters[name]!);
	const text = body === undefined ? '' : JSON.stringify(body);
	const isOpen = description.security?.length === 0;
	const response = await request(document.servers[0].url + filled, {
		method: method as 'GET',
		headers: {
			...(isOpen ? {} : signed(sandbox, method, filled, text, Date.now())),
			...(text === '' ? {} : { 'content-type': 'application/json' }),
		},
		body: text === '' ? undefined : text,
	});
	const type = String(response.headers['content-type']).split(';')[0]!;
	if (type !== 'application/json') {
		response.body.on('error', () => {}).destroy();
		return { status: response.statusCode, type, json: undefined };
	}
	return { status: response.statusCode, type, json: await response.body.json() };
}

function expectDescribed({ description }: Operation, { status, type, json }: Result): void {
	const described = description.responses[status] ?? description.responses[`${String(status)[0]}XX`];
	const response = described.$ref
		? document.components.responses[described.$ref.split('/').at(-1)]
		: described;
	expect(Object.keys(response.content)).toContain(type);
	if (type === 'application/json') expectValid(response.content[type].schema, json);
}

const schemaOf = ({ description }: Operation): AnyJson =>
	description.requestBody?.content['application/json'].schema;

/** The examples of a request, or one built from the examples of its fields. */
function examplesOf(operation: Operation): AnyJson[] {
	const schema = schemaOf(operation);
	if (schema === undefined) return [undefined];
	if (schema.examples !== undefined) return schema.examples;
	const fields = Object.entries<AnyJson>(schema.properties).filter(([, field]) => field.examples);
	return [Object.fromEntries(fields.map(([name, field]) => [name, field.examples[0]]))];
}

test('an independent validator accepts the OpenAPI document as version 3.1', () => {
	mkdirSync('.local', { recursive: true });
	writeFileSync('.local/openapi.json', JSON.stringify(document));
	const validator = 'node_modules/@seriousme/openapi-schema-validator/bin/validate-api-cli.js';
	const { status, stdout, stderr } = spawnSync(process.execPath, [validator, '.local/openapi.json'], {
		encoding: 'utf8',
	});
	expect({ status, stdout, stderr }).toMatchObject({ status: 0 });
	expect(document.openapi).toBe('3.1.0');
});

test('the OpenAPI document has the 23 routes and the 7 events of the service', () => {
	const routes = operations.map(({ method, path }) => `${method} ${path}`);
	expect(routes.filter((route) => route.includes(' /v1/')).sort()).toEqual(
		Object.values(OPERATIONS)
			.map(({ route }) => route)
			.sort(),
	);
	expect(Object.keys(document.webhooks)).toEqual(EVENT_KINDS);
	const headers = Object.values<AnyJson>(document.components.securitySchemes).map(({ name }) => name);
	expect(headers).toEqual(['x-svc-key', 'x-svc-signature', 'x-svc-timestamp']);
	const ids = operations.map(({ description }) => description.operationId);
	expect(new Set(ids).size).toBe(ids.length);
});

test('requests without headers or without fields are refused as the OpenAPI document describes', async () => {
	for (const operation of operations.filter(({ path }) => path.startsWith('/v1/'))) {
		const open = { ...operation, description: { ...operation.description, security: [] } };
		const unsigned = await call(open, examplesOf(operation)[0]);
		expect(unsigned.status).toBe(401);
		expectDescribed(operation, unsigned);

		const { required = [] } = schemaOf(operation) ?? {};
		if (required.length === 0) continue;
		const empty = await call(operation, {});
		expect([empty.status, required]).toEqual([400, expect.arrayContaining([empty.json.error.field])]);
		expectDescribed(operation, empty);
	}
});

test('every response and every webhook matches the OpenAPI document', async () => {
	const called = new Set<string>();
	const byId = new Map(operations.map((operation) => [operation.description.operationId, operation]));
	const linked = operations.flatMap(({ description }) =>
		Object.values<AnyJson>(description.responses[200].links ?? {}).map(({ operationId }) => operationId),
	);

	const use = async (operation: Operation, body: AnyJson, parameters?: Record<string, string>) => {
		const { operationId, responses } = operation.description;
		// The example has another webhook URL than this client's receiver.
		const sent = body?.url === undefined ? body : { ...body, url: receiver.url };
		if (sent !== undefined) expectValid(schemaOf(operation), sent);
		const result = await call(operation, sent, parameters);
		expect([operationId, result.status, result.json?.error]).toEqual([operationId, 200, undefined]);
		expectDescribed(operation, result);
		called.add(operationId);
		await sandbox.idle();
		for (const link of Object.values<AnyJson>(responses[200].links ?? {})) {
			const target = byId.get(link.operationId)!;
			const values = (given: Record<string, string> = {}) =>
				Object.fromEntries(
					// A runtime expression such as `$response.body#/payout_id`.
					Object.entries(given).map(([name, value]) => [name, result.json[value.split('#/')[1]!]]),
				);
			const bodies = link.requestBody ? [values(link.requestBody)] : examplesOf(target);
			for (const each of bodies) await use(target, each, values(link.parameters));
		}
	};

	for (const operation of operations) {
		if (linked.includes(operation.description.operationId)) continue;
		for (const body of examplesOf(operation)) await use(operation, body);
	}

	expect([...called].sort()).toEqual([...byId.keys()].sort());
	const kinds = receiver.received.map(({ body }) => {
		const event = JSON.parse(body);
		expectValid(document.webhooks[event.event].post.requestBody.content['application/json'].schema, event);
		return event.event;
	});
	for (const kind of Object.keys(document.webhooks)) {
		const times = kinds.filter((each) => each === kind).length;
		// Once from an operation, once as a sample, and that sample once more.
		expect([kind, times >= 3]).toEqual([kind, true]);
	}
});
