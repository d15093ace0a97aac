/** Pairs of executions that pay the same keys at the same instant, in one n8n process. */
import { judged } from '../shared/paymentLines.ts';
import type { PaymentFigures } from '../shared/paymentLines.ts';
import { payInPairs } from '../payments/pairs.ts';
import { withStack } from '../../bench/shared/payments/payer.ts';

const FULL = 200;
export const SHORT = 20;

export async function run({ short }: { short: boolean }): Promise<PaymentFigures> {
	return await withStack(async (stack) => {
		const { line } = await payInPairs(stack, short ? SHORT : FULL);
		return judged([{ ...line, what: `${line.what}, in one process` }]);
	});
}
