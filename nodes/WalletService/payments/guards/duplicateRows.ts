/**
 * *Duplicate Check*: a payment like one of the last days is held until somebody says that it is meant. Before its request, a payment
 * makes a row of its day, by one INSERT. So of two that are alike and begin together, in any processes, one is sent.
 *
 * Rows of payments that are alike.
 * - `first` of a day: there is such a payment. Deleted by who has made it, if its payment moved no money.
 * - `second` of a day: one was meant while another had `first`. It stays: then it does not matter what becomes of the other.
 * - `period`: one of its days has or had a row. It stays. Who makes it has nothing to look for in its days.
 *
 * A row of a day is made before that of its period, and other days are looked at after both, the next one too. So of two payments
 * around midnight, at least one sees the other. Rows are found by name only, so old ones stay, as those of keys do.
 */
import { dayOf } from '../../../shared/store/dayRows.ts';
import type { RowName, Rows, RowsToRead } from '../../../shared/store/rows.ts';
import type { Likeness } from '../../input/payment.ts';

export interface DuplicateQuestion {
	/** Days before today that are looked at. */
	lookBack: number;
	/** Whether the payment is sent although another one is like it. */
	isMeant: boolean;
}

/** Long, so that a look back over weeks asks for few periods. Short, so that a payment of last month is not in one of them. */
const DAYS_OF_PERIOD = 16;

interface Names {
	first(day: number): RowName;
	second(day: number): RowName;
	/** Of the period that has this day. */
	period(day: number): RowName;
}

/**
 * Takes the right to send a payment. Returns what gives it back; undefined if one of the last `lookBack` days has one that is alike.
 * Throws if n8n cannot keep the rows.
 */
export async function takeUnlessDuplicate(
	rows: Rows,
	payment: Likeness,
	{ lookBack, isMeant }: DuplicateQuestion,
	now = Date.now(),
): Promise<(() => Promise<void>) | undefined> {
	const names = namesOf(payment);
	const today = dayOf(now);
	const isFirst = (await rows.take(names.first(today))).is === 'made';
	if (!isFirst && !isMeant) return undefined;
	const giveBack = async () => {
		if (isFirst) await rows.delete(names.first(today));
	};
	let isAllowed = false;
	try {
		if (!isFirst) await rows.make(names.second(today));
		const isNewPeriod = (await rows.make(names.period(today))).is === 'made';
		isAllowed = isMeant || !(await hasOther(rows, names, { today, lookBack, isNewPeriod }));
	} finally {
		if (!isAllowed) await giveBack();
	}
	return isAllowed ? giveBack : undefined;
}

/** Whether a payment would be held now. Writes nothing. */
export async function isDuplicate(
	rows: RowsToRead,
	payment: Likeness,
	lookBack: number,
	now = Date.now(),
): Promise<boolean> {
	const names = namesOf(payment);
	const days = daysAround(dayOf(now), lookBack);
	return await hasAny(rows, await rowsOfDays(rows, names, days));
}

/** Whether there is a row beside `first` of today, which is one's own. */
async function hasOther(
	rows: Rows,
	names: Names,
	{ today, lookBack, isNewPeriod }: { today: number; lookBack: number; isNewPeriod: boolean },
): Promise<boolean> {
	const days = daysAround(today, lookBack).filter(
		(day) => day !== today && !(isNewPeriod && isSamePeriod(day, today)),
	);
	const found = await rowsOfDays(rows, names, days);
	return await hasAny(rows, isNewPeriod ? found : [names.second(today), ...found]);
}

/** The next day too: the clock of another process may be ahead. */
function daysAround(today: number, lookBack: number): number[] {
	return Array.from({ length: lookBack + 2 }, (_, before) => today + 1 - before);
}

/** The names of rows that there can be: those of days whose period has a row. */
async function rowsOfDays(rows: RowsToRead, names: Names, days: number[]): Promise<RowName[]> {
	const periods = [...Map.groupBy(days, periodOf).values()];
	const found = await Promise.all(
		periods.map(async (ofPeriod) => ((await rows.exists(names.period(ofPeriod[0]!))) ? ofPeriod : [])),
	);
	return found.flat().flatMap((day) => [names.first(day), names.second(day)]);
}

async function hasAny(rows: RowsToRead, names: RowName[]): Promise<boolean> {
	const are = await Promise.all(names.map(async (name) => await rows.exists(name)));
	return are.includes(true);
}

function periodOf(day: number): number {
	return Math.floor(day / DAYS_OF_PERIOD);
}

function isSamePeriod(one: number, other: number): boolean {
	return periodOf(one) === periodOf(other);
}

/** What is stored keeps these names, so they never change. */
function namesOf({ account, operation, amount, currency, destination }: Likeness): Names {
	const alike = [account, operation, amount, currency, destination];
	return {
		first: (day) => ['duplicates first', ...alike, String(day)],
		second: (day) => ['duplicates second', ...alike, String(day)],
		period: (day) => ['duplicates period', ...alike, String(periodOf(day))],
	};
}
