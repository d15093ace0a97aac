import { setTimeout as sleep } from 'node:timers/promises';
import { getEndpoint } from '../../../api/catalog.ts';
import { ExecutionLedger } from '../../../nodes/WalletService/action/payment/executionLedger.ts';
import { payItems } from '../../../nodes/WalletService/action/payment/payItems.ts';
import { control } from '../../../host/sandboxClient.ts';
import { CONTINUED, cryptoPayout, FIAT, resultOf, withPayments } from '../withPayments.ts';

/** What cannot be sent as it was meant is refused before anything leaves, and each input item says what became of it. */
const { sandbox, run, asked } = withPayments();

describe('a time-out that n8n cannot wait for', () => {
	test.each([2 ** 31, 1e300, -1, 'soon'])('%p is refused before anything is sent', async (timeout) => {
		const { error } = await run({ ...FIAT, requestOptions: { timeout } });
		expect(error?.message).toBe("'Request Options' cannot be used");
		expect(asked()).toBe(0);
	});
});

describe('numbers from expressions', () => {
	test.each([
		'={{ 1000000000000000001 }}',
		'={{ 9007199254740993 }}',
		'={{ 0.30000000000000001 }}',
		'={{ 0.1 + 0.2 }}',
		'={{ 1e21 }}',
		'={{ 2 ** 60 }}',
		'={{ 1.000000000000000001 }}',
		'={{ 1000000000000000.01 }}',
		'={{ 9007199254740991.4 }}',
	])('the amount %s is refused, because a double cannot hold it', async (amount) => {
		const { error } = await run({ ...FIAT, amount });
		expect(error?.message).toMatch(/^'Amount' came as the number .*, which may have lost digits$/);
		expect(asked()).toBe(0);
	});

	test.each([
		'={{ { coin: "USDT", wallet_alias: "treasury", amount: 0.30000000000000001 } }}',
		'={{ JSON.stringify({ coin: "USDT", wallet_alias: "treasury", amount: 1000000000000000001 }) }}',
	])('the request body %s is refused', async (requestBody) => {
		const { error } = await run(cryptoPayout(requestBody));
		expect(error?.message).toMatch(/^'Request Body' has the number \S+, which may have lost digits/);
		expect(asked()).toBe(0);
	});

	test.each([
		'={{ String(9007199254740993) }}',
		'={{ 9007199254740993 + "" }}',
		'={{ `${9007199254740993}` }}',
	])('the amount %s is refused, although it is a text when it arrives', async (amount) => {
		const { error } = await run({ ...FIAT, amount });
		expect(error?.context).toMatchObject({ outcome: 'notSent' });
		expect(asked()).toBe(0);
	});

	test.each([
		'={{ 12.5 }}',
		'={{ "1000000000000000001" }}',
		'={{ 9007199254740991 }}',
		'=0.300000000000000001',
	])('the amount %s is sent', async (amount) => {
		await control(sandbox(), 'POST admin_funding', { asset: 'NGN', amount: '1e20', direction: 'credit' });
		const { error } = await run({ ...FIAT, amount });
		expect(error?.message ?? '').not.toContain('digits');
		expect(asked()).toBe(1);
	});
});

