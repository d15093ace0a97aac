import { randomUUID } from 'node:crypto';
import { records } from '../memoryProcessedItems.ts';
import { CONTINUED, PAYOUT, withPayments } from '../withPayments.ts';
import type { Setup } from '../withPayments.ts';

/** A payment with the same Payment Key is made once, in all executions together. */
const { credentials, fault, accepted, asked, restart, ...payments } = withPayments();

const payout = (key: string | undefined, amount = '10', alias = 'supplier-main') => ({
	json: { amount, alias, ...(key !== undefined && { key }) },
});

const run = async (items: Setup['items'], more: Partial<Setup> = {}, parameters: object = {}) =>
	await payments.run({ ...PAYOUT, paymentKey: '={{ $json.key }}', ...parameters }, { items, ...more });

const outcomes = (result: Awaited<ReturnType<typeof run>>) =>
	result.items.flat().map(({ json }) => {
		const { outcome, message } = (json.error ?? {}) as { outcome?: string; message?: string };
		expect(json.result).toBe(outcome ?? json.result);
		return outcome === undefined ? json.result : `${outcome}: ${message}`;
	});

test.each(['the same process', 'a new one'])(
	'a second execution with the same keys in %s sends nothing and returns what was paid',
	async (process) => {
		await run([payout('a', '1'), payout('b', '2')]);
		if (process === 'a new one') restart();
		const { items, error } = await run([payout('a', '1'), payout('b', '2.00')]);
		expect(error).toBeUndefined();
		expect(items[0]).toEqual([
			{
				json: {
					result: 'alreadyPaid',
					alreadyPaid: true,
					paymentKey: 'a',
					currency: 'NGN',
					amount: '1',
					accountAlias: 'supplier-main',
				},
				pairedItem: { item: 0 },
			},
			{
				json: {
					result: 'alreadyPaid',
					alreadyPaid: true,
					paymentKey: 'b',
					currency: 'NGN',
					amount: '2.00',
					accountAlias: 'supplier-main',
				},
				pairedItem: { item: 1 },
			},
		]);
		expect(accepted()).toEqual(['1', '2']);
		expect(asked()).toBe(2);
	},
);

test('a key is free again after the service rejects its payment', async () => {
	await fault({ status: 422 });
	expect(outcomes(await run([payout('a')], CONTINUED))).toEqual([expect.stringMatching(/^rejected: /)]);
	expect(outcomes(await run([payout('a', '11')]))).toEqual(['paid']);
	expect(outcomes(await run([payout('a')], CONTINUED))).toEqual([
		"notSent: 'Payment Key' a was used for a payment with another amount",
	]);
});

test('a key whose payment never left this machine is free again', async () => {
	const nobody = { ...credentials, baseUrl: 'http://127.0.0.1:9' };
	expect(outcomes(await run([payout('a')], { ...CONTINUED, credentials: nobody }))).toEqual([
		'notSent: The service cannot be reached (connection refused)',
	]);
	expect(outcomes(await run([payout('a')]))).toEqual(['paid']);
});

test.each([
	{ dropAfter: true },
	{ malformed: true },
	{ status: 409, acted: true },
	{ status: 500, acted: true },
])('a key whose payment has an unknown outcome is never paid again: %p', async (kind) => {
	await fault(kind);
	await run([payout('a')]);
	const again = [await run([payout('a')], CONTINUED), await run([payout('a')], CONTINUED)];
	const refused =
		"unknown: Not sent because an earlier payment with 'Payment Key' a may have moved this money";
	expect(again.flatMap(outcomes)).toEqual([refused, refused]);
	expect(accepted()).toEqual(['10']);
	expect(asked()).toBe(1);
});

test.each([
	['amount', payout('a', '11')],
	['destination', payout('a', '10', 'supplier-new')],
	['amount and destination', payout('a', '11', 'supplier-new')],
])('a key that was used with another %s fails its own item; the others are paid', async (fields, other) => {
	await run([payout('a')]);
	expect(outcomes(await run([payout('b'), other, payout('c')], CONTINUED))).toEqual([
		'paid',
		`notSent: 'Payment Key' a was used for a payment with another ${fields}`,
		'paid',
	]);
	expect(accepted()).toEqual(['10', '10', '10']);
	expect(outcomes(await run([payout('b'), payout('a'), payout('c')]))).toEqual([
		'alreadyPaid',
		'alreadyPaid',
		'alreadyPaid',
	]);
});

test('a key that was used in another currency is refused, also for a single item', async () => {
	await run([payout('a')]);
	const { error } = await run([payout('a')], {}, { currency: 'USD' });
	expect(error?.message).toBe("'Payment Key' a was used for a payment with another currency");
	expect(asked()).toBe(1);
});

test('two equal items with the same key in one run are one payment', async () => {
	expect(outcomes(await run([payout('a'), payout('b'), payout('a', '10.0')]))).toEqual([
		'paid',
		'paid',
		'alreadyPaid',
	]);
	expect(accepted()).toEqual(['10', '10']);
});

test('the second of two equal items is paid when the service rejects the first', async () => {
	await fault({ status: 422 });
	expect(outcomes(await run([payout('a'), payout('a')], CONTINUED))).toEqual([
		expect.stringMatching(/^rejected: /),
		'paid',
	]);
});

test('different payments with the same key in one run refuse the whole run', async () => {
	const { error } = await run([payout('a', '1'), payout('b'), payout('a', '2')]);
	expect(error?.message).toBe("'Payment Key' a stands for different payments in items 0, 2");
	expect(asked()).toBe(0);
});

