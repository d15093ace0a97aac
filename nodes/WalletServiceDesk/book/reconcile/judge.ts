/** The verdict on the balance of one asset: what it should be, and what explains a difference. */
import {
	add,
	compare,
	isPlainDecimal,
	isZero,
	subtract,
	withoutSign,
} from '../../../../api/exact/decimal.ts';
import { dayIn } from '../../../shared/timeZone.ts';
import type { Balance } from '../../values/asset.ts';
import { minutesBefore } from '../bookTime.ts';
import type { Movement } from '../payments.ts';
import { kindOf } from '../row.ts';
import type { BookRow } from '../row.ts';
import { sumOf } from './account.ts';
import type { Account, FeeRules } from './account.ts';
import { VERDICT } from './messages.ts';
import { explain, openItemsOf } from './openItems.ts';
import type { Explanation, OpenItem } from './openItems.ts';

export type Verdict = 'reconciled' | 'open items' | 'not explained' | 'no opening' | 'not read';

/** When and how balances are reconciled. */
export interface Reading {
	/** When the balances were read. ISO 8601 in UTC. */
	now: string;
	timeZone: string;
	settings: FeeRules & { moveOpening: boolean };
}

/** One asset with what its sentences, its page and its statement need. */
export interface Judged {
	asset: string;
	/** Amounts are decimal text; '' if there is none. */
	opening: string;
	/** Its time; '' if there is no opening yet. */
	openedAt: string;
	booked: string;
	expected: string;
	balance: string;
	/** By how much the balance is higher than expected. */
	difference: string;
	verdict: Verdict;
	/** The first day of the unbroken series of `not explained`, in the time zone of the workflow; '' if it is explained. */
	since: string;
	account: Account;
	/** All of them. Those that a person reads: `shownItems`. */
	items: OpenItem[];
	explanation: Explanation | undefined;
	/** The difference that stood unexplained at the reading before, less what was booked since; '0' if there is none. */
	stood: string;
	/** Whether an earlier reading is in the book: without one, nobody knows what stood before. */
	hasReading: boolean;
	/** What keeps the opening from being taken or moved. */
	keepsOpen: Movement[];
	isOpened: boolean;
	rounding: string;
	/** Why the balance was not read. */
	problem: string;
}

/** Compares a balance with its account. */
export function judge(given: Balance, account: Account, input: Reading): Judged {
	const { now, settings } = input;
	const balance = 'balance' in given && isPlainDecimal(given.balance) ? given.balance : '';
	const items = openItemsOf(account, settings, now);
	const keepsOpen = keepsOpening(account, now);
	const opening = account.opening?.amount ?? (balance !== '' && keepsOpen.length === 0 ? balance : '');
	const judged: Judged = {
		asset: account.asset.code,
		...{ opening, openedAt: account.opening?.time ?? (opening === '' ? '' : now), balance },
		...{ booked: '', expected: '', difference: '', verdict: 'not read', since: '', problem: '' },
		...{ account, items, keepsOpen, explanation: undefined, stood: '0', rounding: '0' },
		...{ hasReading: account.readings.length > 0, isOpened: account.opening === undefined && opening !== '' },
	};
	if (balance === '') {
		const problem = 'problem' in given ? given.problem : VERDICT.unreadable(given.balance);
		return { ...judged, problem };
	}
	if (opening === '') return { ...judged, verdict: 'no opening' };
	const booked = sumOf(account.entries);
	const expected = add(opening, booked);
	const difference = subtract(balance, expected);
	const rounding = account.rounding(account.entries, balance);
	const sums = { booked, expected, difference, rounding };
	if (isWithin(difference, rounding)) return { ...judged, ...sums, verdict: 'reconciled' };
	const earlier = tellingReading(account);
	const older = items.filter(({ movement }) => movement.began <= (earlier?.time ?? ''));
	const stood = stoodBefore(account, earlier, { difference, older });
	const explanation = explain(difference, isZero(stood) ? items : older, rounding);
	const verdict = explanation === undefined ? 'not explained' : 'open items';
	const since = verdict === 'not explained' ? firstDay(account.readings, input) : '';
	return { ...judged, ...sums, verdict, since, stood, explanation };
}

function isWithin(difference: string, most: string): boolean {
	return compare(withoutSign(difference), most) <= 0;
}

/** What is younger may still be on its way. */
const MINUTES_YOUNG = 60;

/** Payments that may move the balance after it was read, or whose answer nobody knows, and pending deposits. */
function keepsOpening({ movements, asset: { code } }: Account, now: string): Movement[] {
	const young = minutesBefore(now, MINUTES_YOUNG);
	return movements.filter(({ asset, state, began, row, corrections }) => {
		if (asset !== code || state === 'not made' || corrections.length > 0) return false;
		const isPayment = kindOf(row.kind)?.is === 'payment' && row.result !== '';
		return state === 'no answer' || state === 'pending' || (isPayment && began > young);
	});
}

/** As many readings are looked at: in more, payments are under way whenever the balance is read. */
const MOST_READINGS = 14;

/** The newest reading that tells what stood then: it was not explained, or no payment was so young that it moved the balance later. */
function tellingReading({ readings, movements, opening }: Account): BookRow | undefined {
	const payments = movements.filter(({ kind }) => kindOf(kind)?.is === 'payment');
	return readings.slice(-MOST_READINGS).findLast(({ time, status }) => {
		const young = minutesBefore(time, MINUTES_YOUNG);
		const isCalm = !payments.some(({ began }) => began > young && began <= time);
		return time > (opening?.time ?? '') && (status === 'not explained' || isCalm);
	});
}

/**
 * The difference at an earlier reading that stands, by what the book has now, less the corrections since: an item that began later is
 * not its cause. Rows that came late may have explained it since then, and so may fees. '0' if nothing stands.
 */
function stoodBefore(
	{ entries, opening, rounding }: Account,
	earlier: BookRow | undefined,
	{ difference, older }: { difference: string; older: readonly OpenItem[] },
): string {
	if (earlier === undefined || opening === undefined) return '0';
	const until = entries.filter(({ time }) => time <= earlier.time);
	const booked = entries.filter(({ time, kind }) => time > earlier.time && kind === 'correction');
	const then = subtract(earlier.amount, add(opening.amount, sumOf(until)));
	const stood = subtract(then, sumOf(booked));
	const most = rounding(until, earlier.amount);
	// What has become smaller, or the opposite, did not stay.
	const isSameWay = stood.startsWith('-') === difference.startsWith('-');
	const isLess = compare(withoutSign(difference), withoutSign(stood)) < 0;
	const isGone = isWithin(stood, most) || !isSameWay || isLess;
	return isGone || explain(stood, older, most) !== undefined ? '0' : stood;
}

function firstDay(readings: readonly BookRow[], { now, timeZone }: Reading): string {
	const explained = readings.findLastIndex(({ status }) => status !== 'not explained');
	const first = readings[explained + 1]?.time ?? now;
	return dayIn(timeZone, new Date(first));
}
