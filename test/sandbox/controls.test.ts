import { request } from 'undici';
import { call, control, send, type AnyJson } from './client.ts';
import { withSandboxAndReceiver } from './withSandbox.ts';

const { sandbox, receiver } = withSandboxAndReceiver({ settleAfterMs: null, retryDelayMs: 5 });

const state = async (): Promise<AnyJson> => (await control(sandbox, 'GET state')).json;
const payTo = (alias: string) =>
	call(sandbox, 'POST /v1/fiat_payout', `{"currency":"NGN","amount":1,"account_alias":"${alias}"}`);
const pay = async (): Promise<string> => (await payTo('supplier-main')).json.payout_id;
const statusOf = async (id: string): Promise<string> =>
	(await state()).payouts.find(({ payout_id }: AnyJson) => payout_id === id).status;

test('GET credential shows what to enter, by the labels of the form', async () => {
	expect((await control(sandbox, 'GET credential')).json).toEqual({
		'Base URL': sandbox.url,
		'API Key': sandbox.key,
		'Signature Secret': sandbox.secret,
		'Webhook Secret': sandbox.webhookSecret,
	});
});

test('GET state names the webhook URLs used before, the newest first, and their workflows', async () => {
	const [first, second] = ['https://example.com/first', 'https://example.com/second'];
	const use = async (url: string | null) => {
		await control(sandbox, 'PUT webhook', { url });
		return (await state()).webhook;
	};
	await use(first);
	expect(await use(second)).toEqual({ url: second, earlier: [first, receiver.url] });
	expect(await use(null)).toEqual({ url: null, earlier: [second, first, receiver.url] });
	expect(await use(first)).toEqual({ url: first, earlier: [second, receiver.url] });

	await control(sandbox, 'PUT webhook_names', { names: { [first]: 'A' } });
	await control(sandbox, 'PUT webhook_names', { names: { [second]: 'B' } });
	expect((await state()).webhook_names).toEqual({ [first]: 'A', [second]: 'B' });
});

test('PUT settings changes the delays of payouts, also of pending ones, and of deliveries', async () => {
	const first = await pay();
	await sandbox.idle();
	expect(await statusOf(first)).toBe('pending');
	const changed = await control(sandbox, 'PUT settings', { settleAfterMs: 1, retryDelayMs: 120 });
	expect(changed.json).toEqual({ settleAfterMs: 1, retryDelayMs: 120, deliveryTimeoutMs: 10000 });
	await sandbox.idle();
	expect(await statusOf(first)).toBe('successful');
	await control(sandbox, 'PUT settings', { settleAfterMs: null });
	const second = await pay();
	receiver.answers.push(500);
	await control(sandbox, 'POST events', { event: 'admin_funding' });
	await sandbox.idle();
	expect(await statusOf(second)).toBe('pending');
	const [{ attempts }] = (await control(sandbox, 'GET deliveries')).json.results;
	expect(attempts.map(({ status }: AnyJson) => status)).toEqual([500, 200]);
	expect(Date.parse(attempts[1].at) - Date.parse(attempts[0].at)).toBeGreaterThanOrEqual(115);
});

test('POST virtual_accounts issues an account that the API shows', async () => {
	const { account_number } = (await control(sandbox, 'POST virtual_accounts', { alias: 'new' })).json;
	const details = await call(sandbox, 'POST /v1/virtual_details', '{"alias":"new"}');
	expect(details.json).toEqual({ alias: 'new', account_number, bank: 'Sandbox Bank', status: 'active' });
});

test('POST settlement_accounts submits an account that receives payouts after a review', async () => {
	const submitted = await control(sandbox, 'POST settlement_accounts', { alias: 'new' });
	expect(submitted.json).toMatchObject({ alias: 'new', currency: 'NGN', status: 'Pending' });
	expect((await payTo('new')).status).toBe(422);
	await control(sandbox, 'POST reviews', { alias: 'new', decision: 'Whitelisted' });
	expect((await payTo('new')).status).toBe(200);
});

