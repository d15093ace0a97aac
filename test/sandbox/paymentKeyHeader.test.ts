/** The sandbox as a service that honours a header with a payment key: a payment is made once for its key. */
import { join } from 'node:path';
import { control, send, signed, type AnyJson, type HttpResponse, type SandboxConnection } from './client.ts';
import { until } from '../../host/until.ts';
import { kill, start } from './program.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { withSandbox } from './withSandbox.ts';

const HEADER = 'Idempotency-Key';

const sandbox = withSandbox({ settleAfterMs: null, paymentKeyHeader: HEADER });

/** A request of each route that moves money, with AMOUNT in it. */
const PAYMENTS = {
	'POST /v1/fiat_payout': '{"currency":"NGN","amount":AMOUNT,"account_alias":"supplier-main"}',
	'POST /v1/crypto_payout': '{"coin":"USDT","amount":AMOUNT,"wallet_alias":"treasury"}',
	'POST /v1/instant_conversion': '{"contract_id":"ic_usdt_ngn","from_amount":AMOUNT}',
};
const ROUTES = Object.keys(PAYMENTS) as Array<keyof typeof PAYMENTS>;
const bodiesOf = (route: keyof typeof PAYMENTS) =>
	['10.50', '11'].map((amount) => PAYMENTS[route].replace('AMOUNT', amount)) as [string, string];

const ROUTE = 'POST /v1/fiat_payout';
const [BODY, OTHER_BODY] = bodiesOf(ROUTE);

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

const fault = (fields: object) => control(sandbox, 'POST faults', { route: ROUTE, ...fields });

/** The payouts and conversions that were made. */
async function made(of: SandboxConnection = sandbox): Promise<AnyJson[]> {
	const { payouts, transactions } = (await control(of, 'GET state')).json;
	return [...payouts, ...transactions];
}

/** Waits until so many requests are received. The sandbox carries a request out at once, and may answer later. */
async function untilReceived(count: number, of: SandboxConnection = sandbox): Promise<void> {
	const received = async () => (await control(of, 'GET requests')).json.results.length;
	await until(`${count} requests`, async () => (await received()) >= count);
}

/** What a repetition must get again: status, type and body. */
const answerOf = ({ status, headers, text }: HttpResponse) => [status, headers['content-type'], text];

function expectRefused({ status, json }: HttpResponse, expected: number, code: string): void {
	expect(status).toBe(expected);
	expect(json).toEqual({ error: { code, message: expect.any(String), field: HEADER } });
}

test.each(ROUTES)(
	'%s is done once for its key, and a repetition is answered with the same bytes',
	async (route) => {
		const [body, otherBody] = bodiesOf(route);
		const first = await pay('INV-1', { route, body });
		expect(first.status).toBe(200);
		for (const header of [HEADER, 'idempotency-key'])
			expect(answerOf(await pay('INV-1', { route, body, header }))).toEqual(answerOf(first));
		// Another request may not have the key.
		expectRefused(await pay('INV-1', { route, body: otherBody }), 422, 'payment_key_reused');
		for (const other of ROUTES.filter((each) => each !== route))
			expectRefused(await pay('INV-1', { route: other, body }), 422, 'payment_key_reused');
		expect(await made()).toHaveLength(1);
		expect((await pay('INV-2', { route, body })).text).not.toBe(first.text);
		expect(await made()).toHaveLength(2);
	},
);

const ACTED = [{ dropAfter: true }, { status: 500, acted: true }, { status: 429, acted: true }];
test.each([...ACTED, { malformed: true }])(
	'the fault %j hides the answer to a payment that is made',
	async (kind) => {
		await fault(kind);
		const first = await pay('INV-1').catch(() => undefined);
		expect(first?.json?.status).toBeUndefined();
		const second = await pay('INV-1');
		expect(second.status).toBe(200);
		const payments = await made();
		expect(payments).toHaveLength(1);
		expect(second.json.payout_id).toBe(payments[0].payout_id);
		expect(answerOf(await pay('INV-1'))).toEqual(answerOf(second));
	},
);

test('two simultaneous requests with one key make one payment and get the same answer', async () => {
	const [first, second] = await Promise.all([pay('INV-1'), pay('INV-1')]);
	expect(answerOf(first)).toEqual(answerOf(second));
	expect(await made()).toHaveLength(1);
});

test('while the first request with a key is under way, a second one is refused with 409', async () => {
	const refused = { body: BODY.replace('supplier-main', 'supplier-new') };
	await fault({ delayMs: 1000, times: 2 });
	const toBeRefused = pay('INV-0', refused);
	const first = pay('INV-1');
	await untilReceived(2);
	expectRefused(await pay('INV-0', refused), 409, 'payment_key_under_way');
	expectRefused(await pay('INV-1'), 409, 'payment_key_under_way');
	expectRefused(await pay('INV-1', { body: OTHER_BODY }), 422, 'payment_key_reused');
	expect((await pay('INV-2')).status).toBe(200);

	expect((await toBeRefused).json.error.code).toBe('destination_not_whitelisted');
	expect((await pay('INV-0')).status).toBe(200);
	const answer = await first;
	expect(answerOf(await pay('INV-1'))).toEqual(answerOf(answer));
	expect(await made()).toHaveLength(3);
});

