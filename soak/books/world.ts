/** Months of the world, as functions: five seeds, read at a quiet hour and in the middle of the business. */
import { SEED } from '../../host/testkit/random.ts';
import type { Figures } from '../../host/world/mornings.ts';
import { type Soak, throwIfMissed } from '../shared/figures.ts';
import { BUSY, monthOf, QUIET } from './asFunctions.ts';

const HOURS = { 'at a quiet hour': QUIET, 'in the middle of the business': BUSY };
/** For how many mornings in a row a loss may be hidden. Missing fees hide the smallest ones. */
const MOST_HIDDEN = 8;
/** Two equal payments of a list that was killed may be taken for each other. */
const MOST_WRONGLY_NAMED = 2;

export const booksWorld: Soak = async ({ short }) => {
	const misses: string[] = [];
	for (const [when, readAt] of Object.entries(HOURS) as Array<[keyof typeof HOURS, number]>) {
		const months: Record<string, Figures> = {};
		for (let seed = SEED; seed < SEED + (short ? 1 : 5); seed += 1) {
			const { figures } = await monthOf(seed, { days: 30, readAt });
			months[`TEST_SEED=${seed}`] = figures;
			if (figures.longestHidden > MOST_HIDDEN)
				misses.push(`${when}, TEST_SEED=${seed}: hidden for ${figures.longestHidden} mornings`);
			if (figures.wronglyNamed > MOST_WRONGLY_NAMED)
				misses.push(`${when}, TEST_SEED=${seed}: ${figures.wronglyNamed} mornings name something else`);
		}
		process.stdout.write(`Books, read ${when}\n`);
		console.table({ ...months, all: sumOf(Object.values(months)) });
	}
	throwIfMissed(misses);
};

function sumOf(all: Figures[]): Figures {
	const sum = (name: keyof Figures) => all.reduce((total, figures) => total + figures[name], 0);
	const names = Object.keys(all[0]!) as Array<keyof Figures>;
	const sums = Object.fromEntries(names.map((name) => [name, sum(name)])) as unknown as Figures;
	return { ...sums, longestHidden: Math.max(...all.map(({ longestHidden }) => longestHidden)) };
}
