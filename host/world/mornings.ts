/** Mornings of the world: balances are read and reconciled, and each answer is compared with what is true. */
import { DAY } from './clock.ts';
import type { Month } from './commands.ts';
import { ASSETS, lastDigit, unitsOf, type Asset } from './money.ts';
import { openItems, toldBy, type Open, type ToldBook } from './told.ts';
import type { Fault, World } from './world.ts';

/** What Reconcile says. */
export interface Answer {
	balances: ToldBalance[];
}

interface ToldBalance {
	asset: string;
	verdict: string;
	difference: string;
	openItems: Array<{ key: string; reference: string; why: string; words: string }>;
	lines: string[];
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
	/** Mornings on which what is gone is not told, because it is less than what rounding may take. */
	withinRounding: number;
	/** Mornings on which something else is named as open than what is, or as the cause of a difference. */
	wronglyNamed: number;
	movements: number;
}

/** A morning on which a person was told something false. */
export interface Mistake extends ToldBalance {
	day: number;
	/** What is gone or has come; none: a false alarm. */
	faults: Fault[];
	/** What must be named as open. */
	open: string[];
}

export interface LivedMonth {
	figures: Figures;
	mistakes: Mistake[];
}

/**
 * Lives a month, and reconciles each morning. Then a person books what is left. Throws if a difference is not the true one, to the last
 * digit, or if the book and the ledger of the service are not equal in the end.
 */
export async function liveMonth(
	world: World,
	{ days, readAt }: Month,
	reconcile: () => Answer | Promise<Answer>,
): Promise<LivedMonth> {
	const judge = new Judge(world);
	for (let day = 0; day <= days; day += 1) {
		await world.liveUntil(day * DAY + readAt);
		const [now, book] = [world.now, toldBy(await world.rows(), world.movements)];
		const answer = await reconcile();
		for (const asset of ASSETS) judge.hear({ day, asset, now, book }, answer);
	}
	for (const asset of ASSETS) world.find(asset);
	await world.liveUntil((days + DAYS_LATER) * DAY + readAt);
	judge.compareWithLedger(toldBy(await world.rows(), world.movements));
	judge.figures.movements = world.movements.filter(({ moved }) => moved !== 0n).length;
	return judge;
}

/** Until then, all is booked. */
const DAYS_LATER = 7;

interface Heard {
	day: number;
	asset: Asset;
	now: string;
	book: ToldBook;
}

class Judge implements LivedMonth {
	readonly figures: Figures = {
		calm: 0,
		falseAlarms: 0,
		withFault: 0,
		hidden: 0,
		longestHidden: 0,
		withinRounding: 0,
		wronglyNamed: 0,
		movements: 0,
	};
	readonly mistakes: Mistake[] = [];
	readonly #hiddenFor = new Map<Fault, number>();
	readonly #world: World;
	/** What the balance and the ledger have at the first reading, which takes the opening. */
	readonly #opening = new Map<Asset, { shown: bigint; whole: bigint }>();

	constructor(world: World) {
		this.#world = world;
	}

	hear({ day, asset, now, book }: Heard, answer: Answer): void {
		const world = this.#world;
		const told = answer.balances.find((each) => each.asset === asset)!;
		const shown = unitsOf(world.balance(asset));
		if (day === 0) {
			this.#opening.set(asset, { shown, whole: world.ledger(asset) });
			return;
		}
		const truth = shown - this.#opening.get(asset)!.shown - book.sum(asset);
		if (unitsOf(told.difference) !== truth)
			throw new Error(`Day ${day}, ${asset}: the difference is ${truth} millionths, not ${told.difference}`);
		const { figures } = this;
		const faults = world.faultsOf(asset);
		const [isFault, isTold] = [faults.length > 0, told.verdict === 'not explained'];
		const open = openItems(book, asset, now, told.verdict);
		const isNamed = isNamedBy(told, open);
		const isWithinRounding = isFault && !isTold && isRounding(faults, book, asset);
		figures[isFault ? 'withFault' : 'calm'] += 1;
		if (isWithinRounding) figures.withinRounding += 1;
		else if (isFault !== isTold) figures[isFault ? 'hidden' : 'falseAlarms'] += 1;
		if (!isNamed) figures.wronglyNamed += 1;
		if ((isFault !== isTold && !isWithinRounding) || !isNamed)
			this.mistakes.push({ ...told, day, faults, open: [...open.keys()] });
		for (const fault of faults) {
			const mornings = isTold || isWithinRounding ? 0 : (this.#hiddenFor.get(fault) ?? 0) + 1;
			this.#hiddenFor.set(fault, mornings);
			figures.longestHidden = Math.max(figures.longestHidden, mornings);
		}
		if (isTold) world.find(asset);
	}

	/** The book and the service's own ledger are equal to the last digit. */
	compareWithLedger(book: ToldBook): void {
		for (const asset of ASSETS) {
			const left = this.#world.ledger(asset) - this.#opening.get(asset)!.whole - book.sum(asset);
			if (left !== 0n) throw new Error(`${asset}: the ledger has ${left} millionths more than the book`);
		}
	}
}

/**
 * Whether these are named as open, each with its reason, and no others. What explains a difference must be one of them, and the words about
 * what nothing explains fit its sign.
 */
function isNamedBy(
	{ verdict, difference, openItems: items, lines }: ToldBalance,
	open: ReadonlyMap<string, Open>,
): boolean {
	const names = items.map(({ key, reference }) => [key, reference].find((name) => open.has(name)));
	if (names.includes(undefined) || new Set(names).size !== open.size) return false;
	const isWithReason = ([name, why]: [string, Open]) =>
		items.some((item, place) => names[place] === name && item.why === why && item.words.includes(WORDS[why]));
	if (![...open].every(isWithReason)) return false;
	const says = (words: string) => lines.some((line) => line.includes(words));
	if (verdict === 'open items')
		return items.some(({ words }) => says(words)) || SETS.some((words) => says(words));
	if (verdict !== 'not explained') return true;
	return says(difference.startsWith('-') ? 'Money is gone that no row has' : 'whose event did not come');
}

/** Of each reason, in the sentence about an item. */
const WORDS: Record<Open, string> = {
	'': '',
	'no answer': 'no answer, so it may have been made',
	'no final state': '',
	pending: 'pending',
	contradiction: 'its rows contradict each other',
	'fee not reported': '',
	'not ordered': 'it is not in the book as a payment',
};

/** In the sentence about several of them. */
const SETS = [
	'open items together are the difference',
	'equal payments of execution',
	'can be fees that are not reported yet',
];

/** Whether all that is gone is less than half of a last digit for each amount that has more digits, or one digit. */
function isRounding(faults: readonly Fault[], book: ToldBook, asset: Asset): boolean {
	const digit = lastDigit(asset);
	const finer = book.movements.filter(
		({ movement, booked }) => movement.asset === asset && booked % digit !== 0n,
	);
	const most = finer.length === 0 ? 0n : (BigInt(Math.max(2, finer.length)) * digit) / 2n;
	const gone = faults.reduce((sum, { movement: { moved } }) => sum + (moved < 0n ? -moved : moved), 0n);
	return gone <= most;
}
