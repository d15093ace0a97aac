/** The verdict on the balance of one asset: what it should be, and what explains a difference. */
import { add, subtract } from '../../../../api/exact/decimal.ts';
import { dayIn } from '../../../shared/timeZone.ts';
import { sumOf } from '../../../shared/sums.ts';
import { readableBalance } from '../../values/asset.ts';
import type { Balance } from '../../values/asset.ts';
import { minutesBefore } from '../bookTime.ts';
import { isBooked, mayMoveFrom } from '../movement.ts';
import type { Movement } from '../movement.ts';
import { kindOf } from '../row.ts';
import type { Account, FeeRules } from './account.ts';
import { VERDICT } from './messages.ts';
import { explain, openItemsOf } from './openItems.ts';
import type { Explanation, OpenItem } from './openItems.ts';
import { isWithin, MINUTES_YOUNG, seriesOf, stoodBefore } from './stood.ts';

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
	/** The difference that stood at an earlier reading, less what was booked since; '0' if there is none. */
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
	const balance = readableBalance(given) ?? '';
	const items = openItemsOf(account, settings, now);
	const keepsOpen = keepsOpening(account, now);
	const opening = account.opening?.amount ?? (balance !== '' && keepsOpen.length === 0 ? balance : '');
	const judged: Judged = {
		asset: account.asset.code,
		opening,
		openedAt: account.opening?.time ?? (opening === '' ? '' : now),
		balance,
		booked: '',
		expected: '',
		difference: '',
		verdict: 'not read',
		since: '',
		problem: '',
		account,
		items,
		keepsOpen,
		explanation: undefined,
		stood: '0',
		rounding: '0',
		hasReading: account.readings.length > 0,
		isOpened: account.opening === undefined && opening !== '',
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
	const { stood, items: able } = stoodBefore(account, items, difference);
	const explanation = explain(difference, able, rounding);
	if (explanation !== undefined) return { ...judged, ...sums, verdict: 'open items', stood, explanation };
	return { ...judged, ...sums, verdict: 'not explained', since: firstDay(account, input), stood };
}

/** The first day of the unbroken series of readings that were not explained, this one with them. */
function firstDay(account: Account, { now, timeZone }: Reading): string {
	return dayIn(timeZone, new Date(seriesOf(account)[0]?.time ?? now));
}

/** Payments that may move the balance after it was read, or whose answer nobody knows, and pending deposits. */
function keepsOpening({ movements, asset: { code } }: Account, now: string): Movement[] {
	const young = minutesBefore(now, MINUTES_YOUNG);
	return movements.filter((movement) => {
		const { asset, state, row } = movement;
		const began = mayMoveFrom(movement);
		if (state === 'not made' || isBooked(movement, began)) return false;
		if (state === 'pending') return asset === code;
		// Of a payment in another coin, the fee is on its way.
		const isPayment = kindOf(row.kind)?.is === 'payment' && row.result !== '';
		return state === 'no answer' || (isPayment && began > young);
	});
}