describe('an expression that fails when the payment is about to leave', () => {
	const simplify = "={{ $itemIndex === 1 ? $('Nope').item.json.x : true }}";
	const items = [{ json: { n: 1 } }, { json: { n: 2 } }, { json: { n: 3 } }];

	test('when an expression fails in continue mode, no input item comes out as if it was paid', async () => {
		const { items: outputs } = await run({ ...FIAT, simplify }, { items, ...CONTINUED });
		expect(
			outputs.flat().filter(({ json }) => json.error === undefined && json.payoutId === undefined),
		).toEqual([]);
	});

	test('a run that is refused before it sends lists no payment', async () => {
		const { error } = await run({ ...FIAT, simplify }, { items });
		expect(error?.context).toMatchObject({ outcome: 'notSent' });
		expect({ asked: asked(), executed: (error?.context as { executed?: unknown }).executed }).toEqual({
			asked: 0,
			executed: [],
		});
	});

	test('after an expression failed, the key is free again and no other execution waits for it for ever', async () => {
		const broken = { ...FIAT, paymentKey: 'k', simplify: "={{ $('Nope').item.json.x }}" };
		await run(broken);
		const fixed = run({ ...FIAT, paymentKey: 'k' }, CONTINUED);
		const first = await Promise.race([
			fixed.then(({ items: [paid] }) => paid!.map(resultOf)),
			sleep(5000).then(() => 'waits for ever'),
		]);
		expect(first).toEqual(['paid']);
	});

	test.each([
		{ proxy: 'http://user:only-for-this-test@bad host:99' },
		{ timeout: "={{ $('Nope').item.json.x }}" },
	])(
		'Request Options %p in continue mode give an error for each item, and show no password',
		async (requestOptions) => {
			const { items: outputs, stored } = await run({ ...FIAT, requestOptions }, { items, ...CONTINUED });
			expect(outputs.flat().map((item) => (item.json.error as { outcome?: string })?.outcome)).toEqual([
				'notSent',
				'notSent',
				'notSent',
			]);
			expect(stored).not.toContain('only-for-this-test');
		},
	);
});

test.each(['localhost:9', 'proxy.example:3128', 'socks5://127.0.0.1:9'])(
	'a payment does not go around the proxy %s',
	async (proxy) => {
		await run({ ...FIAT, requestOptions: { proxy } }, CONTINUED);
		expect(asked()).toBe(0);
	},
);

test.each([
	['while it waits for its key', { paymentKey: 'k' }],
	['before a payment without a key', {}],
])('a run that is stopped %s sends nothing', async (_, key: { paymentKey?: string }) => {
	let cancelled = key.paymentKey === undefined;
	let sent = 0;
	let released = 0;
	const parameters = { ...FIAT, ...key };
	const claim = {
		is: 'claimed',
		released: ['ticket', []],
		release: () => Promise.resolve(void (released += 1)),
	};
	const { results } = await payItems({
		entry: getEndpoint('fiatWallet.createPayout'),
		items: [
			{
				value: (name) => parameters[name as keyof typeof FIAT],
				expression: (name) => parameters[name as keyof typeof FIAT],
				evaluate: (expression) => expression,
			},
		],
		ledger: new ExecutionLedger({}, 0, '1'),
		payer: () => Promise.resolve({ account: 'a' }),
		keys: {
			claim: () => {
				cancelled = true;
				return Promise.resolve(claim as never);
			},
			takePayment: () => Promise.resolve(true),
			findNotFreed: () => Promise.resolve([]),
		},
		send: () => {
			sent += 1;
			return Promise.resolve({ ok: true, items: [] });
		},
		dryRun: () => Promise.reject(new Error('not asked for')),
		continueOnFail: true,
		isCancelled: () => cancelled,
	});
	expect(sent).toBe(0);
	expect(released).toBe(key.paymentKey === undefined ? 0 : 1);
	expect(results).toMatchObject([{ ok: false, failure: { outcome: 'notSent' } }]);
});

test('Execute Once with an invalid second item pays the first item', async () => {
	const items = [{ json: { amount: '10' } }, { json: { amount: 'x' } }];
	const { items: outputs, error } = await run(
		{ ...FIAT, amount: '={{ $json.amount }}' },
		{ items, settings: { executeOnce: true } },
	);
	expect(error).toBeUndefined();
	expect(outputs[0]).toHaveLength(1);
	expect(asked()).toBe(1);
});

test('a node without input items returns no items and sends nothing', async () => {
	const { error } = await run(FIAT, { items: [] });
	expect(error).toBeUndefined();
	expect(asked()).toBe(0);
});
