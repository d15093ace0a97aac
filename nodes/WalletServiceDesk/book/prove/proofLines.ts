/** What a proof says in words: lines about the difference, and notes about what is open. */
import type { Candidate, Candidates, Comparison, NotExplained } from './candidate.ts';
import { openCandidates } from './explain.ts';
import { unansweredAfter } from './openAfter.ts';
import type { JudgedDifference } from './judgeDifference.ts';
import type { Unanswered } from './findings.ts';
import { LINE, OPEN_PAYMENT, STILL_OPEN } from './messages.ts';

/** As many causes as a person reads. */
const MOST_IN_SET = 10;
const MOST_SETS = 3;
const MOST_HINTS = 5;
const MOST_NOTES = 20;

/** Sentences about the difference. Never says that one set is the cause where another one fits as well. */
export function linesOf(asset: string, candidates: Candidates, judged: JudgedDifference): string[] {
	const { difference, notExplained, payoutsWithoutFee } = judged;
	if (payoutsWithoutFee > 0) return [LINE.areFees({ amount: difference, asset, count: payoutsWithoutFee })];
	if (notExplained === undefined) return explained(asset, judged);
	return [...openLines(asset, candidates, notExplained), ...explained(asset, judged)];
}

function explained(
	asset: string,
	{ difference, explanation: { found, isCertain } }: JudgedDifference,
): string[] {
	const isGone = difference.startsWith('-');
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

function openLines(asset: string, candidates: Candidates, { amount, since }: NotExplained): string[] {
	const isGone = amount.startsWith('-');
	const { unclear, underWay, withoutAmount: unread } = candidates;
	const hints = [...openCandidates(candidates), ...unclear, ...underWay, ...unread];
	const perhaps = hints.slice(0, MOST_HINTS).map((hint) => setInWords([hint], { asset, isCertain: false }));
	return [
		`${LINE.notExplained({ amount, asset, since })} ${LINE.look(isGone)}`,
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

/** Sentences about payments without an answer, about rows that cannot be read, and about what a person must know. */
export function notesOf(comparison: Comparison, judged: JudgedDifference): string[] {
	const { findings } = comparison;
	const { waits, unclear } = unansweredAfter(comparison, judged);
	const isOpen = ({ isUnderWay }: Unanswered) => !isUnderWay;
	const underWay = [...waits, ...unclear].filter(({ isUnderWay }) => isUnderWay);
	return atMost(MOST_NOTES, [
		...underWay.map(STILL_OPEN.payment),
		...waits.filter(isOpen).map(OPEN_PAYMENT.looksNotPaid),
		...unclear.filter(isOpen).map(OPEN_PAYMENT.isUnclear),
		...findings.unread.map(STILL_OPEN.unread),
		...findings.remarks,
	]);
}

function atMost(most: number, notes: string[]): string[] {
	const more = notes.length - most;
	return more > 0 ? [...notes.slice(0, most), LINE.andMoreNotes(more)] : notes;
}