test('?last=N limits growing lists to the newest N entries', async () => {
	const ids = [await pay(), await pay(), await pay()];
	for (const event of ['one', 'two']) await control(sandbox, 'POST events', { event });
	const { payouts, virtual_accounts } = (await control(sandbox, 'GET state?last=2')).json;
	expect(payouts.map(({ payout_id }: AnyJson) => payout_id)).toEqual(ids.slice(1));
	expect(virtual_accounts).toHaveLength(3);
	expect((await control(sandbox, 'GET deliveries?last=1')).json.results).toMatchObject([{ event: 'two' }]);
});

test('GET requests shows the newest requests with their secrets redacted', async () => {
	await sandbox.restart({ requestLogLength: 1 });
	await call(sandbox, 'GET /v1/health');
	await call(sandbox, 'POST /v1/fiat_balance', '{"currency":"NGN"}');
	const { text, json } = await control(sandbox, 'GET requests');
	const headers = {
		...{ 'x-svc-key': '[redacted]', 'x-svc-signature': '[redacted]', accept: '*/*' },
		'x-svc-timestamp': expect.stringMatching(/^\d{13}$/),
	};
	const sent = { method: 'POST', path: '/v1/fiat_balance', body: '{"currency":"NGN"}', status: 200 };
	expect(json.results).toEqual([
		{ at: expect.stringMatching(/^\d{4}-.*Z$/), headers: expect.objectContaining(headers), ...sent },
	]);
	expect(text).not.toContain(sandbox.key);
});

test('POST reset restores the start but keeps the webhook URL and the settings', async () => {
	await control(sandbox, 'PUT settings', { deliveryTimeoutMs: 20 });
	const start = await state();
	receiver.answers.push(500, 500, 500, 500);
	await pay();
	await call(sandbox, 'POST /v1/create_wallet', '{"alias":"shop"}');
	await control(sandbox, 'POST deposits', { alias: 'customer-0042', amount: 5 });
	await control(sandbox, 'POST reviews', { alias: 'supplier-main', decision: 'Rejected' });
	await control(sandbox, 'POST faults', { route: '*', status: 500, times: 100 });
	expect(await state()).not.toEqual(start);
	expect((await control(sandbox, 'POST reset')).json).toEqual({ status: 'reset' });
	expect(await state()).toEqual(start);
	for (const list of ['deliveries', 'requests']) {
		expect((await control(sandbox, `GET ${list}`)).json.results).toEqual([]);
	}
});

test('GET changes sends an event soon after a change, and few after many changes', async () => {
	const { body, headers } = await request(`${sandbox.url}/_sandbox/changes`);
	expect(headers['content-type']).toBe('text/event-stream');
	const events = body[Symbol.asyncIterator]();
	const next = async () => String((await events.next()).value);
	expect(await next()).toBe('data: changed\n\n');
	await pay();
	expect(await next()).toBe('data: changed\n\n');
	const start = Date.now();
	for (let i = 0; i < 50; i++) await control(sandbox, 'POST events', { event: 'busy' });
	const few = (Date.now() - start) / 100 + 2;
	expect((await next()).length).toBeLessThanOrEqual(few * 'data: changed\n\n'.length);
	body.on('error', () => {}).destroy();
});

test.each([
	['/', 'text/html; charset=utf-8', '<!doctype html>'],
	['/page.css', 'text/css; charset=utf-8', ':root'],
	['/page.js', 'text/javascript; charset=utf-8', '/**'],
])('the page serves %s with a strict content security policy', async (path, type, beginning) => {
	const { status, headers, text } = await send(sandbox.url + path, 'GET');
	expect([status, headers['content-type']]).toEqual([200, type]);
	expect(text.slice(0, beginning.length)).toBe(beginning);
	expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
	expect(headers['x-content-type-options']).toBe('nosniff');
});
