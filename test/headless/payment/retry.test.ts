import type { INodeType } from 'n8n-workflow';
import { WalletService } from '../../../nodes/WalletService/WalletService.node.ts';
import { NODE } from '../engine.ts';
import { headless } from '../harness.ts';
import { timing } from '../memoryProcessedItems.ts';
import { CONTINUED, cryptoPayout, FIAT, PAYOUT, payout, resultOf, withNode } from '../withNode.ts';
import type { Setup } from '../withNode.ts';

/** Within an execution and its retries, each payment is made once, whatever n8n tries again. */
const { credentials, fault, accepted, asked, ...payments } = withNode();

const three = ['1', '2', '3'].map((amount) => payout(amount));
/** Lets the service accept a payment and refuse the next one. */
const refuseSecond = async () => {
	await fault({ delayMs: 1 });
	await fault({ status: 422 });
};

const run = async (items: Setup['items'], settings: Setup['settings'] = {}) =>
	await payments.run(PAYOUT, { items, settings });

describe('Retry On Fail', () => {
	const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

	test('Retry On Fail sends rejected payouts again, and no accepted one', async () => {
		await fault({ delayMs: 1 });
		await refuseSecond();
		const items4 = ['1', '2', '3', '4'].map((amount) => payout(amount));
		const { items, error } = await run(items4, retrying);
		expect(error).toBeUndefined();
		expect(items[0]!.map(({ json }) => json.amount)).toEqual(['1', '2', '3', '4']);
		expect(items[0]!.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3].map((item) => ({ item })));
		expect(accepted()).toEqual(['1', '2', '3', '4']);
		expect(asked()).toBe(5);
	});

	test.each([{ dropAfter: true }, { malformed: true }, { status: 500, acted: true }])(
		'Retry On Fail never resends a payout that may have been accepted: %p',
		async (kind) => {
			await fault({ delayMs: 1 });
			await fault(kind);
			const { error } = await run(three, retrying);
			expect(error?.message).toMatch(
				/^1 of 3 already paid\. Not sent again because the service may have accepted an earlier try: .* \[item 1\]$/,
			);
			expect(error?.context).toMatchObject({ outcome: 'unknown', executed: [{ itemIndex: 0, amount: '1' }] });
			expect(accepted()).toEqual(['1', '2']);
		},
	);

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'Retry On Fail in mode %s makes each payout once',
		async (onError) => {
			await fault({ dropAfter: true });
			await fault({ status: 422 });
			const { items } = await run(three, { ...retrying, onError });
			expect(accepted().sort()).toEqual(['1', '2', '3']);
			expect(items.flat().map((item) => [resultOf(item), item.pairedItem])).toEqual(
				expect.arrayContaining([
					['unknown', { item: 0 }],
					['paid', { item: 1 }],
					['paid', { item: 2 }],
				]),
			);
			expect(items.flat()).toHaveLength(3);
		},
	);

	test('an item that becomes invalid between two tries hides no outcome of the first try', async () => {
		await fault({ dropAfter: true });
		await fault({ status: 422 });
		const items = [payout('1'), payout('2'), payout('3')];
		const turning = setInterval(() => {
			if (asked() >= 3) items[1]!.json.amount = 'x';
		}, 1);
		const slowly = { ...retrying, maxTries: 2, waitBetweenTries: 200 };
		const { items: outputs } = await run(items, { ...slowly, onError: 'continueRegularOutput' });
		clearInterval(turning);
		const outcomes = outputs[0]!.map(({ json }) => [json.result, json.amount]);
		expect(outcomes).toEqual([
			['unknown', '1'],
			['notSent', undefined],
			['paid', '3'],
		]);
		expect(accepted()).toEqual(['1', '3']);
	});

	test('an item that becomes invalid between two tries stops the node with a list of the earlier payouts', async () => {
		await refuseSecond();
		const items = [payout('1'), payout('2')];
		const turning = setInterval(() => {
			if (asked() >= 2) items[1]!.json.amount = 'x';
		}, 1);
		const { error } = await run(items, { ...retrying, maxTries: 2, waitBetweenTries: 200 });
		clearInterval(turning);
		expect(error?.message).toBe("1 of 2 already paid. 'Amount' is not a decimal number: x [item 1]");
		expect(error?.context).toMatchObject({ outcome: 'notSent', executed: [{ itemIndex: 0, amount: '1' }] });
		expect(error).toMatchObject({ description: expect.stringContaining('Already paid: item 0: 1 NGN') });
		expect(accepted()).toEqual(['1']);
	});

	test('an expression that gives a different value in each try pays once', async () => {
		const requestBody =
			'={{ JSON.stringify({ coin: "USDT", amount: $json.amount, wallet_alias: "treasury", ref: Math.random() }) }}';
		await fault({ delayMs: 1 }, 1, 'POST /v1/crypto_payout');
		await fault({ status: 422 }, 1, 'POST /v1/crypto_payout');
		const items = [payout('1'), payout('2')];
		const { error } = await payments.run(cryptoPayout(requestBody), { items, settings: retrying });
		expect(error).toBeUndefined();
		expect(accepted()).toEqual(['1', '2']);
	});
});

