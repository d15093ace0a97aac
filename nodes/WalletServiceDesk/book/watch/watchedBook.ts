/** The rows of the book by what they are, so that each matter is found in one pass. */
import { isFailedStatus } from '../../../shared/answers/statuses.ts';
import type { BookCells as BookRow } from '../row.ts';
import { UNDER_WAY } from '../../operation/result.ts';
import { madeOf } from '../made.ts';
import { bookKeyOf, conversionOf } from '../rowKeys.ts';

export interface WatchedBook {
	/** One row for each payment: the one that counts of those with its key. */
	payments: BookRow[];
	/** The same for each conversion: its two rows, or what a person left of them. */
	conversions: BookRow[][];
	/** All rows of payments that have this ID of the service. */
	paymentsOf: Map<string, BookRow[]>;
	/** Updates of payouts in coins by the ID that they are about. */
	updatesOf: Map<string, BookRow[]>;
	/** Deposits, credits, debits, and updates of payouts. */
	events: BookRow[];
	/** Rows that are neither: a payout without a result, and without an ID if it is in coins. */
	withoutResult: BookRow[];
}

/** Kinds that are no payments, whatever stands in the column result. */
const OTHERS = ['deposit', 'crypto deposit', 'admin credit', 'admin debit', 'conversion', 'balance'];

const PAYOUTS = ['fiat payout', 'crypto payout'];

/** Nothing has left n8n. */
const NOT_SENT = ['notSent', 'dryRun'];

/** A person may have written a kind that nobody knows. What has a result was paid or tried. */
export function isPaymentRow({ kind, result }: BookRow): boolean {
	return result !== '' && !OTHERS.includes(kind);
}

export function isPaid(row: BookRow): boolean {
	return ['made', 'madeBefore'].includes(madeOf(row));
}

export function isUnderWay({ result }: BookRow): boolean {
	return result === UNDER_WAY;
}

/** Also a result that no payment has: a person may have written it. */
export function isUnknown(row: BookRow): boolean {
	return mayHaveMoved(row) && !isPaid(row) && !isUnderWay(row);
}

/** Whether the money of a payment may have moved. What has no result is no payment. */
export function mayHaveMoved(row: BookRow): boolean {
	return row.result !== '' && madeOf(row) !== 'notMade';
}

export function isFiatPayout({ kind }: BookRow): boolean {
	return kind === 'fiat payout';
}

export function isFailed({ status }: BookRow): boolean {
	return isFailedStatus(status);
}

/** Reads the rows once. Rows of one key are one payment, unless they have several IDs of the service or come from several workflows. */
export function watchedBook(rows: BookRow[]): WatchedBook {
	const paymentRows = rows.filter(isPaymentRow);
	const conversionRows = rows.filter(({ kind }) => kind === 'conversion');
	const events = rows.filter((row) => isEventRow(row));
	const updates = events.filter(({ kind }) => kind === 'crypto payout');
	return {
		payments: grouped(paymentRows, nameOfPayment).flatMap(byWorkflow).flatMap(paymentsIn),
		conversions: grouped(conversionRows, nameOfConversion).flatMap(byWorkflow),
		paymentsOf: byReference(paymentRows),
		updatesOf: byReference(updates),
		events,
		withoutResult: rows.filter(isWithoutResult),
	};
}

function isEventRow(row: BookRow): boolean {
	const { kind, result, reference, amount } = row;
	if (kind === 'crypto payout') return result === '' && (reference !== '' || amount === '');
	return OTHERS.includes(kind) && kind !== 'conversion' && kind !== 'balance';
}

function isWithoutResult(row: BookRow): boolean {
	return PAYOUTS.includes(row.kind) && row.result === '' && !isEventRow(row);
}

/** A person may write a key in another way than the book does. A row without a key is a payment of its own. */
function nameOfPayment({ key }: BookRow, place: number): string {
	return key === '' ? `row ${place}` : (bookKeyOf(key) ?? key);
}

function nameOfConversion({ key }: BookRow, place: number): string {
	return conversionOf(key) || `row ${place}`;
}

/** Each workflow has keys of its own. A row that names no workflow belongs to the first one. */
function byWorkflow(rows: BookRow[]): BookRow[][] {
	const withName = rows.filter(({ workflow }) => workflow !== '');
	const [first, ...others] = grouped(withName, ({ workflow }) => workflow);
	if (first === undefined || others.length === 0) return [rows];
	return [[...first, ...rows.filter(({ workflow }) => workflow === '')], ...others];
}

function paymentsIn(rows: BookRow[]): BookRow[] {
	const withId = rows.filter(({ reference }) => reference !== '');
	const byId = grouped(withId, ({ reference }) => reference);
	if (byId.length > 1) return byId.map(rowThatCounts);
	return [rowThatCounts(rows)];
}

/** Of the rows of one payment: what was paid counts, then the newest word of what may have moved or was refused. */
function rowThatCounts(rows: BookRow[]): BookRow {
	const paid = rows.filter(isPaid);
	if (paid.length > 0) return paid.find(({ reference }) => reference !== '') ?? paid[0]!;
	const tried = rows.filter(({ result }) => !NOT_SENT.includes(result));
	return (tried.length > 0 ? tried : rows).reduce(newerWord);
}

/** Of two rows of the same time, the one that may have moved money. */
function newerWord(a: BookRow, b: BookRow): BookRow {
	if (a.time !== b.time) return a.time > b.time ? a : b;
	return mayHaveMoved(a) ? a : b;
}

function byReference(rows: BookRow[]): Map<string, BookRow[]> {
	return Map.groupBy(
		rows.filter(({ reference }) => reference !== ''),
		({ reference }) => reference,
	);
}

export function grouped(rows: BookRow[], nameOf: (row: BookRow, place: number) => string): BookRow[][] {
	return [...Map.groupBy(rows, nameOf).values()];
}
