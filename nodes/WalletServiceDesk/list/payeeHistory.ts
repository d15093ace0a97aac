/**
 * What is unlike before in a payout: marks for who approves it. A mark never blocks. Earlier payments of its own key say nothing, since
 * they are the same payment.
 */
import { compare, multiply } from '../../../api/exact/decimal.ts';
import { dayIn } from '../../shared/timeZone.ts';
import { comparedKey } from '../values/comparedKey.ts';
import { destinationName } from './earlierPayments.ts';
import type { EarlierPayment, EarlierPayments } from './earlierPayments.ts';
import { isSameAccount } from './accountDetails.ts';
import type { ListRow } from './listRow.ts';
import { MARK } from './messages.ts';

/** A payout with one code, and an amount that is a plain decimal. */
export type MarkedRow = Pick<ListRow, 'paymentKey' | 'amount' | 'destination'> &
	Partial<Pick<ListRow, 'destinationDetails' | 'payee' | 'payeeMatch'>> & { code: string; isFiat: boolean };

export interface HistorySettings {
	/** Undefined: nobody has read the book, so that only names are compared. */
	earlier: EarlierPayments | undefined;
	/** ISO 8601. */
	now: string;
	timeZone: string;
}

/** So many times the usual amount is usual still. */
const USUAL_TIMES = '10';
const WEEK = 7 * 24 * 3_600_000;
const OFTEN = 3;

/** The marks of each row, in the order of the rows: whole sentences. */
export function marksOf(rows: readonly MarkedRow[], settings: HistorySettings): string[][] {
	const inList = new Map<string, number>();
	return rows.map((row) => {
		const name = destinationName(row);
		const place = (inList.get(name) ?? 0) + 1;
		inList.set(name, place);
		const before = beforeRow(row, name, settings);
		if (before === undefined) return payeeMarks(row, false);
		const made = before.filter(({ isMade }) => isMade);
		const last = made.findLast(({ details }) => details !== '');
		const { destinationDetails: details = '' } = row;
		const isSame = last !== undefined && details !== '' && isSameAccount(last.details, details);
		return [
			...firstMarks(row, made),
			...accountMarks(last, details, settings),
			...payeeMarks(row, isSame),
			...amountMarks(row, made),
			...oftenMarks(before, place, settings),
		];
	});
}

function beforeRow({ paymentKey }: MarkedRow, name: string, { earlier }: HistorySettings) {
	const key = comparedKey(paymentKey);
	const all = earlier && (earlier.byDestination.get(name) ?? []);
	return all?.filter((payment) => payment.key === undefined || payment.key !== key);
}

function firstMarks({ code }: MarkedRow, made: readonly EarlierPayment[]): string[] {
	if (made.length === 0) return [MARK.isFirst()];
	return made.some((each) => each.code === code) ? [] : [MARK.isFirstIn(code)];
}

/** How many rows have no details of their account, although an earlier payment had some. */
export function countNotCompared(rows: readonly MarkedRow[], settings: HistorySettings): number {
	return rows.filter((row) => {
		const { destinationDetails: details = '' } = row;
		const before = beforeRow(row, destinationName(row), settings) ?? [];
		return details === '' && before.some((payment) => payment.isMade && payment.details !== '');
	}).length;
}

function accountMarks(
	last: EarlierPayment | undefined,
	now: string,
	{ timeZone }: HistorySettings,
): string[] {
	if (last === undefined || now === '' || isSameAccount(last.details, now)) return [];
	return [MARK.hasOtherAccount({ before: last.details, now, day: dayIn(timeZone, new Date(last.time)) })];
}

/** A name that is close is nothing new where the same account was paid before. */
function payeeMarks(
	{ payee = '', payeeMatch, destinationDetails = '' }: MarkedRow,
	isKnown: boolean,
): string[] {
	if (payeeMatch === 'none') return [MARK.hasOtherName({ payee, details: destinationDetails })];
	const isNew = payeeMatch === 'close' && !isKnown;
	return isNew ? [MARK.hasCloseName({ payee, details: destinationDetails })] : [];
}

/** The usual amount is the middle one of those that this destination got in this code; of two in the middle, the smaller one. */
function amountMarks({ amount, code }: MarkedRow, made: readonly EarlierPayment[]): string[] {
	const amounts = made.filter((each) => each.code === code && each.amount !== '').map((each) => each.amount);
	const usual = amounts.sort(compare)[Math.floor((amounts.length - 1) / 2)];
	if (usual === undefined || compare(amount, multiply(usual, USUAL_TIMES)) <= 0) return [];
	return [MARK.isMuchMore({ usual, code, count: amounts.length })];
}

/** From the third payment within seven days on, if no seven days before had as many. */
function oftenMarks(before: readonly EarlierPayment[], place: number, { now }: HistorySettings): string[] {
	const times = before.map(({ time }) => Date.parse(time));
	const start = Date.parse(now) - WEEK;
	const thisWeek = times.filter((time) => time > start).length + place;
	if (thisWeek < OFTEN) return [];
	const most = mostInAWeek(times.filter((time) => time <= start));
	return thisWeek > most ? [MARK.isOften({ number: thisWeek, most })] : [];
}

/** `times`: the oldest first. */
function mostInAWeek(times: readonly number[]): number {
	let [first, most] = [0, 0];
	for (const [place, time] of times.entries()) {
		while (times[first]! <= time - WEEK) first += 1;
		most = Math.max(most, place - first + 1);
	}
	return most;
}
