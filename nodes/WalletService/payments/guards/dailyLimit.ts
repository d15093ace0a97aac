/**
 * *Maximum Payments per Day*. Two lists of rows for each day of a workflow, numbered from 1 without gaps: what was taken, and what
 * was given back. A row is made by one INSERT and stays until the day is old. So who makes the next row of what was taken knows how
 * many payments there are at most, in any number of processes and beside any other limit.
 */
import { notSent } from '../../../shared/answers/failure.ts';
import { BoundedMap } from '../../../shared/store/boundedMap.ts';
import { DayRows, dayOf } from '../../../shared/store/dayRows.ts';
import { lengthOf as lengthOfRows } from '../../../shared/store/numberedRows.ts';
import type { RowName, Rows, RowsToRead } from '../../../shared/store/rows.ts';
import { labelOfOption } from '../../input/paymentOptions.ts';
import { giveBackUnlessMade, NOTHING_HELD } from './guard.ts';
import type { Guard, Refusal } from './guard.ts';
import { DAY } from './messages.ts';

type List = 'taken' | 'given back';

type Lengths = Record<List, number>;

const LISTS: List[] = ['taken', 'given back'];

/** The day before may be today in another time zone, and the one before it too. */
const days = new DayRows({
	kind: 'payments of day',
	bytes: 0,
	keptDays: 2,
	clear: async (rows, day) => {
		for (const list of LISTS) {
			// From the end, so that a kill leaves no gap.
			for (let number = await lengthOf(rows, day, list, 0); number > 0; number -= 1)
				await rows.delete(rowOf(day, list, number));
		}
	},
});

/** How long the lists are at least, by workflow and day. Rows are only added. */
const lengths = new BoundedMap<Lengths>();

/** Takes one of the day's payments. Returns what gives it back; undefined if none is left. `day`: `2026-11-22`. */
export async function takePaymentOf(
	day: string,
	rows: Rows,
	maximum: number,
): Promise<(() => Promise<void>) | undefined> {
	const place = { about: [], day: dayOf(day) };
	const name = days.endOf(place, '');
	const known = await knownLengths(rows, name);
	const isFull = () => known.taken - known['given back'] >= maximum;
	for (;;) {
		// Both lists only grow, and who makes the next row knows all that were taken: what was given back since can only allow more.
		if (isFull()) known['given back'] = await lengthOf(rows, name, 'given back', known['given back']);
		if (isFull()) return undefined;
		await days.open(rows, place, '');
		if (await append(rows, name, 'taken', known)) {
			return async () => {
				while (!(await append(rows, name, 'given back', known)));
			};
		}
	}
}

/** How many payments a day has, at most. Writes nothing. */
export async function countPaymentsOf(day: string, rows: RowsToRead): Promise<number> {
	const name = days.endOf({ about: [], day: dayOf(day) }, '');
	const known = await knownLengths(rows, name);
	for (const list of LISTS) known[list] = await lengthOf(rows, name, list, known[list]);
	return known.taken - known['given back'];
}

/** What this process knows of the lists of a day. At first it looks for the end of what was taken. */
async function knownLengths(rows: RowsToRead, day: RowName): Promise<Lengths> {
	const id = JSON.stringify([rows.workflowId, ...day]);
	const known = lengths.get(id) ?? { taken: await lengthOf(rows, day, 'taken', 0), 'given back': 0 };
	lengths.set(id, known);
	return known;
}

/** Makes the next row of a list. False if the list was longer than known. Throws if it may have made a row or not: that one counts. */
async function append(rows: Rows, day: RowName, list: List, known: Lengths): Promise<boolean> {
	const next = known[list] + 1;
	const isMade = (await rows.take(rowOf(day, list, next))).is === 'made';
	const length = isMade ? next : await lengthOf(rows, day, list, next);
	// Another payment of this process may have learned more meanwhile.
	known[list] = Math.max(known[list], length);
	return isMade;
}

async function lengthOf(rows: RowsToRead, day: RowName, list: List, known: number): Promise<number> {
	return await lengthOfRows(async (number) => await rows.exists(rowOf(day, list, number)), known);
}

function rowOf(day: RowName, list: List, number: number): RowName {
	return [...day, list, String(number)];
}

/** What the guard asks of n8n. */
export interface DayPort {
	/** Takes one of the day's payments. Returns what gives it back; undefined if none is left. Throws if n8n cannot keep it. */
	takePayment(maximumPerDay: number): Promise<(() => Promise<void>) | undefined>;
	/** How many payments the day has. Throws if n8n cannot read it. Writes nothing. */
	countPayments(): Promise<number>;
}

/** The option *Maximum Payments per Day*. */
export function dailyLimit({ takePayment, countPayments }: DayPort): Guard {
	const label = labelOfOption('maximumPerDay');
	const isReached = (maximum: number): Refusal => ({
		failure: notSent(DAY.perDayIsReached({ label, maximum: String(maximum) })),
	});
	const isNotKept = (error: unknown): Refusal => ({
		failure: notSent(DAY.isNotKept({ label, reason: (error as Error).message })),
	});
	/** What a dry run would have sent so far. A key that comes twice is one payment. */
	const tried = new Set<string | number>();
	let made: Promise<number> | undefined;
	return {
		take: async ({ payment: { options } }) => {
			const { maximumPerDay } = options;
			if (maximumPerDay === undefined) return NOTHING_HELD;
			try {
				const giveBack = await takePayment(maximumPerDay);
				return giveBack === undefined ? isReached(maximumPerDay) : giveBackUnlessMade(giveBack);
			} catch (error) {
				return isNotKept(error);
			}
		},
		look: async ({ item, payment: { options, key } }) => {
			const { maximumPerDay } = options;
			const name = key?.compared ?? item;
			if (maximumPerDay === undefined || tried.has(name)) return {};
			try {
				made ??= countPayments();
				const isLeft = (await made) + tried.size < maximumPerDay;
				return isLeft ? { begin: () => tried.add(name) } : isReached(maximumPerDay);
			} catch (error) {
				return isNotKept(error);
			}
		},
	};
}
