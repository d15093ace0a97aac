/** What is open of an account, with the amounts by which it may change the balance, and which of it explains a difference. */
import { add, isZero, negate, placesOf, subtract } from '../../../../api/exact/decimal.ts';
import { addTo } from '../../values/groups.ts';
import { mayMoveFrom } from '../movement.ts';
import type { Movement } from '../movement.ts';
import { feeOf } from './account.ts';
import type { Account, FeeRules } from './account.ts';

/**
 * - `no answer`: a payment that may have been made, and does not count
 * - `paid before`: its key says that it was paid, and no row says when
 * - `no final state`: a crypto payout that counts, and may not have left
 * - `pending`: a deposit that does not count yet
 * - `contradiction`: the other one of two words that cannot both be true
 * - `fee not reported`: a crypto payout whose fee may have left beside its amount
 * - `not ordered`: a payout that is not in the book as a payment. It never explains anything
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
	/**
	 * What the balance would have more, or less, than expected: one of these; of a missing fee, between the largest and the smallest.
	 * Empty if no row says how much.
	 */
	alternatives: string[];
	/** Of a missing fee: the most digits behind the point that it can have, if the book knows. */
	places?: number | undefined;
	movement: Movement;
	/** The time from which it may have changed the balance. It is not the cause of a difference that stood before. */
	began: string;
	/** Whether it is young enough to explain a difference. */
	isYoung: boolean;
}

/** An item explains for so long after its newest row. */
const EXPLAINS_FOR = 72 * 3_600_000;

/** The open items of an account, the oldest first. What a correction books is none. */
export function openItemsOf(account: Account, rules: FeeRules, now: string): OpenItem[] {
	const {
		asset: { code },
		movements,
		fees,
	} = account;
	const items = movements.flatMap((movement) => {
		const isYoung = Date.parse(now) - Date.parse(movement.newest) <= EXPLAINS_FOR;
		return itemsOf(movement, { code, fees, rules }).map((item): OpenItem => {
			const began = item.why === 'contradiction' ? contradictedAt(movement) : mayMoveFrom(movement);
			return { ...item, movement, began, isYoung };
		});
	});
	return items.filter((item) => !isEnded(item, account));
}

/** A correction ends what began before it was written. One from before the opening ends nothing that began since then. */
function isEnded({ movement, began }: OpenItem, { opening }: Account): boolean {
	const openedAt = opening?.time ?? '';
	return movement.corrections.some(
		({ time, written }) => began <= written && (time > openedAt || began <= openedAt),
	);
}

