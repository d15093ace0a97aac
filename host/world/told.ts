/** What the rows of the book tell, read a second time and without the package: the world knows which rows belong together. */
import { isCoin, unitsOf, type Asset } from './money.ts';
import { isPayment, type Movement, type Payment } from './movement.ts';
import type { Row } from './rows.ts';

/** Why a person must still look at a movement; '': nothing is open. */
export type Open =
	| ''
	| 'no answer'
	| 'no final state'
	| 'pending'
	| 'contradiction'
	| 'fee not reported'
	| 'not ordered';

/** What the rows of one movement tell. */
export interface Told {
	movement: Movement;
	/** By how much they say that it has changed the balance, without corrections. */
	booked: bigint;
	/** What a correction has booked is not open. */
	open: Open;
	isCorrected: boolean;
	/** The oldest first. */
	rows: Row[];
	/** Time of the newest row; '' without rows. */
	newest: string;
}

/** What all rows of the book tell. */
export interface ToldBook {
	movements: Told[];
	/** By how much they say that a balance has changed since the world began. */
	sum(asset: Asset): bigint;
}

export function toldBy(rows: readonly Row[], movements: readonly Movement[]): ToldBook {
	const corrections = rows.filter(({ kind }) => kind === 'correction');
	const booked = new Set(corrections.map(({ reference }) => reference));
	const others = rows.filter(({ kind }) => !['correction', 'opening', 'reconciliation'].includes(kind!));
	const [byKey, byReference] = [
		Map.groupBy(others, ({ key }) => key),
		Map.groupBy(others, ({ reference }) => reference),
	];
	const told = movements.map((movement): Told => {
		const { name, asset } = movement;
		const id = isPayment(movement) ? movement.id : name;
		const known = [...(byKey.get(name || undefined) ?? []), ...(byReference.get(id || undefined) ?? [])];
		const own = [...new Set(known)].filter((row) => row.asset === asset).sort(byTime);
		const { sum, open } = isPayment(movement) ? ofPayment(movement, own) : ofOther(movement, own);
		const newest = own.at(-1)?.time ?? '';
		const isCorrected = name !== '' && booked.has(name);
		return { movement, booked: sum, open: isCorrected ? '' : open, isCorrected, rows: own, newest };
	});
	return {
		movements: told,
		sum: (asset) =>
			sumOf(corrections.filter((row) => row.asset === asset).map(({ amount }) => unitsOf(amount!))) +
			sumOf(told.filter(({ movement }) => movement.asset === asset).map((each) => each.booked)),
	};
}

const byTime = (a: Row, b: Row) => (a.time! < b.time! ? -1 : a.time! > b.time! ? 1 : 0);

const sumOf = (all: bigint[]) => all.reduce((sum, each) => sum + each, 0n);

interface Said {
	sum: bigint;
	open: Open;
}

function ofPayment({ asset, amount, isOurs }: Payment, rows: Row[]): Said {
	const updates = rows.filter(({ result }) => result === '');
	// What nobody ordered counts nothing, whatever the service tells of it.
	if (!isOurs) return { sum: 0n, open: updates.length > 0 ? 'not ordered' : '' };
	const hasResult = (...words: string[]) => rows.some(({ result }) => words.includes(result!));
	const has = (word: string) => updates.some(({ status }) => status === word);
	if (!hasResult('paid', 'alreadyPaid') && !has('successful')) {
		const isOver = rows.length === 0 || hasResult('rejected', 'notSent');
		return { sum: 0n, open: isOver ? '' : 'no answer' };
	}
	const fee = updates.findLast((row) => row.fee !== '')?.fee;
	const sum = amount - unitsOf(fee || '0');
	if (has('failed')) return { sum: sum - amount, open: 'contradiction' };
	if (!isCoin(asset)) return { sum, open: '' };
	return { sum, open: has('successful') ? (fee ? '' : 'fee not reported') : 'no final state' };
}

