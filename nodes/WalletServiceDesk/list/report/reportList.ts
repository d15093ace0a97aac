/** *Payout List: Report*: a list before its payments, or what became of it, as one item for people and for the next node. */
import type { IDataObject } from 'n8n-workflow';

import type { Balance } from '../../values/asset.ts';
import { toHtml } from '../../page/html.ts';
import { toPlainText } from '../../page/plainText.ts';
import { shortLine } from '../../../shared/text.ts';
import { RESULTS } from '../../operation/result.ts';
import type { PaymentResult } from '../../operation/result.ts';
import { minuteIn } from '../../../shared/timeZone.ts';
import { sumsInWords } from './byDestination.ts';
import { hasFailed, isKeptApart, judgeList } from './judgeList.ts';
import type { JudgedList, JudgedPayment } from './judgeList.ts';
import { reportFile } from './reportFile.ts';
import { PROBLEM, SUBJECT } from './messages.ts';
import { MOST_ROWS, reportPage } from './reportPage.ts';
import type { ReportRow } from './reportRow.ts';
import { MOST_APPROVALS, needsSecondApproval } from './secondApproval.ts';
import { sameProblems } from './sameProblems.ts';
import { comparedWithBalances, problemsOfTotals, totalsOf, withBalances } from './totals.ts';
import type { Total } from './totals.ts';
import { decideFrom, settleForm } from './settleForm.ts';

export type { ReportRow } from './reportRow.ts';

export interface ListReport {
	/**
	 * Before the payments: something is left to pay or to find out, nothing is wrong, what is unknown is kept apart by its key, and each balance is
	 * enough, so that a person can be asked. After them: all are paid.
	 */
	isGood: boolean;
	/** Whether what is left to pay is above a sum, or cannot be compared with one, or a row says so. */
	needsSecondApproval: boolean;
	/** How many different people must say yes: 1 or 2. */
	approvalsNeeded: number;
	/** One line. */
	subject: string;
	/** Plain text, for a mail or a chat. */
	text: string;
	/** A fragment, for a mail or a page of n8n. No text of the list can add markup or an expression. */
	html: string;
	/** How many payments have each result. `noResult`: neither dry run nor payment has said anything. */
	counts: Record<PaymentResult | 'noResult', number>;
	/** Before the payments: what is left to pay. After them: what was paid now. */
	totals: Total[];
	/** Whole sentences, each with the rows that it is about. Not those of unknown payments. */
	problems: string[];
	/** How many payments nobody can be sure of. */
	unknown: number;
	/** JSON text for a form of n8n: a choice for each unknown payment that a person can decide about. */
	settleForm: string;
	/** ISO 8601 in UTC: from when on a person may answer this form. Absent if no time is known. */
	decideFrom?: string;
	/** In the order of the list, for payments and for Read Decisions. */
	rows: ReportRow[];
	/** CSV text. */
	file: string;
}

/**
 * Takes rows of Read, results of a dry run or of payments, or both merged, in the order of the list. An item that is none of these
 * is named. It never says that a payment was not made, or may be made again, unless its result or its Payment Key proves it.
 */
export function reportList(input: {
	items: readonly IDataObject[];
	/** Rows of the list that no item belongs to. */
	withoutResult?: readonly IDataObject[];
	balances: readonly Balance[];
	title?: string;
	/** By code. */
	secondApprovalAbove?: Map<string, string>;
	/** Whether a row wants a second person, whatever the sum. */
	isSecondWanted?: boolean;
	/** ISO 8601. */
	now: string;
	timeZone: string;
}): ListReport {
	const list = judgeList(input.items, input.withoutResult);
	const rows = list.payments.map(({ row }) => row);
	const totals = totalsOfList(list, rows, input.balances);
	const counts = countsOf(rows);
	const complaints = list.complaints.length + rows.length > 0 ? list.complaints : [PROBLEM.listIsEmpty()];
	const problems = [
		...complaints.map((complaint) => shortLine(complaint, 500)),
		...(list.stage === 'check' ? problemsBefore(rows, totals, input.balances) : []),
		...sameProblems(list.payments),
	];
	const left = countLeft(list, counts);
	const isKnown = list.stage === 'check' ? onlyKeptApart(list.payments) : counts.unknown === 0;
	const isSomethingToDo = left > 0 || (list.stage === 'check' && counts.unknown > 0);
	const isGood = isSomethingToDo && problems.length === 0 && isKnown && list.withoutResult === 0;
	const needsSecond = input.isSecondWanted || needsSecondApproval(rows, input.secondApprovalAbove);
	const title = shortLine(input.title, 100);
	const words = subjectOf(list, { counts, totals, problems, left, isGood });
	const subject = title === '' ? words : `${title}: ${words}`;
	const from = decideFrom(rows);
	const page = reportPage({ subject, list, totals, problems, isGood, answerFrom: answerFrom(from, input) });
	return {
		isGood,
		needsSecondApproval: needsSecond,
		approvalsNeeded: needsSecond ? MOST_APPROVALS : 1,
		subject,
		text: toPlainText(page),
		html: toHtml(page),
		counts,
		totals,
		problems,
		unknown: counts.unknown,
		settleForm: settleForm(rows),
		...(from !== undefined && { decideFrom: from }),
		rows,
		file: reportFile(rows),
	};
}

