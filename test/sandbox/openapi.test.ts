/**
 * A client that knows the sandbox only by its OpenAPI document. It builds requests from the document's examples and validates
 * responses and webhooks with its schemas.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { request } from 'undici';
import { requireControl, signed } from '../../host/sandboxClient.ts';
import type { AnyJson } from '../../host/sandboxClient.ts';
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

/** The controls that lead to the events. The crypto payout of the examples is settled at once. */
const CAUSES: Array<[route: string, body: object]> = [
	['PUT settings', { settleAfterMs: 0 }],
	['POST deposits', { alias: 'customer-0042', amount: '150000.50' }],
	['POST deposits', { wallet_alias: 'deposits-usdt', coin: 'USDT', amount: '250.75' }],
	['POST reviews', { alias: 'supplier-new', decision: 'Whitelisted' }],
	['POST reviews', { alias: 'cold-storage', decision: 'Rejected' }],
	['POST virtual_accounts', { alias: 'customer-0099' }],
	['POST admin_funding', { asset: 'NGN', amount: 75000, direction: 'credit' }],
];

async function convert(): Promise<string> {
	const conversion = operations.find(({ path }) => path === '/v1/instant_conversion')!;
	return (await call(conversion, examplesOf(conversion)[0])).json.transaction_id;
}

function expectValid(schema: AnyJson, value: AnyJson): void {
	const validate = ajv.compile(schema);
	expect({ value, valid: validate(value), errors: validate.errors }).toEqual({
		value,
		valid: true,
		errors: null,
	});
}

async function call({ method, path }: Operation, body: AnyJson, isSigned = true): Promise<Result> {
	const text = body === undefined ? '' : JSON.stringify(body);
	const response = await request(document.servers[0].url + path, {
		method: method as 'GET',
		headers: {
			...(isSigned ? signed(sandbox, method, path, text, Date.now()) : {}),
			...(text === '' ? {} : { 'content-type': 'application/json' }),
		},
		body: text === '' ? undefined : text,
	});
	const type = String(response.headers['content-type']).split(';')[0]!;
	return { status: response.statusCode, type, json: await response.body.json() };
}

function expectDescribed({ description }: Operation, { status, type, json }: Result): void {
	const described = description.responses[status] ?? description.responses[`${String(status)[0]}XX`];
	const response = described.$ref
		? document.components.responses[described.$ref.split('/').at(-1)]
		: described;
	expect(Object.keys(response.content)).toEqual([type]);
	expectValid(response.content[type].schema, json);
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

test('the OpenAPI document is valid, and has the 23 routes and the 7 events of the service', () => {
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
		const unsigned = await call(operation, examplesOf(operation)[0], false);
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
	for (const operation of operations) {
		for (const example of examplesOf(operation)) {
			// The document's example is the ID of no transaction.
			const body = operation.path === '/v1/instant_transaction' ? { id: await convert() } : example;
			if (body !== undefined) expectValid(schemaOf(operation), body);
			const result = await call(operation, body);
			expect([operation.path, result.status, result.json.error]).toEqual([operation.path, 200, undefined]);
			expectDescribed(operation, result);
		}
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
