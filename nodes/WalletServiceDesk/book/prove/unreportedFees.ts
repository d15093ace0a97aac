/** Fees of payouts in coins that the service has taken, and not reported yet. */
import { add, compare } from '../../../../api/exact/decimal.ts';
import { daysBefore } from '../bookTime.ts';
import type { Comparison } from './candidate.ts';
import { DAYS_TO_REPORT } from './readMade.ts';

/**
 * Of how many payouts a difference can be the fees; 0 if it cannot, because it is more than the largest fee that the book has seen for
 * each of them. It never says that it is their fees: nobody has reported one.
 */
export function countPayoutsWithoutFee(
	difference: string,
	{ counted, findings, isRounded, reading }: Comparison,
): number {
	const isFiat = isRounded;
	if (isFiat || !difference.startsWith('-')) return 0;
	const withFee = new Set(findings.entries.filter(({ kind }) => kind === 'fee').map(({ name }) => name));
	const oldest = daysBefore(reading.now, DAYS_TO_REPORT);
	const without = counted.filter(
		({ kind, isUnderWay, name, time }) =>
			kind === 'payout' && isUnderWay && time > oldest && !withFee.has(name),
	);
	const left = without.reduce((sum) => add(sum, reading.largestFee), difference);
	return compare(left, '0') >= 0 ? without.length : 0;
}
