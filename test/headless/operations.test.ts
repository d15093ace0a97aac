import { readFileSync } from 'node:fs';
import { CASES, withTransactionId, type NamedCase } from '../fixtures/operationCases.ts';
import { TRANSACTION_ID } from '../fixtures/operations.ts';
import { withNode } from './withNode.ts';

const { sandbox, ...node } = withNode();

const run = async ({ resource, operation, parameters }: NamedCase, more: object = {}) => {
	const { error, items } = await node.run({ resource, operation, ...parameters, ...more });
	if (error) throw error;
	return items[0] ?? [];
};

/** The case itself, or a copy with the ID of a new conversion if it needs one. */
const prepare = async (testCase: NamedCase): Promise<NamedCase> => {
	if (!testCase.sent.includes(TRANSACTION_ID)) return testCase;
	const conversion = CASES.find(({ name }) => name === 'instantLiquidity.convert')!;
	const [item] = await run(conversion);
	return withTransactionId(testCase, item!.json.transactionId as string);
};

test.each(CASES)('$name sends $route with the body "$sent" and returns its items', async (testCase) => {
	const prepared = await prepare(testCase);
	const { route, sent, items } = prepared;
	const output = await run(prepared);
	const request = sandbox.service.requests.all().at(-1)!;
	expect(request).toMatchObject({ body: sent, status: 200 });
	expect(`${request.method} ${request.path}`).toBe(route);
	expect(request.headers.accept).toBe('*/*');
	expect(request.headers['content-type']).toBe(sent === '' ? undefined : 'application/json');
	expect(output.map(({ json }) => json)).toEqual(items);
	expect(output.map(({ pairedItem }) => pairedItem)).toEqual(items.map(() => ({ item: 0 })));
});

const SHOWN = CASES.filter(({ raw }) => raw !== undefined);

test.each(SHOWN)('$name is described by an output schema of the built package', (testCase) => {
	const { resource, operation, items } = testCase;
	const path = `dist/nodes/WalletService/__schema__/v1.0.0/${resource}/${operation}.json`;
	const { type, properties } = JSON.parse(readFileSync(path, 'utf8'));
	expect(type).toBe('object');
	// A payment with a key says which one, and each item of a dry run that it is one. A service may name the request of a change.
	const { result } = items[0]!;
	const more = [
		...(result === 'paid' ? ['paymentKey', 'dryRun'] : []),
		...(result === undefined ? [] : ['requestId']),
	];
	expect(Object.keys(properties).sort()).toEqual([...more, ...Object.keys(items[0]!)].sort());
});

test.each(SHOWN)("$name returns the response with its own keys when 'Simplify' is off", async (testCase) => {
	const prepared = await prepare(testCase);
	const output = await run(prepared, { simplify: false });
	expect(output.map(({ json }) => json)).toEqual([prepared.raw]);
});

test('Return All and Limit', async () => {
	const many = async (more: object) =>
		(await node.run({ resource: 'virtualAccount', operation: 'getAll', ...more })).items[0]!.length;
	expect(await many({ limit: 2 })).toBe(2);
	expect(await many({ limit: 2, returnAll: true })).toBe(3);
	expect(await many({})).toBe(3);
});
