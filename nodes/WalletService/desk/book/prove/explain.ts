/**
 * Which of the things that may explain a difference do. Everything here is arithmetic: a set of candidates explains the difference if
 * their amounts add up to it.
 */
import type { Candidate, Candidates } from './candidate.ts';
import { isEachSetTried, isSameSum, setsOf, sumOf } from './sets.ts';

export interface Explanation {
	/** Each set explains the whole difference. Empty if none does. The first one is taken, and all are shown. */
	found: Candidate[][];
	/** Whether no other set can exist. Only then may anybody say of a payment in it that it was made. */
	isCertain: boolean;
}

/**
 * The sets that explain a difference, from the first way that finds one: what is known to be open comes before what would be a fault of
 * the service. Never takes a part of the difference as explained, and is never certain of one set where two fit, or where so many
 * candidates stand that not each set was tried.
 */
export function explain(difference: string, candidates: Candidates, isRounded: boolean): Explanation {
	const search = (of: Candidate[]) => setsIn(of, difference, isRounded);
	const strong = strongOf(candidates);
	const ways: Array<() => Explanation> = [
		() => togetherOrIn(strong, difference, candidates, isRounded),
		() => ({ found: inOrder(difference, candidates, isRounded), isCertain: false }),
		() => (candidates.fees.length > 0 ? search([...strong, ...candidates.fees]) : NOTHING),
		() => search([...strong, ...candidates.underWay]),
		() => uncertain(search([...strong, ...candidates.unclear])),
		() => uncertain(search([...strong, ...candidates.underWay, ...candidates.weak])),
	];
	for (const way of ways) {
		const explanation = way();
		if (explanation.found.length > 0) return explanation;
	}
	return NOTHING;
}

/** It rests on what is not known, or on a fault of the service, so a payment in no row may be the true cause. */
function uncertain({ found }: Explanation): Explanation {
	return { found, isCertain: false };
}

const NOTHING: Explanation = { found: [], isCertain: false };

/** What is open, or is told by a row that does not count. */
export function strongOf({ closings, waiting, madeBefore, doubts, during }: Candidates): Candidate[] {
	return [...closings, ...waiting, ...madeBefore, ...doubts, ...during];
}

function setsIn(candidates: Candidate[], difference: string, isRounded: boolean): Explanation {
	const amounts = candidates.map(({ amount }) => amount);
	const places = setsOf(amounts, difference, isRounded);
	const found = places.map((set) => set.map((place) => candidates[place] as Candidate));
	return { found, isCertain: found.length === 1 && isEachSetTried(candidates.length) };
}

/**
 * What belongs together may be more than the sets that can be tried: all that was open and has its row now, or all payments that were
 * made before. A set that is a part of such a whole is no other explanation.
 */
function togetherOrIn(
	strong: Candidate[],
	difference: string,
	{ closings, madeBefore }: Candidates,
	isRounded: boolean,
): Explanation {
	const wholes = [closings, madeBefore, [...closings, ...madeBefore]].filter(
		(whole) => whole.length > 0 && explains(whole, difference, isRounded),
	);
	const { found } = setsIn(strong, difference, isRounded);
	const [whole] = wholes;
	if (whole === undefined) return { found, isCertain: found.length === 1 && isEachSetTried(strong.length) };
	const inside = new Set(whole);
	const others = found.filter((set) => set.some((candidate) => !inside.has(candidate)));
	return { found: [whole, ...others], isCertain: others.length === 0 && isEachSetTried(strong.length) };
}

function explains(candidates: Candidate[], difference: string, isRounded: boolean): boolean {
	return isSameSum(sumOf(candidates.map(({ amount }) => amount)), difference, isRounded);
}

/** A list is paid in the order of its rows. If it was not at its end when the balance was read, its first rows have moved it. */
function inOrder(difference: string, { waiting, during }: Candidates, isRounded: boolean): Candidate[][] {
	const list = [...waiting.filter(({ unanswered }) => unanswered?.isBeingPaid), ...during];
	const found: Candidate[][] = [];
	let sum = '0';
	for (const [index, candidate] of list.entries()) {
		sum = sumOf([sum, candidate.amount]);
		if (isSameSum(sum, difference, isRounded)) found.push(list.slice(0, index + 1));
	}
	return found.slice(0, 3);
}
