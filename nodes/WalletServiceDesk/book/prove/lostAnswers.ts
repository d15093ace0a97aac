/** Payments in coins whose answer was lost have no ID. The service's updates have their amount and wallet, so they tell the ID. */
import { isPlainDecimal } from '../../../../api/exact/decimal.ts';
import type { BookRow } from '../bookRow.ts';
import { daysBefore } from '../bookTime.ts';
import { madeOf } from '../made.ts';
import { nameOfOrder, orderedAmounts } from '../orderedAmounts.ts';
import type { Payment } from './onePayment.ts';

/** An update comes after its payment. The row may have been written again some days later. */
const DAYS_BEFORE_ROW = 7;

/** Payments of one amount to one wallet, the oldest first. Those before `next` have an update. */
interface Queue {
	payments: Payment[];
	next: number;
}

/**
 * Gives IDs and updates to payments that have none, each update to one payment at most, the oldest first. Returns the updates that
 * belong to no payment. Says that an update fits, and never that the payment was made: another one may have the same amount and wallet.
 * @param updates those of one payout together
 */
export function giveIds(payments: Payment[], updates: BookRow[][]): BookRow[][] {
	const lost = new Map<string, Queue>();
	for (const payment of payments.filter(isWithoutId)) {
		const ordered = nameOfOrder(payment.row);
		const queue = lost.get(ordered) ?? { payments: [], next: 0 };
		lost.set(ordered, queue);
		queue.payments.push(payment);
	}
	return updates.filter((ofPayout) => {
		const reference = ofPayout[0]?.reference ?? '';
		const payment = reference === '' ? undefined : takeFrom(lost, ofPayout);
		if (payment === undefined) return true;
		payment.reference = reference;
		payment.updates.push(...ofPayout);
		return false;
	});
}

function isWithoutId({ row, reference }: Payment): boolean {
	const isInCoins = row.kind !== 'fiat payout' && row.kind !== 'conversion';
	return isInCoins && reference === '' && madeOf(row) !== 'notMade' && isPlainDecimal(row.amount);
}

/** The oldest payment that fits an update. It fits no other update after that. */
function takeFrom(lost: Map<string, Queue>, ofPayout: BookRow[]): Payment | undefined {
	for (const update of ofPayout.filter(({ amount }) => isPlainDecimal(amount))) {
		for (const amount of orderedAmounts(update)) {
			const queue = lost.get(nameOfOrder({ ...update, amount }));
			const payment = queue?.payments[queue.next];
			const isInTime = payment && update.time > daysBefore(payment.row.time, DAYS_BEFORE_ROW);
			if (queue === undefined || !isInTime) continue;
			queue.next += 1;
			return payment;
		}
	}
	return undefined;
}
