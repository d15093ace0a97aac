import { balanceOf, call, control, send } from './client.ts';
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

test.each([
	[
		{ status: 202, body: { payout_id: 'po_x', amount: 0 } },
		202,
		'application/json',
		'{"payout_id":"po_x","amount":0}',
	],
	[{ body: [1.1, null] }, 200, 'application/json', '[1.1,null]'],
	[{ status: 503, body: 'Come back later' }, 503, 'text/plain;charset=UTF-8', 'Come back later'],
	[{ status: 204 }, 204, undefined, ''],
])('the fault answer %j gives this answer, and does nothing', async (answer, status, type, text) => {
	await fault({ answer });
	const given = await pay();
	expect([given.status, given.headers['content-type'], given.text]).toEqual([status, type, text]);
	await expectLogged(status);
	expect(await balanceOf(sandbox, 'NGN')).toBe(NOT_EXECUTED);
	expect((await pay()).json.status).toBe('pending');
});

test('the fault answer keeps each digit, and can carry the request out before', async () => {
	const body = '{"route":"*","acted":true,"answer":{"body":{"to_amount":100.250000000000000000001}}}';
	await send(`${sandbox.url}/_sandbox/faults`, 'POST', body, { 'content-type': 'application/json' });
	expect((await pay()).text).toBe('{"to_amount":100.250000000000000000001}');
	expect(await balanceOf(sandbox, 'NGN')).toBe(EXECUTED);
});

const CONVERSION = 'POST /v1/instant_conversion';
const convert = async () =>
	(await call(sandbox, CONVERSION, '{"contract_id":"ic_usdt_ngn","from_amount":10}')).json;

test('the fault appliedRate converts at this rate, whatever the contract says', async () => {
	const before = Number(await balanceOf(sandbox, 'NGN'));
	await fault({ route: CONVERSION, appliedRate: '1000.5' });
	expect(await convert()).toMatchObject({
		status: 'success',
		from_amount: 10,
		to_amount: 10005,
		rate: 1000.5,
	});
	expect(Number(await balanceOf(sandbox, 'NGN')) - before).toBe(10005);
	// 1550.4 less half a percent.
	expect(await convert()).toMatchObject({ to_amount: 15426.48, rate: 1542.648 });
});

test.each([
	[
		{ route: 'POST /v1/fiat_payout', appliedRate: '1000' },
		'appliedRate is a fault of POST /v1/instant_conversion only',
	],
	[{ route: '*', appliedRate: '1000' }, 'appliedRate is a fault of POST /v1/instant_conversion only'],
	[{ route: CONVERSION, appliedRate: '0' }, 'appliedRate must be above zero'],
	[{ answer: { status: 204, body: 'x' } }, 'answer has a body, which no response with 204, 205, 304 has'],
	[{ answer: { status: 101, body: '' } }, 'answer.status must be a whole number from 200 to 599'],
	[{ answer: { body: '' }, status: 500 }, expect.stringMatching(/^A fault has one of /)],
])('the fault %j is refused', async (fields, message) => {
	const { status, json } = await fault(fields);
	expect([status, json.error.message]).toEqual([400, message]);
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
