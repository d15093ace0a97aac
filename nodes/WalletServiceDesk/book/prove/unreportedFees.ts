/** Fees of payouts in coins that the service has taken, and not reported yet. */
import { compare, isZero, multiply } from '../../../../api/exact/decimal.ts';
import type { Comparison } from './candidate.ts';
import { sumOf } from './sets.ts';

/** Fees are small beside the amounts: a tenth at most. */
const PARTS_OF_AMOUNT = '10';

/**
 * Of how many payouts a difference can be the fees; 0 if it cannot, because it is more than a tenth of their amounts. It never says that
 * it is their fees: nobody has reported one.
 */
export function countPayoutsWithoutFee(
	difference: string,
	{ counted, findings, isRounded }: Comparison,
): number {
	const isGone = compare(difference, '0') < 0;
	const isFiat = isRounded;
	if (isFiat || !isGone) return 0;
	const withFee = new Set(findings.entries.filter(({ kind }) => kind === 'fee').map(({ name }) => name));
	const without = counted.filter(
		({ kind, isUnderWay, name }) => kind === 'payout' && isUnderWay && !withFee.has(name),
	);
	const room = sumOf(without.map(({ amount }) => amount));
	const canBeFees = compare(multiply(difference, PARTS_OF_AMOUNT), room) >= 0;
	return canBeFees && !isZero(room) ? without.length : 0;
}
