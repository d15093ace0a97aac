/**
 * What stood before. An item never explains a difference that an earlier reading had before the item began, as here, with an opening of
 * 5,000 and nothing booked:
 *
 * | day | balance | rows                          | says                                                                            |
 * | --- | ------- | ----------------------------- | ------------------------------------------------------------------------------- |
 * | 1   | 4,000   |                               | -1,000 not explained                                                            |
 * | 2   | 4,000   | A pays 1,000 without an answer | -1,000 not explained: it stood on day 1, and A began later                      |
 * | 3   | 4,000   |                               | the same: A is older than the reading of day 2, but not than that of day 1      |
 * | 4   | 4,000   | a late row of day 1: -1,000    | reconciled: by what the book has now, nothing stood on day 1                    |
 * | 5   | 3,000   |                               | -1,000, and A explains it: nothing stood before A began                         |
 */
import { add, compare, subtract, withoutSign } from '../../../../api/exact/decimal.ts';
import { minutesBefore } from '../bookTime.ts';
import { mayMoveFrom } from '../movement.ts';
import { kindOf } from '../row.ts';
import { sumOf } from '../../../shared/sums.ts';
import type { Account, EarlierReading } from './account.ts';
import { explain } from './openItems.ts';
import type { OpenItem } from './openItems.ts';

/** What is younger may still be on its way. */
export const MINUTES_YOUNG = 60;

/** As many readings are looked at: in more, payments are under way whenever the balance is read. */
const MOST_READINGS = 14;

/**
 * The difference that stood at an earlier reading, less the corrections since, and the items that may explain the difference of today:
 * those that began before. '0' and all items if nothing stood.
 */
export function stoodBefore(
	account: Account,
	items: readonly OpenItem[],
	difference: string,
): { stood: string; items: readonly OpenItem[] } {
	const differences = tellingReadings(account).map((reading) => differenceAt(account, reading));
	for (const [index, { time, amount, rounding }] of differences.entries()) {
		const since = [...differences.slice(index + 1).map((later) => later.amount), difference];
		if (isWithin(amount, rounding) || !since.every((later) => isStill(later, amount))) continue;
		const older = items.filter(({ began }) => began <= time);
		if (explain(amount, older, rounding) === undefined) return { stood: amount, items: older };
	}
	return { stood: '0', items };
}

/** Whether a difference goes the same way as an earlier one, and is not smaller. Else that one did not stay. */
function isStill(difference: string, earlier: string): boolean {
	const isSameWay = difference.startsWith('-') === earlier.startsWith('-');
	return isSameWay && compare(withoutSign(difference), withoutSign(earlier)) >= 0;
}

/** The unbroken series of readings before this one that were not explained, the oldest first. */
export function seriesOf(account: Account): EarlierReading[] {
	const since = readingsSince(account);
	return since.slice(since.findLastIndex(({ verdict }) => verdict !== 'not explained') + 1);
}

function readingsSince({ readings, opening }: Account): EarlierReading[] {
	return readings.filter(({ time }) => time > (opening?.time ?? ''));
}

/**
 * The earlier readings that tell what stood then, the oldest first: those of the series, or else the newest one that was not explained or
 * at which no payment was so young that it moved the balance later.
 */
function tellingReadings(account: Account): EarlierReading[] {
	const series = seriesOf(account).slice(-MOST_READINGS);
	if (series.length > 0) return series;
	const payments = account.movements.filter(({ kind }) => kindOf(kind)?.is === 'payment');
	const newest = readingsSince(account)
		.slice(-MOST_READINGS)
		.findLast(({ time, verdict }) => {
			const young = minutesBefore(time, MINUTES_YOUNG);
			const isYoung = (from: string) => from > young && from <= time;
			return verdict === 'not explained' || !payments.some((each) => isYoung(mayMoveFrom(each)));
		});
	return newest === undefined ? [] : [newest];
}

/**
 * The difference at an earlier reading by what the book has now, less the corrections since. Rows that came late may have explained it
 * since then, and so may fees.
 */
function differenceAt(
	{ entries, opening, rounding }: Account,
	reading: EarlierReading,
): { time: string; amount: string; rounding: string } {
	const until = entries.filter(({ time }) => time <= reading.time);
	const booked = entries.filter(({ time, kind }) => time > reading.time && kind === 'correction');
	const then = subtract(reading.balance, add(opening?.amount ?? '0', sumOf(until)));
	return {
		time: reading.time,
		amount: subtract(then, sumOf(booked)),
		rounding: rounding(until, reading.balance),
	};
}

/** Whether an amount is no more than this, in either direction. */
export function isWithin(amount: string, most: string): boolean {
	return compare(withoutSign(amount), most) <= 0;
}