/** When the newest of the words came that cannot all be true. */
function contradictedAt({ others, back }: Movement): string {
	return [...others, ...(back ? [back] : [])].map(({ time }) => time).reduce((a, b) => (a > b ? a : b));
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

interface Surroundings extends Pick<Account, 'fees'> {
	code: string;
	rules: FeeRules;
}

function itemsOf(
	movement: Movement,
	around: Surroundings,
): Array<Pick<OpenItem, 'why' | 'alternatives' | 'places'>> {
	const { state, asset, amount, kind, final } = movement;
	const isOwn = asset === around.code;
	const isCrypto = kind === 'crypto payout';
	const own = isOwn && amount !== '' ? [amount] : [];
	const fee = feeOf(movement, around.code, around.rules);
	switch (state) {
		case 'no answer':
		case 'paid before': {
			const possible = isZero(fee) && isCrypto ? (around.fees.get(asset)?.largest ?? '0') : fee;
			if (isOwn) return [{ why: state, alternatives: withFee(own, negate(possible)) }];
			return state === 'no answer' ? missingFee(movement, around) : [];
		}
		case 'pending':
			return isOwn ? [{ why: 'pending', alternatives: own }] : [];
		case 'not ordered':
			return isOwn && final !== 'failed'
				? [{ why: 'not ordered', alternatives: own.map((each) => subtract(each, fee)) }]
				: [];
		case 'not made':
		case 'made':
			return [...ofEnd(movement, isOwn, fee), ...(state === 'made' ? missingFee(movement, around) : [])];
	}
}

function withFee(amounts: string[], fee: string): string[] {
	return isZero(fee) ? amounts : amounts.flatMap((amount) => [amount, add(amount, fee)]);
}

function ofEnd({ kind, state, amount, final, back, others }: Movement, isOwn: boolean, fee: string) {
	if (state === 'made' && kind === 'crypto payout' && final === '') {
		const notLeft = amount === '' ? [] : [negate(amount)];
		return isOwn ? [{ why: 'no final state' as const, alternatives: withFee(notLeft, fee) }] : [];
	}
	// The fee of a payout that came back may have come back, too.
	const feeBack = back !== undefined && !isZero(fee) ? [fee] : [];
	const told = isOwn ? others.map((part) => part.amount) : [];
	const alternatives = [...(state === 'not made' ? withFee(told, negate(fee)) : told), ...feeBack];
	return alternatives.length === 0 ? [] : [{ why: 'contradiction' as const, alternatives }];
}

/** What it may be: a fee like those that were ever reported of that coin in this asset. Without one, nobody knows of fees. */
function missingFee({ kind, asset, fee, back }: Movement, { fees, rules }: Surroundings) {
	const seen = fees.get(asset);
	const mayCome =
		kind === 'crypto payout' && fee === '' && back === undefined && !rules.feeOfPayout.has(asset);
	if (!mayCome || seen === undefined) return [];
	const alternatives = [negate(seen.largest), negate(seen.smallest)];
	return [{ why: 'fee not reported' as const, alternatives, places: seen.places }];
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
	/** Of `run`: an item of another run that is a part of the difference, too. */
	beside?: OpenItem;
	/** Whether fees that were not reported are the rest of it. */
	isButForFees: boolean;
}

type FoundSum = Omit<Explanation, 'isButForFees'>;

/** Open items, up to which some of a run are tried beside each of them. */
const MOST_BESIDE = 50;

/**
 * What explains a difference: one item, all of them, or some of one run, each also but for unreported fees; some of one run beside one
 * item; or unreported fees alone. No other sets: the more sums are tried, the more losses one of them hides. `rounding`: by how much a
 * sum may differ.
 */
export function explain(
	difference: string,
	items: readonly OpenItem[],
	rounding = '0',
): Explanation | undefined {
	const able = items.filter(
		({ isYoung, why, alternatives }) => isYoung && why !== 'not ordered' && alternatives.length > 0,
	);
	const scale = Math.max(
		...[difference, rounding, ...able.flatMap(({ alternatives }) => alternatives)].map(placesOf),
	);
	const units = (amount: string) => BigInt(amount.replace('.', '')) * 10n ** BigInt(scale - placesOf(amount));
	const [wanted, most] = [units(difference), units(rounding)];
	const [fees, others] = [able.filter(isFee), able.filter((item) => !isFee(item))];
	/** Whether a sum is the difference but for fees from the least to the largest. */
	const isBut = (least: bigint, largest: bigint) => (sum: bigint) =>
		sum - wanted >= least - most && sum - wanted <= largest + most;

	const besides = others.length > MOST_BESIDE ? [] : others;
	const exact = sumAmong(others, besides, units, isBut(0n, 0n));
	if (exact !== undefined || fees.length === 0) return exact && { ...exact, isButForFees: false };
	const largestSum = fees.reduce((sum, { alternatives }) => sum - units(alternatives[0]!), 0n);
	const least = fees
		.map(({ alternatives }) => -units(alternatives.at(-1)!))
		.reduce((smallest, each) => (each < smallest ? each : smallest));
	// A sum of fees has no more digits than fees have.
	const places = most > 0n ? scale : Math.min(scale, Math.max(...fees.map((fee) => fee.places ?? scale)));
	const digit = 10n ** BigInt(scale - places);
	const isButForFees = (smallest: bigint) => (sum: bigint) =>
		isBut(smallest, largestSum)(sum) && (sum - wanted) % digit === 0n;
	if (isButForFees(least)(0n)) return { by: 'fees', items: fees, count: fees.length, isButForFees: false };
	const sum = sumAmong(others, [], units, isButForFees(0n));
	return sum && { ...sum, isButForFees: true };
}

const isFee = ({ why }: OpenItem) => why === 'fee not reported';

/** `besides`: items beside which some of a run are tried. */
function sumAmong(
	items: OpenItem[],
	besides: OpenItem[],
	units: (amount: string) => bigint,
	isIt: (sum: bigint) => boolean,
): FoundSum | undefined {
	const single = items.filter(({ alternatives }) => alternatives.some((amount) => isIt(units(amount))));
	if (single.length > 0) return { by: 'one', items: single, count: 1 };
	const runs = runsOf(items);
	for (const variant of [0, -1]) {
		const sums = new Map(items.map((item) => [item, units(item.alternatives.at(variant)!)]));
		const unitsOf = (item: OpenItem) => sums.get(item)!;
		const all = items.reduce((total, item) => total + unitsOf(item), 0n);
		if (items.length > 1 && isIt(all)) return { by: 'all', items, count: items.length };
		const some = someOf(runs, [undefined], unitsOf, isIt) ?? someOf(runs, besides, unitsOf, isIt);
		if (some !== undefined) return some;
	}
	return undefined;
}

function runsOf(items: readonly OpenItem[]): OpenItem[][] {
	const runs = new Map<string, OpenItem[]>();
	for (const item of items)
		if (item.movement.run !== '') addTo(runs, JSON.stringify([item.why, item.movement.run]), item);
	return [...runs.values()].filter(({ length }) => length > 1);
}

/** Some items of one of these runs, beside one of those items. */
function someOf(
	runs: OpenItem[][],
	besides: ReadonlyArray<OpenItem | undefined>,
	unitsOf: (item: OpenItem) => bigint,
	isIt: (sum: bigint) => boolean,
): FoundSum | undefined {
	if (besides.length === 0) return undefined;
	for (const run of runs) {
		const sets = setsOf(run, unitsOf);
		for (const beside of besides) {
			if (beside !== undefined && run.includes(beside)) continue;
			const more = beside === undefined ? 0n : unitsOf(beside);
			const found = sets.find(({ sum }) => isIt(sum + more));
			if (found !== undefined) return { by: 'run', items: found.items, count: found.count, beside };
		}
	}
	return undefined;
}

/** Items of one run of which each set is tried. */
const MOST_IN_RUN = 12;

/** The sums that some of a run have: any number of equal items, or each set of a few. */
function setsOf(
	run: OpenItem[],
	unitsOf: (item: OpenItem) => bigint,
): Array<{ items: OpenItem[]; count: number; sum: bigint }> {
	const each = unitsOf(run[0]!);
	if (run.every((item) => unitsOf(item) === each))
		return run.map((_, index) => ({ items: run, count: index + 1, sum: each * BigInt(index + 1) }));
	if (run.length > MOST_IN_RUN) return [];
	let sets = [{ items: [] as OpenItem[], count: 0, sum: 0n }];
	for (const item of run)
		sets = sets.flatMap((set) => [
			set,
			{ items: [...set.items, item], count: set.count + 1, sum: set.sum + unitsOf(item) },
		]);
	return sets.slice(1);
}
