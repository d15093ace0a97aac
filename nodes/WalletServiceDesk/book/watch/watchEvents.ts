/** Events that cannot be booked as they are, that were taken back, that contradict each other, or that stay on their way. */
import { canonical, compare, isPlainDecimal, withoutSign } from '../../../../api/exact/decimal.ts';
import { comparedAlias, isSameAlias } from '../../../shared/alias.ts';
import { isFinalStatus, isOnTheWay } from '../../../shared/answers/statuses.ts';
import { enumerated, shortLine } from '../../../shared/text.ts';
import type { BookCells as BookRow } from '../row.ts';
import { contradictionIn } from '../contradiction.ts';
import { newestTime } from '../bookTime.ts';
import { ageInHours, isNews, isNewsAfter } from './rowAge.ts';
import { EVENT, eventLine, listed, UPDATE, waitInWords } from './messages.ts';
import type { Matter } from './messages.ts';
import { grouped, isFailed } from './watchedBook.ts';
import type { WatchedBook } from './watchedBook.ts';

/** IDs that one sentence names. */
const MOST_IDS = 5;

interface Watched {
	now: string;
	settings: { updateHours: number };
}

/** An amount that cannot be read is told until a person has written it. The other matters are told for three days. */
export function watchEvents({ events }: WatchedBook, { now, settings }: Watched): Matter[] {
	const others = events.filter(({ kind, reference }) => kind !== 'crypto payout' && reference !== '');
	const negative = events.filter((row) => isDeposit(row) && isNegative(row) && !isFailed(row));
	const movements = grouped(others, subjectOf);
	const ended = new Set(others.filter(({ status }) => isFinalStatus(status)).map(moneyOf));
	return [
		...events.filter(isUnreadable).map(unreadable),
		...negative.filter((row) => isNews([row], now)).map((row) => takenBack(row.kind, nameOf(row), [row])),
		...movements
			.filter((rows) => !rows.some((row) => ended.has(moneyOf(row))))
			.flatMap((rows) => stillOnTheWay(rows, ageInHours(newestTime(rows), now), settings)),
		...movements
			.filter((rows) => rows.length > 1 && isNews(rows, now))
			.flatMap((rows) => [...twoStates(rows), ...otherContent(rows)]),
		...grouped(others.filter(isOnChain), outputOf)
			.filter((rows) => isNews(rows, now))
			.flatMap(severalIds),
	];
}

function isDeposit({ kind }: BookRow): boolean {
	return kind === 'deposit' || kind === 'crypto deposit';
}

function isNegative({ amount }: BookRow): boolean {
	return isPlainDecimal(amount) && compare(amount, '0') < 0;
}

/** Of what has failed, no money moved. */
function isUnreadable(row: BookRow): boolean {
	return !isPlainDecimal(row.amount) && !isFailed(row);
}

function unreadable(row: BookRow): Matter {
	const { key, kind, message } = row;
	return EVENT.amountUnreadable({
		key: shortLine(key),
		kind,
		event: eventLine(row),
		reason: shortLine(message),
	});
}

/** What one event is about. A transaction with several outputs is one deposit for each wallet. */
function subjectOf({ kind, reference, counterpart }: BookRow): string {
	return JSON.stringify([kind, reference, kind === 'crypto deposit' ? comparedAlias(counterpart) : '']);
}

/** Nothing was heard of its end. */
function stillOnTheWay(rows: BookRow[], age: number, { updateHours }: Watched['settings']): Matter[] {
	const [first] = rows;
	if (first === undefined || !isNewsAfter(updateHours, age)) return [];
	if (!rows.every(({ status }) => isOnTheWay(status))) return [];
	return [
		EVENT.stillOnTheWay({
			kind: first.kind,
			reference: shortLine(first.reference),
			hours: waitInWords(age),
			lines: listed(rows.map(eventLine)),
		}),
	];
}

/** The same for the same money of one movement, also if only one of its rows names the wallet by its alias. */
function moneyOf({ kind, reference, asset, amount }: BookRow): string {
	return JSON.stringify([kind, reference, asset, isPlainDecimal(amount) ? canonical(amount) : amount]);
}

/** A deposit that came and then failed was taken back. What failed first, or is no deposit, is for the service to say. */
function twoStates(rows: BookRow[]): Matter[] {
	const ends = contradictionIn(rows);
	if (ends === undefined) return [];
	const { first, last } = ends;
	const reference = shortLine(first.reference);
	if (isDeposit(first) && isFailed(last))
		return [takenBack(first.kind, reference, rows, isPartOf(first, last))];
	return [
		UPDATE.twoStates({
			kind: first.kind,
			reference,
			first: shortLine(first.status),
			last: shortLine(last.status),
			lines: listed(rows.map(eventLine)),
		}),
	];
}

function isPartOf(first: BookRow, last: BookRow): boolean {
	const [whole, part] = [withoutSign(first.amount), withoutSign(last.amount)];
	return isPlainDecimal(whole) && isPlainDecimal(part) && compare(part, whole) < 0;
}

function takenBack(kind: string, reference: string, rows: BookRow[], isPart = false): Matter {
	return EVENT.takenBack({ kind, reference, lines: listed(rows.map(eventLine)), isPart });
}

/** Rows with the same ID and status that do not say the same. */
function otherContent(rows: BookRow[]): Matter[] {
	const others = grouped(rows, ({ status }) => status).filter((same) => !sayTheSame(same));
	return others.map((same) =>
		EVENT.otherContent({
			kind: same[0]?.kind ?? '',
			reference: nameOf(same[0]),
			lines: listed(same.map(eventLine)),
		}),
	);
}

function sayTheSame([first, ...others]: BookRow[]): boolean {
	return first === undefined || others.every((row) => agree(first, row));
}

/** Both say the same, as far as both say something. */
function agree(a: BookRow, b: BookRow): boolean {
	const isSameAmount =
		!isPlainDecimal(a.amount) || !isPlainDecimal(b.amount) || compare(a.amount, b.amount) === 0;
	const pairs = [
		[a.asset, b.asset],
		[a.txHash, b.txHash],
	];
	const [place, otherPlace] = [a.counterpart, b.counterpart];
	const isSamePlace = place === '' || otherPlace === '' || isSameAlias(place, otherPlace);
	const areSame = pairs.every(([one, other]) => one === '' || other === '' || one === other);
	return isSameAmount && isSamePlace && areSame;
}

function isOnChain(row: BookRow): boolean {
	return row.kind === 'crypto deposit' && row.txHash !== '' && isPlainDecimal(row.amount) && !isFailed(row);
}

/** What a transaction gave to a wallet. */
function outputOf({ txHash, asset, counterpart, amount }: BookRow): string {
	return JSON.stringify([txHash, asset, comparedAlias(counterpart), canonical(amount)]);
}

/** One deposit that came under another ID would be credited and converted once more. */
function severalIds(rows: BookRow[]): Matter[] {
	const references = [...new Set(rows.map(({ reference }) => shortLine(reference)))];
	const [first] = rows;
	if (first === undefined || references.length < 2) return [];
	const ids = enumerated(references, { most: MOST_IDS });
	return [EVENT.severalIds({ txHash: shortLine(first.txHash), ids, lines: listed(rows.map(eventLine)) })];
}

function nameOf(row: BookRow | undefined): string {
	return shortLine(row?.reference ?? '') || shortLine(row?.key ?? '');
}