describe('"Retry execution"', () => {
	test('"Retry execution" continues where the node stopped', async () => {
		await refuseSecond();
		const failed = await run(three);
		expect(failed.error?.context).toMatchObject({
			outcome: 'rejected',
			executed: [{ itemIndex: 0, amount: '1' }],
		});
		expect(accepted()).toEqual(['1']);
		const { items: outputs, error } = await failed.retry();
		expect(error).toBeUndefined();
		expect(outputs[0]!.map(({ json }) => json.amount)).toEqual(['1', '2', '3']);
		expect(accepted()).toEqual(['1', '2', '3']);
	});

	test('"Retry execution" never resends a payout whose outcome is unknown', async () => {
		await fault({ dropAfter: true });
		let failed = await run([payout('1'), payout('2')]);
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
		const { error } = await failed.retry({
			parameters: cryptoPayout('{"coin":"USDT","amount":"1","wallet_alias":"treasury"}'),
		});
		expect(error).toMatchObject({
			message: 'Not sent because another operation may have been done for this item in this execution',
			description: expect.stringContaining('The node used POST /v1/fiat_payout before it was changed'),
		});
		expect(asked()).toBe(1);
	});

	test.each([
		['another key', { paymentKey: 'b' }],
		['no key', {}],
		['an amount that cannot be read', { paymentKey: 'a', amount: '1,000' }],
	])(
		'after the node was given %s, an item that may have paid still has an unknown outcome',
		async (_, changed) => {
			await fault({ dropAfter: true });
			const failed = await payments.run({ ...PAYOUT, paymentKey: 'a' }, { items: [payout('1')] });
			const { items } = await failed.retry({ parameters: { ...PAYOUT, ...changed }, ...CONTINUED });
			expect(items.flat().map(resultOf)).toEqual(['unknown']);
			expect(asked()).toBe(1);
		},
	);

	test('while another item is invalid, an item that may have paid still has an unknown outcome', async () => {
		const keyed = { ...PAYOUT, paymentKey: '={{ $json.amount }}' };
		await fault({ dropAfter: true });
		const failed = await payments.run(keyed, { items: [payout('1'), payout('2')] });
		const amount = '={{ $json.amount === "2" ? "x" : $json.amount }}';
		const { items } = await failed.retry({ parameters: { ...keyed, amount }, ...CONTINUED });
		expect(items.flat().map(resultOf)).toEqual(['unknown', 'notSent']);
		expect(asked()).toBe(1);
	});

	test('a second retry of an older execution does not pay again what the first retry has paid', async () => {
		await refuseSecond();
		const failed = await run(three);
		await refuseSecond();
		const retried = await failed.retry();
		expect(retried.error?.context).toMatchObject({ outcome: 'rejected' });
		const stale = await failed.retry();
		expect(stale.error?.message).toBe(
			'Not sent because an earlier retry of the same execution has reached this node',
		);
		expect(stale.error?.context).toMatchObject({ outcome: 'notSent' });
		const newest = await retried.retry();
		expect(newest.error).toBeUndefined();
		expect(accepted()).toEqual(['1', '2', '3']);
	});

	test('a node whose ID is also its name can be retried', async () => {
		await refuseSecond();
		const failed = await run(three, { id: NODE });
		expect((await failed.retry()).error).toBeUndefined();
		expect(accepted()).toEqual(['1', '2', '3']);
	});

	test('with Retry On Fail too, a second retry pays nothing, also while n8n deletes nothing', async () => {
		await refuseSecond();
		const failed = await run(three);
		await refuseSecond();
		await failed.retry();
		timing.fail = (kind) => (kind === 'remove' ? 'before' : undefined);
		const stale = await failed.retry({ settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 } });
		expect(stale.error?.context).toMatchObject({ outcome: 'notSent' });
		expect(accepted()).toEqual(['1', '2']);
	});

	test('a second retry of an older execution pays items with a key', async () => {
		const items = ['1', '2', '3'].map((amount) => payout(amount, { key: `key ${amount}` }));
		const parameters = { ...PAYOUT, paymentKey: '={{ $json.key }}' };
		await refuseSecond();
		const failed = await payments.run(parameters, { items });
		await refuseSecond();
		expect((await failed.retry()).error?.context).toMatchObject({ outcome: 'rejected' });
		const second = await failed.retry();
		expect(second.error).toBeUndefined();
		expect(second.items.flat().map(resultOf)).toEqual(['paid', 'alreadyPaid', 'paid']);
		expect(accepted()).toEqual(['1', '2', '3']);
	});

	test('of a list with and without keys, a second retry holds back only what has none', async () => {
		const parameters = { ...PAYOUT, paymentKey: '={{ $json.key }}' };
		const items = [payout('1', { key: 'a' }), payout('2', { key: 'b' })];
		await refuseSecond();
		const failed = await payments.run(parameters, { items });
		const changed = { parameters: { ...PAYOUT }, ...CONTINUED };
		expect((await failed.retry(changed)).items.flat().map(resultOf)).toEqual(['paid', 'paid']);
		// The second item has lost its key, so only the first retry may send it.
		expect((await failed.retry(changed)).items.flat().map(resultOf)).toEqual(['paid', 'notSent']);
		expect(accepted()).toEqual(['1', '2']);
	});

	test('a retry whose items are invalid does not use up the first retry', async () => {
		await refuseSecond();
		const failed = await run(three);
		const invalid = await failed.retry({ parameters: { ...PAYOUT, amount: 'ten' } });
		expect(invalid.error?.message).toContain('ten');
		expect((await failed.retry()).error).toBeUndefined();
		expect(accepted()).toEqual(['1', '2', '3']);
	});

	test('when an execution is retried twice at the same time, one retry pays', async () => {
		await fault({ status: 422 });
		const failed = await run(three);
		const both = await Promise.all([failed.retry(), failed.retry()]);
		expect(both.map(({ error }) => error === undefined).sort()).toEqual([false, true]);
		expect(accepted()).toHaveLength(3);
	});
});

describe('"Retry execution" of an execution that failed before the payment', () => {
	class Failing implements INodeType {
		description = { ...new WalletService().description, name: 'failing' };
		execute(): Promise<never> {
			return Promise.reject(new Error('The step before the payment fails'));
		}
	}
	const n8n = headless([WalletService, Failing]);
	/** An execution that stops before our node, whose place another one has until the retry. */
	const failBefore = async () => await n8n.runNode({ type: 'failing', parameters: FIAT, credentials });

	test('the payment is made once when the same execution is retried twice', async () => {
		const failed = await failBefore();
		for (let retry = 0; retry < 2; retry += 1) await failed.retry({ type: 'walletService' });
		expect(accepted()).toEqual(['10']);
		// Another execution that failed in the same way is another payment.
		await (await failBefore()).retry({ type: 'walletService' });
		expect(accepted()).toEqual(['10', '10']);
	});
});

test('two equal items in one run make two payouts', async () => {
	const { items } = await run([payout('5'), payout('5')]);
	expect(new Set(items[0]!.map(({ json }) => json.payoutId)).size).toBe(2);
	expect(accepted()).toEqual(['5', '5']);
});
