/** What the difference of today means: what explains it, and the one word that a person reads first. */
import type { Candidates, Comparison } from './candidate.ts';
import { explain, NOTHING } from './explain.ts';
import type { Explanation } from './explain.ts';
import { isSameSum } from './sets.ts';
import { countPayoutsWithoutFee } from './unreportedFees.ts';

/**
 * - `proved`: the balance is what the book says.
 * - `under way`: the difference ends by itself, or ends one of before. Nobody has to do anything.
 * - `explained`: rows explain the difference, and a person has to look at them.
 * - `NOT EXPLAINED`: no row does.
 * - `first proof`: there is no earlier balance to compare with.
 * - `CANNOT BE READ`: the service did not say the balance. Nothing is proved, and the next proof starts from the last one.
 */
export type Verdict =
	| 'proved'
	| 'under way'
	| 'explained'
	| 'NOT EXPLAINED'
	| 'first proof'
	| 'CANNOT BE READ';

export interface JudgedDifference {
	/** How much higher the balance is than the book says; '0' if they are equal. */
	difference: string;
	explanation: Explanation;
	/** Whether there is a difference that no row explains. */
	isUnexplained: boolean;
	/** Of how many payouts an unexplained difference can be the fees; 0 if it cannot. */
	payoutsWithoutFee: number;
	verdict: Verdict;
}

export function judgeDifference(
	difference: string,
	candidates: Candidates,
	comparison: Comparison,
): JudgedDifference {
	const { isRounded } = comparison;
	const none = { isUnexplained: false, payoutsWithoutFee: 0 };
	if (isSameSum(difference, '0', isRounded))
		return { difference: '0', explanation: NOTHING, ...none, verdict: 'proved' };
	const explanation = explain({ amount: difference, isRounded }, candidates);
	const { found } = explanation;
	if (found.length > 0) return { difference, explanation, ...none, verdict: verdictOf(found) };
	const payoutsWithoutFee = countPayoutsWithoutFee(difference, comparison);
	const verdict = payoutsWithoutFee > 0 ? 'under way' : 'NOT EXPLAINED';
	return { difference, explanation, isUnexplained: true, payoutsWithoutFee, verdict };
}

function verdictOf(found: Explanation['found']): Verdict {
	const endsByItself = found.every((set) => set.every(({ isUnderWay, closes }) => isUnderWay || closes));
	return endsByItself ? 'under way' : 'explained';
}
