/** *Maximum Payments per Day*: a row for each payment of a day, numbered from 1. */
import type { RowName, Rows } from '../../shared/rows.ts';

export class PaymentsOfDay {
	/** The workflow's number that is known to be taken, to begin the next search there. */
	#last = { workflowId: '', day: '', number: 0 };

	/** Takes one of the day's payments. Returns what gives it back; undefined if none is left. `day`: `2026-11-22`. */
	async take(rows: Rows, day: string, maximum: number): Promise<(() => Promise<void>) | undefined> {
		const { workflowId } = rows;
		const isKnown = this.#last.workflowId === workflowId && this.#last.day === day;
		for (let number = isKnown ? this.#last.number : 0; number < maximum; ) {
			number = await findFirstFree(async (each) => await rows.exists(rowOf(day, each)), number + 1, maximum);
			if (number > maximum) break;
			const isTaken = (await rows.make(rowOf(day, number))).is === 'made';
			this.#last = { workflowId, day, number };
			if (!isTaken) continue;
			return async () => {
				await rows.delete(rowOf(day, number));
				this.#last = { workflowId: '', day: '', number: 0 };
			};
		}
		return undefined;
	}
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
