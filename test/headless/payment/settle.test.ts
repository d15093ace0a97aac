import { until } from '../../../host/until.ts';
import { killAfter, records, timing } from '../memoryProcessedItems.ts';
import { CONTINUED, keyed, PAYOUT, payout, resultOf, withNode } from '../withNode.ts';

/** A person decides about a payment whose outcome is unknown, with the option If Outcome Is Unknown. */
const { run, payByKey, payElsewhere, fault, accepted, asked, restart } = withNode();

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
		expect(description).not.toMatch(/another key/i);
	}
	// The words of the advice that would be wrong here.
	await payByKey([keyed('b')]);
	const [different] = await payByKey([keyed('b', '11')]);
	expect(different!.json.error).toMatchObject({ description: expect.stringMatching(/another key/i) });
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
		['paidAlready', "'If Outcome Is Unknown' is not doNotPay or wasNotPaid or wasPaid: paidAlready"],
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
		killAfter(1);
		await payByKey([keyed('old')], WAS_NOT_PAID);
		timing.fail = undefined;
		restart();
		await payByKey([keyed('old')], WAS_NOT_PAID);
		await payByKey([keyed('old')], WAS_NOT_PAID);
		expect(accepted()).toEqual(['10']);
	});

	test('when a run with Do Not Pay says unknown while the decided payment is under way', async () => {
		await leaveUnknown('slow', { dropBefore: true });
		// Starts the other process, which takes a second.
		await payElsewhere([keyed('another')]);
		await fault({ delayMs: 1500 });
		const running = payByKey([keyed('slow')], WAS_NOT_PAID);
		await until('the payment', () => asked() > 2 || undefined);
		// Another process, with the same rows: it does not wait for the first.
		expect(await payElsewhere([keyed('slow')])).toEqual(['unknown']);
		expect(await payElsewhere([keyed('slow')], WAS_NOT_PAID)).toEqual(['unknown']);
		expect((await running).map(resultOf)).toEqual(['paid']);
		expect(await payElsewhere([keyed('slow')], WAS_NOT_PAID)).toEqual(['alreadyPaid']);
		expect(accepted()).toEqual(['10', '10']);
	});
});

describe('a decision whose payment a kill has cut off', () => {
	const DECISION = 'decided';
	const killDecided = async () => {
		await leaveUnknown('cut', { dropBefore: true });
		await fault({ delayMs: 300 });
		const running = payByKey([keyed('cut')], WAS_NOT_PAID);
		await until('the payment', () => asked() > 1 || undefined);
		const atKill = [...records].map(([place, entries]): [string, string[]] => [place, [...entries]]);
		await running;
		records.clear();
		for (const [place, entries] of atKill) records.set(place, entries);
		restart();
	};
	afterEach(() => jest.restoreAllMocks());

	test('it does not act again, and for some minutes nobody can decide', async () => {
		await killDecided();
		expect([...records.keys()].some((place) => place.includes(DECISION))).toBe(true);
		for (const options of [WAS_NOT_PAID, WAS_PAID, {}, WAS_NOT_PAID])
			expect((await payByKey([keyed('cut')], options)).map(resultOf)).toEqual(['unknown']);
		expect(accepted()).toEqual(['10']);
	});

	test('twenty minutes later a person reads the outcome and decides', async () => {
		await killDecided();
		const now = Date.now();
		jest.spyOn(Date, 'now').mockImplementation(() => now + 20 * 60_000);
		expect((await payByKey([keyed('cut')], WAS_NOT_PAID)).map(resultOf)).toEqual(['unknown']);
		expect((await payByKey([keyed('cut')])).map(resultOf)).toEqual(['unknown']);
		expect((await payByKey([keyed('cut')], WAS_PAID)).map(resultOf)).toEqual(['alreadyPaid']);
		expect(accepted()).toEqual(['10']);
	});
});

test('It Was Paid, left in place, never reports alreadyPaid for a key that was not sent', async () => {
	for (const number of [1, 2, 3, 4, 5, 6]) {
		let writes = 0;
		timing.fail = (kind) => (kind !== 'read' && (writes += 1) === number ? 'after' : undefined);
		await payByKey([keyed(`fresh ${number}`)], WAS_PAID);
		timing.fail = undefined;
		const before = asked();
		const [result] = (await payByKey([keyed(`fresh ${number}`)], WAS_PAID)).map(resultOf);
		if (result === 'alreadyPaid') expect(accepted()).toHaveLength(before);
		else expect(result).toBe('unknown');
	}
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
			const [first, ...more] = description.split("'It Was Not Paid'");
			expect(first).toMatch(/look the payment up at the service\. Then [^.]*$/);
			expect(more).toHaveLength(1);
		},
	);
});
