/** Which rows of the book are one movement of money: the one answer for all who read it. What became of one: movement.ts. */
import { add, canonical, compare, withoutSign } from '../../../api/exact/decimal.ts';
import { comparedAlias } from '../../shared/alias.ts';
import { isFailedStatus } from '../../shared/answers/statuses.ts';
import { comparedKey } from '../values/comparedKey.ts';
import { addTo, groupsOf } from '../values/groups.ts';
import { byTime } from './bookTime.ts';
import { nameOfOrder, orderedAmounts } from './orderedAmounts.ts';
import { isDenied, isUpdate, movementOf } from './movement.ts';
import type { Movement } from './movement.ts';
import { BOOK_COLUMNS, kindOf } from './row.ts';
import type { BookRow, KindName } from './row.ts';

/** Why a row counts nothing. */
export type NotCounted = 'future' | 'time' | 'amount' | 'kind';

export interface Folded {
	/** In the order of `began`. */
	movements: Movement[];
	/** Rows of the kinds of bookkeeping with a time and an amount, the oldest first. */
	openings: BookRow[];
	corrections: BookRow[];
	reconciliations: BookRow[];
	/** Rows of the kind `odd`. */
	odd: BookRow[];
	/** Rows that count nothing, to be named. */
	notCounted: Array<{ row: BookRow; why: NotCounted }>;
	/** Payments of one key in one workflow that may all have been made. */
	sharedKeys: Movement[][];
}

/** How old a payment may be whose update comes, and how much later its own row may be written. */
const UPDATE_AFTER = 7 * 24 * 3_600_000;
const UPDATE_BEFORE = 3_600_000;

/**
 * Folds rows as `readRows` gives them, in any order. Rows of a time after `now` are in the future and count nothing. Takes time that
 * grows with the number of rows.
 */
export function fold(rows: readonly BookRow[], now: string): Folded {
	const notCounted: Folded['notCounted'] = [];
	const usable = rows.filter((row) => {
		const why = whyNot(row, now);
		if (why !== undefined) notCounted.push({ row, why });
		return why === undefined;
	});
	const inOrder = usable.sort(inOneOrder);
	const of = (kind: KindName) => inOrder.filter((row) => row.kind === kind);
	const corrections = of('correction');
	const payments = inOrder.filter(({ kind }) => kindOf(kind)?.is === 'payment');
	const funding = inOrder.filter(({ kind }) => kindOf(kind)?.is === 'funding');
	const groups = [...paymentGroups(payments), ...fundingGroups(funding)];
	const joined = withUpdates(groups.map(movementOf)).sort((a, b) => byTime(timeOf(a), timeOf(b)));
	const movements = withCorrections(joined, corrections);
	for (const { amount, row, state } of movements) {
		// What may not have been made is open, whatever its amount.
		const isOpen = state === 'no answer' || state === 'not made';
		if (amount === '' && !isOpen) notCounted.push({ row, why: 'amount' });
	}
	return {
		movements,
		openings: of('opening'),
		corrections,
		reconciliations: of('reconciliation'),
		odd: of('odd'),
		notCounted,
		sharedKeys: sharedKeys(movements),
	};
}

const timeOf = ({ began }: Movement) => ({ time: began });

/** The oldest first. Rows of one time have an order of their own, so that the order in which they came says nothing. */
function inOneOrder(a: BookRow, b: BookRow): number {
	if (a.time !== b.time) return byTime(a, b);
	const [one, other] = [a, b].map((row) => JSON.stringify(BOOK_COLUMNS.map((column) => row[column])));
	return one! < other! ? -1 : Number(one! > other!);
}

function whyNot({ kind, time, amount }: BookRow, now: string): NotCounted | undefined {
	const is = kindOf(kind)?.is;
	if (is === undefined) return 'kind';
	if (time === '') return 'time';
	if (time > now) return 'future';
	return is === 'bookkeeping' && kind !== 'odd' && amount === '' ? 'amount' : undefined;
}

/** A key as payments compare it; a text that no payment takes for a key is compared as it stands. */
function nameOfKey(key: string): string {
	return comparedKey(key) ?? key.trim().toLowerCase();
}

/**
 * The rows of each payment. Rows of one kind and reference are one. A row without a reference belongs to the payment of its key in its
 * workflow, first to that of its execution. Takes the oldest row first.
 */
