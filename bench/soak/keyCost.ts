/** What a Payment Key costs: milliseconds for each payout, by how many keys n8n remembers, compared with payouts without a key. */
import { measureKeyCost } from '../payments/keyCost.ts';
import type { PaymentFigures } from '../payments/lines.ts';
import { withStack } from '../payments/payer.ts';

/** Executions that are measured of each kind. */
const FULL = 15;
const SHORT = 3;

export async function run({ short }: { short: boolean }): Promise<PaymentFigures> {
	const costs = await withStack(async (stack) => await measureKeyCost(stack, short ? SHORT : FULL));
	return {
		lines: costs.map(({ what, single, batch }) => ({
			what: `ms for each payout ${what}`,
			more: `${single.toFixed(0)} alone, ${batch.toFixed(0)} in a list of ${costs[0]?.size ?? 0} (medians)`,
		})),
		misses: [],
	};
}
