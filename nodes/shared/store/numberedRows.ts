/** Rows that are numbered from 1 without gaps, and numbers in rows. n8n tells of a row only whether it is there, and how many texts it has. */
import type { RowName, Rows, RowsToRead } from './rows.ts';

/** How many numbered rows there are, at least `known`. `has`: whether there is a row of this number. */
export async function lengthOf(has: (number: number) => Promise<boolean>, known: number): Promise<number> {
	// Doubles the step until a row is missing, then halves the distance.
	let [there, step] = [known, 1];
	while (await has(there + step)) {
		there += step;
		step *= 2;
	}
	let missing = there + step;
	while (missing - there > 1) {
		const middle = Math.floor((there + missing) / 2);
		if (await has(middle)) there = middle;
		else missing = middle;
	}
	return there;
}

/** Makes a row that has a small number, from 0. Nobody else may make it: n8n adds the texts of others to a row. */
export async function makeNumber(rows: Rows, name: RowName, value: number): Promise<void> {
	await rows.make(name, ...Array.from({ length: value }, (_, index) => String(index)));
}

/** The number of such a row. Undefined if it is not there. */
export async function numberOf(rows: RowsToRead, name: RowName): Promise<number | undefined> {
	// Each row has a text of its own, too.
	const texts = await rows.count(name);
	return texts === 0 ? undefined : texts - 1;
}
