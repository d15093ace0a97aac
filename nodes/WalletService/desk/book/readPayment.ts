/**
 * What a payment should have moved, and what it may have. A payment that was made counts with its amount when its row was written, with
 * its fee when that was reported, and with both again, the other way, when it failed.
 */
import { add, compare, isPlainDecimal, isZero, negate, subtract } from '../../../../api/decimal.ts';
import { isFailedStatus, isFinalStatus } from '../../../../api/statuses.ts';
import type { BookRow } from './bookRow.ts';
import { daysBefore } from './bookTime.ts';
import type { Entry, Findings, Reading } from './findings.ts';
import { madeOf, type Payment } from './onePayment.ts';
import type { OpenPart } from './openParts.ts';
import { DOUBT, NAME } from './proveMessages.ts';
import { hasPaymentKey } from './rowKeys.ts';

/** A payout in coins that got no news for so long is not waited for. What comes later is told as a doubt. */
export const DAYS_SENT = 7;

/** A payment as one asset sees it. */
interface Seen {
	payment: Payment;
	row: BookRow;
	/** Its ID, or its key if nobody knows the ID. */
	reference: string;
	/** Signed. '0' if the payment is in another asset, and only its fee is in this one. */
	amount: string;
	/** Whether the payment is in this asset, and its amount can be read. */
	isOwn: boolean;
	isCoinPayout: boolean;
	/** Without a sign; '0' if none is reported, or fees are not on top. */
	fee: string;
	/** The first word that is final, else that of the row. */
	status: string;
	isFinal: boolean;
	isFailed: boolean;
	/** When the newest word of it came. */
	newsTime: string;
	words: string;
	/** What the last proof left open of it. */
	part: OpenPart | undefined;
	/** Whether its row was written after the last proof. */
	isNew: boolean;
}

/**
 * Adds what this payment means for the balance. Never counts what is not known to be made, and never says that a payment was not made
 * because its row says nothing.
 */
export function readPayment(payment: Payment, reading: Reading, found: Findings): void {
	const seen = seeIn(payment, reading);
	const made = madeOf(payment.row);
	if (made === 'notMade') {
		if (seen.part?.type === 'gone') found.refused.push(payment.name);
		return;
	}
	if (seen.row.asset === reading.asset && !seen.isOwn) readUnreadable(seen, found);
	if (!seen.isOwn && isZero(seen.fee)) return;
	// What an earlier proof has counted was made, though its row was written again since then.
	if (made === 'notKnown' && seen.part?.type !== 'sent') readUnanswered(seen, reading, found);
	else if (made === 'madeBefore' && seen.isNew && seen.part === undefined)
		readMadeBefore(seen, reading, found);
	else readMade(seen, reading, found);
}

function seeIn(payment: Payment, reading: Reading): Seen {
	const { row, updates } = payment;
	const { asset, lastTime, open } = reading;
	const words = [row, ...updates];
	const status = words.map((each) => each.status).find(isFinalStatus) ?? row.status;
	const isOwn = row.asset === asset && isPlainDecimal(row.amount);
	const amount = isOwn ? signedAmount(row) : '0';
	return {
		payment,
		row,
		reference: payment.reference || row.key,
		amount,
		isOwn,
		isCoinPayout: row.kind === 'coin payout',
		fee: feeOf(words, reading),
		status,
		isFinal: isFinalStatus(status),
		isFailed: isFailedStatus(status),
		newsTime: words.map(({ time }) => time).reduce(later),
		words: NAME.payment({ row, amount, asset }),
		part: open.ofPayment(payment.name),
		isNew: lastTime === undefined || row.time > lastTime,
	};
}

/** A payout goes out, whether a person wrote the minus or not. */
function signedAmount({ kind, amount }: BookRow): string {
	return kind === 'conversion' || compare(amount, '0') <= 0 ? amount : negate(amount);
}

