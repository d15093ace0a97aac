/** What movements that nobody ordered here should have moved, and what they may have. */
import {
	compare,
	isPlainDecimal,
	isZero,
	negate,
	subtract,
	withoutSign,
} from '../../../../api/exact/decimal.ts';
import { isFailedStatus, isFinalStatus } from '../../../shared/answers/statuses.ts';
import type { BookRow } from '../bookRow.ts';
import { contradictionIn } from '../contradiction.ts';
import type { Findings, Reading } from './findings.ts';
import type { OtherMovement, StrayPayout } from './oneMovement.ts';
import { DOUBT, NAME, REMARK } from './messages.ts';
import { feeOf } from './seenPayment.ts';

/**
 * Adds a payout in coins that is in no row of payments. It may have moved the balance, unless it failed. It never counts: a row of the
 * payment may still come, and then that counts.
 */
export function readStrayPayout(
	{ name, updates }: StrayPayout,
	reading: Reading,
	{ doubts }: Findings,
): void {
	const { asset } = reading;
	const [first] = updates;
	const status = updates.map((update) => update.status).find(isFinalStatus);
	if (first === undefined || isFailedStatus(status)) return;
	const own = updates.find((update) => update.asset === asset && isPlainDecimal(update.amount));
	const fee = feeOf(updates, reading);
	if (own === undefined && isZero(fee)) return;
	const amount = own?.amount ?? '0';
	doubts.push({
		key: `payout:${first.reference || first.key}`,
		name,
		time: first.time,
		amount: subtract(amount, fee),
		words: DOUBT.inNoRow({ row: first, amount, asset }),
	});
}

/**
 * Adds a deposit, a credit, a debit or another row. It counts if its first final status is a success. Its amount is that of the first
 * row with this status, whatever later rows say.
 */
export function readOther({ name, rows }: OtherMovement, reading: Reading, found: Findings): void {
	const { asset } = reading;
	const first = rows.find(({ status }) => isFinalStatus(status)) ?? rows[0];
	if (first === undefined) return;
	const own = rows.filter((row) => row.asset === asset);
	const readable = own.filter(({ amount }) => isPlainDecimal(amount));
	const row = readable.find((each) => each === first) ?? readable[0];
	if (row !== undefined) readAmount({ name, row, first, rows, readable }, reading, found);
	else if (own[0] !== undefined && !isFailedStatus(first.status)) {
		const words = DOUBT.otherUnread({ row: own[0], status: first.status });
		found.unread.push({ name, time: own[0].time, words });
	}
}

/** A person who writes a correction need not know a status. */
export function hasEnded({ kind, status }: BookRow): boolean {
	return kind === 'correction' || isFinalStatus(status);
}

interface Told {
	name: string;
	/** Has the amount. */
	row: BookRow;
	/** Has the status. */
	first: BookRow;
	rows: BookRow[];
	/** Rows of this asset with an amount. */
	readable: BookRow[];
}

function readAmount(told: Told, reading: Reading, found: Findings): void {
	const { name, row, first } = told;
	const { key, time, amount } = row;
	const isBooked = hasEnded(first) && !isFailedStatus(first.status);
	const words = NAME.other(row);
	if (isBooked) addEntry(told, words, reading, found);
	else if (!isFailedStatus(first.status))
		found.doubts.push({
			key,
			name,
			time,
			amount,
			words: DOUBT.movedAnyway({ words, status: first.status }),
		});
	addOtherAmounts(told, words, isBooked, found);
	addOtherStatus(told, words, isBooked, found);
	if (isBooked) addFee(told, words, reading, found);
}

function addEntry({ name, row, first }: Told, words: string, reading: Reading, { entries }: Findings): void {
	const { key, kind, amount, counterpart, reference, txHash } = row;
	const { time } = first;
	entries.push({
		key,
		name,
		time,
		kind,
		amount,
		counterpart,
		reference,
		status: first.status,
		txHash,
		words,
		isUnderWay: time >= reading.underWaySince,
		isKnown: false,
	});
}

/** The same movement with another amount: a correction, or a second output of one transaction. */
function addOtherAmounts(told: Told, words: string, isBooked: boolean, { doubts, remarks }: Findings): void {
	const { name, row, readable } = told;
	const counted = isBooked ? row.amount : '0';
	for (const other of readable) {
		if (other.status !== row.status || compare(other.amount, row.amount) === 0) continue;
		const { key, time, amount } = other;
		const again = { words, amount, asset: row.asset };
		remarks.push(REMARK.cameAgain(again));
		doubts.push({ key, name, time, amount: subtract(amount, counted), words: DOUBT.cameAgain(again) });
		if (isBooked) doubts.push({ key, name, time, amount, words: DOUBT.movedBoth(again) });
	}
}

/** A success that was taken back, wholly or in part, or perhaps was; or a failure that became a success. */
function addOtherStatus(
	{ name, row, first, rows }: Told,
	words: string,
	isBooked: boolean,
	{ doubts }: Findings,
) {
	const ends = contradictionIn(rows);
	if (ends === undefined) return;
	doubts.push({
		key: `other:${row.key}`,
		name,
		time: ends.last.time,
		amount: isBooked ? negate(row.amount) : row.amount,
		words: DOUBT.statusTwice({ words, status: first.status, other: ends.last.status }),
	});
	for (const { key, time, amount, asset, status } of isBooked ? ends.others : []) {
		const part = withoutSign(amount);
		const isPart = asset === row.asset && isPlainDecimal(part) && compare(part, row.amount) < 0;
		if (!isPart || isZero(part)) continue;
		const taken = { words, status: first.status, other: status, amount: part, asset };
		doubts.push({
			key: `other:${key}`,
			name,
			time,
			amount: negate(part),
			words: DOUBT.partTakenBack(taken),
		});
	}
}

function addFee({ name, row }: Told, words: string, { asset }: Reading, { doubts }: Findings): void {
	if (row.feeAsset !== asset || !isPlainDecimal(row.fee) || isZero(row.fee)) return;
	doubts.push({
		key: `fee:${row.reference || row.key}`,
		name,
		time: row.time,
		amount: negate(row.fee),
		words: DOUBT.hadFee({ words, fee: row.fee, asset }),
	});
}
