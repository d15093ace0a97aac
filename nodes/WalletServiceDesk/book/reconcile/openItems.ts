/** What is open of an account, with the amounts by which it may change the balance, and which of it explains a difference. */
import { add, compare, isZero, multiply, negate, placesOf, subtract } from '../../../../api/exact/decimal.ts';
import { addTo } from '../../values/groups.ts';
import type { Movement } from '../payments.ts';
import { feeOf } from './account.ts';
import type { Account, FeeRules } from './account.ts';

/**
 * - `no answer`: a payment that may have been made, and does not count
 * - `paid before`: its key says that it was paid, and no row says when
 * - `no final state`: a crypto payout that counts, and may not have left
 * - `pending`: a deposit that does not count yet
 * - `contradiction`: the other one of two words that cannot both be true
 * - `fee not reported`: a crypto payout whose fee may have left beside its amount
 * - `not ordered`: a payout that is in no row of payments. It never explains anything
 */
export type Why =
	| 'no answer'
	| 'paid before'
	| 'no final state'
	| 'pending'
	| 'contradiction'
	| 'fee not reported'
	| 'not ordered';

export interface OpenItem {
	why: Why;
	/** What the balance would have more, or less, than expected: one of these. Empty if no row says how much. */
	amounts: string[];
	movement: Movement;
	/** Whether it is young enough to explain a difference. */
	isYoung: boolean;
}

/** An item explains for so long after its newest row. */
const EXPLAINS_FOR = 72 * 3_600_000;

/** The open items of an account, the oldest first. What a correction books is none. */
export function openItemsOf(
	{ asset: { code }, movements, largestFee }: Account,
	rules: FeeRules,
	now: string,
): OpenItem[] {
	return movements
		.filter(({ corrections }) => corrections.length === 0)
		.flatMap((movement) => {
			const isYoung = Date.parse(now) - Date.parse(movement.newest) <= EXPLAINS_FOR;
			const items = itemsOf(movement, { code, largestFee, rules });
			return items.map((item): OpenItem => ({ ...item, movement, isYoung }));
		});
}

/**
 * The items that a person reads. A fee that did not come in three days is counted elsewhere. Of rows that contradicted each other so long
 * ago, the balance has shown which one was right, unless it is not explained.
 */
export function shownItems(items: readonly OpenItem[], isExplained: boolean): OpenItem[] {
	const isOver = ({ why, isYoung }: OpenItem) =>
		!isYoung && (why === 'fee not reported' || (why === 'contradiction' && isExplained));
	return items.filter((item) => !isOver(item));
}

interface Surroundings {
	code: string;
	largestFee: string;
	rules: FeeRules;
}

function itemsOf(movement: Movement, around: Surroundings): Array<Pick<OpenItem, 'why' | 'amounts'>> {
	const { state, asset, amount, kind, final } = movement;
	const isOwn = asset === around.code;
	const isCrypto = kind === 'crypto payout';
	const amounts = isOwn && amount !== '' ? [amount] : [];
	const fee = feeOf(movement, around.code, around.rules);
	switch (state) {
		case 'no answer':
		case 'paid before': {
			const possible = isZero(fee) && isCrypto ? around.largestFee : fee;
			return isOwn ? [{ why: state, amounts: withFee(amounts, negate(possible)) }] : [];
		}
		case 'pending':
			return isOwn ? [{ why: 'pending', amounts }] : [];
		case 'not ordered':
			return isOwn && final !== 'failed'
				? [{ why: 'not ordered', amounts: amounts.map((each) => subtract(each, fee)) }]
				: [];
		case 'not made':
		case 'made':
			return [...ofFinal(movement, isOwn, fee), ...ofFee(movement, isOwn, around)];
	}
}

function withFee(amounts: string[], fee: string): string[] {
	return isZero(fee) ? amounts : amounts.flatMap((amount) => [amount, add(amount, fee)]);
}

function ofFinal({ kind, state, amount, final, back, others }: Movement, isOwn: boolean, fee: string) {
	if (state === 'made' && kind === 'crypto payout' && final === '') {
		const amounts = isOwn && amount !== '' ? [negate(amount)] : [];
		return isOwn ? [{ why: 'no final state' as const, amounts: withFee(amounts, fee) }] : [];
	}
	// The fee of a payout that came back may have come back, too.
	const ofFee = back !== undefined && !isZero(fee) ? [fee] : [];
	const amounts = [...(isOwn ? others.map((part) => part.amount) : []), ...ofFee];
	return amounts.length === 0 ? [] : [{ why: 'contradiction' as const, amounts }];
}

