/** What the proofs before this one say about payments whose making nobody knows. */
import type { Findings, MadeBefore, Reading, Unanswered } from './findings.ts';
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

/**
 * Never says that a payment was made because of an amount alone that another payment could have: of two new payments with the amount of
 * one earlier difference, the first takes it, and nothing is said of it but that it looks paid.
 */
export function standingOf(
	findings: Findings,
	reading: Reading & { lastTime: string },
	isRounded: boolean,
): Standing {
	const standing: Standing = { waiting: [], unclear: [], known: new Map(), madeBefore: [], taken: new Set() };
	const differences = differencesWithoutRow(reading);
	for (const payment of findings.unanswered) {
		const part =
			partOf(payment, reading) ?? takeDifference(payment, { differences, standing, reading, isRounded });
		if (part === undefined) standing.waiting.push(payment);
		else standing.known.set(payment.name, part);
		if (part?.type === 'unclear') standing.unclear.push(payment);
	}
	standing.madeBefore = withoutTaken(findings.madeBefore, { differences, standing, isRounded });
	return standing;
}

/** What an earlier proof says of it. One that is older than the last proof, and that this does not know, is unclear. */
function partOf(
	payment: Unanswered,
	{ open, lastTime, now }: Reading & { lastTime: string },
): OpenPart | undefined {
	const { name, amount, fee, time } = payment;
	const part = open.ofPayment(name);
	if (part?.type === 'gone' || part?.type === 'unclear') return part;
	if (part?.type === 'waits' || time > lastTime) return undefined;
	return { type: 'unclear', name, amount, fee, since: now };
}

interface Search {
	differences: OpenPart[];
	standing: Standing;
	isRounded: boolean;
}

/** A row that was written after its payment had moved the balance: that was a difference in no row. */
function takeDifference(payment: Unanswered, search: Search & { reading: Reading & { lastTime: string } }) {
	const { differences, standing, reading, isRounded } = search;
	const { name, amount, fee, time } = payment;
	if (time <= reading.lastTime) return undefined;
	const taken = differences.find(
		(part) => !standing.taken.has(part) && isSameSum(part.amount, amount, isRounded),
	);
	if (taken === undefined) return undefined;
	standing.taken.add(taken);
	return { type: 'gone' as const, name, amount, fee, since: taken.since };
}

/** The payments that are in no earlier difference. */
function withoutTaken(payments: MadeBefore[], { differences, standing, isRounded }: Search): MadeBefore[] {
	let left = payments;
	for (const part of differences) {
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
