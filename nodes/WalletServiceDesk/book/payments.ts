/** Which rows of the book are one movement of money: the one answer for all who read it. What became of one: movement.ts. */
import { canonical } from '../../../api/exact/decimal.ts';
import { comparedAlias } from '../../shared/alias.ts';
import { isFailedStatus } from '../../shared/answers/statuses.ts';
import { comparedKey } from '../values/comparedKey.ts';
import { addTo, groupsOf } from '../values/groups.ts';
import { byTime } from './bookTime.ts';
import { nameOfOrder, orderedAmounts } from './orderedAmounts.ts';
import { isUpdate, movementOf } from './movement.ts';
import type { Movement } from './movement.ts';
import { BOOK_COLUMNS, kindOf } from './row.ts';
import type { BookRow, KindName } from './row.ts';

export type { Movement, MovementState, Part } from './movement.ts';

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
	const movements = withUpdates(groups.map(movementOf)).sort((a, b) => byTime(timeOf(a), timeOf(b)));
	giveCorrections(movements, corrections);
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
	const keyIn = keysIn(rows);
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
		byReference.set(name, join(row, byReference.get(name), keyIn(row)));
	}
	for (const row of rows.filter(({ reference }) => reference === '')) {
		const key = keyIn(row);
		join(row, row.key === '' ? undefined : (byKey.get(`${key} ${row.run}`) ?? byKey.get(key)), key);
	}
	return groups;
}

/** The key of a row with its workflow, since each has keys of its own. A row of a person belongs to the first one that has its key. */
function keysIn(rows: readonly BookRow[]): (row: BookRow) => string {
	const keys = new Map(rows.map((row) => [row, keyOfPayment(row)]));
	const workflows = new Map<string, string>();
	for (const [{ workflowId }, key] of keys)
		if (workflowId !== '' && !workflows.has(key)) workflows.set(key, workflowId);
	return (row) => {
		const key = keys.get(row)!;
		return JSON.stringify([key, row.workflowId || workflows.get(key)]);
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

/** Each amount is one output. A smaller amount that has only failed is a part of the one that came, and a row without amount is of the first. */
function outputsIn(rows: BookRow[]): BookRow[][] {
	const outputs = groupsOf(
		rows.filter(({ amount }) => amount !== ''),
		({ amount }) => canonical(amount),
	);
	const came = outputs.filter((output) => !output.every(({ status }) => isFailedStatus(status)));
	if (outputs.length <= 1 || came.length === 1) return [rows];
	outputs[0]!.push(...rows.filter(({ amount }) => amount === ''));
	return outputs;
}

/**
 * Joins updates whose reference no payment of the book has with the oldest payment of their amount and destination that has no reference.
 * Each payment is one payout only: a second one that looks the same was ordered by nobody.
 */
function withUpdates(movements: Movement[]): Movement[] {
	const waiting = new Map<string, { payments: Movement[]; next: number }>();
	for (const payment of movements.toSorted((a, b) => byTime(timeOf(a), timeOf(b)))) {
		const { kind, reference, amount, updates } = payment;
		const isTold = reference !== '' || updates.length > 0;
		if (kind !== 'crypto payout' || isTold || amount === '' || !mayBeMade(payment)) continue;
		const name = nameOfOrder(payment);
		const same = waiting.get(name) ?? { payments: [], next: 0 };
		waiting.set(name, same);
		same.payments.push(payment);
	}
	const joined = new Map<Movement, Movement>();
	const strays = movements.filter(({ state, amount }) => state === 'not ordered' && amount !== '');
	for (const stray of strays.sort((a, b) => byTime(timeOf(a), timeOf(b)))) {
		const told = Date.parse(stray.began);
		for (const amount of orderedAmounts(stray)) {
			const same = waiting.get(nameOfOrder({ ...stray, amount }));
			if (same === undefined) continue;
			const beganAt = () => Date.parse(same.payments[same.next]?.began ?? '');
			while (beganAt() < told - UPDATE_AFTER) same.next += 1;
			if (!(beganAt() <= told + UPDATE_BEFORE)) continue;
			joined.set(same.payments[same.next]!, stray);
			same.next += 1;
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

/** A correction books what its reference names, by key or by the ID of the service. */
function giveCorrections(movements: readonly Movement[], corrections: readonly BookRow[]): void {
	const byName = new Map<string, BookRow[]>();
	for (const row of corrections) if (row.reference !== '') addTo(byName, nameOfKey(row.reference), row);
	if (byName.size === 0) return;
	for (const movement of movements) {
		const names = new Set([movement.key, movement.reference].filter((name) => name !== '').map(nameOfKey));
		movement.corrections = [...names].flatMap((name) => byName.get(name) ?? []);
	}
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
