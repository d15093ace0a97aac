/** The first line of a report, which is also the subject of a mail: what matters stands first. */
import { shortLine } from '../../../shared/text.ts';
import type { PaymentResult } from '../../operation/result.ts';
import { sumsInWords } from './byDestination.ts';
import { hasFailed } from './judgeList.ts';
import type { JudgedList } from './judgeList.ts';
import { SUBJECT } from './messages.ts';
import { leftOutOf } from './reportRow.ts';
import type { ReportRow } from './reportRow.ts';
import type { Total } from './totals.ts';

/** `noResult`: neither dry run nor payment has said anything. */
export type Counts = Record<PaymentResult | 'noResult', number>;

/** What the subject says. */
export interface Said {
	/** How many payments have each result. */
	counts: Counts;
	totals: Total[];
	problems: string[];
	isGood: boolean;
	/** Payments that a yes would send; after the payments, all. */
	left: number;
	/** Rows to look at. */
	marked: number;
	/** False if it was to be read, and was not. */
	isBookRead: boolean;
}

/** Characters of a name or a key. */
const MOST = 60;

export function subjectOf(list: JudgedList, said: Said): string {
	switch (list.stage) {
		case 'check': {
			const asked = list.askedBy === '' ? '' : SUBJECT.askedBy(shortLine(list.askedBy, MOST));
			return `${beforePayments(list, said)}${asked}`;
		}
		case 'payments':
			return afterPayments(list, said);
		case 'stopped':
			return SUBJECT.hasStopped(list.payments.length);
	}
}

function beforePayments({ payments, isForApproval }: JudgedList, said: Said): string {
	const { counts, totals, problems, left, isGood, marked, isBookRead } = said;
	const count = payments.length;
	if (count === 0) return SUBJECT.hasNoPayments();
	const words = { payouts: SUBJECT.payouts({ count: left, marked, isBookRead }), sums: sumsInWords(totals) };
	const ready = (isForApproval ? SUBJECT.approve : SUBJECT.isReady)(words);
	const nothing = isForApproval ? SUBJECT.approveNothingNew() : SUBJECT.isNothingNew();
	if (isGood) return [left > 0 ? ready : nothing, ...notKnown(counts)].join(', ');
	const wrong = problems.length > 0 ? [SUBJECT.problems(problems.length)] : [];
	const reasons = [...wrong, ...notKnown(counts)];
	return reasons.length === 0 ? SUBJECT.nothingIsLeft(count) : SUBJECT.isNotReady(reasons.join(', '));
}

function afterPayments({ payments, withoutResult }: JudgedList, { counts, totals }: Said): string {
	const rows = payments.map(({ row }) => row);
	const found = rows.filter(({ foundBy }) => foundBy !== undefined);
	const { unknown } = counts;
	const leftOut = leftOutOf(rows).length;
	const count = rows.length + leftOut;
	const [paid, before] = [counts.paid + found.length, counts.alreadyPaid - found.length];
	const failed = rows.filter(hasFailed).length;
	const notPaid = rows.length - paid - before - unknown;
	const sums = sumsInWords(totals);
	if (paid + before === count && failed === 0 && withoutResult === 0)
		return `${allPaid({ count, before, sums })}${foundInWords(found)}`;
	return [
		// Beside what was paid before, "0 of 1 paid" would say the opposite.
		paid === 0 && before > 0 ? SUBJECT.isNothingPaidNow() : SUBJECT.isPaid({ paid, count, sums }),
		...(before > 0 ? [SUBJECT.paidBefore(before)] : []),
		...(failed > 0 ? [SUBJECT.failedAfterwards(failed)] : []),
		...(notPaid > 0 ? [SUBJECT.notPaid(notPaid)] : []),
		...(leftOut > 0 ? [SUBJECT.leftOut(leftOut)] : []),
		...notKnown(counts),
		...(withoutResult > 0 ? [SUBJECT.withoutResult(withoutResult)] : []),
	].join(', ');
}

function allPaid({ count, before, sums }: { count: number; before: number; sums: string }): string {
	if (before === count) return SUBJECT.wereAllPaidBefore(count);
	return [SUBJECT.areAllPaid({ count, sums }), ...(before > 0 ? [SUBJECT.ofThemBefore(before)] : [])].join(
		', ',
	);
}

function foundInWords(found: readonly ReportRow[]): string {
	const [first] = found;
	if (first === undefined) return '';
	const by = shortLine(first.foundBy, MOST);
	if (found.length > 1) return SUBJECT.areFound({ count: found.length, by });
	return SUBJECT.isFound({ name: shortLine(first.paymentKey, MOST) || '?', by });
}

function notKnown({ unknown }: Counts): string[] {
	return unknown > 0 ? [SUBJECT.notKnown(unknown)] : [];
}
