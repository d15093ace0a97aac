import { until } from '../../../host/until.ts';
import { killAfterQuestion, records, timing } from '../memoryProcessedItems.ts';
import { CONTINUED, keyed, PAYOUT, payout, resultOf, withNode } from '../withNode.ts';

/** A person decides about a payment whose outcome is unknown, with the option If Outcome Is Unknown. */
const { run, payByKey, fault, accepted, asked, restart } = withNode();

const decided = (key: string, decision?: string, amount = '10') => payout(amount, { key, decision });
const pay = async (items: Array<ReturnType<typeof payout>>, parameters: object = {}) => {
	const options = { ifOutcomeIsUnknown: "={{ $json.decision ?? 'doNotPay' }}" };
	const result = await run(
		{ ...PAYOUT, paymentKey: '={{ $json.key }}', options, ...parameters },
		{ ...CONTINUED, items },
	);
	return result.items.flat();
};
const results = async (...given: Parameters<typeof pay>) => (await pay(...given)).map(resultOf);
const leaveUnknown = async (key: string, kind: object = { dropAfter: true }) => {
	await fault(kind);
	expect(await results([decided(key)])).toEqual(['unknown']);
};

test('a message about an unknown outcome says how to settle it, and never to use another key', async () => {
	await fault({ dropAfter: true });
	for (let run = 0; run < 2; run += 1) {
		const [item] = await pay([decided('a')]);
		const { description } = item!.json.error as { description: string };
		expect(description).toContain(
			"add the option 'If Outcome Is Unknown' and choose 'It Was Paid' or 'It Was Not Paid' for this item",
		);
		expect(description).not.toContain('another key');
	}
});

test('Do Not Pay leaves the outcome unknown, It Was Paid records the payment, and both send nothing', async () => {
	await leaveUnknown('a');
	expect(await results([decided('a', 'doNotPay')])).toEqual(['unknown']);
	const [item] = await pay([decided('a', 'wasPaid')]);
	expect(item!.json).toEqual({
		result: 'alreadyPaid',
		alreadyPaid: true,
		paymentKey: 'a',
		currency: 'NGN',
		amount: '10',
		accountAlias: 'supplier-main',
	});
	expect(await results([decided('a')])).toEqual(['alreadyPaid']);
	expect(asked()).toBe(1);
});

test('It Was Not Paid pays now under the same key, once', async () => {
	await leaveUnknown('a', { dropBefore: true });
	expect(await results([decided('a', 'wasNotPaid')])).toEqual(['paid']);
	expect(await results([decided('a', 'wasNotPaid'), decided('a')])).toEqual(['alreadyPaid', 'alreadyPaid']);
	expect(accepted()).toEqual(['10']);
});

test('a decision that is left in place pays no accepted payment again, and pays new keys as usual', async () => {
	for (const decision of ['wasNotPaid', 'wasPaid']) {
		expect(await results([decided(decision, decision)])).toEqual(['paid']);
		expect(await results([decided(decision, decision)])).toEqual(['alreadyPaid']);
	}
	expect(accepted()).toEqual(['10', '10']);
});

test('a payment that is sent after It Was Not Paid and gets no answer is unknown again', async () => {
	await leaveUnknown('a', { dropBefore: true });
	await fault({ dropAfter: true });
	expect(await results([decided('a', 'wasNotPaid')])).toEqual(['unknown']);
	expect(await results([decided('a')])).toEqual(['unknown']);
	expect(await results([decided('a', 'wasPaid')])).toEqual(['alreadyPaid']);
	expect(accepted()).toEqual(['10']);
});

test('a key that is settled as not paid and then rejected is free', async () => {
	await leaveUnknown('a', { dropBefore: true });
	await fault({ status: 422 });
	expect(await results([decided('a', 'wasNotPaid')])).toEqual(['rejected']);
	expect(await results([decided('a', undefined, '11')])).toEqual(['paid']);
});

test('a decision about another payment under the key is refused', async () => {
	await leaveUnknown('a');
	expect(await results([decided('a', 'wasPaid', '11'), decided('a', 'wasNotPaid', '12')])).toEqual([
		'notSent',
		'notSent',
	]);
	expect(await results([decided('a', 'wasNotPaid', '11')])).toEqual(['notSent']);
	expect(asked()).toBe(1);
});

test('a decision that stays in place decides once: a payment that gets no answer again is not sent a third time', async () => {
	await leaveUnknown('a', { dropBefore: true });
	await fault({ dropAfter: true });
	expect(await results([decided('a', 'wasNotPaid'), decided('a', 'wasNotPaid')])).toEqual([
		'unknown',
		'unknown',
	]);
	const [item] = await pay([decided('a', 'wasNotPaid')]);
	expect(item!.json.error).toMatchObject({
		message:
			"Not sent because a payment with 'Payment Key' a is under way, or was tried since you decided about it",
		description: expect.stringContaining(
			"Set 'If Outcome Is Unknown' to 'Do Not Pay' and run this item again",
		),
	});
	expect(accepted()).toEqual(['10']);
	// A run with Do Not Pay shows the payment to a person again.
	expect(await results([decided('a')])).toEqual(['unknown']);
	expect(await results([decided('a', 'wasPaid')])).toEqual(['alreadyPaid']);
	expect(asked()).toBe(2);
});

