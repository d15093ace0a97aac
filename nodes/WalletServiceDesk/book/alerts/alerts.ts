/**
 * Book: Find Alerts. What a person must look at, found in the movements of the book and in balances. One pass over each of them: what is
 * one movement, and what became of it, says ../fold.ts. A correction ends the alerts of what it books.
 */
import type { Balance } from '../../values/asset.ts';
import { addTo } from '../../values/groups.ts';
import { enumerated, shortLine } from '../../../shared/text.ts';
import type { Folded } from '../fold.ts';
import type { Movement } from '../movement.ts';
import { kindOf, nameOfRow } from '../row.ts';
import type { Book, BookRow } from '../row.ts';
import { balanceAlerts } from './balances.ts';
import { firstIn } from './began.ts';
import type { Minimum } from './balances.ts';
import { eventAlerts, severalIds } from './eventAlerts.ts';
import { BOOK, hoursInWords, listed } from './messages.ts';
import type { Alert } from './messages.ts';
import { endedLists, paymentAlerts, sharedKeys } from './paymentAlerts.ts';
import { hoursBetween } from './hours.ts';

export interface AlertSettings {
	/** Hours after which a payment or conversion with an unknown outcome is an alert. */
	waitHours: number;
	/** Hours after which a crypto payout without an update is an alert, and a deposit that is pending. */
	updateHours: number;
	/** Hours without any event after which that is an alert. Undefined: never. */
	eventHours?: number;
}

export interface AlertsInput {
	book: Book;
	/** `fold` of its rows. */
	folded: Folded;
	/** Those of `minimums`. */
	balances: readonly Balance[];
	minimums: readonly Minimum[];
	/** ISO 8601 in UTC. */
	now: string;
	settings: AlertSettings;
}

/**
 * All alerts, each with a name that is the same at the next run. No alert means that nothing was found, not that all is well: what no
 * row says, nobody sees here.
 */
export function findAlerts(input: AlertsInput): Alert[] {
	const { book, folded, balances, minimums, now, settings } = input;
	const open = folded.movements.filter(({ corrections }) => corrections.length === 0);
	return withOwnNames([
		...open.flatMap((movement) =>
			kindOf(movement.kind)?.is === 'payment'
				? paymentAlerts(movement, now, settings)
				: eventAlerts(movement, now, settings),
		),
		...endedLists(folded.movements, now),
		...sharedKeys(folded.sharedKeys, now),
		...severalIds(open, now),
		...oddItems(folded),
		...unreadableRows(book, folded),
		...noEvents(folded.movements, now, settings),
		...balanceAlerts(balances, minimums),
		...(book.missingColumns.length > 0 ? [BOOK.missingColumns(book.missingColumns)] : []),
	]);
}

/** Of each execution, the items of which *Make Rows* could make no row. A correction with the key of one of them ends it. */
function oddItems({ odd, corrections }: Folded): Alert[] {
	const booked = new Set(corrections.map(({ reference }) => reference.trim()));
	const runs = new Map<string, BookRow[]>();
	for (const row of odd) if (!booked.has(row.key)) addTo(runs, row.run, row);
	return [...runs.values()].map((rows) => {
		const [{ execution, key }] = rows as [BookRow];
		const lines = listed(rows.map((row) => shortLine(`${nameOfRow(row)}: ${row.message}`)));
		const alert = BOOK.odd({ execution: shortLine(execution), count: rows.length, key, lines });
		return { ...alert, row: firstIn(rows) };
	});
}

/** Names in one sentence. */
const MOST_NAMES = 5;

function unreadableRows({ notes }: Book, { notCounted }: Folded): Alert[] {
	const said = (['future', 'time', 'amount'] as const).flatMap((why) => {
		// A movement without an amount has an alert of its own.
		const rows = notCounted.filter(
			(each) => each.why === why && (why !== 'amount' || kindOf(each.row.kind)?.is === 'bookkeeping'),
		);
		const names = rows.map(({ row }) => shortLine(nameOfRow(row)));
		return names.length === 0 ? [] : [BOOK.doNotCount[why](enumerated(names, { most: MOST_NAMES }))];
	});
	const all = [...notes, ...said];
	return all.length === 0 ? [] : [BOOK.unreadableRows(all)];
}

function noEvents(movements: readonly Movement[], now: string, { eventHours }: AlertSettings): Alert[] {
	if (eventHours === undefined) return [];
	let since = '';
	for (const { kind, rows, updates } of movements) {
		const events = kindOf(kind)?.is === 'funding' ? rows : updates;
		for (const { run, time } of events) if (run !== '' && time > since) since = time;
	}
	if (since !== '' && hoursBetween(since, now) < eventHours) return [];
	return [BOOK.noEvents({ hours: hoursInWords(eventHours), since })];
}

/** Two workflows may have one key. Of two alerts with one name, only the first would be told, so the others have a number. */
function withOwnNames(alerts: Alert[]): Alert[] {
	const counts = new Map<string, number>();
	return alerts.map((each) => {
		const count = (counts.get(each.alert) ?? 0) + 1;
		counts.set(each.alert, count);
		return count === 1 ? each : { ...each, alert: `${each.alert} (${count})` };
	});
}
