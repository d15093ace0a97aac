/** What a person must look at, found in the rows of the book and in balances. */
import type { Balance } from '../../values/asset.ts';
import type { BookCells as BookRow } from '../row.ts';
import { matchUpdates } from './updates.ts';
import { watchBalances } from './watchBalances.ts';
import type { Minimum } from './watchBalances.ts';
import { watchEvents } from './watchEvents.ts';
import { BOOK } from './messages.ts';
import type { Matter } from './messages.ts';
import { watchPayments } from './watchPayments.ts';
import { watchUpdates } from './watchUpdates.ts';
import { watchedBook } from './watchedBook.ts';

export type { Matter, Minimum };

export interface WatchSettings {
	/** Hours after which a payment or conversion with an unknown outcome is told. */
	waitHours: number;
	/** Hours after which a payout in coins without an update is told, and a deposit that is on its way. */
	updateHours: number;
	/** From this hour of the day on, fiat payouts are listed, to be checked by hand. */
	checkHour: number;
}

export interface WatchInput {
	rows: BookRow[];
	/** What could not be read of the rows, in sentences. */
	notes?: string[];
	missingColumns?: string[];
	balances: Balance[];
	minimums: Minimum[];
	/** ISO 8601 in UTC. */
	now: string;
	/** Of the day, in the workflow's time zone: 0 to 23. */
	hour: number;
	settings: WatchSettings;
}

/**
 * All matters, each with a name that is the same at the next run. No matter means that nothing was found, not that all is well: fiat
 * payouts and what no event told are seen by nobody here. Its advice never says to pay again what has no Payment Key.
 */
export function watch(input: WatchInput): Matter[] {
	const { rows, notes = [], missingColumns = [], balances, minimums } = input;
	const book = watchedBook(rows);
	const matched = matchUpdates(book);
	return withOwnNames([
		...watchUpdates(book, matched, input),
		...watchPayments(book, matched, input),
		...watchEvents(book, input),
		...watchBalances(balances, minimums),
		...(missingColumns.length > 0 ? [BOOK.missingColumns(missingColumns)] : []),
		...(notes.length > 0 ? [BOOK.oddRows(notes)] : []),
	]);
}

/** Two workflows may have one key. Of two matters with one name, only the first would be told, so the others have a number. */
function withOwnNames(matters: Matter[]): Matter[] {
	const counts = new Map<string, number>();
	return matters.map((each) => {
		const count = (counts.get(each.matter) ?? 0) + 1;
		counts.set(each.matter, count);
		return count === 1 ? each : { ...each, matter: `${each.matter} (${count})` };
	});
}
