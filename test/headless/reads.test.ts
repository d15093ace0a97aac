/** Operations that move no money: their items, and how they treat a busy service. */
import { serve } from '../../host/doubles/loopbackServer.ts';
import { send } from '../../host/http.ts';
import { countOpen } from './withAnswer.ts';
import { CONTINUED, FIAT, withNode } from './withNode.ts';

const { credentials, run, runAt, fault, asked } = withNode();

const BALANCE = { resource: 'fiatWallet', operation: 'getBalance', currency: 'NGN' };

test('the items of a list link to their input item', async () => {
	const parameters = { resource: 'virtualAccount', operation: 'getAll' };
	const { items } = await run(parameters, { items: [{ json: {} }, { json: {} }] });
	expect(items[0]!.map(({ pairedItem }) => pairedItem)).toEqual([0, 0, 0, 1, 1, 1].map((item) => ({ item })));
});

test('a read ends at its time-out, also while the service goes on sending', async () => {
	const server = await serve((_, outgoing) => {
		outgoing.writeHead(200);
		const drip = setInterval(() => outgoing.write(' '), 20);
		outgoing.on('close', () => clearInterval(drip));
	});
	const baseUrl = { ...credentials, baseUrl: server.url };
	const { error } = await run({ ...BALANCE, requestOptions: { timeout: 300 } }, { credentials: baseUrl });
	await server.stop();
	expect(error?.message).toContain('no answer');
});

test('in continue mode a failed read does not affect other items', async () => {
	const input = ['NGN', 'XXX', '', 'USD'].map((currency) => ({ json: { currency } }));
	const each = { ...BALANCE, currency: '={{ $json.currency }}' };
	const { items } = await run(each, { items: input, settings: { onError: 'continueErrorOutput' } });
	expect(items[0]!.map(({ json }) => json.currency)).toEqual(['NGN', 'USD']);
	const empty = { error: { message: "'Currency' is empty" } };
	expect(items[1]).toMatchObject([{ pairedItem: { item: 1 } }, { json: empty, pairedItem: { item: 2 } }]);
});

// n8n evaluates a declarative node's expressions before it asks the node, and makes the item itself.
test('in continue mode, an expression that fails in a read sends nothing for its item, and does not affect others', async () => {
	const currency = '={{ $json.currency ?? $("Nowhere").first().json.currency }}';
	const input = [{ json: { currency: 'NGN' } }, { json: {} }, { json: { currency: 'USD' } }];
	const { items } = await run({ ...BALANCE, currency }, { ...CONTINUED, items: input });
	expect(items[0]!.map(({ json, pairedItem }) => [json.currency ?? json.error, pairedItem])).toEqual([
		['NGN', { item: 0 }],
		["Referenced node doesn't exist", { item: 1 }],
		['USD', { item: 2 }],
	]);
	expect(asked()).toBe(2);
});

test('a read waits and is sent again when the service answers 429', async () => {
	await fault({ status: 429, retryAfter: 1 }, 1, 'GET /v1/rates');
	const started = Date.now();
	const { items } = await run({ resource: 'rate', operation: 'getAll' }, CONTINUED);
	expect(items[0]!.length).toBeGreaterThan(1);
	expect(Date.now() - started).toBeGreaterThanOrEqual(990);
	expect(asked()).toBe(2);
});

test.each(['<html>Slow down</html>', ''])('a 429 with the body %j is waited for, too', async (body) => {
	const answer = { status: 429, body, headers: { 'retry-after': '0' } };
	expect(await runAt(BALANCE, answer)).toMatchObject({
		error: { description: expect.stringContaining('Run again in 0 seconds or later') },
		requests: 6,
	});
});

// What a read is refused for says nothing of a payment.
test.each([
	[404, '{"message":"Transaction id not found"}', 'Correct the item and run again'],
	[404, '<html>Not Found</html>', 'check Base URL of the credential'],
	[403, '{"id":"err_1","message":"Payout already sent"}', 'Check API Key'],
	[409, '{"payout_id":"po_1"}', 'Correct the item and run again'],
])('a read that is answered %d %s is rejected, with its own advice', async (status, body, advice) => {
	const { error } = await runAt(BALANCE, { status, body });
	expect(error?.description).toContain(advice);
	expect(error?.context).toMatchObject({ outcome: 'rejected' });
});

test('the advice after a read that got no answer is to try again later', async () => {
	const { error } = await runAt(BALANCE, undefined);
	expect(error?.description).toMatch(/try again later/i);
});

test('a slow read keeps no other waiting: the free slots go on', async () => {
	const waiting: Array<() => void> = [];
	const answerAll = () => waiting.splice(0).forEach((answer) => answer());
	let tooLate: NodeJS.Timeout | undefined;
	let haveWaited = false;
	const server = await serve((incoming, outgoing) => {
		let asked = incoming.url ?? '';
		incoming.on('data', (part) => (asked += String(part)));
		const answer = () => void outgoing.end('{"currency":"NGN","balance":"1.00"}');
		incoming.on('end', () => {
			if (!asked.includes('USD')) return answer();
			// The slow ones are answered when all four wait. In one lane, the first would wait for ever.
			waiting.push(answer);
			tooLate ??= setTimeout(() => {
				haveWaited = true;
				answerAll();
			}, 30_000);
			if (waiting.length === 4) answerAll();
		});
	});
	// Each tenth item, not each tenth request that arrives: only then would one lane of ten hold all slow ones.
	const items = Array.from({ length: 40 }, (_, index) => ({
		json: { currency: index % 10 === 0 ? 'USD' : 'NGN' },
	}));
	const each = { ...BALANCE, currency: '={{ $json.currency }}' };
	const read = await run(each, { items, credentials: { ...credentials, baseUrl: server.url } });
	clearTimeout(tooLate);
	await server.stop();
	expect(read.items[0]).toHaveLength(40);
	expect(haveWaited).toBe(false);
});

