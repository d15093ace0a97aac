/** What the proofs before this one say about payments whose making nobody knows. */
import type { Entry, Findings, MadeBefore, Reading, Unanswered } from './findings.ts';
import type { OpenPart } from './openParts.ts';
import { isSameSum, setsOf } from './sets.ts';

/** Where each of these payments stands before the difference of today is looked at. */
export interface Standing {
	/** They may have moved the balance since the last proof. */
	waiting: Unanswered[];
	/** No balance told of them, and none will for sure. */
	unclear: Unanswered[];
	/** What is known of those that are not waiting, by name. */
	known: Map<string, OpenPart>;
	/** They may have moved the balance since the last proof, or were counted before. */
	madeBefore: MadeBefore[];
	/** Earlier differences that are these payments: they moved before their row was written. */
	taken: Set<OpenPart>;
}

/** No more differences without a row than this are compared with new rows. */
const MOST_DIFFERENCES = 50;

/** Differences that were in no row. */
export function differencesWithoutRow({ open }: Reading): OpenPart[] {
	return open.all.filter(({ type }) => type === 'none').slice(-MOST_DIFFERENCES);
}

type Since = Reading & { lastTime: string };

/**
 * Where each payment stands. A new payment that is the only one with the amount of an earlier difference was that difference. Where
 * another row has the same amount, it is unclear: nobody can say which of them it was.
 * @param counted entries that this proof counts
 */
export function standingOf(
	{ unanswered, madeBefore }: Findings,
	{ reading, counted, isRounded }: { reading: Since; counted: Entry[]; isRounded: boolean },
): Standing {
	const standing: Standing = { waiting: [], unclear: [], known: new Map(), madeBefore: [], taken: new Set() };
	for (const payment of unanswered) {
		const part = partOf(payment, reading);
		if (part !== undefined) standing.known.set(payment.name, part);
	}
	const isNew = ({ name, time }: Unanswered) => !standing.known.has(name) && time > reading.lastTime;
	const fresh = { unanswered: unanswered.filter(isNew), madeBefore, counted };
	for (const part of differencesWithoutRow(reading)) takeDifference(part, { standing, isRounded, ...fresh });
	for (const payment of unanswered) {
		const part = standing.known.get(payment.name);
		if (part === undefined) standing.waiting.push(payment);
		if (part?.type === 'unclear') standing.unclear.push(payment);
	}
	standing.madeBefore = withoutTaken(madeBefore, { reading, standing, isRounded });
	return standing;
}

/** What an earlier proof says of it. One that is older than the last proof, and that this does not know, is unclear. */
function partOf(payment: Unanswered, { open, lastTime, now }: Since): OpenPart | undefined {
	const { name, amount, fee, time } = payment;
	const part = open.ofPayment(name);
	if (part?.type === 'gone' || part?.type === 'unclear') return part;
	if (part?.type === 'waits' || time > lastTime) return undefined;
	return { type: 'unclear', name, amount, fee, since: now };
}

interface Fresh {
	standing: Standing;
	isRounded: boolean;
	unanswered: Unanswered[];
	madeBefore: MadeBefore[];
	counted: Entry[];
}

/** A row may be written after its payment has moved the balance: that was a difference in no row. */
function takeDifference(
	part: OpenPart,
	{ standing, isRounded, unanswered, madeBefore, counted }: Fresh,
): void {
	const isSame = ({ amount }: { amount: string }) => isSameSum(part.amount, amount, isRounded);
	const fitting = unanswered.filter((payment) => isSame(payment) && !standing.known.has(payment.name));
	if (fitting.length === 0) return;
	const isOnlyOne = fitting.length === 1 && !counted.some(isSame) && !madeBefore.some(isSame);
	if (isOnlyOne) standing.taken.add(part);
	for (const { name, amount, fee } of fitting)
		standing.known.set(name, { type: isOnlyOne ? 'gone' : 'unclear', name, amount, fee, since: part.since });
}

/** The payments that are in no earlier difference. */
function withoutTaken(
	payments: MadeBefore[],
	{ reading, standing, isRounded }: { reading: Since; standing: Standing; isRounded: boolean },
): MadeBefore[] {
	let left = payments;
	for (const part of differencesWithoutRow(reading)) {
		if (standing.taken.has(part) || left.length === 0) continue;
		const [places] = setsOf(
			left.map(({ amount }) => amount),
			part.amount,
			isRounded,
		);
		if (places === undefined) continue;
		standing.taken.add(part);
		const found = new Set(places);
		left = left.filter((_, place) => !found.has(place));
	}
	return left;
}
