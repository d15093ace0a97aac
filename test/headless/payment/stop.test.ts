/** When a run stops at a payment, it says what was paid, what is unknown and what was not tried, and sends nothing more. */
import { until } from '../../../host/until.ts';
import { CONTINUED, cryptoPayout, PAYOUT, payout, withNode } from '../withNode.ts';

const { run, fault, accepted } = withNode();

const nobody = { alias: 'nobody' };
const REFUSED =
	'The service refused this payment. It moved no money. Correct the item and run again. If every item is refused, check Base URL of the credential.';
/** The error of a run over these items. `advice` is what it says about what to do. */
const stopped = async (items: Array<ReturnType<typeof payout>>, parameters: object = {}) => {
	const { error } = await run({ ...PAYOUT, ...parameters }, { items });
	const { executed } = error!.context as { executed: Array<{ id: string }> };
	return { ...error!, message: error!.message, advice: String(error!.description), executed };
};

describe('at a failed payment', () => {
	test('after a failed payout nothing more is sent, and the error lists the accepted ones', async () => {
		const items = [payout('1.10'), payout('2'), payout('3', nobody), payout('4')];
		const { context, message, advice, executed } = await stopped(items);
		expect(context).toMatchObject({ outcome: 'rejected', itemIndex: 2, httpStatus: 404 });
		expect(accepted()).toEqual(['1.10', '2']);
		expect(executed).toEqual([
			{ itemIndex: 0, id: expect.any(String), amount: '1.10' },
			{ itemIndex: 1, id: expect.any(String), amount: '2' },
		]);
		expect(message).toMatch(/^2 of 4 already paid\. The service answered 404: .*nobody.* \[item 3 of 4\]$/);
		expect(advice).toBe(
			`Already paid: item 1: 1.10 NGN to supplier-main, ID ${executed[0]!.id}; item 2: 2 NGN to supplier-main, ID ${executed[1]!.id}. ` +
				`Without a Payment Key: items 1 to 2. Running again pays these again. Not tried: item 4. ${REFUSED} The first item is item 1.`,
		);
	});

	test('a payout without an answer after a paid one names both, with no sentence twice', async () => {
		await fault({ delayMs: 1 });
		await fault({ dropAfter: true });
		const { message, advice } = await stopped([payout('1'), payout('2')]);
		expect(message).toBe('1 of 2 already paid. The service gave no answer (connection closed) [item 2 of 2]');
		expect(advice).toMatch(/^Already paid: item 1: .*unknown outcome: item 2: 2 NGN to supplier-main\./);
		const sentences = advice.split('. ');
		expect(new Set(sentences).size).toBe(sentences.length);
	});

	test('items with a key that were paid before count as paid, and running again does not pay them', async () => {
		const byKey = { paymentKey: '=P-{{ $json.amount }}' };
		await run({ ...PAYOUT, ...byKey }, { items: [payout('1')] });
		const items = [payout('1'), payout('2'), payout('3', nobody), payout('4')];
		const { message, advice, executed } = await stopped(items, byKey);
		expect(message).toMatch(/^2 of 4 already paid\. /);
		expect(advice).toMatch(/^Already paid: item 2: 2 NGN to supplier-main, key P-2, ID \w+/);
		expect(advice).toContain('. Each has a Payment Key: running again does not pay them again. ');
		expect(advice).toContain(' Paid in an earlier run: item 1. Not tried: item 4. ');
		expect(executed).toEqual([{ itemIndex: 1, id: expect.any(String), amount: '2' }]);
	});

	test('a run that has paid nothing says so once, and a single item has no number', async () => {
		const first = await stopped([payout('1', nobody), payout('2')]);
		expect(first.message).toMatch(/^The service answered 404: .*nobody.* \[item 1 of 2\]$/);
		expect(first.advice).toBe(`Not tried: item 2. ${REFUSED} The first item is item 1.`);
		const single = await stopped([payout('1', nobody)]);
		expect(single.message).toMatch(/nobody/);
		expect(single.message).not.toMatch(/item \d/);
		expect(single.advice).toBe(REFUSED);
	});

	test('accepted crypto payouts are listed too, by the likely names of their fields', async () => {
		const body = '={{ JSON.stringify({ coin: "USDT", amount: "1.5", wallet_alias: $json.alias }) }}';
		const items = [payout('', { alias: 'treasury' }), payout('', nobody)];
		const { executed } = await stopped(items, cryptoPayout(body));
		expect(executed).toEqual([{ itemIndex: 0, id: expect.any(String), amount: '1.5' }]);
	});
});

describe('when a person stops the execution', () => {
	/** Stops an execution of 15 payouts when the service has made so many, the last of which gets no answer. */
	async function stopAfter(made: number) {
		if (made > 1) await fault({ delayMs: 0 }, made - 1);
		await fault({ delayMs: 1500 });
		const items = Array.from({ length: 15 }, (_, index) => payout(String(index + 1)));
		const stopWhen = until('the payouts', () => accepted().length === made || undefined);
		return (await run(PAYOUT, { items, stopWhen, ...CONTINUED })).customData;
	}

	test('the custom data name the accepted payouts and the one without an answer, and no other is sent', async () => {
		expect(await stopAfter(3)).toEqual({
			payments_accepted: expect.stringMatching(
				/^item 1: 1 NGN to supplier-main, ID \S+; item 2: 2 NGN to supplier-main, ID \S+$/,
			),
			payments_unknown: 'item 3: 3 NGN to supplier-main',
		});
		expect(accepted()).toEqual(['1', '2', '3']);
	});

	test('if none was accepted, only the unknown one is named', async () => {
		expect(await stopAfter(1)).toEqual({ payments_unknown: 'item 1: 1 NGN to supplier-main' });
	});

	test('of many payouts the custom data name as many as n8n has room for', async () => {
		const { payments_accepted: words } = (await stopAfter(14))!;
		expect(words).toHaveLength(512);
		expect(words).toMatch(/^item 1: 1 NGN to supplier-main, ID \w+; item 2: .+…$/);
	});
});
