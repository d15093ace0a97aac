import { request } from 'undici';
import { balanceOf, call, control, signed } from '../../host/sandboxClient.ts';
import { startWebhookReceiver } from '../../host/doubles/webhookReceiver.ts';
import { withSandbox } from './withSandbox.ts';

const sandbox = withSandbox({ settleAfterMs: null });

const BODY = '{"currency":"NGN","amount":10,"account_alias":"supplier-main"}';
const pay = () => call(sandbox, 'POST /v1/fiat_payout', BODY);
const fault = (fields: object) =>
	control(sandbox, 'POST faults', { route: 'POST /v1/fiat_payout', ...fields });
/** NGN balance, depending on whether the request was executed. */
const NOT_EXECUTED = '5000000';
const EXECUTED = '4999990';

/** Status in the log entry of the last API request. */
async function lastStatus(): Promise<number> {
	return (await control(sandbox, 'GET requests')).json.results.at(-1).status;
}

test.each([401, 409, 422, 429])(
	'fault status %d answers with an error body and does not execute the request',
	async (status) => {
		expect((await fault({ status })).status).toBe(200);
		const answer = await pay();
		expect(answer.status).toBe(status);
		expect(answer.json).toEqual({
			error: { code: 'fault', message: 'This failure was asked for through /_sandbox/faults' },
		});
		expect(await lastStatus()).toBe(status);
		expect(await balanceOf(sandbox, 'NGN')).toBe(NOT_EXECUTED);
		expect((await pay()).status).toBe(200);
	},
);

test('fault status 429 with retryAfter sends the Retry-After header', async () => {
	await fault({ status: 429, retryAfter: 7 });
	expect((await pay()).headers['retry-after']).toBe('7');
});

test.each([
	[false, NOT_EXECUTED],
	[true, EXECUTED],
])('fault status 502 with acted: %s answers with an HTML page', async (acted, balance) => {
	await fault({ status: 502, acted });
	const { status, headers, text } = await pay();
	expect([status, headers['content-type']]).toEqual([502, 'text/html']);
	expect(text).toMatch(/^<!doctype html>/);
	expect(await balanceOf(sandbox, 'NGN')).toBe(balance);
});

test('fault delayMs executes the request at once and answers later', async () => {
	await fault({ delayMs: 500 });
	const start = Date.now();
	const response = pay();
	while ((await balanceOf(sandbox, 'NGN')) !== EXECUTED)
		await new Promise((resolve) => setTimeout(resolve, 5));
	expect(Date.now() - start).toBeLessThan(500);
	expect((await response).json.status).toBe('pending');
	expect(Date.now() - start).toBeGreaterThanOrEqual(495);
});

test.each([
	['dropBefore', NOT_EXECUTED],
	['dropAfter', EXECUTED],
])('fault %s closes the connection without a response', async (kind, balance) => {
	await fault({ [kind]: true });
	await expect(pay()).rejects.toMatchObject({ code: expect.stringMatching(/UND_ERR_SOCKET|ECONNRESET/) });
	expect(await lastStatus()).toBe(0);
	expect(await balanceOf(sandbox, 'NGN')).toBe(balance);
	expect((await pay()).status).toBe(200);
});

test('fault malformed executes the request and answers 200 with HTML', async () => {
	await fault({ malformed: true });
	const { status, headers, json } = await pay();
	expect([status, headers['content-type'], json]).toEqual([200, 'text/html', undefined]);
	expect(await balanceOf(sandbox, 'NGN')).toBe(EXECUTED);
});

test.each(['{"status":"pending"}', '{"status":'])(
	'fault malformed with a text executes the request and answers %s',
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
		expect(await balanceOf(sandbox, 'NGN')).toBe(EXECUTED);
	},
);

test('skip: this many requests succeed before the fault', async () => {
	await fault({ skip: 2, times: 2, status: 500 });
	await fault({ skip: 1, status: 503 });
	const statuses = [];
	for (let i = 0; i < 7; i++) statuses.push((await pay()).status);
	expect(statuses).toEqual([200, 200, 500, 500, 200, 503, 200]);
});

test('faults apply to their route, their number of times, in the order of their creation', async () => {
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
])('POST faults refuses %j', async (fields, message) => {
	const { status, json } = await fault(fields);
	expect(status).toBe(400);
	expect(json.error.message).toBe(message);
});

test('GET requests shows a request with its secrets redacted', async () => {
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

test('GET requests keeps the last requestLogLength requests', async () => {
	await sandbox.restart({ requestLogLength: 2, settleAfterMs: undefined });
	for (const route of ['GET /v1/rates', 'GET /v1/health', 'GET /v1/instant_contracts'])
		await call(sandbox, route);
	const { results } = (await control(sandbox, 'GET requests')).json;
	expect(results.map(({ path }: { path: string }) => path)).toEqual(['/v1/health', '/v1/instant_contracts']);
});

test('reset restores the initial state but keeps the webhook URL', async () => {
	const receiver = await startWebhookReceiver();
	const start = (await control(sandbox, 'GET state')).json;
	await control(sandbox, 'PUT webhook', { url: receiver.url });
	receiver.answers.push(500, 500, 500, 500);
	await pay();
	await call(sandbox, 'POST /v1/create_wallet', '{"alias":"shop"}');
	await control(sandbox, 'POST deposits', { alias: 'customer-0042', amount: 5 });
	await control(sandbox, 'POST reviews', { alias: 'supplier-main', decision: 'Rejected' });
	await fault({ status: 500, times: 100 });
	expect((await control(sandbox, 'POST reset')).json).toEqual({ status: 'reset' });
	expect((await control(sandbox, 'GET state')).json).toEqual({
		...start,
		webhook: { url: receiver.url, earlier: [] },
	});
	expect((await control(sandbox, 'GET deliveries')).json.results).toEqual([]);
	expect((await control(sandbox, 'GET requests')).json.results).toEqual([]);
	await receiver.stop();
});
