/** Months of the world, with the functions of the book. */
import { drawMonth } from '../../host/world/commands.ts';
import { liveMonth } from '../../host/world/mornings.ts';
import type { Figures, Reading } from '../../host/world/mornings.ts';
import { World } from '../../host/world/world.ts';
import { randomNumbers, SEED } from '../../host/testkit/random.ts';
import { reconciled } from './reconcileDays.ts';

const ASSETS = [
	{ code: 'NGN', isFiat: true },
	{ code: 'USDT', isFiat: false },
];

const [QUIET, BUSY] = [5 * 60, 13 * 60];

const answerTo = ({ rows, balances, now }: Reading) => {
	const { balances: told, rows: inserted } = reconciled(rows, balances, now, { assets: ASSETS });
	return { balances: told.map((each) => ({ ...each, difference: each.difference || '0' })), rows: inserted };
};

const months = async (readAt: number) => {
	const all: Figures[] = [];
	for (let seed = SEED; seed < SEED + 5; seed += 1) {
		const random = randomNumbers(seed);
		const month = { days: 30, readAt };
		const { figures, mistakes } = await liveMonth(new World(random, drawMonth(random, month)), month, answerTo);
		all.push(figures);
		if (process.env.SHOW) console.log(JSON.stringify({ seed, mistakes }, (_, v) => typeof v === 'bigint' ? Number(v) / 1e6 : v, 1));
	}
	return all;
};

test('at a quiet hour', async () => {
	const all = await months(QUIET);
	console.table(all);
});

test('in the middle of the business', async () => {
	const all = await months(BUSY);
	console.table(all);
});
