import { call, control, send, type AnyJson } from './client.ts';
import { withSandboxAndReceiver } from './withSandbox.ts';

const { sandbox, receiver } = withSandboxAndReceiver({ settleAfterMs: null, retryDelayMs: 5 });

const state = async (): Promise<AnyJson> => (await control(sandbox, 'GET state')).json;
const payTo = (alias: string) =>
	call(sandbox, 'POST /v1/fiat_payout', `{"currency":"NGN","amount":1,"account_alias":"${alias}"}`);
const pay = async (): Promise<string> => (await payTo('supplier-main')).json.payout_id;

test('PUT settings changes the delays of payouts, also of pending ones, and of deliveries', async () => {
	await pay();
	const changed = await control(sandbox, 'PUT settings', { settleAfterMs: 1, retryDelayMs: 120 });
	expect(changed.json).toEqual({ settleAfterMs: 1, retryDelayMs: 120, deliveryTimeoutMs: 10000 });
	receiver.answers.push(500);
	await control(sandbox, 'POST events', { event: 'admin_funding' });
	await sandbox.idle();
	const [{ attempts }] = (await control(sandbox, 'GET deliveries')).json.results;
	expect(Date.parse(attempts[1].at) - Date.parse(attempts[0].at)).toBeGreaterThanOrEqual(115);
	await control(sandbox, 'PUT settings', { settleAfterMs: null });
	await pay();
	await sandbox.idle();
	expect((await state()).payouts.map(({ status }: AnyJson) => status)).toEqual(['successful', 'pending']);
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
	const sent = { method: 'POST', path: '/v1/fiat_balance', body: '{"currency":"NGN"}', status: 200 };
	const headers = { 'x-svc-key': '[redacted]', 'x-svc-signature': '[redacted]', accept: '*/*' };
	expect(json.results).toMatchObject([{ ...sent, headers }]);
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

test.each(['/', '/page.js', '/_sandbox/state'])('%s has a strict content security policy', async (path) => {
	const { headers } = await send(sandbox.url + path, 'GET');
	expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
	expect(headers['x-content-type-options']).toBe('nosniff');
});
