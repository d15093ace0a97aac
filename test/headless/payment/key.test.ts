/** A payment with the same Payment Key is made once, in all executions together. */
import {
	BY_KEY,
	CONTINUED,
	CONVERT,
	CRYPTO,
	FIAT,
	type Setup,
	keyed,
	PAYOUT,
	payout,
	withNode,
} from '../withNode.ts';

const { fault, accepted, asked, restart, hints, ...payments } = withNode();

const run = async (items: Setup['items'], more: Partial<Setup> = {}, parameters: object = {}) =>
	await payments.run({ ...BY_KEY, ...parameters }, { items, ...more });

/** The result of each item, with the message of a failed one. */
const outcomes = (result: Awaited<ReturnType<typeof run>>) =>
	result.items.flat().map(({ json }) => {
		const { outcome, message } = (json.error ?? {}) as { outcome?: string; message?: string };
		expect(json.result).toBe(outcome ?? json.result);
		return outcome === undefined ? json.result : `${outcome}: ${message}`;
	});
const ALREADY_PAID = { result: 'alreadyPaid', alreadyPaid: true };

describe('the same key again', () => {
	test.each(['the same process', 'a new process'])('in %s nothing is sent again', async (process) => {
		await run([keyed('a', '1'), keyed('b', '2')]);
		if (process === 'a new process') restart();
		const { items, error } = await run([keyed('a', '1'), keyed('b', '2.00')]);
		expect(error).toBeUndefined();
		const row = { ...ALREADY_PAID, currency: 'NGN', accountAlias: 'supplier-main' };
		expect(items[0]).toEqual([
			{ json: { ...row, paymentKey: 'a', amount: '1' }, pairedItem: { item: 0 } },
			{ json: { ...row, paymentKey: 'b', amount: '2.00' }, pairedItem: { item: 1 } },
		]);
		expect(accepted()).toEqual(['1', '2']);
		expect(asked()).toBe(2);
	});

	test.each([' supplier-main ', 'Supplier-Main', 'supplier\u200b-main'])(
		'an alias that looks the same is the same payment: %j',
		async (alias) => {
			await run([keyed('a')]);
			expect(outcomes(await run([payout('10', { key: 'a', alias })]))).toEqual(['alreadyPaid']);
			const both = [keyed('b'), payout('10', { key: 'b', alias })];
			expect(outcomes(await run(both))).toEqual(['paid', 'alreadyPaid']);
			expect(asked()).toBe(2);
		},
	);

	test('the second of two equal items is paid when the service rejects the first', async () => {
		await fault({ status: 422 });
		expect(outcomes(await run([keyed('a'), keyed('a')], CONTINUED))).toEqual([
			expect.stringMatching(/^rejected: /),
			'paid',
		]);
	});

	test('different payments with the same key in one run refuse the whole run', async () => {
		const { error } = await run([keyed('a', '1'), keyed('b'), keyed('a', '2')]);
		expect(error?.message).toBe("'Payment Key' a stands for different payments in items 1, 3");
		expect(asked()).toBe(0);
	});

	test('a copy of the node, or a node with a new id, shares the memory of its workflow', async () => {
		await run([keyed('a')]);
		expect(outcomes(await run([keyed('a')], { nodeId: 'another-node' }))).toEqual(['alreadyPaid']);
		expect(asked()).toBe(1);
	});

	test.each([
		['a conversion', CONVERT, { fromAmount: '5', contractId: 'ic_usdt_ngn' }],
		['a crypto payout', CRYPTO, { coin: 'USDT', amount: '5', walletAlias: 'treasury' }],
	])('%s takes a key too', async (_, parameters, row) => {
		await payments.run({ ...parameters, paymentKey: 'k' });
		const { items } = await payments.run({ ...parameters, paymentKey: 'k' });
		expect(items[0]![0]!.json).toEqual({ ...ALREADY_PAID, paymentKey: 'k', ...row });
		expect(asked()).toBe(1);
	});

	test('two equal items in one run are one payment, and Maximum Total counts it once', async () => {
		const limited = { options: { maximumTotal: '10' } };
		const { message } = await payments.refusalOf(
			{ ...BY_KEY, ...limited },
			{ items: [keyed('a', '6'), keyed('b', '6')] },
		);
		expect(message).toBe("The total 12 of this execution is above 'Maximum Total' 10 [item 1]");
		const twice = [keyed('b', '6'), keyed('b', '6.0')];
		expect(outcomes(await run(twice, {}, limited))).toEqual(['paid', 'alreadyPaid']);
		expect(asked()).toBe(1);
	});
});

test('a key that was used with another amount fails its own item; the others are paid', async () => {
	await run([keyed('a')]);
	expect(outcomes(await run([keyed('b'), keyed('a', '11'), keyed('c')], CONTINUED))).toEqual([
		'paid',
		"notSent: Not sent because 'Payment Key' a was used for a payment with another amount",
		'paid',
	]);
	expect(accepted()).toEqual(['10', '10', '10']);
});

describe('what a key may be', () => {
	test('a parameter that is left empty means no key', async () => {
		for (const time of [1, 2]) {
			expect(outcomes(await run([payout('10')], {}, { paymentKey: '' }))).toEqual(['paid']);
			expect(accepted()).toHaveLength(time);
		}
	});

	test.each<[string, unknown, RegExp]>([
		['no value', '={{ $json.no }}', /^'Payment Key' is empty for this item$/],
		['a list in imported JSON', [], /^'Payment Key' is empty for this item$/],
		[
			'an unsafe integer',
			'={{ 2 ** 53 }}',
			/^'Payment Key' came as the number .*, which may have lost digits$/,
		],
		['a number without its last digits', '={{ 9007199254740993 + "" }}', /, which may have lost digits$/],
		['a date', '={{ $now }}', /^'Payment Key' is neither text nor a number$/],
		['a text without one of its parts', '=INV {{ $json.no }} 2026', /^A part of 'Payment Key' is empty: /],
		['a text with the word undefined', "={{ 'INV' + $json.no }}", /^'Payment Key' .* so a value is missing$/],
	])('a key that is %s is refused', async (_, paymentKey, message) => {
		expect((await payments.refusalOf({ ...FIAT, paymentKey })).message).toMatch(message);
	});

	test('a safe integer is the same key as its text', async () => {
		const items = [payout('10', { key: 1042 }), keyed('1042')];
		expect(outcomes(await run(items))).toEqual(['paid', 'alreadyPaid']);
	});
});

describe('the hint about a payment without a key', () => {
	test('it says that a new run pays again', async () => {
		const one = 'This payment has no Payment Key: if you run this step again, it is paid again.';
		const two = '2 of these payments have no Payment Key: if you run this step again, they are paid again.';
		expect(await hints(FIAT)).toEqual([['warning', one]]);
		expect(await hints(PAYOUT, { items: [payout('1'), payout('2')] })).toEqual([['warning', two]]);
	});

	test('a second run says that nothing was sent', async () => {
		const items = [keyed('a', '1'), keyed('b', '2'), keyed('c', '3')];
		const three =
			'3 of these payments were paid in an earlier run. Nothing was sent for them now: items 1 to 3.';
		await run(items);
		expect(await hints(BY_KEY, { items })).toEqual([['info', three]]);
	});

	test('a payment with a key has no hint, and a refused payment has none', async () => {
		expect(await hints({ ...FIAT, paymentKey: 'a' })).toEqual([]);
		expect(await hints({ ...FIAT, account_alias: 'nobody' }, CONTINUED)).toEqual([]);
	});
});