function paymentGroups(rows: readonly BookRow[]): BookRow[][] {
	const { keyOf, keysOf } = keysIn(rows);
	const groups: BookRow[][] = [];
	const byReference = new Map<string, BookRow[]>();
	const byKey = new Map<string, BookRow[]>();
	const join = (row: BookRow, known: BookRow[] | undefined, key: string) => {
		const group = known ?? [];
		if (known === undefined) groups.push(group);
		group.push(row);
		// An update has the key of its delivery, and its reference names it.
		if (row.key === '' || (isUpdate(row) && row.reference !== '')) return group;
		for (const name of [key, `${key} ${row.run}`]) if (!byKey.has(name)) byKey.set(name, group);
		return group;
	};
	for (const row of rows.filter(({ reference }) => reference !== '')) {
		const { kind, reference, asset } = row;
		const name = JSON.stringify(kind === 'conversion' ? [kind, reference, asset] : [kind, reference]);
		byReference.set(name, join(row, byReference.get(name), keyOf(row)));
	}
	const named = rows.filter(({ reference }) => reference === '');
	for (const row of named.filter(({ run }) => run !== '')) {
		const key = keyOf(row);
		join(row, row.key === '' ? undefined : (byKey.get(`${key} ${row.run}`) ?? byKey.get(key)), key);
	}
	const isOpen = openAmong();
	for (const row of named.filter(({ run }) => run === '')) {
		const same = keysOf(row)
			.map((key) => byKey.get(key))
			.filter((payment) => payment !== undefined && row.key !== '') as BookRow[][];
		join(row, same.length > 1 ? ofPerson(row, same, isOpen) : same[0], keyOf(row));
	}
	return groups;
}

/**
 * The key of a row with its workflow, since each has keys of its own, and for a row of a person those of all workflows that have it, the
 * oldest first. `keyOf` is the first of them.
 */
function keysIn(rows: readonly BookRow[]): {
	keyOf: (row: BookRow) => string;
	keysOf: (row: BookRow) => string[];
} {
	const keys = new Map(rows.map((row) => [row, keyOfPayment(row)]));
	const workflows = new Map<string, Set<string>>();
	for (const [{ workflowId }, key] of keys) {
		if (workflowId === '') continue;
		const same = workflows.get(key) ?? new Set();
		workflows.set(key, same.add(workflowId));
	}
	const keysOf = (row: BookRow) => {
		const key = keys.get(row)!;
		const ids = row.workflowId === '' ? [...(workflows.get(key) ?? [''])] : [row.workflowId];
		return ids.map((id) => JSON.stringify([key, id]));
	};
	return { keyOf: (row) => keysOf(row)[0]!, keysOf };
}

/** Which of these payments is meant by a row of a person: that of its amount, and among several the oldest without an answer. */
function ofPerson(row: BookRow, payments: BookRow[][], isOpen: (payment: BookRow[]) => boolean): BookRow[] {
	const hasAmount = ({ amount }: BookRow) => amount !== '' && compare(amount, row.amount) === 0;
	const same = row.amount === '' ? payments : payments.filter((payment) => payment.some(hasAmount));
	const meant = same.length > 0 ? same : payments;
	return meant.find(isOpen) ?? meant[0]!;
}

/** Whether a payment had no answer before a person wrote anything of it. */
function openAmong(): (payment: BookRow[]) => boolean {
	const known = new Map<BookRow[], boolean>();
	return (payment) => {
		const isOpen = known.get(payment) ?? ['no answer', 'paid before'].includes(movementOf(payment).state);
		known.set(payment, isOpen);
		return isOpen;
	};
}

function keyOfPayment({ kind, key, asset }: Pick<BookRow, 'kind' | 'key' | 'asset'>): string {
	return JSON.stringify([kind, kind === 'conversion' ? asset : '', nameOfKey(key)]);
}

/** The rows of each deposit and funding: those of one kind and ID. One transaction may pay several wallets, and one wallet twice. */
function fundingGroups(rows: readonly BookRow[]): BookRow[][] {
	const groups = groupsOf([...rows], ({ kind, reference, key, counterpart }) => {
		const id = reference || key;
		const wallet = kind === 'crypto deposit' ? comparedAlias(counterpart) : '';
		return id === '' ? '' : JSON.stringify([kind, reference === '', id, wallet]);
	});
	return groups.flatMap((group) => (group[0]?.kind === 'crypto deposit' ? outputsIn(group) : [group]));
}

/**
 * Each amount is one output. If only one of them came, a smaller amount that has failed is a part of it; a row without amount is of it, or
 * of the first one.
 */
function outputsIn(rows: BookRow[]): BookRow[][] {
	const outputs = groupsOf(
		rows.filter(({ amount }) => amount !== ''),
		({ amount }) => canonical(amount),
	);
	if (outputs.length <= 1) return [rows];
	const came = outputs.filter((output) => !output.every(({ status }) => isFailedStatus(status)));
	const first = (came.length === 1 ? came[0] : outputs[0])!;
	const isPart = (output: BookRow[]) =>
		came.length === 1 && compare(withoutSign(output[0]!.amount), withoutSign(first[0]!.amount)) < 0;
	first.push(...rows.filter(({ amount }) => amount === ''), ...outputs.filter(isPart).flat());
	return outputs.filter((output) => !isPart(output));
}

/**
 * Joins updates whose reference no payment of the book has with the oldest payment of their amount and destination that has no reference:
 * first one that may have been made, then one of which a person said that it was not. Each payment is one payout only: a second one that
 * looks the same was ordered by nobody.
 */