/** Deposits, fundings and conversions. Of a deposit, the newest final state counts, by the first arrival of each. */
function ofOther({ amount }: Movement, rows: Row[]): Said {
	const states = [...new Set(rows.map(({ status }) => status!))].filter((status) => status !== 'pending');
	const sum = states.length === 0 || /failed|reversed/.test(states.at(-1)!) ? 0n : amount;
	const isPending = rows.length > 0 && states.length === 0;
	return { sum, open: isPending ? 'pending' : states.length > 1 ? 'contradiction' : '' };
}

const HOUR = 3_600_000;
const hoursSince = (time: string, now: string) => (Date.parse(now) - Date.parse(time)) / HOUR;

/** What happened within three days is news, and an open item explains for so long. */
const isYoung = ({ newest }: Told, now: string) => hoursSince(newest, now) <= 72;

/** What Reconcile shows as open, by name. Of what is older than three days, some is shown only as long as it may explain something. */
export function openItems(book: ToldBook, asset: Asset, now: string, verdict: string): Map<string, Open> {
	const own = book.movements.filter(({ movement }) => movement.asset === asset);
	const hasFee = own.some(({ rows }) => rows.some(({ fee }) => fee !== '' && unitsOf(fee!) > 0n));
	const isShown = (told: Told) => {
		if (told.open === 'fee not reported') return hasFee && isYoung(told, now);
		return told.open !== 'contradiction' || verdict === 'not explained' || isYoung(told, now);
	};
	const shown = own.filter((told) => told.open !== '' && isShown(told));
	return new Map(shown.map(({ movement, open }) => [movement.name, open]));
}

/** The names of the alerts that a person gets, if what is unknown is one after two hours, and what is without news after six. */
export function alertNames({ movements }: ToldBook, now: string): Set<string> {
	const open = movements.filter(({ isCorrected }) => !isCorrected);
	return new Set([...open.flatMap((told) => alertsOf(told, now)), ...endedLists(movements, now)]);
}

function alertsOf(told: Told, now: string): string[] {
	const { movement, open, rows, newest } = told;
	const { name } = movement;
	const isOld = hoursSince(newest, now) > 6;
	if (!isPayment(movement)) {
		if (open === 'pending') return isOld ? [`pending ${rows[0]!.kind} ${name}`] : [];
		return open === 'contradiction' && isYoung(told, now) ? [contradictionOf(told)] : [];
	}
	const last = newestResult(rows);
	if (open === 'no answer') {
		const first = rows.find(({ result }) => result === last!.result)!;
		return last!.result === 'unknown' && hoursSince(first.time!, now) > 2 ? [`unknown ${name}`] : [];
	}
	return [
		...(last?.result === 'unknown' ? [`looks paid ${movement.id}`] : []),
		...(open === 'not ordered' && isYoung(told, now) ? [`not ordered ${movement.id}`] : []),
		...(open === 'no final state' && isOld ? [`silent ${name}`] : []),
		...(open === 'contradiction' && isYoung(told, now) ? [`two states payout ${movement.id}`] : []),
	];
}

function contradictionOf({ movement, rows }: Told): string {
	const [{ kind, status } = {}] = [rows.findLast((row) => row.status !== 'pending')];
	const isTakenBack = /failed|reversed/.test(status!);
	return `${isTakenBack ? 'taken back' : 'two states'} ${kind} ${movement.name}`;
}

/** The row that says what became of a payment: paid, or what a person wrote, or else the newest. */
function newestResult(rows: Row[]): Row | undefined {
	const results = rows.filter(({ result }) => result !== '');
	const isTold = ({ result, workflow }: Row) => /^(paid|alreadyPaid)$/.test(result!) || workflow === '';
	return results.findLast(isTold) ?? results.at(-1);
}

/** Executions that have left payments under way, and wrote nothing for a quarter of an hour. */
function endedLists(movements: Told[], now: string): string[] {
	const newest = new Map<string, string>();
	const open = new Set<string>();
	for (const { rows, isCorrected } of movements) {
		for (const { execution, time } of rows)
			if (time! > (newest.get(execution!) ?? '')) newest.set(execution!, time!);
		const last = newestResult(rows);
		if (last?.result === 'under way' && !isCorrected) open.add(last.execution!);
	}
	return [...open]
		.filter((execution) => hoursSince(newest.get(execution)!, now) > 0.25)
		.map((execution) => `ended in the middle ${execution}`);
}