test('a model cannot decide, and an unknown decision refuses the item', async () => {
	for (const [decision, words] of [
		["={{ $fromAI('decision') }}", "'If Outcome Is Unknown' must not come from an AI model"],
		['={{ $json.missing }}', "'If Outcome Is Unknown' is empty"],
		['paidAlready', "'If Outcome Is Unknown' has an unknown value: paidAlready"],
	]) {
		const [item] = await pay([decided('a')], { options: { ifOutcomeIsUnknown: decision } });
		expect((item!.json.error as { message: string }).message).toBe(words);
	}
	expect(asked()).toBe(0);
});

test('"Retry execution" under Do Not Pay sends no payment again', async () => {
	await fault({ dropAfter: true });
	const item = decided('a');
	const options = { ifOutcomeIsUnknown: "={{ $vars.decision ?? 'doNotPay' }}" };
	const failed = await run({ ...PAYOUT, paymentKey: '={{ $json.key }}', options }, { items: [item] });
	expect(failed.error?.context).toMatchObject({ outcome: 'unknown' });
	const again = await failed.retry();
	expect(again.error?.message).toBe(
		"Not sent because an earlier payment with 'Payment Key' a may have moved this money",
	);
	expect(asked()).toBe(1);
});

const WAS_NOT_PAID = { ifOutcomeIsUnknown: 'wasNotPaid' };
const WAS_PAID = { ifOutcomeIsUnknown: 'wasPaid' };

describe('It Was Not Paid, left in place, repeats no accepted payment', () => {
	test('after an answer that was lost', async () => {
		await fault({ dropAfter: true });
		await payByKey([keyed('lost')], WAS_NOT_PAID);
		await payByKey([keyed('lost')], WAS_NOT_PAID);
		expect(accepted()).toEqual(['10']);
	});

	test('"Retry execution" after an answer that was lost', async () => {
		await fault({ dropAfter: true });
		const parameters = { ...PAYOUT, paymentKey: '={{ $json.key }}', options: WAS_NOT_PAID };
		await (await run(parameters, { items: [keyed('lost-2')] })).retry();
		expect(accepted()).toEqual(['10']);
	});

	test('two equal items in one list, the answer to the first is lost', async () => {
		await fault({ dropAfter: true });
		await payByKey([keyed('lost-3'), keyed('lost-3')], WAS_NOT_PAID);
		expect(accepted()).toEqual(['10']);
	});

	test('after n8n was killed while it looked up a key that was paid long ago', async () => {
		await payByKey([keyed('old')], WAS_NOT_PAID);
		restart();
		killAfterQuestion();
		await payByKey([keyed('old')], WAS_NOT_PAID);
		timing.fail = undefined;
		restart();
		await payByKey([keyed('old')], WAS_NOT_PAID);
		await payByKey([keyed('old')], WAS_NOT_PAID);
		expect(accepted()).toEqual(['10']);
	});
});

describe('It Was Paid, left in place, never reports alreadyPaid for an unsent key', () => {
	test('after a write that was stored and reported an error', async () => {
		let writes = 0;
		timing.fail = () => ((writes += 1) === 1 ? 'after' : undefined);
		expect((await payByKey([keyed('fresh')], WAS_PAID)).map(resultOf)).toEqual(['unknown']);
		expect(asked()).toBe(0);
	});

	test('after a kill, of a key that was claimed ahead and not sent', async () => {
		await fault({ delayMs: 600 });
		const running = payByKey([keyed('sent'), keyed('ahead')], WAS_PAID);
		await until('the payment', () => asked() > 0 || undefined);
		const isClaimed = () => [...records.values()].flat().some((entry) => entry.includes('"ahead"'));
		await until('the claim of the other key', () => isClaimed() || undefined);
		const [[place, entries] = ['', []]] = records;
		const atKill = [...entries];
		await running;
		records.set(place, atKill);
		restart();
		const after = await payByKey([keyed('sent'), keyed('ahead')], WAS_PAID);
		expect(after.map(resultOf)[1]).toBe('unknown');
	});
});

describe('no advice leads to a second payment', () => {
	test.each([
		['a key with an unknown outcome', {}],
		['It Was Paid', WAS_PAID],
	])(
		"a record that cannot be written is no reason to choose 'It Was Not Paid': %s",
		async (_what, options) => {
			await fault({ dropAfter: true });
			await payByKey([keyed('advice')]);
			timing.fail = (kind) => (kind === 'remove' || options !== WAS_PAID ? 'before' : undefined);
			const [row] = await payByKey([keyed('advice')], options);
			const { description } = row!.json.error as { description: string };
			expect(accepted()).toEqual(['10']);
			expect(description).not.toContain("set 'If Outcome Is Unknown' to 'It Was Not Paid'");
		},
	);
});