test('a refused request leaves its key free for any request', async () => {
	expect((await pay('INV-1', { body: '{"currency":"NGN"}' })).status).toBe(400);
	expect((await pay('INV-1', { body: BODY.replace('10.50', '99999999') })).status).toBe(422);
	expect((await pay('INV-1', { to: { ...sandbox, secret: 'wrong' } })).status).toBe(401);
	for (const status of [401, 403, 429, 503]) {
		await fault({ status });
		expect((await pay('INV-1')).status).toBe(status);
	}
	await fault({ dropBefore: true });
	await expect(pay('INV-1')).rejects.toThrow();
	expect(await made()).toEqual([]);
	expect((await pay('INV-1')).status).toBe(200);
	expect(await made()).toHaveLength(1);
});

test('a repetition needs a valid signature, and a fault hits it like any other request', async () => {
	const first = await pay('INV-1');
	expect((await pay('INV-1', { to: { ...sandbox, secret: 'wrong' } })).status).toBe(401);
	await fault({ status: 503 });
	expect((await pay('INV-1')).status).toBe(503);
	expect(answerOf(await pay('INV-1'))).toEqual(answerOf(first));
});

test('a request without a key, or to a route that moves no money, is carried out each time', async () => {
	for (let i = 0; i < 2; i++) expect((await pay('')).status).toBe(200);
	for (let i = 0; i < 2; i++) expect((await pay('INV-1', { header: 'x-other' })).status).toBe(200);
	expect(await made()).toHaveLength(4);
	const credit = { route: 'POST /v1/fiat_balance_update', body: '{"currency":"NGN","amount":1}' };
	for (let i = 0; i < 2; i++) expect((await pay('INV-1', credit)).status).toBe(200);
	expect((await control(sandbox, 'GET state')).json.balances.NGN).toBe('4999960');
});

const setHeader = (header: unknown) => control(sandbox, 'PUT payment_key_header', { header });
const shownHeader = async () => (await control(sandbox, 'GET state')).json.payment_key_header;

test('without the name of a header, none is honoured', async () => {
	await sandbox.restart({ paymentKeyHeader: undefined });
	expect(await shownHeader()).toBeNull();
	/** How many payments two requests with one key make while this header is honoured. */
	const paidBy = async (header: string | null) => {
		expect((await setHeader(header)).json).toEqual({ header });
		const before = (await made()).length;
		for (let i = 0; i < 2; i++) expect((await pay('INV-1')).status).toBe(200);
		return (await made()).length - before;
	};
	expect([await paidBy(null), await paidBy(HEADER), await paidBy(null)]).toEqual([2, 1, 2]);
});

test('POST reset forgets the keys, but not the name of the header', async () => {
	await pay('INV-1');
	await control(sandbox, 'POST reset');
	expect(await shownHeader()).toBe(HEADER);
	expect((await pay('INV-1', { body: OTHER_BODY })).status).toBe(200);
});

const folder = temporaryFolder();

test('with --db, a payment is remembered although a kill took its answer away', async () => {
	const db = ['--db', join(folder, 'killed.db')];
	let { child, sandbox: to } = await start(...db);
	try {
		await control(to, 'PUT payment_key_header', { header: HEADER });
		const answered = await pay('INV-1', { to });
		await control(to, 'POST faults', { route: '*', delayMs: 60_000 });
		const lost = pay('INV-2', { to }).catch((error: Error) => error);
		await untilReceived(2, to);
		await kill(child, 'SIGKILL');
		expect(await lost).toBeInstanceOf(Error);

		({ child, sandbox: to } = await start(...db));
		expect(answerOf(await pay('INV-1', { to }))).toEqual(answerOf(answered));
		const repeated = await pay('INV-2', { to });
		const payments = await made(to);
		expect(payments).toHaveLength(2);
		expect(repeated.json.payout_id).toBe(payments[1].payout_id);
		expectRefused(await pay('INV-2', { to, body: OTHER_BODY }), 422, 'payment_key_reused');
	} finally {
		await kill(child, 'SIGKILL');
	}
});

test('a key belongs to one account: another API key has its own', async () => {
	const answers: string[] = [];
	for (const key of ['one', 'other', 'one']) {
		await sandbox.restart({ db: join(folder, 'accounts.db'), key });
		answers.push((await pay('INV-1')).text);
	}
	const [one, other, again] = answers;
	expect(other).not.toBe(one);
	expect(again).toBe(one);
});
