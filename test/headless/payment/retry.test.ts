import { NODE } from '../engine.ts';
import { records, timing } from '../memoryProcessedItems.ts';
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
			/^1 of 3 already paid\. Not sent again because the service may have accepted an earlier try: .* \[item 1\]$/,
		);
		expect(error?.context).toMatchObject({
			...{ outcome: 'unknown', executed: [{ itemIndex: 0, amount: '1' }] },
			...{ httpStatus: 503, details: expect.stringContaining('Something went wrong') },
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
		expect(error?.message).toBe("1 of 2 already paid. 'Amount' is not a decimal number: x [item 1]");
		expect(error?.context).toMatchObject({ outcome: 'notSent', executed: [{ itemIndex: 0, amount: '1' }] });
		expect(error?.description).toContain('Already paid: item 0: 1 NGN');
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
	test('"Retry execution" of a node whose ID is also its name continues where it stopped', async () => {
		await refuseSecond();
		const failed = await run(three, { id: NODE });
		const { items } = await failed.retry();
		expect(items[0]!.map(({ json }) => json.amount)).toEqual(['1', '2', '3']);
		expect(accepted()).toEqual(['1', '2', '3']);
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
		['no key', { paymentKey: '' }, ['unknown', 'paid']],
		['another amount', { amount: '3' }, ['unknown', 'paid']],
		['an amount that cannot be read', { amount: '1,000' }, ['unknown', 'notSent']],
	])('after the node was given %s, what may have paid is still unknown', async (_, changed, after) => {
		await fault({ dropAfter: true });
		const failed = await run([keyed('a', '1'), keyed('b', '2')], {}, BY_KEY);
		const again = await failed.retry({ parameters: { ...BY_KEY, ...changed }, ...CONTINUED });
		expect(results(again)).toEqual(after);
		expect(accepted().filter((amount) => amount === '1')).toHaveLength(1);
	});

	test('a second retry of an older execution does not pay again what the first retry has paid', async () => {
		const failed = await stopAtSecond();
		await refuseSecond();
		const retried = await failed.retry();
		expect(retried.error?.context).toMatchObject({ outcome: 'rejected' });
		const stale = await failed.retry();
		expect(stale.error?.message).toBe(
			'1 of 3 already paid. Not sent because an earlier retry of the same execution has reached this node [item 1]',
		);
		expect(stale.error?.context).toMatchObject({ outcome: 'unknown', executed: [{ itemIndex: 0 }] });
		expect(stale.error?.description).toContain('item 0');
		// The first retry may have paid the others.
		expect(results(await failed.retry(CONTINUED))).toEqual(['paid', 'unknown', 'unknown']);
		expect((await retried.retry()).error).toBeUndefined();
		expect(accepted()).toEqual(['1', '2', '3']);
	});

	test('with Retry On Fail too, a second retry pays nothing, also while n8n deletes nothing', async () => {
		const failed = await stopAtSecond();
		await refuseSecond();
		await failed.retry();
		timing.fail = (kind) => (kind === 'remove' ? 'before' : undefined);
		const stale = await failed.retry({ settings: RETRYING });
		expect(stale.error?.context).toMatchObject({ outcome: 'unknown' });
		expect(accepted()).toEqual(['1', '2']);
	});

	test('a second retry of an older execution pays items with a key', async () => {
		const failed = await stopAtSecond([keyed('a', '1'), keyed('b', '2'), keyed('c', '3')], BY_KEY);
		await refuseSecond();
		expect((await failed.retry()).error?.context).toMatchObject({ outcome: 'rejected' });
		expect(results(await failed.retry())).toEqual(['paid', 'alreadyPaid', 'paid']);
		expect(accepted()).toEqual(['1', '2', '3']);
	});

	test('of a list with and without keys, a second retry holds back only what has none', async () => {
		const failed = await stopAtSecond([keyed('a', '1'), keyed('b', '2')], BY_KEY);
		const changed = { parameters: { ...PAYOUT }, ...CONTINUED };
		expect(results(await failed.retry(changed))).toEqual(['paid', 'paid']);
		// The second item has lost its key, so only the first retry may send it.
		expect(results(await failed.retry(changed))).toEqual(['paid', 'unknown']);
		expect(accepted()).toEqual(['1', '2']);
	});

	const withKeys = { parameters: { ...PAYOUT, paymentKey: '={{ $json.amount }}' } };
	test.each([
		['with keys', 'without', withKeys, {}],
		['without keys', 'with them', {}, withKeys],
	])('after a retry %s, a later one %s pays nothing again', async (_, __, first, later) => {
		await fault({ status: 422 });
		const failed = await run(three);
		expect((await failed.retry(first)).error).toBeUndefined();
		expect((await failed.retry(later)).error?.context).toMatchObject({ outcome: 'unknown' });
		expect(accepted()).toEqual(['1', '2', '3']);
	});

	test.each([
		['a dry run', { options: { dryRun: true } }],
		['invalid', { amount: 'ten' }],
	])('a retry that is %s writes nothing, and does not use up the first retry', async (_, changed) => {
		const failed = await stopAtSecond();
		const before = structuredClone(records);
		await failed.retry({ parameters: { ...PAYOUT, ...changed }, ...CONTINUED });
		expect(records).toEqual(before);
		expect((await failed.retry()).error).toBeUndefined();
		expect(accepted()).toEqual(['1', '2', '3']);
	});

	test('a second retry that is a dry run for some items pays none of the others', async () => {
		const failed = await stopAtSecond();
		const options = { dryRun: '={{ $itemIndex === 2 }}' };
		const mixed = { parameters: { ...PAYOUT, options }, ...CONTINUED };
		expect(results(await failed.retry(mixed))).toEqual(['paid', 'paid', 'dryRun']);
		expect(results(await failed.retry(mixed))).toEqual(['paid', 'unknown', 'dryRun']);
		expect(accepted()).toEqual(['1', '2']);
	});

	test('Maximum Total counts what a retry sends, not what an earlier try has sent', async () => {
		const limited = (amount: string, more: object = {}) => ({
			...{ ...FIAT, amount, paymentKey: 'a' },
			options: { maximumTotal: '50', ...more },
		});
		await fault({ dropBefore: true });
		const failed = await run([{ json: {} }], {}, limited('2'));
		// A person decides, the service refuses, and the key is free.
		await fault({ status: 422 });
		await run([{ json: {} }], {}, limited('2', { ifOutcomeIsUnknown: 'wasNotPaid' }));
		expect((await failed.retry({ parameters: limited('60') })).error?.message).toContain('The total 60');
		expect(accepted()).toEqual([]);
	});

	test('an unknown payment with a key that a person has settled since is what the person says, also when the retry stops', async () => {
		await fault({ dropAfter: true });
		const failed = await run([keyed('a', '1'), keyed('b', '2')], {}, BY_KEY);
		const settled = { ...BY_KEY, options: { ifOutcomeIsUnknown: 'wasPaid' } };
		expect(results(await run([keyed('a', '1')], {}, settled))).toEqual(['alreadyPaid']);
		await fault({ status: 422 });
		const stopped = await failed.retry();
		expect(stopped.error?.context).toMatchObject({ outcome: 'rejected', executed: [] });
		const words = /^Paid in an earlier run: item 0\. The service refused this payment\./;
		expect(stopped.error?.description).toMatch(words);
		expect(results(await stopped.retry())).toEqual(['alreadyPaid', 'paid']);
		expect(accepted()).toEqual(['1', '2']);
	});

	test('when an execution is retried twice at the same time, one retry pays', async () => {
		await fault({ status: 422 });
		const failed = await run(three);
		const both = await Promise.all([failed.retry(), failed.retry()]);
		expect(both.map(({ error }) => error === undefined).sort()).toEqual([false, true]);
		expect(accepted()).toHaveLength(3);
	});
});

test('two equal items in one run make two payouts', async () => {
	await run([payout('5'), payout('5')]);
	expect(accepted()).toEqual(['5', '5']);
});
