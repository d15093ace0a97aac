/** A dry run shows what would be paid, and sends and writes nothing. */
import { records } from '../memoryProcessedItems.ts';
import { BY_KEY, CONTINUED, cryptoPayout, FIAT, keyed, PAYOUT, payout, withNode } from '../withNode.ts';

const { credentials, sandbox, run, resultsOf, refusalOf, asked, hints, fault } = withNode();

const DRY = { ...PAYOUT, options: { dryRun: true } };

test('a dry run returns the request and sends nothing', async () => {
	const options = { dryRun: true, showRequest: true };
	const { items, stored } = await run({ ...PAYOUT, options }, { items: [payout('0.123456789012345678')] });
	expect(items[0]!.map(({ json }) => json)).toEqual([
		{
			result: 'dryRun',
			dryRun: true,
			currency: 'NGN',
			accountAlias: 'supplier-main',
			amount: '0.123456789012345678',
			request: {
				method: 'POST',
				url: `${sandbox.url}/v1/fiat_payout`,
				headers: {
					Accept: '*/*',
					'Content-Type': 'application/json',
					'x-svc-key': '[redacted]',
					'x-svc-signature': '[redacted]',
					'x-svc-timestamp': expect.stringMatching(/^\d{13}$/),
				},
				body: { currency: 'NGN', amount: '0.123456789012345678', account_alias: 'supplier-main' },
			},
		},
	]);
	expect(asked()).toBe(0);
	for (const secret of [sandbox.key, sandbox.secret]) expect(stored).not.toContain(secret);
});

test('a dry run says what each key knows, and writes nothing', async () => {
	await run(BY_KEY, { items: [keyed('a')] });
	await fault({ dropAfter: true });
	await run(BY_KEY, { items: [keyed('b')], ...CONTINUED });
	const before = structuredClone(records);
	const options = { dryRun: true, maximumPerDay: '9' };
	const keys = [keyed('a'), keyed('a', '11'), keyed('b'), keyed('c', '77')];
	const said = [];
	for (const key of keys)
		said.push(...(await resultsOf({ ...BY_KEY, options }, { items: [key], ...CONTINUED })));
	expect(said).toEqual(['alreadyPaid', 'notSent', 'unknown', 'dryRun']);
	expect(records).toEqual(before);
	expect(asked()).toBe(2);
	expect(await resultsOf(BY_KEY, { items: [keyed('c', '78')] })).toEqual(['paid']);
});

test('each item of a dry run says so, whatever its result, and none of a payment does', async () => {
	await run(BY_KEY, { items: [keyed('a')] });
	await fault({ dropAfter: true });
	const { items: paid } = await run(BY_KEY, { items: [keyed('b')], ...CONTINUED });
	expect(paid[0]).toMatchObject([{ json: { result: 'unknown' } }]);
	expect(paid[0]![0]!.json).not.toHaveProperty('dryRun');
	const dry = { ...BY_KEY, options: { dryRun: true } };
	const given = [keyed('a'), keyed('a', '11'), keyed('b'), keyed('c', '77')];
	for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
		const said = [];
		for (const item of given)
			said.push(...(await run(dry, { items: [item], settings: { onError } })).items.flat());
		expect(said.map(({ json }) => [json.result, json.dryRun])).toEqual(
			['alreadyPaid', 'notSent', 'unknown', 'dryRun'].map((word) => [word, true]),
		);
	}
	const wrong = [keyed('d'), keyed('e', 'much')];
	const { items: refused } = await run(dry, { items: wrong, ...CONTINUED });
	expect(refused[0]).toMatchObject(wrong.map(() => ({ json: { result: 'notSent', dryRun: true } })));
	const byItem = { ...BY_KEY, options: { dryRun: '={{ $json.check }}' } };
	const mixed = [payout('1', { key: 'f', check: true }), payout('2', { key: 'g', check: false })];
	const { items: some } = await run(byItem, { items: mixed });
	expect(some[0]!.map(({ json }) => [json.result, json.dryRun])).toEqual([
		['dryRun', true],
		['paid', undefined],
	]);
});

test('a dry run says what the payments of today leave, counts each key once, and writes nothing', async () => {
	const limited = (more: object = {}) => ({ ...BY_KEY, options: { maximumPerDay: '3', ...more } });
	await run(limited(), { items: [keyed('a')] });
	const before = structuredClone(records);
	const dry = limited({ dryRun: true });
	const items = ['a', 'b', 'B', 'c', 'd'].map((key) => keyed(key, '10'));
	for (let time = 0; time < 2; time += 1) {
		expect(await resultsOf(dry, { items, ...CONTINUED })).toEqual([
			'alreadyPaid',
			'dryRun',
			'dryRun',
			'dryRun',
			'notSent',
		]);
	}
	expect(records).toEqual(before);
	const { error } = await run(limited({ dryRun: true, maximumPerDay: '1' }), { items: [keyed('d')] });
	expect(error?.message).toContain("has made its 1 payments of today ('Maximum Payments per Day')");
	expect(await resultsOf(limited(), { items: [keyed('b'), keyed('c')] })).toEqual(['paid', 'paid']);
	expect(await resultsOf(dry, { items: [keyed('d')], ...CONTINUED })).toEqual(['notSent']);
});

test('a dry run in a workflow that was never saved has no record to ask, and is a dry run', async () => {
	const options = { dryRun: true };
	expect(await resultsOf({ ...BY_KEY, options }, { items: [keyed('a')], workflowId: '' })).toEqual([
		'dryRun',
	]);
});

test('a dry run enforces the limits and reports a credential that cannot sign', async () => {
	const above = await refusalOf({ ...FIAT, options: { dryRun: true, maximumAmount: '1' } });
	expect(above.message).toContain("above 'Maximum Amount' 1");
	const unsigned = { credentials: { ...credentials, signatureSecret: '' } };
	const { message } = await refusalOf({ ...FIAT, options: DRY.options }, unsigned);
	expect(message).toBe('The credential cannot be used: Signature Secret is empty');
});

describe('what the hint of a dry run adds up', () => {
	const NO_AMOUNT = cryptoPayout('{"coin":"USDT","sum":"1"}');
	const inCurrency = (amount: string, currency: string) => payout(amount, { currency });

	test.each([
		[
			'the amounts in each currency',
			{ ...PAYOUT, currency: '={{ $json.currency }}' },
			[inCurrency('0.1', 'NGN'), inCurrency('0.2', 'NGN'), inCurrency('2.50', 'usd'), inCurrency('1', 'USD')],
			'4 payments: 0.3 NGN, 3.50 USD',
		],
		['a key that comes twice once', BY_KEY, [keyed('P-1', '5'), keyed('p-1', '5')], '1 payment: 5 NGN'],
		['no amount', NO_AMOUNT, [{ json: {} }], '1 payment: 1 without a readable amount'],
	])('%s', async (_, parameters, items, total) => {
		const hint = ['info', `Dry run: nothing was sent. In total ${total}.`];
		expect(await hints({ ...parameters, options: DRY.options }, { items })).toEqual([hint]);
	});
});
