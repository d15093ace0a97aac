/** Updates of payouts in coins beside the payments that they are about. */
import { isPlainDecimal, isZero, subtract, withoutSign } from '../../../../api/exact/decimal.ts';
import { isSameAlias } from '../../../shared/alias.ts';
import type { BookCells as BookRow } from '../row.ts';
import { byTime } from '../bookTime.ts';
import { nameOfOrder, orderedAmounts } from '../orderedAmounts.ts';
import { isFiatPayout, isUnknown, mayHaveMoved } from './watchedBook.ts';
import type { WatchedBook } from './watchedBook.ts';

/** What a payout did that nobody ordered: the words of the order that it contradicts. */
export interface Deviation {
	what: 'amount' | 'coin' | 'wallet';
	ordered: string;
}

/** What all updates of a payout say together: the newest word of each column, so that none takes away what another one said. */
export function joined(updates: BookRow[]): BookRow {
	const newestFirst = updates.toSorted((a, b) => byTime(b, a));
	const first = newestFirst[0]!;
	const columns = Object.keys(first) as Array<keyof BookRow>;
	const wordOf = (column: keyof BookRow) => newestFirst.find((row) => row[column] !== '')?.[column] ?? '';
	return Object.fromEntries(columns.map((column) => [column, wordOf(column)])) as unknown as BookRow;
}

/**
 * In what an update differs from its order. The document does not say whether the amount includes the fee, so all three readings are as
 * ordered. A column that is empty on one side contradicts nothing.
 */
export function deviationsOf(update: BookRow, order: BookRow): Deviation[] {
	const pairs = [
		{ what: 'amount', ordered: withoutSign(order.amount), differs: !isAmountOrdered(update, order) },
		{ what: 'coin', ordered: order.asset, differs: areOther(update.asset, order.asset) },
		{ what: 'wallet', ordered: order.counterpart, differs: areOther(update.counterpart, order.counterpart) },
	] as const;
	return pairs.filter(({ differs }) => differs).map(({ what, ordered }) => ({ what, ordered }));
}

function isAmountOrdered(update: BookRow, { amount }: BookRow): boolean {
	if (!isPlainDecimal(update.amount) || !isPlainDecimal(amount)) return true;
	return orderedAmounts(update).some((possible) => isZero(subtract(possible, withoutSign(amount))));
}

function areOther(one: string, other: string): boolean {
	return one !== '' && other !== '' && !isSameAlias(one, other);
}

/** Payments of one amount, coin and wallet that have no ID of the service, such as those whose answer was lost. */
interface Waiting {
	/** The oldest first. */
	rows: BookRow[];
	/** How many of them others have taken. */
	taken: number;
	/** Those that a person must decide about. */
	unknown: BookRow[];
}

/** A payout whose ID is in no row of payments. */
export interface PayoutWithoutOrder {
	/** What its updates say together. */
	update: BookRow;
	/** Of the payments that it may be, those that are unknown. Undefined: it can be none, so nobody has ordered it. */
	unknown: BookRow[] | undefined;
}

export interface MatchedUpdates {
	withoutOrder: Map<string, PayoutWithoutOrder>;
	/** The updates of a payment without an ID that may be its own. */
	perhapsOf: Map<BookRow, BookRow[]>;
}

/**
 * Finds for each payout without an order a payment without an ID that has its amount, coin and wallet. Each payment is one payout only,
 * and the oldest come first: a second payout that looks the same was ordered by nobody.
 */
export function matchUpdates(book: WatchedBook): MatchedUpdates {
	const waiting = waitingIn(book.payments);
	const matched: MatchedUpdates = { withoutOrder: new Map(), perhapsOf: new Map() };
	const strays = [...book.updatesOf]
		.filter(([reference]) => !book.paymentsOf.has(reference))
		.map(([reference, updates]) => ({ reference, updates, update: joined(updates) }));
	for (const { reference, updates, update } of strays.toSorted((a, b) => byTime(a.update, b.update))) {
		const fits = fittingOf(update, waiting);
		const payment = fits?.rows[fits.taken];
		matched.withoutOrder.set(reference, { update, unknown: fits?.unknown });
		if (fits === undefined || payment === undefined) continue;
		fits.taken += 1;
		matched.perhapsOf.set(payment, updates);
	}
	return matched;
}

function waitingIn(payments: BookRow[]): Map<string, Waiting> {
	const mayWait = (row: BookRow) => row.reference === '' && !isFiatPayout(row) && mayHaveMoved(row);
	const rows = payments.filter((row) => mayWait(row) && isPlainDecimal(row.amount)).toSorted(byTime);
	const groups = [...Map.groupBy(rows, nameOfOrder)];
	return new Map(
		groups.map(([name, same]) => [name, { rows: same, taken: 0, unknown: same.filter(isUnknown) }]),
	);
}

/** The payments that a payout may be, if others have not taken all of them. */
function fittingOf(update: BookRow, waiting: Map<string, Waiting>): Waiting | undefined {
	if (!isPlainDecimal(update.amount)) return undefined;
	return orderedAmounts(update)
		.map((amount) => waiting.get(nameOfOrder({ ...update, amount })))
		.find((fits) => {
			const next = fits?.rows[fits.taken];
			return next !== undefined && beganBefore(next, update);
		});
}

/** The row of a payment without an answer may be written some minutes after the update. A payment of another day is another one. */
const DAY = 24 * 3_600_000;

function beganBefore(payment: BookRow, update: BookRow): boolean {
	return !(Date.parse(payment.time) > Date.parse(update.time) + DAY);
}