test('executions with the same keys at the same time make each payment once', async () => {
	const items = ['a', 'b', 'c'].map((key) => payout(key));
	const all = await Promise.all(Array.from({ length: 6 }, async () => await run(items)));
	const results = all.flatMap(outcomes);
	expect(results.filter((outcome) => outcome === 'paid')).toHaveLength(3);
	expect(results.filter((outcome) => outcome === 'alreadyPaid')).toHaveLength(15);
	expect(asked()).toBe(3);
});

test('Retry On Fail with keys pays each item once', async () => {
	await fault({ delayMs: 1 });
	await fault({ status: 422 });
	const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const { items, error } = await run([payout('a', '1'), payout('b', '2')], { settings: retrying });
	expect(error).toBeUndefined();
	expect(items[0]!.map(({ json }) => json.payoutId)).toEqual([expect.any(String), expect.any(String)]);
	expect(accepted()).toEqual(['1', '2']);
});

test.each([undefined, '', '  '])('a key whose expression gives %p refuses the item', async (key) => {
	const { error } = await run([payout('a'), payout(key)]);
	expect(error?.message).toBe("'Payment Key' is empty for this item [item 1]");
	expect(asked()).toBe(0);
});

test('a parameter that is left empty means no key', async () => {
	const first = await run([payout('a')], {}, { paymentKey: '' });
	const second = await run([payout('a')], {}, { paymentKey: '' });
	expect([...outcomes(first), ...outcomes(second)]).toEqual(['paid', 'paid']);
});

test('a copy of the node, or a node with a new id, shares the memory of its workflow', async () => {
	await run([payout('a')]);
	expect(outcomes(await run([payout('a')], { nodeId: 'another-node' }))).toEqual(['alreadyPaid']);
	expect(asked()).toBe(1);
});

test('a dry run shows each payment, asks no record and changes nothing', async () => {
	await run([payout('a')]);
	const before = structuredClone(records);
	const { items } = await run([payout('a'), payout('c', '77')], {}, { options: { dryRun: true } });
	expect(items[0]!.map(({ json }) => json)).toEqual(
		[
			['a', '10'],
			['c', '77'],
		].map(([paymentKey, amount]) => ({
			result: 'dryRun',
			dryRun: true,
			paymentKey,
			amount,
			currency: 'NGN',
			accountAlias: 'supplier-main',
		})),
	);
	expect(records).toEqual(before);
	expect(asked()).toBe(1);
	expect(outcomes(await run([payout('c', '78')]))).toEqual(['paid']);
});

test('a conversion and a crypto payout take a key too', async () => {
	const convert = {
		resource: 'instantLiquidity',
		operation: 'convert',
		contract_id: 'ic_usdt_ngn',
		from_amount: '5',
		paymentKey: 'swap-1',
	};
	await payments.run(convert);
	const again = await payments.run(convert);
	expect(again.items[0]![0]!.json).toEqual({
		result: 'alreadyPaid',
		alreadyPaid: true,
		paymentKey: 'swap-1',
		fromAmount: '5',
		contractId: 'ic_usdt_ngn',
	});
	const cryptoPayout = {
		resource: 'cryptoWallet',
		operation: 'createPayout',
		specifyBody: 'json',
		requestBody: '{"coin":"USDT","amount":"5","wallet_alias":"treasury"}',
		paymentKey: 'crypto-1',
	};
	await payments.run(cryptoPayout);
	const twice = await payments.run(cryptoPayout);
	expect(twice.items[0]![0]!.json).toEqual({
		result: 'alreadyPaid',
		alreadyPaid: true,
		paymentKey: 'crypto-1',
		coin: 'USDT',
		amount: '5',
		walletAlias: 'treasury',
	});
	expect(asked()).toBe(2);
});

test('Maximum Total counts every item that this run may send, and a repeated key once', async () => {
	const options = { maximumTotal: '10' };
	await run([payout('a', '6')], {}, { options });
	const { error } = await run([payout('a', '6'), payout('b', '6')], {}, { options });
	expect(error?.message).toBe("The total 12 of this execution is above 'Maximum Total' 10 [item 0]");
	expect(asked()).toBe(1);
	expect(outcomes(await run([payout('b', '6'), payout('b', '6')], {}, { options }))).toEqual([
		'paid',
		'alreadyPaid',
	]);
});

describe('what n8n remembers', () => {
	const entriesOf = async (key: string) => {
		const before = new Set([...records.values()].flat());
		await run([payout(key)], CONTINUED);
		return [...records.values()].flat().filter((text) => !before.has(text)).length;
	};

	test('a paid key keeps two entries, an unknown one three, a rejected one none', async () => {
		expect(await entriesOf('paid')).toBe(2);
		await fault({ dropAfter: true });
		expect(await entriesOf('unknown')).toBe(3);
		await fault({ status: 422 });
		expect(await entriesOf('rejected')).toBe(0);
	});

	test.each([
		['paid', {}, 'alreadyPaid'],
		['unknown', { dropAfter: true }, expect.stringMatching(/^unknown: /)],
	])('20,000 further %s keys do not push a key out', async (kind, faultOfEach, state) => {
		if (kind === 'unknown') await fault(faultOfEach);
		await run([payout('first')], CONTINUED);
		const push = (count: number) => {
			restart();
			const [stored = []] = records.values();
			stored.push(...Array.from({ length: count }, () => randomUUID()));
		};
		const others = 20_000 * (kind === 'paid' ? 2 : 4);
		push(others);
		expect(outcomes(await run([payout('first')], CONTINUED))).toEqual([state]);
		// The border: n8n forgets the oldest entries first.
		push(81_000 - others);
		expect(outcomes(await run([payout('another')]))).toEqual(['paid']);
		expect(outcomes(await run([payout('first')]))).toEqual(['paid']);
	});
});
