/** Which payouts of a list are unlike before, and what the book has of today. */
import type { IDataObject } from 'n8n-workflow';

import { comparedKey } from '../../values/comparedKey.ts';
import { givenRows } from '../../values/givenRows.ts';
import { paidOnDay, readEarlierPayments } from '../earlierPayments.ts';
import type { EarlierPayments } from '../earlierPayments.ts';
import { marksOf } from '../payeeHistory.ts';
import { isKeptApart } from './judgeList.ts';
import type { JudgedList, JudgedPayment } from './judgeList.ts';
import { LIST_ROWS } from './messages.ts';
import { hasAmount } from './reportRow.ts';
import type { ReportRow } from './reportRow.ts';
import { assetOf } from './totals.ts';

/** The marks of each payment that has some, in the order of the list. */
export type Marks = Map<JudgedPayment, string[]>;

/** `now`: ISO 8601. */
interface Surroundings {
	now: string;
	timeZone: string;
}

/** Undefined without the option. Throws DeskProblem for what is no list of rows. */
export function readEarlierRows(option: unknown, now: string): EarlierPayments | undefined {
	if (option === undefined) return undefined;
	const given = givenRows(option);
	if ('is' in given) throw LIST_ROWS.areNoBook();
	return readEarlierPayments(given.rows as IDataObject[], now);
}

/** Of what a yes would send. */
export function marksOfList(
	{ stage, payments }: JudgedList,
	settings: Surroundings & { earlier: EarlierPayments | undefined },
): Marks {
	if (stage !== 'check') return new Map();
	const open = payments.flatMap((payment) => {
		const { row } = payment;
		const asset = assetOf(row);
		const isOpen = row.result !== 'alreadyPaid' && !isKeptApart(payment);
		if (!isOpen || asset === undefined || !hasAmount(row) || row.destination === '') return [];
		return [{ payment, row: { ...row, ...asset } }];
	});
	const marks = marksOf(
		open.map(({ row }) => row),
		settings,
	);
	const marked = open.map(({ payment }, place) => [payment, marks[place] ?? []] as const);
	return new Map(marked.filter(([, texts]) => texts.length > 0));
}

/** What went out today beside these rows, by code. */
export function paidToday(
	rows: readonly ReportRow[],
	{ earlier, ...day }: Surroundings & { earlier: EarlierPayments | undefined },
): Map<string, string> {
	if (earlier === undefined) return new Map();
	const left = rows.filter(({ result }) => result !== 'alreadyPaid');
	const without = new Set(left.flatMap(({ paymentKey }) => comparedKey(paymentKey) ?? []));
	return paidOnDay(earlier, { ...day, without });
}
