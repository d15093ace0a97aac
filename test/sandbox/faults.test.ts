import { request } from 'undici';
import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { balanceOf, call, control, signed, startReceiver } from '../../host/sandboxClient.ts';

let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox({ settleAfterMs: null });
});
afterEach(() => sandbox.stop());

const BODY = '{"currency":"NGN","amount":10,"account_alias":"supplier-main"}';
const pay = () => call(sandbox, 'POST /v1/fiat_payout', BODY);
const fault = (fields: object) =>
	control(sandbox, 'POST faults', { route: 'POST /v1/fiat_payout', ...fields });
const NOT_ACTED = '5000000';
const ACTED = '4999990';

/** What the sandbox noted of its last API request. */
async function lastStatus(): Promise<number> {
	return (await control(sandbox, 'GET requests')).json.results.at(-1).status;
}

test.each([401, 409, 422, 429])('status %d: an error body, not acted on', async (status) => {
	expect((await fault({ status })).status).toBe(200);
	const answer = await pay();
	expect(answer.status).toBe(status);
	expect(answer.json).toEqual({
		error: { code: 'fault', message: 'This failure was asked for through /_sandbox/faults' },
	});
	expect(await lastStatus()).toBe(status);
	expect(await balanceOf(sandbox, 'NGN')).toBe(NOT_ACTED);
	expect((await pay()).status).toBe(200);
});

test('status 429 with Retry-After', async () => {
	await fault({ status: 429, retryAfter: 7 });
	expect((await pay()).headers['retry-after']).toBe('7');
});

test.each([
	[false, NOT_ACTED],
	[true, ACTED],
])('status 502: a page of HTML, acted on: %s', async (acted, balance) => {
	await fault({ status: 502, acted });
	const { status, headers, text } = await pay();
	expect([status, headers['content-type']]).toEqual([502, 'text/html']);
	expect(text).toMatch(/^<!doctype html>/);
	expect(await balanceOf(sandbox, 'NGN')).toBe(balance);
});

test('delayMs: acted on at once, answered later', async () => {
	await fault({ delayMs: 100 });
	const begun = Date.now();
	const answering = pay();
	while ((await balanceOf(sandbox, 'NGN')) !== ACTED) await new Promise((resolve) => setTimeout(resolve, 5));
	expect(Date.now() - begun).toBeLessThan(100);
	expect((await answering).json.status).toBe('pending');
	expect(Date.now() - begun).toBeGreaterThanOrEqual(95);
});

test.each([
	['dropBefore', NOT_ACTED],
	['dropAfter', ACTED],
])('%s: the connection is closed without an answer', async (kind, balance) => {
	await fault({ [kind]: true });
	await expect(pay()).rejects.toMatchObject({ code: expect.stringMatching(/UND_ERR_SOCKET|ECONNRESET/) });
	expect(await lastStatus()).toBe(0);
	expect(await balanceOf(sandbox, 'NGN')).toBe(balance);
	expect((await pay()).status).toBe(200);
});

test('malformed: acted on, and answered 200 with HTML', async () => {
	await fault({ malformed: true });
	const { status, headers, json } = await pay();
	expect([status, headers['content-type'], json]).toEqual([200, 'text/html', undefined]);
	expect(await balanceOf(sandbox, 'NGN')).toBe(ACTED);
});

test.each(['{"status":"pending"}', '{"status":'])(
	'malformed with a text: acted on, answered %s',
	async (malformed) => {
		await fault({ malformed });
		const path = '/v1/fiat_payout';
		const headers = {
			'content-type': 'application/json',
			...signed(sandbox, 'POST', path, BODY, Date.now()),
		};
		const answer = await request(sandbox.url + path, { method: 'POST', body: BODY, headers });
		expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/json']);
		expect(await answer.body.text()).toBe(malformed);
		expect(await balanceOf(sandbox, 'NGN')).toBe(ACTED);
	},
);

test('skip: so many requests pass before', async () => {
	await fault({ skip: 2, times: 2, status: 500 });
	await fault({ skip: 1, status: 503 });
	const statuses = [];
	for (let i = 0; i < 7; i++) statuses.push((await pay()).status);
	expect(statuses).toEqual([200, 200, 500, 500, 200, 503, 200]);
});

test('a fault is for its route, for so many times, in the order asked for', async () => {
	await fault({ status: 500, times: 2 });
	await fault({ status: 503 });
	await control(sandbox, 'POST faults', { route: '*', status: 418 });
	expect((await control(sandbox, 'GET state')).json.faults).toHaveLength(3);
	const statuses = [];
	for (let i = 0; i < 5; i++) statuses.push((await pay()).status);
	expect(statuses).toEqual([500, 500, 503, 418, 200]);
	expect((await control(sandbox, 'GET state')).json.faults).toEqual([]);
});

test.each([
	[{}, 'A fault has one of status, delayMs, dropBefore, dropAfter, malformed'],
	[{ status: 500, malformed: true }, 'A fault has one of status, delayMs, dropBefore, dropAfter, malformed'],
	[{ status: 200 }, 'status must be a whole number from 400 to 599'],
	[{ status: 500, times: 0 }, 'times must be a whole number from 1 to 1000000'],
	[{ explode: true }, 'explode is not a field of this request'],
])('%j is no fault', async (fields, message) => {
	const { status, json } = await fault(fields);
	expect(status).toBe(400);
	expect(json.error.message).toBe(message);
});

test('GET requests shows what was sent, without its secrets', async () => {
	await pay();
	const { text, json } = await control(sandbox, 'GET requests');
	expect(json.results).toEqual([
		{
			at: expect.stringMatching(/^\d{4}-.*Z$/),
			method: 'POST',
			path: '/v1/fiat_payout',
			headers: expect.objectContaining({
				'x-svc-key': '[redacted]',
				'x-svc-signature': '[redacted]',
				'x-svc-timestamp': expect.stringMatching(/^\d{13}$/),
				'content-type': 'application/json',
				accept: '*/*',
			}),
			body: BODY,
			status: 200,
		},
	]);
	expect(text).not.toContain(sandbox.key);
});

test('GET requests remembers the last ones', async () => {
	await sandbox.stop();
	sandbox = await startSandbox({ requestLogLength: 2 });
	for (const route of ['GET /v1/rates', 'GET /v1/health', 'GET /v1/instant_contracts'])
		await call(sandbox, route);
	const { results } = (await control(sandbox, 'GET requests')).json;
	expect(results.map(({ path }: { path: string }) => path)).toEqual(['/v1/health', '/v1/instant_contracts']);
});

test('reset takes everything back to the start, but keeps the webhook URL', async () => {
	const receiver = await startReceiver();
	const start = (await control(sandbox, 'GET state')).json;
	await control(sandbox, 'PUT webhook', { url: receiver.url });
	receiver.answers.push(500, 500, 500, 500);
	await pay();
	await call(sandbox, 'POST /v1/create_wallet', '{"alias":"shop"}');
	await control(sandbox, 'POST deposits', { alias: 'customer-0042', amount: 5 });
	await control(sandbox, 'POST reviews', { alias: 'supplier-main', decision: 'Rejected' });
	await fault({ status: 500, times: 100 });
	expect((await control(sandbox, 'POST reset')).json).toEqual({ status: 'reset' });
	expect((await control(sandbox, 'GET state')).json).toEqual({ ...start, webhook: { url: receiver.url } });
	expect((await control(sandbox, 'GET deliveries')).json.results).toEqual([]);
	expect((await control(sandbox, 'GET requests')).json.results).toEqual([]);
	await receiver.stop();
});
