import { balanceOf, call, control } from './client.ts';
import { until } from '../../host/until.ts';
import { withSandbox } from './withSandbox.ts';

const sandbox = withSandbox({ settleAfterMs: null });

const BODY = '{"currency":"NGN","amount":10,"account_alias":"supplier-main"}';
const pay = () => call(sandbox, 'POST /v1/fiat_payout', BODY);
const fault = (fields: object) =>
	control(sandbox, 'POST faults', { route: 'POST /v1/fiat_payout', ...fields });
/** NGN balance, depending on whether the request was executed. */
const NOT_EXECUTED = '5000000';
const EXECUTED = '4999990';

/** The status in the log is 0 if the connection was closed without a response. */
async function expectLogged(status: number): Promise<void> {
	expect((await control(sandbox, 'GET requests')).json.results).toMatchObject([{ status }]);
}

const REFUSED =
	'{"error":{"code":"invalid_request","message":"This failure was asked for through /_sandbox/faults"';

test.each([
	[{ status: 422 }, 422, 'application/json', REFUSED, NOT_EXECUTED],
	[{ status: 502 }, 502, 'text/html', '<!doctype html>', NOT_EXECUTED],
	[{ status: 502, acted: true }, 502, 'text/html', '<!doctype html>', EXECUTED],
	[{ malformed: true }, 200, 'text/html', '<!doctype html>', EXECUTED],
])('the fault %j answers %d with %s', async (fields, status, type, beginning, balance) => {
	expect((await fault(fields)).status).toBe(200);
	const answer = await pay();
	expect([answer.status, answer.headers['content-type']]).toEqual([status, type]);
	expect(answer.text.slice(0, beginning.length)).toBe(beginning);
	await expectLogged(status);
	expect(await balanceOf(sandbox, 'NGN')).toBe(balance);
	expect((await pay()).status).toBe(200);
});

test('the fault delayMs executes the request at once and answers later', async () => {
	await fault({ delayMs: 1000 });
	const response = pay();
	await until('the payout', async () => (await balanceOf(sandbox, 'NGN')) === EXECUTED);
	expect(sandbox.service.requests.all().at(-1)).toMatchObject({ status: null });
	expect((await response).json.status).toBe('pending');
});

test.each([
	['dropBefore', NOT_EXECUTED],
	['dropAfter', EXECUTED],
])('the fault %s closes the connection without a response', async (kind, balance) => {
	await fault({ [kind]: true });
	await expect(pay()).rejects.toMatchObject({ code: expect.stringMatching(/UND_ERR_SOCKET|ECONNRESET/) });
	await expectLogged(0);
	expect(await balanceOf(sandbox, 'NGN')).toBe(balance);
	expect((await pay()).status).toBe(200);
});

test('faults apply to their route, after `skip` requests, `times` times, in order of creation', async () => {
	await fault({ skip: 2, times: 2, status: 500 });
	await fault({ status: 503 });
	await control(sandbox, 'POST faults', { route: '*', status: 418 });
	await control(sandbox, 'POST faults', { route: 'POST /v1/crypto_payout', status: 504 });
	const statuses = [];
	for (let i = 0; i < 7; i++) statuses.push((await pay()).status);
	expect(statuses).toEqual([200, 200, 500, 500, 503, 418, 200]);
	expect((await control(sandbox, 'GET state')).json.faults).toHaveLength(1);
});
