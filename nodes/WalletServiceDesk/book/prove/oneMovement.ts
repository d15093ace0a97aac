/**
 * Which rows of the book are one movement. A payment has one row, which is written again when its answer comes, and each update that
 * the service sends is a row of its own. A person or a second execution may have written a row twice.
 */
import { comparedAlias } from '../../../shared/alias.ts';
import type { BookRow } from '../bookRow.ts';
import { byTime } from '../bookTime.ts';
import { groupsOf } from '../../values/groups.ts';
import { giveIds } from './lostAnswers.ts';
import { paymentsOf } from './onePayment.ts';
import type { Payment } from './onePayment.ts';

/** Updates of a payout in coins that is in no row of payments, the oldest first. */
export interface StrayPayout {
	is: 'stray payout';
	/** The same in each proof, and of no other movement. */
	name: string;
	updates: BookRow[];
}

/** What was not ordered here: a deposit, a credit or debit, or what a person has written. The oldest row first. */
export interface OtherMovement {
	is: 'other';
	/** The same in each proof, and of no other movement. */
	name: string;
	rows: BookRow[];
}

export type Movement = Payment | StrayPayout | OtherMovement;

/** Kinds that no payment has. */
const NOT_ORDERED = ['deposit', 'coin deposit', 'admin credit', 'admin debit'];

/** Updates have no result. In fiat money the service sends none, so such a row is a payment that a person has written. */
function isPayment({ kind, result }: BookRow): boolean {
	return kind === 'fiat payout' || (result !== '' && !NOT_ORDERED.includes(kind));
}

function isUpdate({ kind, result }: BookRow): boolean {
	return kind === 'coin payout' && result === '';
}

/**
 * The movements of the book. Takes the rows in any order; their places say nothing. Each row but those of the kind `balance` is part of
 * exactly one movement: no row is left out because of an odd word. Never says whether money moved.
 */
export function movementsOf(rows: BookRow[]): Movement[] {
	const inOrder = rows.filter(({ kind }) => kind !== 'balance').sort(byTime);
	const payments = paymentsOf(inOrder.filter(isPayment));
	const updates = groupsOf(inOrder.filter(isUpdate), ({ reference, key }) => reference || key);
	const strays = withoutPayment(payments, updates);
	const others = groupsOf(
		inOrder.filter((row) => !isPayment(row) && !isUpdate(row)),
		nameOfOther,
	);
	return [...payments, ...strays.map(strayPayout), ...others.map(otherMovement)];
}

/** A transaction with several outputs is one deposit for each wallet. Each correction of a person stands for itself. */
function nameOfOther({ kind, reference, key, counterpart }: BookRow): string {
	if (kind === 'correction') return '';
	const id = reference || key;
	const wallet = kind === 'coin deposit' && counterpart !== '' ? ` at ${comparedAlias(counterpart)}` : '';
	return id === '' ? '' : `${kind} ${id}${wallet}`;
}

function strayPayout(updates: BookRow[]): StrayPayout {
	const [first] = updates;
	return { is: 'stray payout', name: `payout ${first?.reference || first?.key}`, updates };
}

/** A person may have written a row without a key and without an ID. */
function otherMovement(rows: BookRow[]): OtherMovement {
	const [{ kind, time, amount } = { kind: '', time: '', amount: '' }] = rows;
	const name = rows[0] === undefined ? '' : nameOfOther(rows[0]);
	return { is: 'other', name: name || `${kind} ${time} ${amount}`, rows };
}

/** Gives each payment its updates, and returns those that belong to no payment. */
function withoutPayment(payments: Payment[], updates: BookRow[][]): BookRow[][] {
	const owners = new Map(payments.filter(hasOwnUpdates).map((payment) => [payment.reference, payment]));
	const isOwned = (update: BookRow[]) => owners.has(update[0]?.reference ?? '');
	const notOwned = giveIds(
		payments,
		updates.filter((update) => !isOwned(update)),
	);
	for (const update of updates.filter(isOwned))
		owners.get(update[0]?.reference ?? '')?.updates.push(...update);
	return notOwned;
}

function hasOwnUpdates({ row, reference }: Payment): boolean {
	return reference !== '' && !['fiat payout', 'conversion'].includes(row.kind);
}
