/** What the difference of today means: what explains it, and the one word that a person reads first. */
import { subtract } from '../../../../api/exact/decimal.ts';
import { NO_CANDIDATES } from './candidate.ts';
import type { Candidates, Comparison, NotExplained } from './candidate.ts';
import { explain, NOTHING } from './explain.ts';
import type { Difference, Explanation } from './explain.ts';
import { isSameSum } from './sets.ts';
import { countPayoutsWithoutFee } from './unreportedFees.ts';

/**
 * - `proved`: the balance is what the book says.
 * - `under way`: the difference ends by itself. Nobody has to do anything.
 * - `explained`: rows explain the difference, and a person has to look at them.
 * - `NOT EXPLAINED`: no row does, or none did on an earlier morning, and the difference is still there.
 * - `first proof`: there is no earlier balance to compare with.
 * - `CANNOT BE READ`: the service did not say the balance. Nothing is proved, and the next proof starts where this one did.
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
	/** Of the difference, or of what is beside `notExplained`. */
	explanation: Explanation;
	notExplained: NotExplained | undefined;
	/** Of how many payouts the difference can be the fees; 0 if it cannot. */
	payoutsWithoutFee: number;
	verdict: Verdict;
}

export function judgeDifference(
	difference: string,
	candidates: Candidates,
	comparison: Comparison,
): JudgedDifference {
	const { isRounded, reading, earlier } = comparison;
	const common = { difference, notExplained: undefined, payoutsWithoutFee: 0 };
	if (isSameSum(difference, '0', isRounded))
		return { ...common, difference: '0', explanation: NOTHING, verdict: 'proved' };
	const beside = earlier && besideEarlier({ amount: difference, isRounded }, earlier, candidates);
	if (earlier !== undefined && beside !== undefined)
		return { ...common, explanation: beside, notExplained: earlier, verdict: 'NOT EXPLAINED' };
	const explanation = explain({ amount: difference, isRounded }, candidates);
	if (explanation.found.length > 0) return { ...common, explanation, verdict: verdictOf(explanation.found) };
	const payoutsWithoutFee = countPayoutsWithoutFee(difference, comparison);
	if (payoutsWithoutFee > 0) return { ...common, explanation, payoutsWithoutFee, verdict: 'under way' };
	const notExplained = { amount: difference, since: earlier?.since ?? reading.now };
	return { ...common, explanation, notExplained, verdict: 'NOT EXPLAINED' };
}

/**
 * What moved beside a difference that was not explained, and is still there; undefined if it is not. What began later never explains
 * it. Only payments that were made before, nobody says when, can be it after all.
 */
function besideEarlier(
	{ amount, isRounded }: Difference,
	earlier: NotExplained,
	candidates: Candidates,
): Explanation | undefined {
	const { madeBefore } = candidates;
	if (explain({ amount, isRounded }, { ...NO_CANDIDATES, madeBefore }).found.length > 0) return undefined;
	const rest = subtract(amount, earlier.amount);
	if (isSameSum(rest, '0', isRounded)) return NOTHING;
	const explanation = explain(
		{ amount: rest, isRounded },
		{ ...candidates, fees: [], underWay: [], overdue: [] },
	);
	return explanation.found.length > 0 ? explanation : undefined;
}

function verdictOf(found: Explanation['found']): Verdict {
	const endsByItself = found.every((set) => set.every(({ isUnderWay, closes }) => isUnderWay || closes));
	return endsByItself ? 'under way' : 'explained';
}
