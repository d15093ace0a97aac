/** Updates of payouts in coins: payouts that nobody ordered, that are not as ordered, or that have two final states. */
import { enumerated, shortLine } from '../../../shared/text.ts';
import type { BookCells as BookRow } from '../row.ts';
import { contradictionIn } from '../contradiction.ts';
import { isNews } from './rowAge.ts';
import { deviationsOf } from './updates.ts';
import type { MatchedUpdates, PayoutWithoutOrder } from './updates.ts';
import { eventLine, listed, payoutLine, shownAmount, UPDATE } from './messages.ts';
import type { Matter } from './messages.ts';
import { isFailed } from './watchedBook.ts';
import type { WatchedBook } from './watchedBook.ts';

/** Each is told for three days after its last row. A payout that nobody ordered is told at once. */
export function watchUpdates(book: WatchedBook, matched: MatchedUpdates, { now }: { now: string }): Matter[] {
	const news = [...book.updatesOf].filter(([, updates]) => isNews(updates, now));
	return news.flatMap(([reference, updates]) => {
		const payments = book.paymentsOf.get(reference) ?? [];
		const stray = matched.withoutOrder.get(reference);
		return [
			...(stray === undefined ? notAsOrdered(updates, payments) : withoutOrder(stray)),
			...twoStates(reference, updates, payments),
		];
	});
}

/** A payout whose ID is in no row of payments: an unknown payment, or one that nobody ordered. */
function withoutOrder({ update, unknown }: PayoutWithoutOrder): Matter[] {
	const reference = shortLine(update.reference);
	const payout = wordsOf(update);
	if (unknown === undefined) return [UPDATE.ofNobody({ reference, payout })];
	if (unknown.length === 0) return [];
	const looks = isFailed(update) ? UPDATE.looksFailed : UPDATE.looksPaid;
	return [looks({ reference, payout, keys: keysOf(unknown) })];
}

/** Keys that one sentence names. */
const MOST_KEYS = 5;

function keysOf(rows: BookRow[]): string {
	const keys = rows.map(({ key }) => shortLine(key));
	return enumerated(keys, { most: MOST_KEYS });
}

/** Told if an update fits none of the payments with its ID. */
function notAsOrdered(updates: BookRow[], payments: BookRow[]): Matter[] {
	const [order] = payments;
	const other = updates.find((update) => payments.every((each) => deviationsOf(update, each).length > 0));
	if (order === undefined || other === undefined) return [];
	const ordered = deviationsOf(other, order).map((each) => UPDATE.ordered(each));
	return [
		UPDATE.notAsOrdered({ key: shortLine(order.key), payout: wordsOf(other), ordered: ordered.join(', ') }),
	];
}

/** Reported as successful and as failed, in whatever order. A person may have written one of the two into the row of the payment. */
function twoStates(reference: string, updates: BookRow[], payments: BookRow[]): Matter[] {
	const ends = contradictionIn([...payments, ...updates]);
	if (ends === undefined) return [];
	const lines = [...payments.map(payoutLine), ...updates.map(eventLine)];
	return [
		UPDATE.twoStates({
			kind: 'payout',
			reference: shortLine(reference),
			first: shortLine(ends.first.status),
			last: shortLine(ends.last.status),
			lines: listed(lines),
		}),
	];
}

function wordsOf({ reference, amount, asset, counterpart, status }: BookRow): string {
	const to = shortLine(counterpart) || 'nobody that is named';
	const state = shortLine(status) || 'no status';
	return `Payout ${shortLine(reference)}: ${shownAmount(amount)} ${shortLine(asset)} to ${to}, ${state}`;
}
