/** A payment as one asset sees it. */
import { compare, isPlainDecimal, isZero, negate } from '../../../../api/exact/decimal.ts';
import { isFailedStatus, isFinalStatus } from '../../../shared/answers/statuses.ts';
import type { BookRow } from '../bookRow.ts';
import { newestTime } from '../bookTime.ts';
import type { Reading } from './findings.ts';
import type { Payment } from './onePayment.ts';
import type { OpenPart } from './openParts.ts';
import { NAME } from './messages.ts';

export interface Seen {
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

export function seeIn(payment: Payment, reading: Reading): Seen {
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
		newsTime: newestTime(words),
		words: NAME.payment({ row, amount, asset }),
		part: open.ofPayment(payment.name),
		isNew: lastTime === undefined || row.time > lastTime,
	};
}

/** A payout goes out, whether a person wrote the minus or not. */
function signedAmount({ kind, amount }: BookRow): string {
	return kind === 'conversion' || compare(amount, '0') <= 0 ? amount : negate(amount);
}

/** The first fee in this asset that the rows report. */
export function feeOf(rows: BookRow[], { asset, feesOnTop }: Reading): string {
	const reported = rows.find((row) => row.feeAsset === asset && isPlainDecimal(row.fee) && !isZero(row.fee));
	return feesOnTop && reported ? reported.fee : '0';
}
