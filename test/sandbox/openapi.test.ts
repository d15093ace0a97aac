/**
 * A client that knows the sandbox only by its OpenAPI document. It builds requests from the document's examples and validates
 * responses and webhooks with its schemas.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { requireControl, send, signed, type AnyJson } from './client.ts';
import { EVENT_KINDS } from '../fixtures/eventKinds.ts';
import { OPERATIONS } from '../fixtures/operations.ts';
import { withSandboxAndReceiver } from './withSandbox.ts';

interface Operation {
	method: string;
	path: string;
	/** The operation object of the document. */
	description: AnyJson;
}

const ISO_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ajv = new Ajv2020({
	strict: true,
	// For a field that is a number or text.
	allowUnionTypes: true,
	formats: { 'date-time': ISO_UTC, uri: (text: string) => URL.canParse(text) },
});

const { sandbox, receiver } = withSandboxAndReceiver({ settleAfterMs: 0 }, { once: true });
let document: AnyJson;
let operations: Operation[];

beforeAll(async () => {
	document = (await send(`${sandbox.url}/openapi.json`, 'GET')).json;
	operations = Object.entries<AnyJson>(document.paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, description]) => ({
			method: method.toUpperCase(),
			path,
			description,
		})),
	);
});

/** The controls that lead to the events. The crypto payout of the examples leads to the seventh. */
const CAUSES: Array<[route: string, body: object]> = [
	['POST deposits', { alias: 'customer-0042', amount: '150000.50' }],
	['POST deposits', { wallet_alias: 'deposits-usdt', coin: 'USDT', amount: '250.75' }],
	['POST reviews', { alias: 'supplier-new', decision: 'Whitelisted' }],
	['POST reviews', { alias: 'cold-storage', decision: 'Rejected' }],
	['POST virtual_accounts', { alias: 'customer-0099' }],
	['POST admin_funding', { asset: 'NGN', amount: 75000, direction: 'credit' }],
];

function expectValid(schema: AnyJson, value: AnyJson): void {
	const valid = ajv.validate(schema, value);
	expect({ value, valid, errors: ajv.errors }).toEqual({ value, valid: true, errors: null });
}

const schemaOf = ({ description }: Operation): AnyJson =>
	description.requestBody?.content['application/json'].schema;

/** A request built from the examples of its fields. */
function exampleOf(operation: Operation): AnyJson {
	const { properties } = schemaOf(operation) ?? {};
	if (properties === undefined) return undefined;
	const fields = Object.entries<AnyJson>(properties).filter(([, field]) => field.examples);
	return Object.fromEntries(fields.map(([name, field]) => [name, field.examples[0]]));
}

/** Calls the operation and validates the response. */
async function call({ method, path, description }: Operation, body: AnyJson, isSigned = true) {
	const text = body === undefined ? '' : JSON.stringify(body);
	const { status, json } = await send(document.servers[0].url + path, method, text || undefined, {
		...(isSigned ? signed(sandbox, method, path, text, Date.now()) : {}),
		...(text === '' ? {} : { 'content-type': 'application/json' }),
	});
	const described = description.responses[status] ?? description.responses[`${String(status)[0]}XX`];
	const response = described.$ref
		? document.components.responses[described.$ref.split('/').at(-1)]
		: described;
	expect(Object.keys(response.content)).toEqual(['application/json']);
	expectValid(response.content['application/json'].schema, json);
	return { status, json };
}

test('the OpenAPI document is valid, and has the routes and the events of the service and no other', () => {
	mkdirSync('.local', { recursive: true });
	writeFileSync('.local/openapi.json', JSON.stringify(document));
	const validator = 'node_modules/@seriousme/openapi-schema-validator/bin/validate-api-cli.js';
	const validated = spawnSync(process.execPath, [validator, '.local/openapi.json'], { encoding: 'utf8' });
	expect(validated).toMatchObject({ status: 0 });
	expect(document.openapi).toBe('3.1.0');
	const routes = operations.map(({ method, path }) => `${method} ${path}`);
	const documented = Object.values(OPERATIONS).map(({ route }) => route);
	expect(routes.sort()).toEqual(documented.sort());
	expect(Object.keys(document.webhooks)).toEqual(EVENT_KINDS);
	const headers = Object.values<AnyJson>(document.components.securitySchemes).map(({ name }) => name);
	expect(headers).toEqual(['x-svc-key', 'x-svc-signature', 'x-svc-timestamp']);
});

test('requests without headers or without fields are refused as the OpenAPI document describes', async () => {
	for (const operation of operations) {
		expect((await call(operation, exampleOf(operation), false)).status).toBe(401);
		const { required = [] } = schemaOf(operation) ?? {};
		if (required.length === 0) continue;
		const { status, json } = await call(operation, {});
		expect([status, required]).toEqual([400, expect.arrayContaining([json.error.field])]);
	}
});

test('every response and every webhook matches the OpenAPI document', async () => {
	const convert = operations.find(({ path }) => path === '/v1/instant_conversion')!;
	const { transaction_id: id } = (await call(convert, exampleOf(convert))).json;
	for (const operation of operations) {
		// The document's example is the ID of no transaction.
		const body = operation.path === '/v1/instant_transaction' ? { id } : exampleOf(operation);
		if (body !== undefined) expectValid(schemaOf(operation), body);
		const { status, json } = await call(operation, body);
		expect([operation.path, status, json.error]).toEqual([operation.path, 200, undefined]);
	}
	for (const [route, body] of CAUSES) await requireControl(sandbox, route, body);
	for (const event of EVENT_KINDS) await requireControl(sandbox, 'POST events', { event });
	await sandbox.idle();
	const kinds = receiver.received.map(({ body }) => {
		const event = JSON.parse(body);
		expectValid(document.webhooks[event.event].post.requestBody.content['application/json'].schema, event);
		return event.event;
	});
	// Once from its cause, once as a sample.
	expect(kinds.sort()).toEqual([...EVENT_KINDS, ...EVENT_KINDS].sort());
});
