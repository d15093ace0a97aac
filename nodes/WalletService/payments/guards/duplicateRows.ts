/**
 * *Duplicate Check*: a payment like one of the last days is held until somebody says that it is meant. A row for each payment of a day
 * is made before its request, by one INSERT. So of two that are alike and begin together, in any processes, one is sent.
 *
 * A row says that there is such a payment, and is deleted by the execution that has made it, when its payment moved no money. One
 * that is meant while another has the row makes a second one, which stays: then it does not matter what becomes of the first.
 * The days are looked at after the row is made, the next one too. So of two payments around midnight, at least one sees the other.
 *
 * Five bytes of a digest name a payment. After 30,000 payments, one more in 36 million is held although it is like none of them.
 */
import { DayRows, dayOf } from '../../../shared/store/dayRows.ts';
import type { RowName, Rows, RowsToRead } from '../../../shared/store/rows.ts';
import type { RepeatedPayment } from '../../input/payment.ts';
import { MAX_DAYS_OF_REPEATS } from '../../input/paymentOptions.ts';

export interface RepeatQuestion {
	/** Days before today that are looked at. */
	lookBack: number;
	/** Whether the payment is sent although another one is like it. */
	isMeant: boolean;
}

const days = new DayRows({
	kind: 'repeats of day',
	bytes: 5,
	keptDays: MAX_DAYS_OF_REPEATS + 1,
	clear: async (rows, end) => {
		await rows.delete(firstOf(end));
		await rows.delete(secondOf(end));
	},
});

/** The row of a payment. */
const firstOf = (end: RowName): RowName => [...end, 'first'];
/** The row of those that were meant beside it. */
const secondOf = (end: RowName): RowName => [...end, 'second'];

/**
 * Takes the right to send a payment. Returns what gives it back; undefined if one of the last `lookBack` days has one that is alike.
 * Throws if n8n cannot keep the rows.
 */
export async function takeRepeat(
	rows: Rows,
	payment: RepeatedPayment,
	{ lookBack, isMeant }: RepeatQuestion,
	now = Date.now(),
): Promise<(() => Promise<void>) | undefined> {
	const end = await days.open(rows, { about: [], day: dayOf(now) }, textOf(payment));
	const isFirst = (await rows.take(firstOf(end))).is === 'made';
	const giveBack = async () => {
		if (isFirst) await rows.delete(firstOf(end));
	};
	if (isMeant) {
		if (!isFirst) await rows.make(secondOf(end));
		return giveBack;
	}
	if (!isFirst) return undefined;
	let isAllowed = false;
	try {
		const hasSecond = await rows.exists(secondOf(end));
		isAllowed = !hasSecond && !(await isOnOtherDay(rows, payment, lookBack, now));
	} finally {
		if (!isAllowed) await giveBack();
	}
	return isAllowed ? giveBack : undefined;
}

/** Whether a payment would be held now. Writes nothing. */
export async function isRepeat(
	rows: RowsToRead,
	payment: RepeatedPayment,
	lookBack: number,
	now = Date.now(),
): Promise<boolean> {
	for (let day = dayOf(now) + 1; day >= dayOf(now) - lookBack; day -= 1)
		if (await isOnDay(rows, payment, day)) return true;
	return false;
}

/** Looks at the days before, and at the next one: the clock of another process may be ahead. */
async function isOnOtherDay(
	rows: Rows,
	payment: RepeatedPayment,
	lookBack: number,
	now: number,
): Promise<boolean> {
	const today = dayOf(now);
	for (const day of [today + 1, today - 1]) if (await isOnDay(rows, payment, day)) return true;
	for (let day = today - 2; day >= today - lookBack; day -= 1) {
		const hasRows = await days.hasDay(rows, { about: [], day });
		if (hasRows && (await isOnDay(rows, payment, day))) return true;
	}
	return false;
}

async function isOnDay(rows: RowsToRead, payment: RepeatedPayment, day: number): Promise<boolean> {
	const end = days.endOf({ about: [], day }, textOf(payment));
	if (!(await rows.exists(end))) return false;
	return (await rows.exists(firstOf(end))) || (await rows.exists(secondOf(end)));
}

function textOf({ account, operation, amount, currency, destination }: RepeatedPayment): string {
	return JSON.stringify([account, operation, amount, currency, destination]);
}