/** What it may be: as much as the largest fee that was ever reported. Without one, nobody knows of fees. */
function ofFee(
	{ kind, state, fee, back }: Movement,
	isOwn: boolean,
	{ code, largestFee, rules }: Surroundings,
) {
	const mayCome = state === 'made' && kind === 'crypto payout' && fee === '' && back === undefined;
	if (!isOwn || !mayCome || isZero(largestFee) || rules.feeOfPayout.has(code)) return [];
	return [{ why: 'fee not reported' as const, amounts: [negate(largestFee)] }];
}

/** How items explain a difference. */
export interface Explanation {
	/**
	 * - `one`: each of these items alone is the difference
	 * - `all`: all open items together are
	 * - `run`: some of one execution are: these, or so many of equal ones
	 * - `fees`: fees that were not reported can be
	 */
	by: 'one' | 'all' | 'run' | 'fees';
	items: OpenItem[];
	/** Of `run`: how many of the items. */
	count: number;
}

/** Items of one run of which each set is tried. */
const MOST_IN_RUN = 12;

/**
 * What explains a difference: one item, all of them, some of one run, or unreported fees alone. No other sets: the more sums are tried,
 * the more losses one of them hides. `rounding`: by how much a sum may differ.
 */
export function explain(
	difference: string,
	items: readonly OpenItem[],
	rounding = '0',
): Explanation | undefined {
	const able = items.filter(
		({ isYoung, why, amounts }) => isYoung && why !== 'not ordered' && amounts.length > 0,
	);
	const scale = Math.max(...[difference, rounding, ...able.flatMap(({ amounts }) => amounts)].map(placesOf));
	const units = (amount: string) => BigInt(amount.replace('.', '')) * 10n ** BigInt(scale - placesOf(amount));
	const [wanted, most] = [units(difference), units(rounding)];
	const isIt = (sum: bigint) => (sum > wanted ? sum - wanted : wanted - sum) <= most;
	const [fees, others] = [able.filter(isFee), able.filter((item) => !isFee(item))];

	const single = others.filter(({ amounts }) => amounts.some((amount) => isIt(units(amount))));
	if (single.length > 0) return { by: 'one', items: single, count: 1 };
	for (const variant of [0, -1]) {
		const sums = new Map(others.map((item) => [item, units(item.amounts.at(variant)!)]));
		const sum = (all: readonly OpenItem[]) => all.reduce((total, item) => total + sums.get(item)!, 0n);
		if (others.length > 1 && isIt(sum(others))) return { by: 'all', items: others, count: others.length };
		for (const run of runsOf(others)) {
			const some = someOf(run, (item) => sums.get(item)!, isIt);
			if (some !== undefined) return { by: 'run', ...some };
		}
	}
	const largest = fees[0]?.amounts[0] ?? '0';
	const isFees = wanted < 0n && compare(difference, multiply(largest, String(fees.length))) >= 0;
	return isFees ? { by: 'fees', items: fees, count: fees.length } : undefined;
}

const isFee = ({ why }: OpenItem) => why === 'fee not reported';

function runsOf(items: readonly OpenItem[]): OpenItem[][] {
	const runs = new Map<string, OpenItem[]>();
	for (const item of items)
		if (item.movement.run !== '') addTo(runs, JSON.stringify([item.why, item.movement.run]), item);
	return [...runs.values()].filter(({ length }) => length > 1);
}

/** Some items of one run: any number of equal ones, or one of all sets of a few. */
function someOf(
	run: OpenItem[],
	unitsOf: (item: OpenItem) => bigint,
	isIt: (sum: bigint) => boolean,
): Pick<Explanation, 'items' | 'count'> | undefined {
	const each = unitsOf(run[0]!);
	if (run.every((item) => unitsOf(item) === each)) {
		const count = run.findIndex((_, index) => isIt(each * BigInt(index + 1))) + 1;
		return count === 0 ? undefined : { items: run, count };
	}
	if (run.length > MOST_IN_RUN) return undefined;
	let sets: Array<{ items: OpenItem[]; sum: bigint }> = [{ items: [], sum: 0n }];
	for (const item of run)
		sets = sets.flatMap((set) => [set, { items: [...set.items, item], sum: set.sum + unitsOf(item) }]);
	const found = sets.find(({ items, sum }) => items.length > 0 && isIt(sum));
	return found && { items: found.items, count: found.items.length };
}
