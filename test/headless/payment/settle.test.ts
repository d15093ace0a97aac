import { ageKeys, timing } from '../memoryProcessedItems.ts';
import { keyed, resultOf, withNode } from '../withNode.ts';

/**
 * A person decides about a payment whose outcome is unknown, with the option If Outcome Is Unknown. The model of Payment Keys in
 * test/unit tries decisions beside each other, kills and faults.
 */
const { payByKey, fault, accepted, asked } = withNode();

const pay = async (ifOutcomeIsUnknown = 'doNotPay') =>
	(await payByKey([keyed('a')], { ifOutcomeIsUnknown }))[0]!;
/** What a person decides when the request is over. */
const decide = async (decision: string) => {
	ageKeys();
	return await pay(decision);
};
const result = async (decision?: string) => resultOf(await pay(decision));
const leaveUnknown = async (kind: object = { dropAfter: true }) => {
	await fault(kind);
	expect(await result()).toBe('unknown');
};

test('an unknown payment is never sent again, and the message says how to settle it, not to use another key', async () => {
	await fault({ status: 500, acted: true });
	const refused = "Not sent because an earlier payment with 'Payment Key' a may have moved this money";
	for (const said of [/^The service answered 500/, refused, refused]) {
		const { message, description } = (await pay()).json.error as Record<string, string>;
		expect(message).toMatch(said);
		expect(description).toContain(
			"add the option 'If Outcome Is Unknown' and choose 'It Was Paid' or 'It Was Not Paid: Pay Now' for this item",
		);
		expect(description).not.toMatch(/another key/i);
	}
	expect(accepted()).toEqual(['10']);
});

test('Do Not Pay leaves the outcome unknown, It Was Paid records the payment, and both send nothing', async () => {
	await leaveUnknown();
	expect(await result('doNotPay')).toBe('unknown');
	expect((await decide('wasPaid')).json).toEqual({
		result: 'alreadyPaid',
		alreadyPaid: true,
		paymentKey: 'a',
		currency: 'NGN',
		amount: '10',
		accountAlias: 'supplier-main',
	});
	expect(await result()).toBe('alreadyPaid');
	expect(asked()).toBe(1);
});

test('a decision within five minutes sends nothing, is told as early, and reads from when on it may act', async () => {
	const MINUTE = 60_000;
	const began = Date.now();
	await fault({ dropAfter: true });
	const { decideFrom } = (await pay()).json.error as { decideFrom: string };
	expect(decideFrom).toBe(new Date(decideFrom).toISOString());
	const wait = Date.parse(decideFrom) - began;
	expect(wait).toBeGreaterThan(5 * MINUTE);
	expect(wait).toBeLessThan(7 * MINUTE);
	for (const decision of ['wasNotPaid', 'wasPaid']) {
		const { json } = await pay(decision);
		expect(json.error).toMatchObject({
			message: expect.stringMatching(
				/^Your answer about 'Payment Key' a came too early, so nothing was done: it counts from \d{4}-\d\d-\d\d \d\d:\d\d \([^)]+\) on$/,
			),
			description: 'The payment may be under way until then. Look it up at the service, and answer again.',
			outcome: 'unknown',
			decideFrom,
		});
	}
	const young = (await pay()).json.error as Record<string, string>;
	expect(young.decideFrom).toBe(decideFrom);
	expect(young.description).toMatch(
		/^Another run may be paying it now\. From \d{4}-\d\d-\d\d \d\d:\d\d \([^)]+\) on, look this payment up at the service\. /,
	);
	expect(asked()).toBe(1);
	ageKeys();
	const old = (await pay()).json.error as Record<string, string>;
	expect(old.description).toMatch(/^Look this payment up at the service\. /);
	expect(old.decideFrom).toBeUndefined();
	expect(await result('wasPaid')).toBe('alreadyPaid');
});

test('It Was Paid about a key that n8n has never seen sends nothing, and leaves the key as it was', async () => {
	const item = await pay('wasPaid');
	expect(resultOf(item)).toBe('notSent');
	expect(item.json.error).toMatchObject({
		message: expect.stringMatching(
			/^Not sent because you said that it was paid, .* no record of 'Payment Key' a/,
		),
		outcome: 'notSent',
	});
	expect(asked()).toBe(0);
	expect(await result()).toBe('paid');
});

test('a decision that stays in place decides once: a payment that gets no answer again is not sent a third time', async () => {
	await leaveUnknown({ dropBefore: true });
	await fault({ dropAfter: true });
	const second = await decide('wasNotPaid');
	expect(resultOf(second)).toBe('unknown');
	expect(second.json.error).toMatchObject({
		mayDecide: 'nextRun',
		description: expect.stringContaining(
			"First run this item again with 'If Outcome Is Unknown' set to 'Do Not Pay'",
		),
	});
	expect((await decide('wasNotPaid')).json.error).toMatchObject({
		mayDecide: 'nextRun',
		message: expect.stringMatching(/ was used before, or two came at the same moment$/),
		description: expect.stringMatching(/to 'Do Not Pay' and run this item again\. .* and answer again\.$/),
	});
	expect(accepted()).toEqual(['10']);
	// A run with Do Not Pay shows the payment to a person again.
	const shown = await pay();
	expect(resultOf(shown)).toBe('unknown');
	expect((shown.json.error as { mayDecide?: string }).mayDecide).toBeUndefined();
	expect(resultOf(await decide('wasPaid'))).toBe('alreadyPaid');
	expect(asked()).toBe(2);
});

test("a record that cannot be written is no reason to choose 'It Was Not Paid: Pay Now'", async () => {
	await leaveUnknown();
	timing.fail = () => 'before';
	const { description } = (await pay()).json.error as { description: string };
	expect(accepted()).toEqual(['10']);
	const [first, ...more] = description.split("'It Was Not Paid: Pay Now'");
	expect(first).toMatch(/look the payment up at the service\. Then [^.]*$/);
	expect(more).toHaveLength(1);
});

test('where the time zone of the workflow is none, an unknown payment still says so, and its key can be asked again', async () => {
	await fault({ dropAfter: true });
	const workflowSettings = { executionOrder: 'v1' as const, timezone: 'DEFAULT' };
	for (const items of [[keyed('a'), keyed('b', '11')], [keyed('a')]]) {
		const [item] = await payByKey(items, {}, { workflowSettings });
		expect(resultOf(item!)).toBe('unknown');
		expect((item!.json.error as { description: string }).description).toMatch(/From \S+ \S+ \(UTC\) on/);
	}
	expect(accepted()).toEqual(['10', '11']);
});
