/** Which amounts add up to a sum. */
import { add, decimalOf, placesOf } from '../../../../api/exact/decimal.ts';

/** Up to so many amounts, each set of them is looked at. Of more, only sets up to a size: the work must end. */
const SMALL_ENOUGH_FOR_ALL = 14;
const SIZES: ReadonlyArray<{ upTo: number; mostInSet: number }> = [
	{ upTo: 60, mostInSet: 3 },
	{ upTo: 1500, mostInSet: 2 },
];

/** More sets than this help nobody. */
const MOST_SETS = 50;

/** A fiat balance shows two decimals, whatever the movements have. */
const SHOWN_PLACES = 2;

/** Whether `setsOf` looks at each set of so many amounts. If not, a set that it did not find may exist. */
export function isEachSetTried(count: number): boolean {
	return count <= SMALL_ENOUGH_FOR_ALL;
}

/** The sum of plain decimals. */
export function sumOf(amounts: string[]): string {
	return amounts.reduce(add, '0');
}

/** Whether two amounts are the same. If the balance is rounded to two decimals, they may be less than 0.01 apart. */
export function isSameSum(a: string, b: string, isRounded: boolean): boolean {
	const { units, target, tolerance } = inUnits([a], b, isRounded);
	return isWithin(units[0] ?? 0n, target, tolerance);
}

/**
 * The sets of amounts that add up to `sum`, as places in the list, the smallest first. No set holds another one that was found. All
 * sets of up to 14 amounts are found; of more, the small ones and the set of all; 50 at most. It says which sets fit, and never which
 * of them is the true one.
 */
export function setsOf(amounts: string[], sum: string, isRounded: boolean): number[][] {
	const { units, target, tolerance } = inUnits(amounts, sum, isRounded);
	const mostInSet = mostInSetOf(units.length);
	const sets: number[][] = [];

	const extend = (chosen: number[], total: bigint, left: number): void => {
		if (left === 0) {
			if (isWithin(total, target, tolerance) && !holdsAny(chosen, sets)) sets.push(chosen);
			return;
		}
		const first = (chosen.at(-1) ?? -1) + 1;
		for (let place = first; place <= units.length - left && sets.length < MOST_SETS; place++)
			extend([...chosen, place], total + (units[place] ?? 0n), left - 1);
	};
	for (let size = 1; size <= mostInSet && sets.length < MOST_SETS; size++) extend([], 0n, size);

	const isAllTried = mostInSet >= units.length;
	if (isAllTried || sets.length > 0) return sets;
	const total = units.reduce((a, b) => a + b, 0n);
	return isWithin(total, target, tolerance) ? [[...units.keys()]] : [];
}

function mostInSetOf(count: number): number {
	if (isEachSetTried(count)) return count;
	return SIZES.find(({ upTo }) => count <= upTo)?.mostInSet ?? 1;
}

function holdsAny(chosen: number[], sets: number[][]): boolean {
	return sets.some((set) => set.every((place) => chosen.includes(place)));
}

/** All as whole numbers of the smallest decimal place, and how far a sum may be away: less than `tolerance`. */
function inUnits(amounts: string[], sum: string, isRounded: boolean) {
	const places = amounts.reduce((most, amount) => Math.max(most, placesOf(amount)), placesOf(sum));
	const scale = Math.max(places, SHOWN_PLACES);
	const zero = decimalOf(0n, scale);
	const unitsOf = (amount: string) => BigInt(add(amount, zero).replace('.', ''));
	const tolerance = isRounded ? 10n ** BigInt(scale - SHOWN_PLACES) : 1n;
	return { units: amounts.map(unitsOf), target: unitsOf(sum), tolerance };
}

function isWithin(total: bigint, target: bigint, tolerance: bigint): boolean {
	return total - target < tolerance && target - total < tolerance;
}
