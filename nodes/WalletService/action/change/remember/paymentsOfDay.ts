/** *Maximum Payments per Day*: a row for each payment of a day, numbered from 1. */
import type { RowName, Rows } from '../../../shared/rows.ts';

/** Takes one of the day's payments. Returns what gives it back; undefined if none is left. `day`: `2026-11-22`. */
export async function takePaymentOf(
	day: string,
	rows: Rows,
	maximum: number,
): Promise<(() => Promise<void>) | undefined> {
	for (let number = 0; number < maximum; ) {
		number = await findFirstFree(async (each) => await rows.exists(rowOf(day, each)), number + 1, maximum);
		if (number > maximum) break;
		const name = rowOf(day, number);
		if ((await rows.make(name)).is === 'made') return async () => await rows.delete(name);
	}
	return undefined;
}

function rowOf(day: string, number: number): RowName {
	return ['payment of day', day, String(number)];
}

/** A free number from `first` on, or one above `maximum`. Taken numbers come first, with few gaps of what was given back. */
async function findFirstFree(
	isTaken: (number: number) => Promise<boolean>,
	first: number,
	maximum: number,
): Promise<number> {
	// Doubles the step until a free number is found, then halves the distance.
	let [taken, free] = [first - 1, maximum + 1];
	for (let next = first, step = 1; next < free; next += step, step *= 2) {
		if (await isTaken(next)) taken = next;
		else free = next;
	}
	while (free - taken > 1) {
		const middle = Math.floor((taken + free) / 2);
		if (await isTaken(middle)) taken = middle;
		else free = middle;
	}
	return free;
}
