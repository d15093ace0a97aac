/** Payouts that the book has, for those who look at the next ones: to whom, how much, and on which account. */
import type { IDataObject } from 'n8n-workflow';

import { withoutSign } from '../../../api/exact/decimal.ts';
import { comparedAlias } from '../../shared/alias.ts';
import { addAmount } from '../../shared/sums.ts';
import { dayIn } from '../../shared/timeZone.ts';
import { fold } from '../book/fold.ts';
import type { Movement } from '../book/movement.ts';
import { hasColumn, readRows } from '../book/row.ts';
import { comparedKey } from '../values/comparedKey.ts';
import { addTo } from '../values/groups.ts';

export interface EarlierPayment {
	/** As keys are compared. Undefined: none that a payment takes. */
	key: string | undefined;
	code: string;
	/** Plain decimal without a sign; '' if no row has one. */
	amount: string;
	/** What the service said of the destination then. */
	details: string;
	/** ISO 8601 in UTC. */
	time: string;
	/** Whether it was made. Otherwise nobody knows. */
	isMade: boolean;
}

export interface EarlierPayments {
	/** Of one destination (`destinationName`), the oldest first. */
	byDestination: Map<string, EarlierPayment[]>;
	/** What is odd in the book, for a person. */
	notes: string[];
}

const KINDS: Readonly<Record<string, boolean>> = { 'fiat payout': true, 'crypto payout': false };

/** Accounts and wallets may have the same alias. */
export function destinationName({ destination, isFiat }: { destination: string; isFiat: boolean }): string {
	return `${isFiat ? 'account' : 'wallet'} ${comparedAlias(destination)}`;
}

/** Whether an item can be a row of the book. */
export const isOfBook = (item: IDataObject): boolean => hasColumn(item, 'kind');

/** Reads rows of the book. `now`: ISO 8601. What has come back, and what was not made, is left out. */
export function readEarlierPayments(items: readonly IDataObject[], now: string): EarlierPayments {
	const { rows, notes } = readRows(items);
	const byDestination: EarlierPayments['byDestination'] = new Map();
	for (const movement of fold(rows, now).movements) {
		const isFiat = KINDS[movement.kind];
		if (isFiat === undefined || !mayBeMade(movement)) continue;
		const { key, asset, amount, details, counterpart, from, began, state } = movement;
		const name = destinationName({ destination: counterpart, isFiat });
		addTo(byDestination, name, {
			key: comparedKey(key),
			code: asset,
			amount: withoutSign(amount),
			details,
			time: from || began,
			isMade: state !== 'no answer',
		});
	}
	for (const payments of byDestination.values()) payments.sort((a, b) => (a.time < b.time ? -1 : 1));
	return { byDestination, notes };
}

function mayBeMade({ state, back }: Movement): boolean {
	return back === undefined && (state === 'made' || state === 'no answer' || state === 'paid before');
}

/** What went out, or may have gone out, on the day of `now`, by code. Without the payments of these keys. */
export function paidOnDay(
	{ byDestination }: EarlierPayments,
	{ now, timeZone, without }: { now: string; timeZone: string; without: ReadonlySet<string> },
): Map<string, string> {
	const today = dayIn(timeZone, new Date(now));
	// No day is longer, also where clocks change.
	const earliest = new Date(Date.parse(now) - 26 * 3_600_000).toISOString();
	const sums = new Map<string, string>();
	for (const { key, code, amount, time } of [...byDestination.values()].flat()) {
		const isOther = key === undefined || !without.has(key);
		if (!isOther || amount === '' || time < earliest || dayIn(timeZone, new Date(time)) !== today) continue;
		addAmount(sums, code, amount);
	}
	return sums;
}
