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
	balances: ToldBalance[];
	/** To be inserted. */
	rows: Row[];
}

interface ToldBalance {
	asset: string;
	verdict: string;
	difference: string;
}

/** Each counts assets and mornings. */
export interface Figures {
	/** Nothing is gone that no row tells. */
	calm: number;
	falseAlarms: number;
	/** Something is gone, or has come. */
	withFault: number;
	/** Of these, those on which the verdict is another than `not explained`. */
	hidden: number;
	/** For how many mornings in a row a fault was hidden at most. */
	longestHidden: number;
	movements: number;
}

/** A morning on which a person was told something false. */
export interface Mistake extends ToldBalance {
	day: number;
	/** What is gone or has come; none: a false alarm. */
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
	const judge = new Judge(world);
	for (let day = 0; day <= days; day += 1) {
		world.liveUntil(day * DAY + readAt);
		const { now } = world;
		const rows = world.batches.flatMap((batch) => batch.rows);
		const answer = await reconcile({
			now,
			rows,
			balances: { NGN: world.balance('NGN'), USDT: world.balance('USDT') },
		});
		world.insert({ items: [], rows: answer.rows, writer: PERSON, now });
		for (const asset of ASSETS) judge.hear(day, asset, answer);
	}
	judge.figures.movements = world.movements.filter(({ moved }) => moved !== 0n).length;
	return judge;
}

class Judge implements LivedMonth {
	readonly figures: Figures = {
		calm: 0,
		falseAlarms: 0,
		withFault: 0,
		hidden: 0,
		longestHidden: 0,
		movements: 0,
	};
	readonly mistakes: Mistake[] = [];
	readonly #hiddenFor = new Map<Fault, number>();
	readonly #world: World;

	constructor(world: World) {
		this.#world = world;
	}

	hear(day: number, asset: Asset, answer: Answer): void {
		const told = answer.balances.find((each) => each.asset === asset)!;
		const truth = this.#world.difference(asset);
		if (unitsOf(told.difference) !== truth)
			throw new Error(`Day ${day}, ${asset}: the difference is ${truth} millionths, not ${told.difference}`);
		// The first reading takes the opening.
		if (day === 0) return;
		const { figures } = this;
		const faults = this.#world.faultsOf(asset);
		const [isFault, isTold] = [faults.length > 0, told.verdict === 'not explained'];
		figures[isFault ? 'withFault' : 'calm'] += 1;
		if (isFault !== isTold) {
			figures[isFault ? 'hidden' : 'falseAlarms'] += 1;
			this.mistakes.push({ ...told, day, faults });
		}
		for (const fault of faults) {
			const mornings = isTold ? 0 : (this.#hiddenFor.get(fault) ?? 0) + 1;
			this.#hiddenFor.set(fault, mornings);
			figures.longestHidden = Math.max(figures.longestHidden, mornings);
		}
		if (isTold) this.#world.find(asset);
	}
}
