/** Makes what may explain a difference between the balance and the book. */
import { isZero, negate } from '../../../../api/exact/decimal.ts';
import { byTime } from '../bookTime.ts';
import type { Candidate, Candidates, Comparison } from './candidate.ts';
import { closingsOf } from './closings.ts';
import type { Entry, Findings, MadeBefore, Reading, Unanswered } from './findings.ts';
import { DOUBT, NOT_MOVED } from './messages.ts';
import { sumOf } from './sets.ts';

/** All that may explain a difference. Says nothing about whether it does. */
export function candidatesOf(comparison: Comparison): Candidates {
	const { findings, counted, standing, reading } = comparison;
	const { lastTime } = reading;
	const doubts = findings.doubts.filter(({ time }) => time > lastTime);
	const again = findings.entries
		.filter((entry) => isMovedAgain(entry, reading))
		.map((entry) => movedAgain(entry, reading));
	const unread = findings.unread.filter(({ time }) => time > lastTime).map(withoutAmount);
	return {
		closings: closingsOf(comparison).filter(hasAmount),
		waiting: standing.waiting.map(ofUnanswered).filter(hasAmount),
		unclear: standing.unclear.map(ofUnanswered).filter(hasAmount),
		madeBefore: findings.madeBefore.map(ofMadeBefore).filter(hasAmount),
		doubts: [...doubts, ...again].filter(hasAmount),
		during: duringOf(findings, reading).filter(hasAmount),
		fees: feesOf(counted),
		underWay: notMoved(counted.filter(({ isUnderWay }) => isUnderWay)),
		overdue: notMoved(counted.filter(({ isUnderWay }) => !isUnderWay)),
		withoutAmount: unread,
	};
}

function hasAmount({ amount }: Candidate): boolean {
	return !isZero(amount);
}

function ofUnanswered(payment: Unanswered): Candidate {
	const { key, name, amount, words, isUnderWay } = payment;
	return { key, name, amount, words, isUnderWay, payment };
}

function ofMadeBefore({ key, name, amount, words }: MadeBefore): Candidate {
	return { key, name, amount, words };
}

function withoutAmount({ name, words }: { name: string; words: string }): Candidate {
	return { key: name, name, amount: '0', words };
}

/** A row that was written anew, though its amount had moved the balance before. */
function isMovedAgain({ isKnown, time }: Entry, { lastTime, now }: Comparison['reading']): boolean {
	return isKnown && time > lastTime && time <= now;
}

function movedAgain(
	{ key, name, amount, words }: Entry,
	{ open, lastTime }: Comparison['reading'],
): Candidate {
	const since = open.ofPayment(name)?.since ?? lastTime;
	return { key, name, amount, words: DOUBT.movedAgain({ words, since }) };
}

function duringOf({ entries }: Findings, { now }: Reading): Candidate[] {
	return entries
		.filter(({ time, isKnown }) => time > now && !isKnown)
		.sort(byTime)
		.map(({ key, name, amount, words }) => ({
			key,
			name,
			amount,
			words: DOUBT.cameMeanwhile(words),
			isUnderWay: true,
		}));
}

/** All fees as one candidate. */
function feesOf(counted: Entry[]): Candidate[] {
	const fees = counted.filter(({ kind }) => kind === 'fee');
	if (fees.length === 0) return [];
	const amount = negate(sumOf(fees.map((fee) => fee.amount)));
	return [{ key: 'fees', name: '', amount, words: DOUBT.noFees() }].filter(hasAmount);
}

function notMoved(entries: Entry[]): Candidate[] {
	return entries
		.filter(({ kind, amount }) => kind !== 'fee' && !isZero(amount))
		.map((entry) => ({
			key: entry.key,
			name: entry.name,
			amount: negate(entry.amount),
			words: whyNotMoved(entry),
			isUnderWay: entry.isUnderWay,
			isOverdue: !entry.isUnderWay,
		}));
}

function whyNotMoved({ isUnderWay, kind, words }: Entry): string {
	if (isUnderWay) return NOT_MOVED.isUnderWay(words);
	return kind === 'payout' ? NOT_MOVED.payout(words) : NOT_MOVED.other(words);
}
