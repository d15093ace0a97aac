/** The sandbox as a service that honours a header with a payment key: a payment is made once for its key. */
import { join } from 'node:path';
import { control, send, signed, type AnyJson, type HttpResponse, type SandboxConnection } from './client.ts';
import { until } from '../../host/until.ts';
import { kill, start } from './program.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { withSandbox } from './withSandbox.ts';

const HEADER = 'Idempotency-Key';

const sandbox = withSandbox({ settleAfterMs: null, paymentKeyHeader: HEADER });

/** A request of each route that moves money. */
const PAYMENTS: Array<[route: string, body: string]> = [
	['POST /v1/fiat_payout', '{"currency":"NGN","amount":10.50,"account_alias":"supplier-main"}'],
	['POST /v1/crypto_payout', '{"coin":"USDT","amount":10.50,"wallet_alias":"treasury"}'],
	['POST /v1/instant_conversion', '{"contract_id":"ic_usdt_ngn","from_amount":10.50}'],
];
const [ROUTE, BODY] = PAYMENTS[0]!;
const otherAmount = (body: string) => body.replace('10.50', '11');

interface Sent {
	route?: string;
	body?: string;
	header?: string;
	to?: SandboxConnection;
}

/** Sends a request with the key in the header. */
function pay(key: string, { route = ROUTE, body = BODY, header = HEADER, to = sandbox }: Sent = {}) {
	const [method = '', path = ''] = route.split(' ');
	const headers = { 'content-type': 'application/json', ...signed(to, method, path, body, Date.now()) };
	return send(to.url + path, method, body, { ...headers, [header]: key });
}

const fault = (fields: object, to: SandboxConnection = sandbox) =>
	control(to, 'POST faults', { route: ROUTE, ...fields });

/** The payouts and conversions that were made. */
async function made(of: SandboxConnection = sandbox): Promise<AnyJson[]> {
	const { payouts, transactions } = (await control(of, 'GET state')).json;
	return [...payouts, ...transactions];
}

/** Waits until the sandbox has so many payments. It carries a request out at once, and may answer later. */
async function untilMade(count: number, of: SandboxConnection = sandbox): Promise<void> {
	await until(`${count} payments`, async () => (await made(of)).length === count);
}

/** What a repetition must get again: status, type and body. */
const answerOf = ({ status, headers, text }: HttpResponse) => [status, headers['content-type'], text];

function expectRefused({ status, json }: HttpResponse, expected: number, code: string): void {
	expect(status).toBe(expected);
	expect(json).toEqual({ error: { code, message: expect.any(String), field: HEADER } });
}

test.each(PAYMENTS)(
	'%s is done once for its key, and a repetition is answered with the same bytes',
	async (route, body) => {
		const first = await pay('INV-1', { route, body });
		expect(first.status).toBe(200);
		for (const header of [HEADER, 'idempotency-key'])
			expect(answerOf(await pay('INV-1', { route, body, header }))).toEqual(answerOf(first));
		expectRefused(await pay('INV-1', { route, body: otherAmount(body) }), 422, 'payment_key_reused');
		for (const [other] of PAYMENTS.filter(([each]) => each !== route))
			expectRefused(await pay('INV-1', { route: other, body }), 422, 'payment_key_reused');
		expect(await made()).toHaveLength(1);
		expect((await pay('INV-2', { route, body })).text).not.toBe(first.text);
		expect(await made()).toHaveLength(2);
	},
);

test('while the first request with a key is under way, a second one is refused with 409', async () => {
	await fault({ delayMs: 1000 });
	const first = pay('INV-1');
	await untilMade(1);
	expectRefused(await pay('INV-1'), 409, 'payment_key_under_way');
	expectRefused(await pay('INV-1', { body: otherAmount(BODY) }), 422, 'payment_key_reused');
	expect((await pay('INV-2')).status).toBe(200);
	const answer = await first;
	expect(answerOf(await pay('INV-1'))).toEqual(answerOf(answer));
	expect(await made()).toHaveLength(2);
});

test('a refused request leaves its key free, and a repetition needs a valid signature', async () => {
	expect((await pay('INV-1', { body: BODY.replace('10.50', '99999999') })).status).toBe(422);
	expect((await pay('INV-1', { body: otherAmount(BODY) })).status).toBe(200);
	expect(await made()).toHaveLength(1);
	const wrong = { body: otherAmount(BODY), to: { ...sandbox, secret: 'wrong' } };
	expect((await pay('INV-1', wrong)).status).toBe(401);
});

test('a request without a key, or to a route that moves no money, is carried out each time', async () => {
	for (let i = 0; i < 2; i++) expect((await pay('')).status).toBe(200);
	expect(await made()).toHaveLength(2);
	const credit = { route: 'POST /v1/fiat_balance_update', body: '{"currency":"NGN","amount":1}' };
	for (let i = 0; i < 2; i++) expect((await pay('INV-1', credit)).status).toBe(200);
	expect((await control(sandbox, 'GET state')).json.balances.NGN).toBe('4999981');
});

test('POST reset forgets the keys but not the name of the header, and without a name none is honoured', async () => {
	await pay('INV-1');
	await control(sandbox, 'POST reset');
	expect((await control(sandbox, 'GET state')).json.payment_key_header).toBe(HEADER);
	const body = otherAmount(BODY);
	for (let i = 0; i < 2; i++) expect((await pay('INV-1', { body })).status).toBe(200);
	expect(await made()).toHaveLength(1);
	const unset = await control(sandbox, 'PUT payment_key_header', { header: null });
	expect(unset.json).toEqual({ header: null });
	expect((await pay('INV-1', { body })).status).toBe(200);
	expect(await made()).toHaveLength(2);
});

const folder = temporaryFolder();

test('with --db, a payment is remembered although a kill took its answer away', async () => {
	const db = ['--db', join(folder, 'killed.db')];
	let { child, sandbox: to } = await start(...db);
	try {
		await control(to, 'PUT payment_key_header', { header: HEADER });
		await fault({ delayMs: 60_000 }, to);
		const lost = pay('INV-1', { to }).catch((error: Error) => error);
		await untilMade(1, to);
		await kill(child, 'SIGKILL');
		expect(await lost).toBeInstanceOf(Error);

		({ child, sandbox: to } = await start(...db));
		const repeated = await pay('INV-1', { to });
		expect((await made(to)).map(({ payout_id }) => payout_id)).toEqual([repeated.json.payout_id]);
		expectRefused(await pay('INV-1', { to, body: otherAmount(BODY) }), 422, 'payment_key_reused');
	} finally {
		await kill(child, 'SIGKILL');
	}
});
