/** Payments and conversions that a person must look at: nobody knows if they were made, nobody ordered them, or they are not as ordered. */
import { isFailedStatus, isFinalStatus } from '../../../shared/answers/statuses.ts';
import { shortLine } from '../../../shared/text.ts';
import { RESULTS, UNDER_WAY } from '../../operation/result.ts';
import { addTo } from '../../values/groups.ts';
import { isDenied } from '../movement.ts';
import type { Movement } from '../movement.ts';
import { hasPaymentKey } from '../rowKeys.ts';
import { firstIn } from './began.ts';
import { contradictionIn } from './contradiction.ts';
import { hoursBetween, isNews } from './hours.ts';
import {
	endedList,
	BOOK,
	hoursInWords,
	listed,
	PAYMENT,
	payoutLine,
	rowLine,
	shownAmount,
	UPDATE,
	updateInWords,
} from './messages.ts';
import type { Alert } from './messages.ts';
import { notAsOrderedIn } from './deviations.ts';

interface Hours {
	waitHours: number;
	updateHours: number;
}

export function paymentAlerts(movement: Movement, now: string, hours: Hours): Alert[] {
	if (isWithoutResult(movement)) return [withoutResult(movement)];
	if (movement.state === 'not ordered') return isNews(movement, now) ? [ofNobody(movement)] : [];
	return [
		...unknown(movement, now, hours),
		...withoutAmount(movement),
		...silent(movement, now, hours),
		...(isNews(movement, now)
			? [...wasPaid(movement), ...notAsOrdered(movement), ...twoStates(movement)]
			: []),
	];
}

/** A person has written a payout, and not what became of it. */
function isWithoutResult({ row: { kind, result, reference, run } }: Movement): boolean {
	if (result !== '') return false;
	return kind !== 'crypto payout' || (reference === '' && run === '');
}

function withoutResult(movement: Movement): Alert {
	return BOOK.withoutResult({ name: nameOf(movement), payout: payoutLine(movement) });
}

function nameOf({ name, row }: Movement): string {
	return shortLine(name) || `row ${row.place}`;
}

const lastStatus = ({ rows }: Movement) => rows.findLast(({ status }) => status !== '')?.status ?? '';

function updateOf(movement: Movement): string {
	return updateInWords({ ...movement, status: lastStatus(movement) });
}

function ofNobody(movement: Movement): Alert {
	const alert = UPDATE.ofNobody({ reference: nameOf(movement), payout: updateOf(movement) });
	return { ...alert, row: firstIn(movement.updates) };
}

/** Words with which a payment is decided, or about to be. Each other one is no answer. */
const DECIDED: readonly string[] = RESULTS.filter((result) => result !== 'unknown');

/** A payment without an answer is an alert when its hours are over, or as soon as an update shows what became of it. */
function unknown(movement: Movement, now: string, { waitHours }: Hours): Alert[] {
	const { row, state, kind, key, amount, asset, reference, updates } = movement;
	if (row.result === UNDER_WAY ? kind !== 'conversion' : DECIDED.includes(row.result)) return [];
	const name = nameOf(movement);
	if (state !== 'no answer') {
		if (updates.length === 0) return [];
		const looks =
			state === 'made' && !isFailedStatus(lastStatus(movement)) ? UPDATE.looksPaid : UPDATE.looksFailed;
		const alert = looks({ reference: shortLine(reference), payout: updateOf(movement), name });
		return [{ ...alert, row: firstIn(updates.filter(({ status }) => isFinalStatus(status))) }];
	}
	// A list that is run again each hour says so each hour.
	const since = movement.rows.find(({ result }) => result === row.result)!.time;
	if (hoursBetween(since, now) <= waitHours) return [];
	const hasKey = hasPaymentKey(key);
	if (kind !== 'conversion') return [PAYMENT.unknown({ name, payout: payoutLine(movement), hasKey })];
	// One alert for both sides.
	if (!amount.startsWith('-')) return [];
	const conversion = `${shownAmount(amount, asset)} ${shortLine(asset)}`.trim();
	return [PAYMENT.unknownConversion({ name, conversion, hasKey })];
}

