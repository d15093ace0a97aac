import { timing } from '../memoryProcessedItems.ts';
import { BY_KEY, CONTINUED, keyed, payout, resultOf, withNode } from '../withNode.ts';

/**
 * A person decides about a payment whose outcome is unknown, with the option If Outcome Is Unknown. The model of Payment Keys in
 * test/unit tries decisions beside each other, kills and faults.
 */
const { run, payByKey, fault, accepted, asked } = withNode();

const decided = (key: string, decision?: string, amount = '10') => payout(amount, { key, decision });
const pay = async (items: Array<ReturnType<typeof payout>>, parameters: object = {}) => {
	const options = { ifOutcomeIsUnknown: "={{ $json.decision ?? 'doNotPay' }}" };
	const result = await run({ ...BY_KEY, options, ...parameters }, { ...CONTINUED, items });
	return result.items.flat();
};
const results = async (...given: Parameters<typeof pay>) => (await pay(...given)).map(resultOf);
const leaveUnknown = async (key: string, kind: object = { dropAfter: true }) => {
	await fault(kind);
	expect(await results([decided(key)])).toEqual(['unknown']);
};

test('an unknown payment is never sent again, and the message says how to settle it, not to use another key', async () => {
	await fault({ status: 500, acted: true });
	const refused = "Not sent because an earlier payment with 'Payment Key' a may have moved this money";
	for (const said of [/^The service answered 500/, refused, refused]) {
		const [item] = await pay([decided('a')]);
		const { message, description } = item!.json.error as Record<string, string>;
		expect(message).toMatch(said);
		expect(description).toContain(
			"add the option 'If Outcome Is Unknown' and choose 'It Was Paid' or 'It Was Not Paid: Pay Now' for this item",
		);
		expect(description).not.toMatch(/another key/i);
	}
	expect(accepted()).toEqual(['10']);
});

test('Do Not Pay leaves the outcome unknown, It Was Paid records the payment, and both send nothing', async () => {
	await leaveUnknown('a');
	expect(await results([decided('a', 'doNotPay')])).toEqual(['unknown']);
	const [item] = await pay([decided('a', 'wasPaid')]);
	expect(item!.json).toEqual({
		...{ result: 'alreadyPaid', alreadyPaid: true, paymentKey: 'a' },
		...{ currency: 'NGN', amount: '10', accountAlias: 'supplier-main' },
	});
	expect(await results([decided('a')])).toEqual(['alreadyPaid']);
	expect(asked()).toBe(1);
});

test('a decision that stays in place decides once: a payment that gets no answer again is not sent a third time', async () => {
	await leaveUnknown('a', { dropBefore: true });
	await fault({ dropAfter: true });
	expect(await results([decided('a', 'wasNotPaid')])).toEqual(['unknown']);
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

const WAS_PAID = { ifOutcomeIsUnknown: 'wasPaid' };

test.each([
	['a key with an unknown outcome', {}],
	['It Was Paid', WAS_PAID],
])(
	"a record that cannot be written is no reason to choose 'It Was Not Paid: Pay Now': %s",
	async (_what, options) => {
		await leaveUnknown('a');
		timing.fail = (kind) => (kind === 'remove' || options !== WAS_PAID ? 'before' : undefined);
		const [row] = await payByKey([keyed('a')], options);
		const { description } = row!.json.error as { description: string };
		expect(accepted()).toEqual(['10']);
		const [first, ...more] = description.split("'It Was Not Paid: Pay Now'");
		expect(first).toMatch(/look the payment up at the service\. Then [^.]*$/);
		expect(more).toHaveLength(1);
	},
);
