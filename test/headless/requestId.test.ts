/** The service's name of a request, for its support: in items, errors and the record of the execution, unless it is no such name. */
import { parse } from 'flatted';
import type { IRunExecutionData } from 'n8n-workflow';
import { FIAT, CONTINUED, BY_KEY, keyed, withNode } from './withNode.ts';

const { answered, runAt, credentials } = withNode();

const PAID = '{"payout_id":"po_1","status":"pending"}';
const CREATE = { resource: 'cryptoWallet', operation: 'create', alias: 'a' };
const BALANCE = { resource: 'fiatWallet', operation: 'getBalance', currency: 'NGN' };
const named = (id: string, header = 'x-request-id') => ({ [header]: id });

test.each([
	'x-request-id',
	'Request-Id',
	'x-correlation-id',
	'correlation-id',
	'x-trace-id',
	'x-amzn-RequestId',
	'x-amzn-trace-id',
	'x-cloud-trace-context',
	'CF-Ray',
])('a paid item has the name that is in %s', async (header) => {
	const [item] = await answered(FIAT, { body: PAID, headers: named('req-7f3a/1', header) });
	expect(item!.json).toMatchObject({ result: 'paid', payoutId: 'po_1', requestId: 'req-7f3a/1' });
});

test('the name of the request itself counts before that of a trace', async () => {
	const headers = { 'cf-ray': 'ray-1', 'x-trace-id': 'trace-1', 'x-request-id': 'req-1' };
	expect((await answered(FIAT, { body: PAID, headers }))[0]!.json.requestId).toBe('req-1');
});

test('a field of the answer with this name stays apart', async () => {
	const body = '{"payout_id":"po_1","status":"pending","requestId":"theirs"}';
	const [item] = await answered(FIAT, { body, headers: named('req-1') });
	expect(item!.json).toMatchObject({ requestId: 'req-1', extra: { requestId: 'theirs' } });
});

test('what changes something and moves no money has it, too', async () => {
	const [item] = await answered(CREATE, { body: '{"alias":"a"}', headers: named('req-1') });
	expect(item!.json).toMatchObject({ result: 'done', requestId: 'req-1' });
});

describe.each([
	['a refused payment', FIAT, 422, '{"message":"Amount is too low","requestId":"err_1"}', 'rejected'],
	['an unknown payment', FIAT, 502, '<html>Bad Gateway</html>', 'unknown'],
	['a payment whose answer has no identifier', FIAT, 200, '{}', 'unknown'],
	['a read', BALANCE, 404, '{"message":"no"}', 'rejected'],
])('the error of %s has it', (_, parameters, status, body, outcome) => {
	const answer = { status, body, headers: named('req-1') };

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)('with %s', async (onError) => {
		const { items } = await runAt(parameters, answer, { settings: { onError } });
		const error = items.flat()[0]!.json.error;
		expect(error).toMatchObject({ outcome, httpStatus: status, requestId: 'req-1' });
	});

	test('when the node stops', async () => {
		const { error } = await runAt(parameters, answer);
		expect(error?.context).toMatchObject({ outcome, requestId: 'req-1' });
	});
});

test('the record of the execution has the names of what was paid and of what is unknown', async () => {
	for (const [key, name, answer] of [
		['a', 'req-paid', { body: PAID }],
		['b', 'req-unknown', { status: 502, body: 'no' }],
	] as const) {
		const { stored } = await runAt(BY_KEY, { ...answer, headers: named(name) }, { items: [keyed(key)] });
		const { contextData } = (parse(stored) as IRunExecutionData).executionData!;
		const { runs } = contextData['node:Node']!.walletServiceMoneyCalls as { runs: object };
		const result =
			key === 'a' ? { requestId: name } : { failure: expect.objectContaining({ requestId: name }) };
		expect(runs).toEqual({ 0: { 0: expect.objectContaining({ result: expect.objectContaining(result) }) } });
	}
});

test.each([
	['is long', 'a'.repeat(201)],
	['has control characters', 'req\t1'],
	['has spaces', 'req 1 <b>'],
	['is of another alphabet', 'req-\u00e9'],
	['is empty', ''],
])('a name that %s is left out', async (_, name) => {
	const [paid] = await answered(FIAT, { body: PAID, headers: named(name) });
	expect(paid!.json.result).toBe('paid');
	expect(paid!.json).not.toHaveProperty('requestId');
	const [failed] = await answered(FIAT, { status: 502, body: 'no', headers: named(name) });
	expect(failed!.json.result).toBe('unknown');
	expect(JSON.stringify(failed!.json)).not.toContain('requestId');
});

test('a name of 200 characters is kept whole', async () => {
	const name = 'a'.repeat(200);
	const [paid] = await answered(FIAT, { body: PAID, headers: named(name) });
	expect(paid!.json.requestId).toBe(name);
});

test('a name that repeats a secret shows none', async () => {
	const apiKey = 'fake-live-key-0001';
	const withKey = { ...CONTINUED, credentials: { ...credentials, apiKey } };
	for (const [parameters, answer] of [
		[FIAT, { body: PAID }],
		[FIAT, { status: 502, body: 'no' }],
		[BALANCE, { status: 404, body: '{"message":"no"}' }],
	] as const) {
		const headers = named(`req-${apiKey}`);
		const { items, stored } = await runAt(parameters, { ...answer, headers }, withKey);
		expect(JSON.stringify(items)).toContain('req-[redacted]');
		expect(stored).not.toContain(apiKey);
	}
});
