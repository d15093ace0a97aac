import { ageKeys, records } from '../memoryProcessedItems.ts';
import {
	BY_KEY,
	CONTINUED,
	CRYPTO,
	cryptoPayout,
	FIAT,
	PAYOUT,
	RETRYING,
	type Setup,
	keyed,
	payout,
	resultOf,
	withNode,
} from '../withNode.ts';

/** Within an execution and its retries, each payment is made once, whatever n8n tries again. */
const { fault, accepted, asked, ...payments } = withNode();

const three = ['1', '2', '3'].map((amount) => payout(amount));
/** Lets the service accept a payment and refuse the next one. */
const refuseSecond = async (route?: string) => {
	await fault({ delayMs: 1 }, 1, route);
	await fault({ status: 422 }, 1, route);
};
const run = async (items: Setup['items'], settings: Setup['settings'] = {}, parameters: object = PAYOUT) =>
	await payments.run(parameters, { items, settings });
type Run = Awaited<ReturnType<typeof run>>;
const results = ({ items }: Run) => items.flat().map(resultOf);
/** An execution that stops at its second item. */
const stopAtSecond = async (items: Setup['items'] = three, parameters: object = PAYOUT) => {
	await refuseSecond();
	const failed = await run(items, {}, parameters);
	expect(failed.error?.context).toMatchObject({ outcome: 'rejected', executed: [{ itemIndex: 0 }] });
	return failed;
};

describe('Retry On Fail', () => {
	test.each([
		['without keys', PAYOUT],
		['with keys', BY_KEY],
	])('Retry On Fail sends rejected payouts %s again, and no accepted one', async (_, parameters) => {
		await fault({ delayMs: 1 });
		await refuseSecond();
		const amounts = ['1', '2', '3', '4'];
		const four = amounts.map((amount) => keyed(amount, amount));
		const { items, error } = await run(four, RETRYING, parameters);
		expect(error).toBeUndefined();
		const id = expect.any(String);
		expect(items[0]).toMatchObject(
			amounts.map((amount, item) => ({ json: { amount, payoutId: id }, pairedItem: { item } })),
		);
		expect(accepted()).toEqual(amounts);
		expect(asked()).toBe(5);
	});

	test('Retry On Fail never resends a payout that may have been accepted, and tells the answer of its first try', async () => {
		await fault({ delayMs: 1 });
		await fault({ status: 503, acted: true });
		const { error } = await run(three, RETRYING);
		expect(error?.message).toMatch(
			/^1 of 3 already paid\. Not sent again because the service may have accepted an earlier try: .* \[item 2 of 3\]$/,
		);
		expect(error?.context).toMatchObject({
			outcome: 'unknown',
			executed: [{ itemIndex: 0, amount: '1' }],
			httpStatus: 503,
			details: expect.stringContaining('Something went wrong'),
		});
		expect(accepted()).toEqual(['1', '2']);
	});

	const CONTINUING = ['continueRegularOutput', 'continueErrorOutput'] as const;
	test.each(CONTINUING)('each payout once with %s', async (onError) => {
		await fault({ dropAfter: true });
		await fault({ status: 422 });
		const outputs = (await run(three, { ...RETRYING, onError })).items;
		expect(accepted().sort()).toEqual(['1', '2', '3']);
		const said = outputs.flat().map((item) => `${String(resultOf(item))} ${JSON.stringify(item.pairedItem)}`);
		expect(said.sort()).toEqual(['paid {"item":1}', 'paid {"item":2}', 'unknown {"item":0}']);
	});

	test('an item that becomes invalid between two tries stops the node with a list of the earlier payouts', async () => {
		await refuseSecond();
		const items = [payout('1'), payout('2')];
		const turning = setInterval(() => {
			if (asked() >= 2) items[1]!.json.amount = 'x';
		}, 1);
		const { error } = await run(items, { ...RETRYING, maxTries: 2, waitBetweenTries: 200 });
		clearInterval(turning);
		expect(error?.message).toBe("1 of 2 already paid. 'Amount' is not a decimal number: x [item 2]");
		expect(error?.context).toMatchObject({ outcome: 'notSent', executed: [{ itemIndex: 0, amount: '1' }] });
		expect(error?.description).toContain('Already paid: item 1: 1 NGN');
		expect(accepted()).toEqual(['1']);
	});

	test('an expression that gives a different value in each try pays once', async () => {
		const requestBody =
			'={{ JSON.stringify({ coin: "USDT", amount: $json.amount, wallet_alias: "treasury", ref: Math.random() }) }}';
		await refuseSecond('POST /v1/crypto_payout');
		await run(three, RETRYING, cryptoPayout(requestBody));
		expect(accepted()).toEqual(['1', '2', '3']);
	});
});

