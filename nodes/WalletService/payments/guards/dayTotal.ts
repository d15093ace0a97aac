/**
 * What the nodes of a workflow have paid in a day of one currency or coin, as exact decimal text. Each change is a new version of the
 * total, numbered from 1 without gaps.
 *
 * Rows of version n, in the order in which they are made.
 * - `n`: by one INSERT. Who makes it writes this version, from the total of the version before.
 * - `n length`, `n 0`, `n 1`…: how many characters the total has, and each of them. Only the writer makes them.
 * - `n final`: the version is written. Who waits for it too long makes it, and its writer begins anew with a later version.
 *
 * Who makes `n final` for a version of its own has added its amount, and every later version has it. A version without its whole text
 * counts nothing: its writer was killed, or has sent nothing. One that has it counts, even in doubt. So no total is ever too low.
 */
import { sleep } from 'n8n-workflow';

import { add, compare, negate } from '../../../../api/exact/decimal.ts';
import { DayRows, dayOf } from '../../../shared/store/dayRows.ts';
import type { Place } from '../../../shared/store/dayRows.ts';
import { lengthOf, makeNumber, numberOf } from '../../../shared/store/numberedRows.ts';
import type { RowName, Rows, RowsToRead } from '../../../shared/store/rows.ts';

/** Whose total it is. */
export interface TotalOf {
	/** `currency NGN`, `coin USDT` */
	asset: string;
	/** `2026-11-22` */
	day: string;
}

/** Whether an amount was added, and the total with it. */
export interface Added {
	isAdded: boolean;
	total: string;
}

/** The newest version, and the total that counts. */
interface Version {
	number: number;
	total: string;
}

const SIGNS = '0123456789.';
const LENGTH = 'length';
const FINAL = 'final';
/** How often a version is waited for, and how many milliseconds each time. A writer that lives needs some milliseconds. */
const MOST_WAITS = 50;
const PAUSE = 100;

/** The day before may be today in another time zone, and the one before it too. */
const days = new DayRows({ kind: 'total of day', bytes: 0, keptDays: 2, clear });

/** Adds an amount, unless the total would be above `maximum`. Throws if n8n cannot keep it: then it may have been added. */
export async function addToTotal(rows: Rows, of: TotalOf, amount: string, maximum: string): Promise<Added> {
	return await change(rows, of, { amount, isAbove: (total) => compare(total, maximum) > 0 });
}

/** Takes off an amount that was added before. */
export async function takeOffTotal(rows: Rows, of: TotalOf, amount: string): Promise<void> {
	await change(rows, of, { amount: negate(amount), isAbove: () => false });
}

/** The total now. Writes nothing. */
export async function readTotal(rows: RowsToRead, of: TotalOf): Promise<string> {
	return (await newest(rows, nameOf(of))).total;
}

async function change(
	rows: Rows,
	of: TotalOf,
	{ amount, isAbove }: { amount: string; isAbove(total: string): boolean },
): Promise<Added> {
	const name = nameOf(of);
	for (;;) {
		const last = await newest(rows, name, async (number) => await waitForFinal(rows, name, number));
		const total = add(last.total, amount);
		if (isAbove(total)) return { isAdded: false, total };
		await days.open(rows, placeOf(of), '');
		if (await write(rows, name, { number: last.number + 1, total })) return { isAdded: true, total };
	}
}

/** False if another one writes this version, or did not wait for it. */
async function write(rows: Rows, name: RowName, { number, total }: Version): Promise<boolean> {
	if ((await rows.take(rowOf(name, number))).is !== 'made') return false;
	await makeNumber(rows, rowOf(name, number, LENGTH), total.length);
	const signs = [...total].map(async (sign, place) => {
		await makeNumber(rows, rowOf(name, number, String(place)), SIGNS.indexOf(sign));
	});
	await Promise.all(signs);
	return (await rows.take(rowOf(name, number, FINAL))).is === 'made';
}

/** `finish`: returns when a version is final. Without it, what is being written counts if its text is there. */
async function newest(
	rows: RowsToRead,
	name: RowName,
	finish: (number: number) => Promise<void> = async () => await Promise.resolve(),
): Promise<Version> {
	const length = await lengthOf(async (number) => await rows.exists(rowOf(name, number)), 0);
	for (let number = length; number > 0; number -= 1) {
		await finish(number);
		const total = await textOf(rows, name, number);
		if (total !== undefined) return { number: length, total };
	}
	return { number: length, total: '0' };
}

async function waitForFinal(rows: Rows, name: RowName, number: number): Promise<void> {
	for (let wait = 0; wait < MOST_WAITS; wait += 1) {
		if (await rows.exists(rowOf(name, number, FINAL))) return;
		await sleep(PAUSE);
	}
	await rows.make(rowOf(name, number, FINAL));
}

/** Undefined if a part of the text is missing. */
async function textOf(rows: RowsToRead, name: RowName, number: number): Promise<string | undefined> {
	const length = await numberOf(rows, rowOf(name, number, LENGTH));
	if (length === undefined) return undefined;
	const signs = await Promise.all(
		Array.from({ length }, async (_, place) => await numberOf(rows, rowOf(name, number, String(place)))),
	);
	return signs.includes(undefined) ? undefined : signs.map((sign) => SIGNS[sign!]).join('');
}

/** From the end, and what the others are found by last, so that a kill leaves nothing that the next call does not find. */
async function clear(rows: Rows, name: RowName): Promise<void> {
	const length = await lengthOf(async (number) => await rows.exists(rowOf(name, number)), 0);
	for (let number = length; number > 0; number -= 1) {
		const signs = (await numberOf(rows, rowOf(name, number, LENGTH))) ?? 0;
		for (let place = 0; place < signs; place += 1) await rows.delete(rowOf(name, number, String(place)));
		for (const part of [LENGTH, FINAL]) await rows.delete(rowOf(name, number, part));
		await rows.delete(rowOf(name, number));
	}
}

function placeOf({ asset, day }: TotalOf): Place {
	return { about: [asset], day: dayOf(day) };
}

function nameOf(of: TotalOf): RowName {
	return days.endOf(placeOf(of), '');
}

function rowOf(name: RowName, number: number, ...part: string[]): RowName {
	return [...name, String(number), ...part];
}
