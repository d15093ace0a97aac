/** Payments and conversions that wait: without an answer, without an update, in the middle of a list, or to be checked by hand. */
import { add, isPlainDecimal, withoutSign } from '../../../../api/exact/decimal.ts';
import { isFinalStatus } from '../../../shared/answers/statuses.ts';
import { readableAmount, shortLine } from '../../../shared/text.ts';
import type { BookCells as BookRow } from '../row.ts';
import { byTime, newestTime } from '../bookTime.ts';
import { ageInHours } from './rowAge.ts';
import { conversionOf, hasPaymentKey } from '../rowKeys.ts';
import { BOOK, endedList, listed, payoutLine, PAYMENT, shownAmount, waitInWords } from './messages.ts';
import type { Matter } from './messages.ts';
import type { MatchedUpdates } from './updates.ts';
import { grouped, isFiatPayout, isPaid, isUnderWay, isUnknown, mayHaveMoved } from './watchedBook.ts';
import type { WatchedBook } from './watchedBook.ts';

/** No payment takes so long, with a service that is slow. */
const HOURS_UNDER_WAY = 0.25;

interface Watched {
	now: string;
	hour: number;
	settings: { waitHours: number; updateHours: number; checkHour: number };
}

export function watchPayments(book: WatchedBook, matched: MatchedUpdates, watched: Watched): Matter[] {
	return [
		...endedLists(book, watched),
		...unknownPayments(book, watched),
		...unknownConversions(book, watched),
		...withoutAmount(book),
		...book.withoutResult.map((row) =>
			BOOK.withoutResult({ key: shortLine(row.key), payout: payoutLine(row) }),
		),
		...silentPayouts(book, matched, watched),
		...checkByHand(book, watched),
	];
}

/** One matter for each execution. While it writes results, it is at work. */
function endedLists({ payments }: WatchedBook, { now }: Watched): Matter[] {
	const ofExecutions = grouped(payments, ({ execution }) => execution);
	return ofExecutions.flatMap((rows) => {
		const open = rows.filter(isUnderWay);
		const isAtWork = ageInHours(newestTime(rows), now) <= HOURS_UNDER_WAY;
		if (open.length === 0 || isAtWork) return [];
		const lines = (some: BookRow[]) => some.map(payoutLine);
		return [
			endedList({
				execution: open[0]?.execution ?? '',
				withKey: lines(open.filter(({ key }) => hasPaymentKey(key))),
				withoutKey: lines(open.filter(({ key }) => !hasPaymentKey(key))),
			}),
		];
	});
}

function unknownPayments({ payments }: WatchedBook, { now, settings }: Watched): Matter[] {
	return payments
		.filter((row) => isUnknown(row) && ageInHours(row.time, now) > settings.waitHours)
		.map((row) =>
			PAYMENT.unknown({
				key: shortLine(row.key),
				payout: payoutLine(row),
				hasKey: hasPaymentKey(row.key),
			}),
		);
}

/** A conversion is unknown as long as no row of it says that it was made. */
function unknownConversions({ conversions }: WatchedBook, { now, settings }: Watched): Matter[] {
	return conversions.flatMap((rows) => {
		const unknown = rows.filter((row) => isUnknown(row) || isUnderWay(row));
		const [first] = unknown;
		const isOld = ageInHours(newestTime(unknown), now) > settings.waitHours;
		if (first === undefined || rows.some(isPaid) || !isOld) return [];
		const out = unknown.find(({ amount }) => amount !== '') ?? first;
		return [
			PAYMENT.unknownConversion({
				key: shortLine(conversionOf(first.key)),
				conversion: `${shownAmount(out.amount)} ${shortLine(out.asset)}`.trim(),
				hasKey: hasPaymentKey(first.key),
			}),
		];
	});
}

/** The money of these may have moved, and nobody can say how much. */
function withoutAmount({ payments, conversions }: WatchedBook): Matter[] {
	const made = conversions.flat().filter(isPaid);
	return [...payments.filter(mayHaveMoved), ...made]
		.filter(({ amount }) => !isPlainDecimal(amount))
		.map((row) => PAYMENT.amountUnreadable({ key: shortLine(row.key), payout: payoutLine(row) }));
}

/** Payouts in coins that are paid, and of which nothing was heard since. */
function silentPayouts(book: WatchedBook, matched: MatchedUpdates, { now, settings }: Watched): Matter[] {
	return book.payments.flatMap((row) => {
		if (!isPaid(row) || isFiatPayout(row)) return [];
		const updates = book.updatesOf.get(row.reference) ?? matched.perhapsOf.get(row) ?? [];
		const news = [row, ...updates];
		const silent = ageInHours(newestTime(news), now);
		if (news.some(({ status }) => isFinalStatus(status)) || silent <= settings.updateHours) return [];
		const hours = waitInWords(silent);
		return [PAYMENT.silent({ key: shortLine(row.key), payout: payoutLine(row), hours })];
	});
}

/** Fiat payouts have no events. One that a person has seen has a final status in its row. */
function checkByHand({ payments }: WatchedBook, { hour, settings }: Watched): Matter[] {
	const unseen = payments.filter((row) => isFiatPayout(row) && isPaid(row) && !isFinalStatus(row.status));
	if (unseen.length === 0 || hour < settings.checkHour) return [];
	const newestFirst = unseen.toSorted((a, b) => byTime(b, a));
	return [
		PAYMENT.check({
			count: unseen.length,
			sums: sumsOf(unseen),
			payouts: listed(newestFirst.map(payoutLine)),
		}),
	];
}

/** `40.125 NGN, 3 USD`. An amount that cannot be read is told as a matter of its own. */
function sumsOf(rows: BookRow[]): string {
	const sums = new Map<string, string>();
	for (const { asset, amount } of rows) {
		const plain = withoutSign(amount);
		if (isPlainDecimal(plain)) sums.set(asset, add(sums.get(asset) ?? '0', plain));
	}
	return [...sums].map(([code, sum]) => `${readableAmount(sum)} ${shortLine(code)}`).join(', ');
}
