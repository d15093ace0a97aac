/** *Payout List: Report*: a list before its payments, or what became of it, as one item for people and for the next node. */
import type { IDataObject } from 'n8n-workflow';

import type { Balance } from '../../values/asset.ts';
import type { Block } from '../../page/blocks.ts';
import { toHtml } from '../../page/html.ts';
import { toPlainText } from '../../page/plainText.ts';
import { shortLine } from '../../../shared/text.ts';
import { RESULTS } from '../../operation/result.ts';
import { minuteIn } from '../../../shared/timeZone.ts';
import type { EarlierPayments } from '../earlierPayments.ts';
import { placesInWords } from '../places.ts';
import { balancesFell } from './balancesFell.ts';
import { isKeptApart, judgeList } from './judgeList.ts';
import type { JudgedList, JudgedPayment } from './judgeList.ts';
import { comparedWithEarlier, paidToday } from './marks.ts';
import type { Comparison } from './marks.ts';
import { openFile, reportFile } from './reportFile.ts';
import { PROBLEM } from './messages.ts';
import { subjectOf } from './reportSubject.ts';
import type { Counts } from './reportSubject.ts';
import { balancesOf, reportPage, SIZE_BEFORE, SIZES_OF_MAIL } from './reportPage.ts';
import type { ReportToShow } from './reportPage.ts';
import type { ReportRow } from './reportRow.ts';
import { MOST_APPROVALS, needsSecondApproval } from './secondApproval.ts';
import {
	comparedWithBalances,
	problemsOfTotals,
	totalsOf,
	withBalanceBefore,
	withBalances,
} from './totals.ts';
import type { Total } from './totals.ts';
import { decideFrom } from './unknownPayments.ts';

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
	/** A fragment for the page of an approver: the balances, which stand nowhere else. Empty without any. */
	balancesHtml: string;
	/** How many payments have each result. */
	counts: Counts;
	/** Before the payments: what is left to pay. After them: what was paid for this list. */
	totals: Total[];
	/** Whole sentences, each with the row that it is about. Not those of unknown payments. */
	problems: string[];
	/** Before the payments: rows that are unlike earlier payments, and in which way. They hold nothing back. */
	marks: Array<Pick<ReportRow, 'row' | 'paymentKey'> & { marks: string[] }>;
	/** How many payments nobody can be sure of. */
	unknown: number;
	/** ISO 8601 in UTC: from when on a person may answer about unknown payments. Absent if nobody can decide about any of them now. */
	decideFrom?: string;
	/** In the order of the list, for payments and for Read Decisions. */
	rows: ReportRow[];
	/** CSV text. */
	file: string;
	/** CSV text of the rows that are still open, in the columns of a list. */
	openFile: string;
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
	/** What the book has. Undefined: nobody has read it. */
	earlier?: EarlierPayments;
	/** Why the book says nothing, although somebody has read it. */
	bookProblem?: string;
	/** ISO 8601. */
	now: string;
	timeZone: string;
}): ListReport {
	const list = judgeList(input.items, input.withoutResult);
	const isCheck = list.stage === 'check';
	const judged = list.payments.map(({ row }) => row);
	const rows = isCheck ? withBalanceBefore(judged, input.balances) : judged;
	const totals = totalsOfList(list, judged, input.balances);
	const counts = countsOf(rows);
	const history = { now: input.now, timeZone: input.timeZone, earlier: input.earlier };
	const { marks, notCompared } = comparedWithEarlier(list, history);
	const problems = problemsOfList(list, totals, input.balances);
	const left = countLeft(list, counts);
	const isKnown = isCheck ? onlyKeptApart(list.payments) : counts.unknown === 0;
	const isSomethingToDo = left > 0 || (isCheck && counts.unknown > 0);
	const isGood = isSomethingToDo && problems.length === 0 && isKnown && list.withoutResult === 0;
	const today = paidToday(rows, history);
	const isBookRead = input.bookProblem === undefined;
	const needsSecond =
		!isBookRead || input.isSecondWanted || needsSecondApproval(rows, input.secondApprovalAbove, today);
	const title = shortLine(input.title, 100);
	const said = { counts, totals, problems, left, isGood, marked: marks.size, isBookRead };
	const words = subjectOf(list, said);
	const subject = title === '' ? words : `${title}: ${words}`;
	const from = decideFrom(rows, input.now);
	const page = pageThatFits({
		subject,
		list,
		totals,
		problems: isCheck && input.bookProblem !== undefined ? [input.bookProblem, ...problems] : problems,
		isGood,
		marks,
		notCompared,
		needsSecond: isCheck && isGood && needsSecond,
		today: input.secondApprovalAbove === undefined ? new Map() : today,
		balancesFell: list.stage === 'payments' ? balancesFell(rows, totals) : [],
		answerFrom: answerFrom(from, input),
		earlier: input.earlier,
		timeZone: input.timeZone,
	});
	return {
		isGood,
		needsSecondApproval: needsSecond,
		approvalsNeeded: needsSecond ? MOST_APPROVALS : 1,
		subject,
		text: toPlainText(page.blocks),
		html: page.html,
		balancesHtml: htmlOfBalances(totals),
		counts,
		totals,
		problems,
		marks: markedRows(marks),
		unknown: counts.unknown,
		...(from !== undefined && { decideFrom: from }),
		rows,
		file: reportFile(rows),
		openFile: openFile(list.payments.filter(isOpen).map(({ row }) => row)),
	};
}