describe('"Retry execution"', () => {
	test('pays what is left by key, and tells what was paid', async () => {
		const failed = await stopAtSecond([keyed('a', '1'), keyed('b', '2'), keyed('c', '3')], BY_KEY);
		const { items } = await failed.retry();
		expect(items[0]!.map(({ json }) => [json.result, json.amount])).toEqual([
			['paid', '1'],
			['paid', '2'],
			['paid', '3'],
		]);
		expect(accepted()).toEqual(['1', '2', '3']);
	});

	test('sends nothing without a key that its execution has not sent, and says what to do', async () => {
		const failed = await stopAtSecond();
		const retried = await failed.retry();
		expect(retried.error?.message).toBe(
			"1 of 3 already paid. Not sent because a retried execution pays only items that have a 'Payment Key' [item 2 of 3]",
		);
		expect(retried.error?.description).toContain('pay it in a new execution');
		expect(retried.error?.context).toMatchObject({ outcome: 'unknown', executed: [{ itemIndex: 0 }] });
		expect(results(await failed.retry(CONTINUED))).toEqual(['paid', 'unknown', 'unknown']);
		expect(accepted()).toEqual(['1']);
	});

	test('of an execution that never reached the node, too', async () => {
		const never = await payments.run(PAYOUT, { items: three, mode: 'retry', ...CONTINUED });
		expect(results(never)).toEqual(['unknown', 'unknown', 'unknown']);
		expect(asked()).toBe(0);
	});

	test('"Retry execution" never resends a payout whose outcome is unknown', async () => {
		await fault({ dropAfter: true });
		let failed = await run(three);
		for (let retry = 0; retry < 3; retry++) {
			expect(failed.error?.context).toMatchObject({ outcome: 'unknown' });
			failed = await failed.retry();
		}
		expect(accepted()).toEqual(['1']);
		expect(asked()).toBe(1);
	});

	test('after the node was given another operation, an item that may have paid is not sent again', async () => {
		await fault({ dropAfter: true });
		const failed = await run([payout('1')]);
		expect((await failed.retry({ parameters: CRYPTO })).error).toMatchObject({
			message: 'Not sent because another operation may have been done for this item in this execution',
			description: expect.stringContaining('The node used POST /v1/fiat_payout before it was changed'),
		});
		expect(asked()).toBe(1);
	});

	test.each<[string, object, string[]]>([
		['another key', { paymentKey: '={{ $json.key + "-b" }}' }, ['unknown', 'paid']],
		['no key', { paymentKey: '' }, ['unknown', 'unknown']],
		['another amount', { amount: '3' }, ['unknown', 'paid']],
		['an amount that cannot be read', { amount: '1,000' }, ['unknown', 'notSent']],
	])('after the node was given %s, what may have paid is still unknown', async (_, changed, after) => {
		await fault({ dropAfter: true });
		const failed = await run([keyed('a', '1'), keyed('b', '2')], {}, BY_KEY);
		const again = await failed.retry({ parameters: { ...BY_KEY, ...changed }, ...CONTINUED });
		expect(results(again)).toEqual(after);
		expect(accepted().filter((amount) => amount === '1')).toHaveLength(1);
	});

	test('chosen again for an older state, it pays nothing twice', async () => {
		const failed = await stopAtSecond([keyed('a', '1'), keyed('b', '2'), keyed('c', '3')], BY_KEY);
		await refuseSecond();
		expect((await failed.retry()).error?.context).toMatchObject({ outcome: 'rejected' });
		expect(results(await failed.retry())).toEqual(['paid', 'alreadyPaid', 'paid']);
		expect(accepted()).toEqual(['1', '2', '3']);
	});

	test('of a list with and without keys, only what has none is held back', async () => {
		const failed = await stopAtSecond([keyed('a', '1'), keyed('b', '2'), keyed('c', '3')], BY_KEY);
		const changed = { ...BY_KEY, paymentKey: '={{ $json.key === "b" ? "b" : "" }}' };
		expect((await failed.retry({ parameters: changed, ...CONTINUED })).items.flat()).toHaveLength(3);
		expect(accepted()).toEqual(['1']);
		const some = { ...BY_KEY, paymentKey: '={{ $json.key }}' };
		expect(results(await failed.retry({ parameters: some, ...CONTINUED }))).toEqual(['paid', 'paid', 'paid']);
		expect(accepted()).toEqual(['1', '2', '3']);
	});

	test('a dry run of it is shown, and writes nothing', async () => {
		const failed = await stopAtSecond();
		const before = structuredClone(records);
		const dry = { parameters: { ...PAYOUT, options: { dryRun: true } }, ...CONTINUED };
		expect(results(await failed.retry(dry))).toEqual(['paid', 'dryRun', 'dryRun']);
		expect(records).toEqual(before);
	});

	test('Maximum Total counts what a retry sends, not what an earlier try has sent', async () => {
		const limited = (amount: string, more: object = {}) => ({
			...FIAT,
			amount,
			paymentKey: 'a',
			options: { maximumTotal: '50', ...more },
		});
		await fault({ dropBefore: true });
		const failed = await run([{ json: {} }], {}, limited('2'));
		ageKeys();
		// A person decides, the service refuses, and the key is free.
		await fault({ status: 422 });
		await run([{ json: {} }], {}, limited('2', { ifOutcomeIsUnknown: 'wasNotPaid' }));
		expect((await failed.retry({ parameters: limited('60') })).error?.message).toContain('The total 60');
		expect(accepted()).toEqual([]);
	});

	test.each(['={{ $json.key }}', '={{ $json.key }}-b'])(
		'Maximum Total counts what may have been paid when a retry gives less for it: %s',
		async (paymentKey) => {
			const options = { maximumTotal: '50' };
			await fault({ dropAfter: true });
			const failed = await run([keyed('a', '40'), keyed('b', '10')], {}, { ...BY_KEY, options });
			const amount = (second: string) => ({
				parameters: {
					...BY_KEY,
					paymentKey,
					options,
					amount: `={{ $json.key === "a" ? "1" : "${second}" }}`,
				},
				...CONTINUED,
			});
			expect(results(await failed.retry(amount('20')))).toEqual(['unknown', 'notSent']);
			expect(results(await failed.retry(amount('10')))).toEqual(['unknown', 'paid']);
			expect(accepted()).toEqual(['40', '10']);
		},
	);

	test('an unknown payment with a key that a person has settled since is what the person says, also when the retry stops', async () => {
		await fault({ dropAfter: true });
		const failed = await run([keyed('a', '1'), keyed('b', '2')], {}, BY_KEY);
		ageKeys();
		const settled = { ...BY_KEY, options: { ifOutcomeIsUnknown: 'wasPaid' } };
		expect(results(await run([keyed('a', '1')], {}, settled))).toEqual(['alreadyPaid']);
		await fault({ status: 422 });
		const stopped = await failed.retry();
		expect(stopped.error?.context).toMatchObject({ outcome: 'rejected', executed: [] });
		const words = /^Paid in an earlier run: item 1\. The service refused this payment\./;
		expect(stopped.error?.description).toMatch(words);
		expect(results(await stopped.retry())).toEqual(['alreadyPaid', 'paid']);
		expect(accepted()).toEqual(['1', '2']);
	});

	test('retried twice at the same time, each payment is made once', async () => {
		await fault({ status: 422 });
		const failed = await run([keyed('a', '1'), keyed('b', '2')], {}, BY_KEY);
		const both = await Promise.all([failed.retry(CONTINUED), failed.retry(CONTINUED)]);
		expect(both.map(results).map((each) => each.sort().join())).toEqual(
			expect.arrayContaining([expect.stringMatching(/paid/i), expect.stringMatching(/paid/i)]),
		);
		expect(accepted().sort()).toEqual(['1', '2']);
	});
});

test('two equal items in one run make two payouts', async () => {
	await run([payout('5'), payout('5')]);
	expect(accepted()).toEqual(['5', '5']);
});