/** The money has moved, and nobody can say how much. */
function withoutAmount(movement: Movement): Alert[] {
	if (movement.amount !== '' || movement.state !== 'made') return [];
	return [PAYMENT.amountUnreadable({ name: nameOf(movement), payout: payoutLine(movement) })];
}

/** Crypto payouts that are paid, and of which nothing was heard since. */
function silent(movement: Movement, now: string, { updateHours }: Hours): Alert[] {
	const { kind, state, final, newest, row } = movement;
	// That its key knows it as paid may be the first that anybody hears of it.
	const hours = hoursBetween(row.time > newest ? row.time : newest, now);
	const isSilent = kind === 'crypto payout' && state === 'made' && final === '' && hours > updateHours;
	if (!isSilent) return [];
	return [
		PAYMENT.silent({ name: nameOf(movement), payout: payoutLine(movement), hours: hoursInWords(hours) }),
	];
}

/** A person said that it was not sent, and the service says that it was. */
function wasPaid(movement: Movement): Alert[] {
	if (!isDenied(movement) || movement.final !== 'successful') return [];
	const { reference, updates } = movement;
	const alert = UPDATE.wasPaid({
		reference: shortLine(reference),
		payout: updateOf(movement),
		name: nameOf(movement),
	});
	return [{ ...alert, row: firstIn(updates.filter(({ status }) => isFinalStatus(status))) }];
}

function notAsOrdered(movement: Movement): Alert[] {
	const found = notAsOrderedIn(movement);
	if (found === undefined) return [];
	const alert = UPDATE.notAsOrdered({
		name: nameOf(movement),
		reference: shortLine(movement.reference),
		payout: updateInWords(found.updates[0]!),
		ordered: found.deviations.map((each) => UPDATE.ordered({ ...each, asset: movement.asset })).join(', '),
	});
	return [{ ...alert, row: firstIn(found.updates) }];
}

/** Reported as successful and as failed, in whatever order. */
function twoStates(movement: Movement): Alert[] {
	const ends = contradictionIn(movement.rows);
	if (ends === undefined) return [];
	const reference = shortLine(movement.reference) || nameOf(movement);
	const [first, last] = [shortLine(ends.first.status), shortLine(ends.last.status)];
	const lines = listed(movement.rows.map(rowLine));
	return [{ ...UPDATE.twoStates({ kind: 'payout', reference, first, last, lines }), row: ends.began }];
}

/** No payment takes so long, with a service that is slow. */
const HOURS_UNDER_WAY = 0.25;

/** One alert for each execution. While it writes results, it is at work. What a correction books is no longer open. */
export function endedLists(movements: readonly Movement[], now: string): Alert[] {
	const newestOf = new Map<string, string>();
	const openOf = new Map<string, Movement[]>();
	for (const movement of movements) {
		for (const { run, time } of movement.rows) if (time > (newestOf.get(run) ?? '')) newestOf.set(run, time);
		const { row, kind, corrections } = movement;
		const isOpen = row.result === UNDER_WAY && kind !== 'conversion' && corrections.length === 0;
		if (isOpen) addTo(openOf, row.run, movement);
	}
	const ended = [...openOf].filter(([run]) => hoursBetween(newestOf.get(run)!, now) > HOURS_UNDER_WAY);
	return ended.map(([, open]) => {
		const [withKey, withoutKey] = [true, false].map((hasKey) =>
			open.filter(({ key }) => hasPaymentKey(key) === hasKey).map(payoutLine),
		) as [string[], string[]];
		return endedList({ execution: open[0]!.row.execution, withKey, withoutKey });
	});
}

/** Payments of one key that may all have been made. */
export function sharedKeys(all: readonly Movement[][], now: string): Alert[] {
	const open = all.filter(
		(payments) =>
			payments.some((each) => isNews(each, now)) &&
			payments.every(({ corrections }) => corrections.length === 0) &&
			// Of a conversion, one alert for both sides.
			payments.some(({ amount }) => amount.startsWith('-')),
	);
	return open.map((payments) =>
		PAYMENT.twice({ name: nameOf(payments[0]!), lines: listed(payments.map(payoutLine)) }),
	);
}