function later(a: string, b: string): string {
	return a > b ? a : b;
}

/** The first fee in this asset that the rows report. */
export function feeOf(rows: BookRow[], { asset, feesOnTop }: Reading): string {
	const reported = rows.find((row) => row.feeAsset === asset && isPlainDecimal(row.fee) && !isZero(row.fee));
	return feesOnTop && reported ? reported.fee : '0';
}

function readUnreadable({ payment, row }: Seen, found: Findings): void {
	found.unread.push({ name: payment.name, time: row.time, words: DOUBT.paymentUnread(row) });
}

/** The payment may have left the balance, or not. */
function readUnanswered(seen: Seen, reading: Reading, found: Findings): void {
	const { payment, row, amount, fee } = seen;
	const isBeingPaid = row.result === 'under way';
	const isUnderWay = isBeingPaid && row.time >= reading.underWaySince;
	const words = DOUBT.unanswered({ ...seen, id: payment.updates[0]?.reference ?? '', isUnderWay });
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
			remember: 'none',
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

function readMade(seen: Seen, reading: Reading, found: Findings): void {
	const feeToCome = feeToComeOf(seen, reading);
	if (seen.isOwn) found.entries.push(payoutEntry(seen, reading, feeToCome));
	if (!isZero(feeToCome)) addFeeToCome(seen, reading, found);
	const feeTaken = readFee(seen, reading, found);
	readReturn(seen, feeTaken, reading, found);
	readContradictions(seen, found);
	if (isStillSent(seen, reading)) {
		const isNewsLater = seen.newsTime > reading.now;
		const fee = isNewsLater ? feeCountedBefore(seen) : feeTaken;
		found.sent.push({ name: seen.payment.name, amount: seen.amount, fee });
	}
}

function payoutEntry(seen: Seen, reading: Reading, feeToCome: string): Entry {
	const { row, amount, isCoinPayout, isFinal, part } = seen;
	const entry = entryOf(seen, reading, { key: row.key || seen.reference, time: row.time, amount });
	return {
		...entry,
		kind: row.kind === 'conversion' ? 'conversion' : 'payout',
		isUnderWay: entry.isUnderWay || (isCoinPayout && !isFinal),
		words: seen.words,
		feeToCome,
		isKnown: part?.type === 'sent' || part?.type === 'gone',
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
		feeToCome: '0',
		isKnown: false,
	};
}

/** The fee that nobody has reported, as the last one was. Signed. */
function feeToComeOf({ isCoinPayout, isOwn, isFailed, fee }: Seen, { usualFee }: Reading): string {
	const isExpected = isCoinPayout && isOwn && !isFailed && isZero(fee) && !isZero(usualFee);
	return isExpected ? negate(usualFee) : '0';
}

function addFeeToCome(seen: Seen, { usualFee, asset }: Reading, { doubts }: Findings): void {
	doubts.push({
		key: `fee:${seen.reference}`,
		name: seen.payment.name,
		time: seen.row.time,
		amount: negate(usualFee),
		words: DOUBT.feeToCome({ words: seen.words, fee: usualFee, asset }),
		isUnderWay: true,
		remember: 'early',
	});
}

/** Whether this proof counts the payment, or an earlier one has left it open. */
function isOpen({ isNew, part }: Seen): boolean {
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
	if (isOpen(seen) && compare(taken, before) !== 0) {
		const what = { key, time: newsTime, amount: subtract(before, taken) };
		entries.push({ ...entryOf(seen, reading, what), kind: 'fee', words });
	}
	// The last proof may not have known the payment, or has counted it.
	if (!isOpen(seen) && !isFailed && !isZero(fee))
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
	if (isOpen(seen) && hasLeft && payment.updates.length > 0) {
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
	const isAwaited = !isFinal || (isOpen(seen) && newsTime > now);
	return isCoinPayout && isCounted && isAwaited && newsTime > daysBefore(now, DAYS_SENT);
}
