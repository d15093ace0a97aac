import { elementAt } from './lists.ts';

/** The middle figure; the mean of the two middle ones if their number is even. Throws if there is none. */
export function median(figures: number[]): number {
	const sorted = figures.toSorted((a, b) => a - b);
	const middle = sorted.length >> 1;
	const upper = elementAt(sorted, middle);
	return sorted.length % 2 === 1 ? upper : (elementAt(sorted, middle - 1) + upper) / 2;
}

/** The figure that is larger than this share (0 to 1) of the figures. Throws if there is none. */
export function percentile(figures: number[], share: number): number {
	const sorted = figures.toSorted((a, b) => a - b);
	return elementAt(sorted, Math.floor(sorted.length * share));
}

/** The sides in a different order each round, so that no side is always first or always follows the same one. */
export function orderOfRound<T>(sides: readonly T[], round: number): T[] {
	const shift = (round >> 1) % sides.length;
	const order = [...sides.slice(shift), ...sides.slice(0, shift)];
	return round % 2 === 0 ? order : order.reverse();
}
