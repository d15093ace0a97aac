/**
 * Which of the things that may explain a difference do. Everything here is arithmetic: a set of candidates explains the difference if
 * their amounts add up to it.
 */
import { add } from '../../../../api/exact/decimal.ts';
import type { Candidate, Candidates } from './candidate.ts';
import { isEachSetTried, isSameSum, setsOf, sumOf } from './sets.ts';

export interface Explanation {
	/** Each set explains the whole difference. Empty if none does. The first one is taken, and all are shown. */
	found: Candidate[][];
	/** Whether no other set can exist. Only then may anybody say of a payment in it that it was made. */
	isCertain: boolean;
}

export interface Difference {
	/** Signed. */
	amount: string;
	/** Whether the balance shows two decimals only. */
	isRounded: boolean;
}

/** More starts of one list than this help nobody. */
const MOST_STARTS = 3;

type Way = (difference: Difference, candidates: Candidates) => Explanation;

export const NOTHING: Explanation = { found: [], isCertain: false };

/** The ways in the order in which they are tried: what is known to be open comes before what would be a fault of the service. */
const WAYS: readonly Way[] = [
	openMoved,
	startOfListMoved,
	feesWereNotTaken,
	underWayDidNotMove,
	unclearMoved,
	overdueDidNotMove,
];

/**
 * The sets that explain a difference, from the first way that finds one. Never takes a part of the difference as explained, and is never
 * certain of one set where two fit, or where so many candidates stand that not each set was tried.
 */
export function explain(difference: Difference, candidates: Candidates): Explanation {
	for (const way of WAYS) {
		const explanation = way(difference, candidates);
		if (explanation.found.length > 0) return explanation;
	}
	return NOTHING;
}

/** What is open, or is told by a row that does not count. Each way but the list starts from these. */
export function openCandidates({ closings, waiting, madeBefore, doubts, during }: Candidates): Candidate[] {
	return [...closings, ...waiting, ...madeBefore, ...doubts, ...during];
}

/**
 * What is open has moved. What belongs together may be more than the sets that can be tried: all that was open and has its row now, or
 * all payments that were made before. A set that is a part of such a whole is no other explanation.
 */
function openMoved(difference: Difference, candidates: Candidates): Explanation {
	const { closings, madeBefore } = candidates;
	const open = openCandidates(candidates);
	const wholes = [closings, madeBefore, [...closings, ...madeBefore]];
	const whole = wholes.find((each) => each.length > 0 && isSumOf(each, difference));
	const explanation = search(open, difference);
	if (whole === undefined) return explanation;
	const inside = new Set(whole);
	const others = explanation.found.filter((set) => set.some((candidate) => !inside.has(candidate)));
	return { found: [whole, ...others], isCertain: others.length === 0 && isEachSetTried(open.length) };
}

/** A list is paid in the order of its rows. If it was not at its end when the balance was read, its first rows have moved it. */
function startOfListMoved({ amount, isRounded }: Difference, { waiting, during }: Candidates): Explanation {
	const list = [...waiting.filter(({ payment }) => payment?.isBeingPaid), ...during];
	const found: Candidate[][] = [];
	let sum = '0';
	for (const [index, candidate] of list.entries()) {
		sum = add(sum, candidate.amount);
		if (isSameSum(sum, amount, isRounded)) found.push(list.slice(0, index + 1));
		if (found.length === MOST_STARTS) break;
	}
	return uncertain(found);
}

/** The service took no fees, and perhaps never does. */
function feesWereNotTaken(difference: Difference, candidates: Candidates): Explanation {
	const { fees } = candidates;
	return fees.length > 0 ? search([...openCandidates(candidates), ...fees], difference) : NOTHING;
}

/** What counts has not moved the balance yet. */
function underWayDidNotMove(difference: Difference, candidates: Candidates): Explanation {
	return search([...openCandidates(candidates), ...candidates.underWay], difference);
}

/** Payments of which an earlier balance did not tell. Nobody knows of them, so one in no row may be the true cause. */
function unclearMoved(difference: Difference, candidates: Candidates): Explanation {
	return uncertain(search([...openCandidates(candidates), ...candidates.unclear], difference).found);
}

/** What should have moved the balance did not: a fault of the service, so something in no row may be the true cause. */
function overdueDidNotMove(difference: Difference, candidates: Candidates): Explanation {
	const { underWay, overdue } = candidates;
	return uncertain(search([...openCandidates(candidates), ...underWay, ...overdue], difference).found);
}

function uncertain(found: Candidate[][]): Explanation {
	return { found, isCertain: false };
}

function search(candidates: Candidate[], { amount, isRounded }: Difference): Explanation {
	const amounts = candidates.map((candidate) => candidate.amount);
	const places = setsOf(amounts, amount, isRounded);
	const found = places.map((set) => set.map((place) => candidates[place] as Candidate));
	return { found, isCertain: found.length === 1 && isEachSetTried(candidates.length) };
}

function isSumOf(candidates: Candidate[], { amount, isRounded }: Difference): boolean {
	return isSameSum(sumOf(candidates.map((candidate) => candidate.amount)), amount, isRounded);
}
