/** What a payment should have moved, or may have, by what its row says of its making. */
import { isZero, negate, subtract } from '../../../../api/exact/decimal.ts';
import { isFailedStatus } from '../../../shared/answers/statuses.ts';
import { UNDER_WAY } from '../../operation/result.ts';
import { madeOf } from '../made.ts';
import { hasPaymentKey } from '../rowKeys.ts';
import type { Findings, Reading } from './findings.ts';
import type { Payment } from './onePayment.ts';
import { DOUBT } from './messages.ts';
import { readMade } from './readMade.ts';
import { seeIn } from './seenPayment.ts';
import type { Seen } from './seenPayment.ts';

/**
 * Adds what this payment means for the balance. Never counts what is not known to be made, and never says that a payment was not made
 * because its row says nothing.
 */
export function readPayment(payment: Payment, reading: Reading, found: Findings): void {
	const seen = seeIn(payment, reading);
	const made = madeOf(payment.row);
	if (made === 'notMade') return;
	if (seen.row.asset === reading.asset && !seen.isOwn) readUnreadable(seen, found);
	if (!seen.isOwn && isZero(seen.fee)) return;
	// What an earlier proof has counted was made, though its row was written again since then.
	if (made === 'notKnown' && seen.part?.type !== 'sent') readUnanswered(seen, reading, found);
	else if (made === 'madeBefore' && seen.isNew && seen.part === undefined)
		readMadeBefore(seen, reading, found);
	else readMade(seen, reading, found);
}

function readUnreadable({ payment, row }: Seen, found: Findings): void {
	found.unread.push({ name: payment.name, time: row.time, words: DOUBT.paymentUnread(row) });
}

/** The payment may have left the balance, or not. */
function readUnanswered(seen: Seen, reading: Reading, found: Findings): void {
	const { payment, row, amount, fee } = seen;
	const isBeingPaid = row.result === UNDER_WAY;
	const isUnderWay = isBeingPaid && row.time >= reading.underWaySince;
	const words = DOUBT.hasNoAnswer({ ...seen, id: payment.updates[0]?.reference ?? '', isUnderWay });
	found.unanswered.push({
		key: row.key || seen.reference,
		name: payment.name,
		time: row.time,
		amount: subtract(amount, fee),
		fee,
		words,
		isBeingPaid,
		isUnderWay,
		isNamed: payment.updates.length > 0,
		hasFailed: payment.updates.some(({ status }) => isFailedStatus(status)),
		hasPaymentKey: hasPaymentKey(row.key),
	});
	if (seen.isCoinPayout && isZero(fee) && !isZero(reading.usualFee))
		found.doubts.push({
			key: `fee:${row.key}`,
			name: payment.name,
			time: row.time,
			amount: negate(reading.usualFee),
			words: DOUBT.feeOfUnanswered({ words: seen.words, fee: reading.usualFee, asset: reading.asset }),
			isUnderWay: true,
		});
}

/** It was made, and perhaps counted by an earlier proof, before its row was written again. */
function readMadeBefore(seen: Seen, { lastTime }: Reading, { madeBefore }: Findings): void {
	if (lastTime === undefined || seen.isFailed) return;
	const amount = subtract(seen.amount, seen.fee);
	const { payment, row } = seen;
	const words = DOUBT.madeBefore(seen.words);
	madeBefore.push({ key: row.key || seen.reference, name: payment.name, time: row.time, amount, words });
}
