/**
 * What a payment that was made should have moved: its amount when its row was written, its fee when that was reported, and both again,
 * the other way, when it failed.
 */
import { add, compare, isPlainDecimal, isZero, negate, subtract } from '../../../../api/exact/decimal.ts';
import { isFailedStatus, isFinalStatus } from '../../../shared/answers/statuses.ts';
import { daysBefore } from '../bookTime.ts';
import type { Entry, Findings, Reading } from './findings.ts';
import { DOUBT, NAME } from './messages.ts';
import type { Seen } from './seenPayment.ts';

/** A payout in coins that got no news for so long is not waited for. What comes later is told as a doubt. */
export const DAYS_SENT = 7;

/** A fee that is not reported for so long is not waited for. */
export const DAYS_TO_REPORT = 3;

/** Counts what the book says of it. What contradicts that is added as a doubt, and never counts. */
export function readMade(seen: Seen, reading: Reading, found: Findings): void {
	if (seen.isOwn) found.entries.push(payoutEntry(seen, reading));
	if (isFeeToCome(seen, reading)) addFeeToCome(seen, reading, found);
	const feeTaken = readFee(seen, reading, found);
	readReturn(seen, feeTaken, reading, found);
	readContradictions(seen, found);
	if (isStillSent(seen, reading)) {
		const isNewsLater = seen.newsTime > reading.now;
		const fee = isNewsLater ? feeCountedBefore(seen) : feeTaken;
		found.sent.push({ name: seen.payment.name, amount: seen.amount, fee });
	}
}

function payoutEntry(seen: Seen, reading: Reading): Entry {
	const { row, amount, isCoinPayout, isFinal, part } = seen;
	const entry = entryOf(seen, reading, { key: row.key || seen.reference, time: row.time, amount });
	return {
		...entry,
		kind: row.kind === 'conversion' ? 'conversion' : 'payout',
		isUnderWay: entry.isUnderWay || (isCoinPayout && !isFinal),
		words: seen.words,
		isKnown: part?.type === 'sent',
	};
}

function entryOf(seen: Seen, reading: Reading, what: Pick<Entry, 'key' | 'time' | 'amount'>) {
	const { payment, row, status } = seen;
	return {
		...what,
		name: payment.name,
		counterpart: row.counterpart,
		reference: payment.reference,
		status,
		txHash: [...payment.updates, row].map(({ txHash }) => txHash).find((hash) => hash !== '') ?? '',
		isUnderWay: what.time >= reading.underWaySince,
		isKnown: false,
	};
}

/** Whether it should have a fee, as the last one had, and nobody has reported it. */
function isFeeToCome({ isCoinPayout, isOwn, isFailed, fee, row }: Seen, { usualFee, now }: Reading): boolean {
	const isExpected = isCoinPayout && isOwn && !isFailed && isZero(fee) && !isZero(usualFee);
	return isExpected && row.time > daysBefore(now, DAYS_TO_REPORT);
}

function addFeeToCome(seen: Seen, { usualFee, asset }: Reading, { doubts }: Findings): void {
	doubts.push({
		key: `fee:${seen.reference}`,
		name: seen.payment.name,
		time: seen.row.time,
		amount: negate(usualFee),
		words: DOUBT.feeToCome({ words: seen.words, fee: usualFee, asset }),
		isUnderWay: true,
	});
}

/** Whether this proof counts the payment, or an earlier one has left it open. */
function isOfThisProof({ isNew, part }: Seen): boolean {
	return isNew || part !== undefined;
}

/** The fee that an earlier proof has counted. Of what waited, none was; what was unclear and is written anew counts as a whole. */
function feeCountedBefore({ part, isNew }: Seen): string {
	const countsAsWhole = part?.type === 'waits' || (part?.type === 'unclear' && isNew);
	return countsAsWhole ? '0' : (part?.fee ?? '0');
}

/** Counts what is new of the fee. Returns the fee that is taken. A payout that failed before its fee was counted has none. */
function readFee(seen: Seen, reading: Reading, { entries, doubts }: Findings): string {
	const { fee, isFailed, newsTime, reference } = seen;
	const before = feeCountedBefore(seen);
	const taken = isFailed ? before : fee;
	const key = `fee:${reference}`;
	const words = NAME.fee({ reference, fee, asset: reading.asset });
	if (isOfThisProof(seen) && compare(taken, before) !== 0) {
		const what = { key, time: newsTime, amount: subtract(before, taken) };
		entries.push({ ...entryOf(seen, reading, what), kind: 'fee', words });
	}
	// The last proof may not have known the payment, or has counted it.
	if (!isOfThisProof(seen) && !isFailed && !isZero(fee))
		doubts.push({ key, name: seen.payment.name, time: newsTime, amount: negate(fee), words });
	return taken;
}

/** A payout that failed comes back. */
function readReturn(seen: Seen, feeTaken: string, reading: Reading, { entries, doubts }: Findings): void {
	const { isFailed, isOwn, payment, reference, status, newsTime, fee } = seen;
	if (!isFailed || !isOwn) return;
	const amount = add(negate(seen.amount), feeTaken);
	const { asset } = reading;
	const hasLeft = seen.isNew || seen.part?.type !== 'unclear';
	if (isOfThisProof(seen) && hasLeft && payment.updates.length > 0) {
		const words = NAME.comesBack({ reference, status, amount, asset });
		const entry = entryOf(seen, reading, { key: `back:${reference}`, time: newsTime, amount });
		entries.push({ ...entry, kind: 'payout back', words });
	} else {
		const words = DOUBT.cameBack({ words: seen.words, status });
		const key = `back:${seen.row.key}`;
		doubts.push({ key, name: payment.name, time: newsTime, amount: negate(seen.amount), words });
	}
	if (compare(fee, feeTaken) !== 0)
		doubts.push({
			key: `back:fee:${reference}`,
			name: payment.name,
			time: newsTime,
			amount: fee,
			words: DOUBT.feeCameBack({ reference, fee, asset }),
		});
}

/** Two final words, and an amount that is not the one that was ordered. */
function readContradictions(seen: Seen, { doubts }: Findings): void {
	const { payment, isOwn, isFailed, status, reference, amount, fee, newsTime } = seen;
	if (!isOwn) return;
	const other = payment.updates.find(
		(each) => isFinalStatus(each.status) && isFailedStatus(each.status) !== isFailed,
	);
	if (other !== undefined)
		doubts.push({
			key: `other:${reference}`,
			name: payment.name,
			time: other.time,
			amount: isFailed ? subtract(amount, fee) : add(negate(amount), fee),
			words: DOUBT.twoWords({ reference, status, other: other.status }),
		});
	const sent = payment.updates.map((each) => each.amount).find(isPlainDecimal);
	const difference = sent === undefined ? '0' : subtract(sent, amount);
	if (sent !== undefined && !isZero(difference))
		doubts.push({
			key: `sent:${reference}`,
			name: payment.name,
			time: newsTime,
			amount: difference,
			words: DOUBT.otherAmount({ reference, sent, ordered: amount, asset: seen.row.asset }),
		});
}

function isStillSent(seen: Seen, { now }: Reading): boolean {
	const { row, isCoinPayout, isFinal, newsTime } = seen;
	const isCounted = row.time <= now;
	const isAwaited = !isFinal || (isOfThisProof(seen) && newsTime > now);
	return isCoinPayout && isCounted && isAwaited && newsTime > daysBefore(now, DAYS_SENT);
}