/** The time for a person. Undefined if it has come. */
function answerFrom(from: string | undefined, { now, timeZone }: { now: string; timeZone: string }) {
	if (from === undefined || Date.parse(from) <= Date.parse(now)) return undefined;
	return minuteIn(timeZone, new Date(from), new Date(now));
}

/** Why nobody should be asked about a list. */
function problemsBefore(
	rows: readonly ReportRow[],
	totals: readonly Total[],
	balances: readonly Balance[],
): string[] {
	const isTooLong = rows.length > MOST_ROWS.check;
	const tooLong = isTooLong
		? [PROBLEM.isLongerThanItsPage({ count: rows.length, most: MOST_ROWS.check })]
		: [];
	return [...tooLong, ...problemsOfTotals(totals, balances)];
}

/** Payments that a yes would send; after the payments, all. */
function countLeft({ stage, payments }: JudgedList, { alreadyPaid }: ListReport['counts']): number {
	if (stage !== 'check') return payments.length;
	return payments.length - alreadyPaid - payments.filter(isKeptApart).length;
}

function onlyKeptApart(payments: readonly JudgedPayment[]): boolean {
	return payments.every((payment) => payment.row.result !== 'unknown' || isKeptApart(payment));
}

/** Before the payments, what a yes would send. After them, what was paid now: nothing else has moved. If they stopped, nothing is known. */
function totalsOfList(
	{ stage, payments }: JudgedList,
	rows: readonly ReportRow[],
	balances: readonly Balance[],
): Total[] {
	if (stage === 'stopped') return [];
	if (stage === 'payments') {
		const paid = totalsOf(rows, ({ result }) => result === 'paid');
		return withBalances(paid, balances);
	}
	const keptApart = new Set(payments.filter(isKeptApart).map(({ row }) => row));
	const left = totalsOf(rows, (row) => row.result !== 'alreadyPaid' && !keptApart.has(row));
	return comparedWithBalances(withBalances(left, balances));
}

function countsOf(rows: readonly ReportRow[]): ListReport['counts'] {
	const counts = { noResult: 0 } as ListReport['counts'];
	for (const word of RESULTS) counts[word] = 0;
	for (const { result } of rows) counts[result ?? 'noResult'] += 1;
	return counts;
}

/** What the subject of a report says. */
type Said = Pick<ListReport, 'counts' | 'totals' | 'problems' | 'isGood'> & { left: number };

function subjectOf(list: JudgedList, said: Said): string {
	switch (list.stage) {
		case 'check':
			return subjectBefore(list, said);
		case 'payments':
			return subjectAfter(list, said);
		case 'stopped':
			return SUBJECT.hasStopped(list.payments.length);
	}
}

function subjectBefore({ payments }: JudgedList, { counts, totals, problems, left, isGood }: Said): string {
	const count = payments.length;
	if (count === 0) return SUBJECT.hasNoPayments();
	const ready =
		left > 0 ? SUBJECT.isReady({ count: left, sums: sumsInWords(totals) }) : SUBJECT.isNothingNew();
	if (isGood) return [ready, ...notKnown(counts)].join(', ');
	const wrong = problems.length > 0 ? [SUBJECT.problems(problems.length)] : [];
	const reasons = [...wrong, ...notKnown(counts)];
	return reasons.length === 0 ? SUBJECT.nothingIsLeft(count) : SUBJECT.isNotReady(reasons.join(', '));
}

function subjectAfter({ payments, withoutResult }: JudgedList, { counts, totals }: Said): string {
	const { paid, alreadyPaid, unknown } = counts;
	const count = payments.length;
	const notPaid = count - paid - alreadyPaid - unknown;
	const failed = payments.filter(({ row }) => hasFailed(row)).length;
	// Behind the answer "it was paid", "0 of 1 paid" would say the opposite.
	const isOld = paid === 0 && alreadyPaid > 0;
	return [
		isOld ? SUBJECT.isNothingPaidNow() : SUBJECT.isPaid({ paid, count, sums: sumsInWords(totals) }),
		...(alreadyPaid > 0 ? [SUBJECT.paidBefore(alreadyPaid)] : []),
		...(failed > 0 ? [SUBJECT.failedAfterwards(failed)] : []),
		...(notPaid > 0 ? [SUBJECT.notPaid(notPaid)] : []),
		...notKnown(counts),
		...(withoutResult > 0 ? [SUBJECT.withoutResult(withoutResult)] : []),
	].join(', ');
}

function notKnown({ unknown }: ListReport['counts']): string[] {
	return unknown > 0 ? [SUBJECT.notKnown(unknown)] : [];
}
