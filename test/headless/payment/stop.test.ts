import { until } from '../../../host/until.ts';
import { CONTINUED, PAYOUT, withPayments } from '../withPayments.ts';

/** When a person stops an execution, its custom data name what was paid and what is unknown, and nothing more is sent. */
const { run, fault, accepted } = withPayments();

/** Stops an execution of 15 payouts when the service has made so many, the last of which gets no answer. */
async function stopAfter(made: number) {
	if (made > 1) await fault({ delayMs: 0 }, made - 1);
	await fault({ delayMs: 1500 });
	const items = Array.from({ length: 15 }, (_, index) => ({
		json: { amount: String(index + 1), alias: 'supplier-main' },
	}));
	const stopWhen = until('the payouts', () => accepted().length === made || undefined);
	return await run(PAYOUT, { items, stopWhen, ...CONTINUED });
}

test('the payouts before are accepted, the one without an answer is unknown, and no other is sent', async () => {
	const { customData } = await stopAfter(3);
	expect(customData).toEqual({
		payments_accepted: expect.stringMatching(
			/^item 0: 1 NGN to supplier-main, ID \S+; item 1: 2 NGN to supplier-main, ID \S+$/,
		),
		payments_unknown: 'item 2: 3 NGN to supplier-main',
	});
	expect(accepted()).toEqual(['1', '2', '3']);
});

test('if none was accepted, only the unknown one is named', async () => {
	const { customData } = await stopAfter(1);
	expect(customData).toEqual({ payments_unknown: 'item 0: 1 NGN to supplier-main' });
});

test('of many payouts the custom data name as many as n8n has room for', async () => {
	const { customData } = await stopAfter(14);
	expect(customData!.payments_accepted).toHaveLength(512);
	expect(customData!.payments_accepted).toMatch(/^item 0: 1 NGN to supplier-main, ID \w+; item 1: .+…$/);
});
