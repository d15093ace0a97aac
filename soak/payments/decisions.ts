/** What a person decides about payments whose outcome is unknown. */
import type { Json } from '../../host/n8n/client.ts';
import type { Stack } from '../../host/stack.ts';
import { BY_KEY, pay } from '../../bench/shared/payments/payer.ts';
import type { Payer } from '../../bench/shared/payments/payer.ts';
import { timesPaid, wordOf } from '../../bench/shared/payments/paymentComparison.ts';
import type { Payment } from '../../bench/shared/payments/paymentComparison.ts';

/** Like `BY_KEY`, with the person's decision about an unknown outcome in the item. */
export const DECIDED_BY_ITEM: Json = {
	...BY_KEY,
	options: { ifOutcomeIsUnknown: "={{ $json.decision ?? 'doNotPay' }}" },
};

/** A decision may be needed twice: the first run removes the mark that a killed execution has left. */
const RUNS_TO_SETTLE = 3;

/**
 * Decides about each unknown payment by what the service did, until none is unknown any more. The payer has `DECIDED_BY_ITEM`.
 * The others come with `wasNotPaid`, which must not repeat them. Updates what is said, and returns the number of runs.
 */
export async function settleByService(
	stack: Pick<Stack, 'n8n' | 'sandbox'>,
	payer: Payer,
	words: Map<Payment, string>,
): Promise<number> {
	let runs = 0;
	while (runs < RUNS_TO_SETTLE && [...words.values()].includes('unknown')) {
		const paid = timesPaid(stack);
		const decided = [...words].map(([payment, word]) => ({
			...payment,
			decision: word === 'unknown' && paid.has(payment.amount) ? 'wasPaid' : 'wasNotPaid',
		}));
		const items = await pay(stack.n8n, payer, decided);
		for (const [index, payment] of [...words.keys()].entries())
			words.set(payment, wordOf(items[index] ?? {}));
		runs += 1;
	}
	return runs;
}