function htmlOfBalances(totals: readonly Total[]): string {
	const blocks = balancesOf(totals);
	return blocks.length === 0 ? '' : toHtml(blocks);
}

/** Programs cut a mail off behind 102 kB. */
const MOST_BYTES = 98_000;

/** The page; of results, the largest one that a mail shows whole. */
function pageThatFits(report: Omit<ReportToShow, 'size'>): { blocks: Block[]; html: string } {
	const sizes = report.list.stage === 'check' ? [SIZE_BEFORE] : SIZES_OF_MAIL;
	let page: { blocks: Block[]; html: string } = { blocks: [], html: '' };
	for (const size of sizes) {
		const blocks = reportPage({ ...report, size });
		page = { blocks, html: toHtml(blocks) };
		if (Buffer.byteLength(page.html) <= MOST_BYTES) break;
	}
	return page;
}

function markedRows(marks: Comparison['marks']): ListReport['marks'] {
	return [...marks].map(([{ row }, texts]) => ({
		...(row.row !== undefined && { row: row.row }),
		paymentKey: row.paymentKey,
		marks: texts,
	}));
}

/** Whether it can be handed in again. What nobody can tell from a payment that was made cannot. */
function isOpen({ row, isWithoutKey, isInDoubt, isSaidToBePaid }: JudgedPayment): boolean {
	const { result } = row;
	if (result === 'paid' || result === 'alreadyPaid' || isSaidToBePaid) return false;
	return result !== 'unknown' || !(isWithoutKey || isInDoubt);
}

/** One sentence for each thing that is wrong, those of the list as a whole first. */
function problemsOfList(list: JudgedList, totals: readonly Total[], balances: readonly Balance[]): string[] {
	const { stage, payments } = list;
	const ofList = list.complaints.length + payments.length > 0 ? list.complaints : [PROBLEM.listIsEmpty()];
	const ofRows = payments.flatMap(({ complaints, place }) =>
		complaints.map((problem) =>
			PROBLEM.ofPlace({ place: placesInWords([place]), problem: shortLine(problem, MOST_CHARACTERS) }),
		),
	);
	return [
		...ofList.map((complaint) => shortLine(complaint, MOST_CHARACTERS)),
		...(stage === 'check' ? problemsBefore(payments.length, totals, balances) : []),
		...ofRows,
	];
}

/** Of a sentence that people see. */
const MOST_CHARACTERS = 500;

/** The time for a person. Undefined if it has come. */
function answerFrom(from: string | undefined, { now, timeZone }: { now: string; timeZone: string }) {
	if (from === undefined || Date.parse(from) <= Date.parse(now)) return undefined;
	return minuteIn(timeZone, new Date(from), new Date(now));
}

/** Why nobody should be asked about a list. */
function problemsBefore(count: number, totals: readonly Total[], balances: readonly Balance[]): string[] {
	const { rows: most } = SIZE_BEFORE;
	const tooLong = count > most ? [PROBLEM.isLongerThanItsPage({ count, most })] : [];
	return [...tooLong, ...problemsOfTotals(totals, balances)];
}

/** Payments that a yes would send; after the payments, all. */
function countLeft({ stage, payments }: JudgedList, { alreadyPaid }: Counts): number {
	if (stage !== 'check') return payments.length;
	return payments.length - alreadyPaid - payments.filter(isKeptApart).length;
}

function onlyKeptApart(payments: readonly JudgedPayment[]): boolean {
	return payments.every((payment) => payment.row.result !== 'unknown' || isKeptApart(payment));
}

/**
 * Before the payments, what a yes would send. After them, what was paid for this list, also what a person has found: nothing else has
 * moved. If they stopped, nothing is known.
 */
function totalsOfList(
	{ stage, payments }: JudgedList,
	rows: readonly ReportRow[],
	balances: readonly Balance[],
): Total[] {
	if (stage === 'stopped') return [];
	if (stage === 'payments') {
		const paid = totalsOf(rows, ({ result, foundBy }) => result === 'paid' || foundBy !== undefined);
		return withBalances(paid, balances);
	}
	const keptApart = new Set(payments.filter(isKeptApart).map(({ row }) => row));
	const left = totalsOf(rows, (row) => row.result !== 'alreadyPaid' && !keptApart.has(row));
	return comparedWithBalances(withBalances(left, balances));
}

function countsOf(rows: readonly ReportRow[]): Counts {
	const counts = { noResult: 0 } as Counts;
	for (const word of RESULTS) counts[word] = 0;
	for (const { result } of rows) counts[result ?? 'noResult'] += 1;
	return counts;
}
