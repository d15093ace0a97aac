/** Mornings of the world: balances are read and reconciled, and each answer is compared with what is true. */
import { DAY } from './clock.ts';
import type { Month } from './commands.ts';
import { ASSETS, unitsOf, type Asset } from './money.ts';
import { PERSON, type Row } from './rows.ts';
import type { Fault, World } from './world.ts';

/** What Reconcile is given. */
export interface Reading {
	now: string;
	rows: Row[];
	balances: Record<Asset, string>;
}

/** What it says. */
export interface Answer {
	balances: Array<{ asset: string; verdict: string; difference: string }>;
	/** To be inserted. */
	rows: Row[];
}

export interface Figures {
	movements: number;
	rows: number;
	/** Of each asset and day: nothing is gone that no row tells. */
	calm: number;
	falseAlarms: number;
	/** Of each asset and day: something is gone, or has come. */
	withFault: number;
	/** Of these, those on which the verdict is another than `not explained`. */
	hidden: number;
	/** For how many days in a row a fault was hidden at most. */
	longestHidden: number;
	/** Faults that were never told. */
	neverTold: number;
}

/** A morning that a person was told something false. */
export interface Mistake {
	what: 'false alarm' | 'hidden';
	day: number;
	asset: Asset;
	verdict: string;
	difference: string;
	lines?: string[];
	faults: Fault[];
}

export interface LivedMonth {
	figures: Figures;
	mistakes: Mistake[];
}

/** Lives a month, and reconciles each morning. Throws if a difference is not the true one, to the last digit. */
export async function liveMonth(
	world: World,
	{ days, readAt }: Month,
	reconcile: (reading: Reading) => Answer | Promise<Answer>,
): Promise<LivedMonth> {
	const figures = { movements: 0, rows: 0, calm: 0, falseAlarms: 0, withFault: 0, hidden: 0, longestHidden: 0 };
	const mistakes: Mistake[] = [];
	const hiddenFor = new Map<Fault, number>();
	const told = new Set<Fault>();
	for (let day = 0; day <= days; day += 1) {
		world.liveUntil(day * DAY + readAt);
		const [NGN, USDT] = ASSETS.map((asset) => world.balance(asset));
		const rows = world.batches.flatMap((batch) => batch.rows);
		const answer = await reconcile({ now: world.now, rows, balances: { NGN: NGN!, USDT: USDT! } });
		world.insert({ items: [], rows: answer.rows, writer: PERSON, now: world.now });
		for (const { asset, verdict, difference } of answer.balances as Array<{ asset: Asset } & Answer['balances'][0]>) {
			const truth = world.difference(asset);
			if (unitsOf(difference) !== truth)
				throw new Error(`Day ${day}, ${asset}: the difference is ${truth} millionths, not ${difference}`);
			if (day === 0) continue;
			const [faults, isTold] = [world.faultsOf(asset), verdict === 'not explained'];
			const isFault = faults.length > 0;
			figures[isFault ? 'withFault' : 'calm'] += 1;
			if (isFault !== isTold) {
				figures[isFault ? 'hidden' : 'falseAlarms'] += 1;
				mistakes.push({ what: isFault ? 'hidden' : 'false alarm', day, asset, verdict, difference, lines: (answer.balances.find((b) => b.asset === asset) as any).lines, faults: faults.map((fault) => ({ ...fault })) });
			}
			for (const fault of faults) {
				const count = isTold ? 0 : (hiddenFor.get(fault) ?? 0) + 1;
				hiddenFor.set(fault, count);
				figures.longestHidden = Math.max(figures.longestHidden, count);
				if (isTold) told.add(fault);
			}
			if (isTold) world.find(asset);
		}
	}
	const rows = world.batches.reduce((sum, batch) => sum + batch.rows.length, 0);
	const neverTold = [...hiddenFor.keys()].filter((fault) => !told.has(fault)).length;
	return { figures: { ...figures, movements: world.movements.filter(({ moved }) => moved !== 0n).length, rows, neverTold }, mistakes };
}
