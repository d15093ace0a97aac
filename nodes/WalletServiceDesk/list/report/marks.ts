/** Which payouts of a list are unlike before, and what the book has of today. */
import type { IDataObject } from 'n8n-workflow';

import { comparedKey } from '../../values/comparedKey.ts';
import { givenRows } from '../../values/givenRows.ts';
import { isThere } from '../../values/itemValues.ts';
import { isOfBook, paidOnDay, readEarlierPayments } from '../earlierPayments.ts';
import type { EarlierPayments } from '../earlierPayments.ts';
import { countNotCompared, marksOf } from '../payeeHistory.ts';
import type { HistorySettings, MarkedRow } from '../payeeHistory.ts';
import { isKeptApart } from './judgeList.ts';
import type { JudgedList, JudgedPayment } from './judgeList.ts';
import { LIST_ROWS, PROBLEM } from './messages.ts';
import { hasAmount, readError } from './reportRow.ts';
import type { ReportRow } from './reportRow.ts';
import { assetOf } from './totals.ts';

/** What a report says beside earlier payments. */
export interface Comparison {
	/** The marks of each payment that has some, in the order of the list. */
	marks: Map<JudgedPayment, string[]>;
	/** Payments whose accounts cannot be compared. */
	notCompared: number;
}

/** What the book says, or in one sentence why it says nothing. Neither without the option. */
export interface ReadBook {
	earlier?: EarlierPayments;
	bookProblem?: string;
}

/** Throws DeskProblem for what is no list of rows. */
export function readBook(option: unknown, now: string): ReadBook {
	if (option === undefined) return {};
	const given = givenRows(option);
	// n8n's expression gives nothing where a node has handed on its error.
	if ('is' in given && given.is === 'nothing') return { bookProblem: PROBLEM.bookIsNotRead('') };
	if ('is' in given) throw LIST_ROWS.areNoBook();
	const rows = given.rows.filter((row) => Object.keys(row).length > 0) as IDataObject[];
	const failed = rows.find((row) => isThere(row.error) && !isOfBook(row));
	// n8n may hand on what a node has got in place of an error, as if it were rows.
	if (failed !== undefined || (rows.length > 0 && !rows.some(isOfBook)))
		return { bookProblem: PROBLEM.bookIsNotRead(readError(failed?.error).message) };
	return { earlier: readEarlierPayments(rows, now) };
}

/** Of what a yes would send. */
export function comparedWithEarlier({ stage, payments }: JudgedList, settings: HistorySettings): Comparison {
	if (stage !== 'check') return { marks: new Map(), notCompared: 0 };
	const open = payments.flatMap((payment): Array<{ payment: JudgedPayment; row: MarkedRow }> => {
		const { row } = payment;
		const asset = assetOf(row);
		const isOpen = row.result !== 'alreadyPaid' && !isKeptApart(payment);
		if (!isOpen || asset === undefined || !hasAmount(row) || row.destination === '') return [];
		return [{ payment, row: { ...row, ...asset } }];
	});
	const rows = open.map(({ row }) => row);
	const marks = marksOf(rows, settings);
	const marked = open.map(({ payment }, place) => [payment, marks[place] ?? []] as const);
	return {
		marks: new Map(marked.filter(([, texts]) => texts.length > 0)),
		notCompared: countNotCompared(rows, settings),
	};
}

/** What went out today beside these rows, by code. */
export function paidToday(
	rows: readonly ReportRow[],
	{ earlier, ...day }: HistorySettings,
): Map<string, string> {
	if (earlier === undefined) return new Map();
	const left = rows.filter(({ result }) => result !== 'alreadyPaid');
	const without = new Set(left.flatMap(({ paymentKey }) => comparedKey(paymentKey) ?? []));
	return paidOnDay(earlier, { ...day, without });
}
