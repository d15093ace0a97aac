/** What a proof says in words: lines about the difference, and notes about what is open. */
import type { Candidate, Candidates, Comparison } from './candidate.ts';
import { openCandidates } from './explain.ts';
import { stillOpen } from './openAfter.ts';
import type { OpenPart } from './openParts.ts';
import type { JudgedDifference } from './judgeDifference.ts';
import { LINE, OPEN_PAYMENT } from './messages.ts';

/** As many causes as a person reads. */
const MOST_IN_SET = 10;
const MOST_SETS = 3;
const MOST_HINTS = 5;
const MOST_NOTES = 20;

/** Sentences about the difference. Never says that one set is the cause where another one fits as well. */
export function linesOf(asset: string, candidates: Candidates, judged: JudgedDifference): string[] {
	const { difference, explanation, isUnexplained, payoutsWithoutFee } = judged;
	if (payoutsWithoutFee > 0) return [LINE.areFees({ amount: difference, asset, count: payoutsWithoutFee })];
	const isGone = difference.startsWith('-');
	if (isUnexplained) return openLines(asset, candidates, { difference, isGone });
	const { found, isCertain } = explanation;
	const [chosen] = found;
	if (chosen === undefined) return [];
	const inWords = (set: Candidate[]) => setInWords(set, { asset, isCertain });
	const sets =
		found.length === 1 ? [inWords(chosen)] : [LINE.oneOf, ...found.slice(0, MOST_SETS).map(inWords)];
	return [
		...sets,
		...(found.length > MOST_SETS ? [LINE.otherWays(found.length - MOST_SETS)] : []),
		...(chosen.some(({ isOverdue }) => isOverdue) ? [LINE.orInNoRow(isGone)] : []),
	];
}

function openLines(
	asset: string,
	candidates: Candidates,
	{ difference, isGone }: { difference: string; isGone: boolean },
): string[] {
	const hints = [...openCandidates(candidates), ...candidates.unclear, ...candidates.withoutAmount];
	const perhaps = hints.slice(0, MOST_HINTS).map((hint) => setInWords([hint], { asset, isCertain: false }));
	return [
		`${LINE.notExplained({ amount: difference, asset })} ${LINE.look(isGone)}`,
		...(isGone ? [LINE.ifStopped] : []),
		...(perhaps.length > 0 ? [LINE.perhaps(perhaps)] : []),
	];
}

function setInWords(set: Candidate[], { asset, isCertain }: { asset: string; isCertain: boolean }): string {
	const causes = set.slice(0, MOST_IN_SET).map(({ amount, words, payment }) => {
		const isSure = isCertain && payment !== undefined && !payment.hasFailed && !payment.isUnderWay;
		const end = isSure ? OPEN_PAYMENT.looksPaid(payment) : '';
		return LINE.cause({ amount, asset, words, end });
	});
	const more = set.length - causes.length;
	return [...causes, ...(more > 0 ? [LINE.andMoreCauses(more)] : [])].join(' ');
}

/** Sentences about payments without an answer, and about earlier differences that are still open. */
export function notesOf(comparison: Comparison, judged: JudgedDifference, open: OpenPart[]): string[] {
	const { reading, findings } = comparison;
	const payments = new Map(findings.unanswered.map((payment) => [payment.name, payment]));
	const ofPayments = open.flatMap((part) => {
		const payment = payments.get(part.name);
		if (payment === undefined || payment.isUnderWay) return [];
		if (part.type === 'waits') return [OPEN_PAYMENT.looksNotPaid(payment)];
		if (part.type === 'unclear') return [OPEN_PAYMENT.isUnclear(payment)];
		const isOfBefore = part.type === 'gone' && part.since !== reading.now;
		return isOfBefore ? [OPEN_PAYMENT.looksPaidSince({ ...payment, since: part.since })] : [];
	});
	const chosen = judged.explanation.found[0] ?? [];
	const before = stillOpen(comparison, chosen)
		.filter(({ type }) => type === 'none' || type === 'late')
		.map(({ since, amount, name }) => LINE.stillOpen({ since, amount, asset: reading.asset, name }));
	return atMost(MOST_NOTES, [...ofPayments, ...before, ...findings.remarks]);
}

function atMost(most: number, notes: string[]): string[] {
	const more = notes.length - most;
	return more > 0 ? [...notes.slice(0, most), LINE.andMoreNotes(more)] : notes;
}
