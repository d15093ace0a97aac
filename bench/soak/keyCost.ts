/** What a Payment Key costs: milliseconds for each payout, by how many keys n8n remembers, compared with payouts without a key. */
import { BATCH, EXECUTIONS, measureKeyCost } from '../payments/keyCostMeter.ts';
import type { PaymentFigures } from '../payments/lines.ts';
import { withStack } from '../payments/payer.ts';

export async function run({ short }: { short: boolean }): Promise<PaymentFigures> {
	const executions = short ? EXECUTIONS.short : EXECUTIONS.full;
	const costs = await withStack(async (stack) => await measureKeyCost(stack, executions));
	return {
		lines: costs.map(({ what, single, batch }) => ({
			what: `milliseconds for a payout ${what}`,
			more: `${single.toFixed(0)} alone, ${batch.toFixed(0)} in a list of ${BATCH} (medians)`,
		})),
		misses: [],
	};
}