function withUpdates(movements: Movement[]): Movement[] {
	const inOrder = movements.toSorted((a, b) => byTime(timeOf(a), timeOf(b)));
	const waiting = [queuesOf(inOrder.filter(mayBeMade)), queuesOf(inOrder.filter(isDenied))];
	const joined = new Map<Movement, Movement>();
	const strays = inOrder.filter(({ state, amount }) => state === 'not ordered' && amount !== '');
	for (const stray of strays) {
		const names = orderedAmounts(stray).map((amount) => nameOfOrder({ ...stray, amount }));
		const queues = waiting.flatMap((queue) => names.flatMap((name) => queue.get(name) ?? []));
		for (const queue of queues) {
			const payment = nextOf(queue, stray);
			if (payment === undefined) continue;
			joined.set(payment, stray);
			break;
		}
	}
	const taken = new Set(joined.values());
	return movements
		.filter((movement) => !taken.has(movement))
		.map((payment) => {
			const stray = joined.get(payment);
			return stray === undefined ? payment : movementOf([...payment.rows, ...stray.rows]);
		});
}

/** Payments of one amount and destination, the oldest first, of which those before `next` have their updates. */
interface Queue {
	payments: Movement[];
	next: number;
}

/** Crypto payouts of which the service has told nothing. */
function queuesOf(payments: readonly Movement[]): Map<string, Queue> {
	const queues = new Map<string, Queue>();
	for (const payment of payments) {
		const { kind, reference, amount, updates } = payment;
		const isTold = reference !== '' || updates.length > 0;
		if (kind !== 'crypto payout' || isTold || amount === '') continue;
		const name = nameOfOrder(payment);
		const queue = queues.get(name) ?? { payments: [], next: 0 };
		queues.set(name, queue);
		queue.payments.push(payment);
	}
	return queues;
}

/** Takes the oldest payment of a queue whose update this may be. */
function nextOf(queue: Queue, { began }: Movement): Movement | undefined {
	const told = Date.parse(began);
	const beganAt = () => Date.parse(queue.payments[queue.next]?.began ?? '');
	while (beganAt() < told - UPDATE_AFTER) queue.next += 1;
	return beganAt() <= told + UPDATE_BEFORE ? queue.payments[queue.next++] : undefined;
}

/** Gives each correction to the one movement that it books: its reference is the key of it, or the ID that the service gave. */
function withCorrections(movements: Movement[], corrections: readonly BookRow[]): Movement[] {
	const named = corrections.filter(({ reference }) => reference !== '');
	const wanted = new Set(named.map(({ reference }) => nameOfKey(reference)));
	if (wanted.size === 0) return movements;
	const byName = new Map<string, Movement[]>();
	for (const movement of movements) {
		const names = [movement.key, movement.reference].filter((name) => name !== '').map(nameOfKey);
		for (const name of new Set(names)) if (wanted.has(name)) addTo(byName, name, movement);
	}
	const given = new Map<Movement, BookRow[]>();
	for (const row of named) {
		const movement = bookedBy(row, byName.get(nameOfKey(row.reference)) ?? [], given);
		if (movement !== undefined) addTo(given, movement, row);
	}
	return movements.map((movement) => ({ ...movement, corrections: given.get(movement) ?? [] }));
}

/** Of movements of one name, the one of the correction's asset and amount; among several the oldest that is open, and not booked yet. */
function bookedBy(
	row: BookRow,
	named: readonly Movement[],
	given: ReadonlyMap<Movement, BookRow[]>,
): Movement | undefined {
	const able = named.filter(
		({ asset, fee, feeAsset, began }) =>
			began <= row.written && (asset === row.asset || (fee !== '' && feeAsset === row.asset)),
	);
	if (able.length <= 1) return able[0];
	const same = able.filter((movement) => hasAmount(movement, row.amount));
	const meant = same.length > 0 ? same : able;
	return meant.find((each) => isOpen(each) && !given.has(each)) ?? meant.find(isOpen) ?? meant[0];
}

/** Whether a correction of this amount can book it, in whichever direction it is wrong. */
function hasAmount({ amount, fee, others }: Movement, booked: string): boolean {
	const size = amount === '' ? [] : [withoutSign(amount)];
	const withFee = fee === '' ? [] : [fee, ...size.map((each) => add(each, fee))];
	const sizes = [...size, ...withFee, ...others.map((part) => withoutSign(part.amount))];
	return sizes.some((each) => compare(each, withoutSign(booked)) === 0);
}

/** Whether a person may have to book it. */
function isOpen({ kind, state, final, fee, others }: Movement): boolean {
	if (state !== 'made') return state !== 'not made' || others.length > 0;
	return others.length > 0 || (kind === 'crypto payout' && (final === '' || fee === ''));
}

/** Whether a payment has moved money, or may have. */
function mayBeMade({ state }: Movement): boolean {
	return state === 'made' || state === 'no answer' || state === 'paid before';
}

function sharedKeys(movements: readonly Movement[]): Movement[][] {
	const orders = movements.filter(
		(each) => kindOf(each.kind)?.is === 'payment' && each.key !== '' && mayBeMade(each),
	);
	const workflowOf = ({ rows }: Movement) =>
		rows.find(({ workflowId }) => workflowId !== '')?.workflowId ?? '';
	const same = groupsOf(orders, (each) => JSON.stringify([keyOfPayment(each), workflowOf(each)]));
	return same.filter(({ length }) => length > 1);
}