test('after Stop, no read that waits for a slot is sent', async () => {
	let asked = 0;
	let tenAreUnderWay = () => {};
	const stopWhen = new Promise<void>((resolve) => (tenAreUnderWay = resolve));
	let nobodyWaits = () => {};
	const closed = new Promise<void>((resolve) => (nobodyWaits = resolve));
	let open = 0;
	const server = await serve((incoming, outgoing) => {
		if (incoming.url === '/probe') return void outgoing.end();
		asked += 1;
		open += 1;
		if (asked === 10) tenAreUnderWay();
		incoming.socket.on('close', () => void ((open -= 1) === 0 && nobodyWaits()));
	});
	const items = Array.from({ length: 30 }, () => ({ json: {} }));
	const baseUrl = { ...credentials, baseUrl: server.url };
	const { error } = await run(BALANCE, { items, stopWhen, credentials: baseUrl });
	// The slots were handed on when the ten had ended. What was sent then comes before what is sent now.
	await closed;
	await send(`${server.url}/probe`, 'GET');
	await server.stop();
	expect(error?.message).toContain('the execution was stopped');
	expect(asked).toBe(10);
});

test('of a list, a record without any field is left out, and the others stay', async () => {
	const rates = { resource: 'rate', operation: 'getAll', returnAll: true };
	const usd = { 'Base Currency': 'USD', 'Quote Currency': 'NGN', Bid: 1500.5, Ask: 1501 };
	const itemsOf = async (results: object[]) =>
		(await runAt(rates, { body: JSON.stringify({ results }) })).items.flat().map(({ json }) => json);
	expect(await itemsOf([{}, usd, { other: 1 }])).toEqual([
		{ baseCurrency: 'USD', quoteCurrency: 'NGN', bid: '1500.5', ask: '1501' },
		{ extra: { other: 1 } },
	]);
	expect(await itemsOf([])).toEqual([]);
});

test('at most ten reads run at a time', async () => {
	const counted = await countOpen('{"currency":"NGN","balance":"1.00"}', async (baseUrl) => {
		const items = Array.from({ length: 50 }, () => ({ json: {} }));
		const read = await run(BALANCE, { items, credentials: { ...credentials, baseUrl } });
		expect(read.items[0]).toHaveLength(50);
	});
	expect(counted).toEqual({ all: 50, most: 10 });
});

describe('after a fault that passes', () => {
	const RATES = { resource: 'rate', operation: 'getAll' };

	test.each([[{ status: 502 }], [{ status: 503 }], [{ status: 504 }], [{ dropBefore: true }]])(
		'%j, a read goes out again, and a second time',
		async (kind) => {
			await fault(kind, 2, 'GET /v1/rates');
			const { items, error } = await run(RATES);
			expect(error).toBeUndefined();
			expect(items[0]!.length).toBeGreaterThan(1);
			expect(asked()).toBe(3);
		},
	);

	test('that stays, a read ends soon, and says what the service said', async () => {
		await fault({ status: 503 }, 9, 'GET /v1/rates');
		const begin = Date.now();
		const { error } = await run(RATES);
		expect(error?.context).toMatchObject({ httpStatus: 503 });
		expect(asked()).toBe(3);
		expect(Date.now() - begin).toBeLessThan(20_000);
	});

	test.each([[{ status: 500 }], [{ status: 501 }], [{ malformed: true }]])(
		'and not after %j',
		async (kind) => {
			await fault(kind, 1, 'GET /v1/rates');
			expect((await run(RATES)).error).toBeDefined();
			expect(asked()).toBe(1);
		},
	);

	test('a read that got no answer in time does not go out again', async () => {
		await fault({ delayMs: 1500 }, 1, 'GET /v1/rates');
		expect((await run({ ...RATES, requestOptions: { timeout: 300 } })).error).toBeDefined();
		expect(asked()).toBe(1);
	});

	test.each([
		[{ status: 502 }],
		[{ status: 503 }],
		[{ status: 504 }],
		[{ dropBefore: true }],
		[{ dropAfter: true }],
	])('%j, a payment and a change stay as they are: unknown, and sent once', async (kind) => {
		for (const [parameters, route] of [
			[FIAT, 'POST /v1/fiat_payout'],
			[{ resource: 'cryptoWallet', operation: 'create', alias: 'a' }, 'POST /v1/create_wallet'],
		] as const) {
			const before = asked();
			await fault(kind, 1, route);
			const { error } = await run(parameters);
			expect(error?.context).toMatchObject({ outcome: 'unknown' });
			expect(asked() - before).toBe(1);
		}
	});
});
