/** The mail: each asset as a small account, what is open, what to do, and the balances of the last days. */
import { compare, divide, isZero, multiply } from '../../../../api/exact/decimal.ts';
import { dayIn } from '../../../shared/timeZone.ts';
import { shortLine } from '../../../shared/text.ts';
import { firstAndMore } from '../../../shared/wording.ts';
import { bars, heading, lines, paragraph, table, tableOfFirst } from '../../page/blocks.ts';
import { sumOf } from '../../../shared/sums.ts';
import type { Bar, Block, TableRow } from '../../page/blocks.ts';
import { toHtml } from '../../page/html.ts';
import { toPlainText } from '../../page/plainText.ts';
import { addTo } from '../../values/groups.ts';
import { withDigits } from '../../values/money.ts';
import type { Folded } from '../fold.ts';
import { BOOK_ROWS } from '../messages.ts';
import { BOOK_COLUMNS, isWithoutName, nameOfRow } from '../row.ts';
import type { Book, BookRow } from '../row.ts';
import type { Entry } from './account.ts';
import { money, placesOfAsset, saidOf, shownItem } from './lines.ts';
import { BOOK_NOTE, named, PAGE } from './messages.ts';
import { shownItems } from './openItems.ts';
import type { Judged, Reading, Verdict } from './judge.ts';

export type PageInput = Pick<Reading, 'now' | 'timeZone'> & { book: Book; folded: Folded };

/** Open items of one asset that a page shows, and assets that the subject names. */
const MOST_ITEMS = 50;
const MOST_IN_SUBJECT = 3;
const DAYS = 14;

export function pageOf(
	judged: readonly Judged[],
	input: PageInput,
): { subject: string; text: string; html: string } {
	const { missingColumns, notes: ofRows } = input.book;
	const columns = missingColumns.length === 0 ? [] : [BOOK_ROWS.missingColumns(missingColumns.join(', '))];
	const notes = [...columns, ...ofRows, ...notesOf(input)];
	const subject = subjectOf(judged, notes.length, input);
	const blocks = blocksOf(judged, notes, input);
	return { subject, text: toPlainText(blocks), html: toHtml(blocks) };
}

function subjectOf(judged: readonly Judged[], notes: number, { now, timeZone }: PageInput): string {
	const of = (verdict: Verdict) => judged.filter((each) => each.verdict === verdict);
	const opened = judged.filter(({ isOpened }) => isOpened).length;
	const reconciled = of('reconciled').length - opened;
	const count = (number: number, words: (number: number) => string) => (number > 0 ? [words(number)] : []);
	const gone = of('not explained').map((each) => {
		const { asset, since, difference } = each;
		const amount = withDigits(difference, placesOfAsset(each));
		return PAGE.notExplained({ asset, since: dayAndMonth(since), amount });
	});
	// A phone cuts off the end of a subject.
	const parts = [
		...count(reconciled, PAGE.reconciled),
		...firstAndMore(gone, { most: MOST_IN_SUBJECT, more: PAGE.moreNotExplained }),
		...count(of('not read').length, () => PAGE.notRead(named(of('not read').map(({ asset }) => asset)))),
		...count(of('open items').length, PAGE.withOpenItems),
		...count(of('no opening').length, PAGE.noOpening),
		...count(opened, PAGE.opened),
		...count(notes, PAGE.notes),
	];
	const date = dayAndMonth(dayIn(timeZone, new Date(now)));
	return PAGE.subject({ date, parts: judged.length === 0 ? [PAGE.nothing] : parts });
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `28 Nov` of `2026-11-28`. */
function dayAndMonth(date: string): string {
	const [, month, day] = date.split('-').map(Number);
	return `${day} ${MONTHS[(month ?? 1) - 1]}`;
}

function blocksOf(judged: readonly Judged[], notes: string[], input: PageInput): Block[] {
	const toDo = new Set(judged.flatMap((each) => saidOf(each).whatToDo));
	return [
		...judged.flatMap((each) => accountBlocks(each, input)),
		...(toDo.size > 0 ? [heading(PAGE.whatToDo), lines([...toDo])] : []),
		...(notes.length > 0 ? [heading(PAGE.aboutTheBook), lines(notes)] : []),
		...lastDays(judged, input),
	];
}

function accountBlocks(judged: Judged, { now, timeZone }: PageInput): Block[] {
	const { asset, verdict, items, opening, openedAt, balance, difference, expected, account } = judged;
	const least = placesOfAsset(judged);
	const row = (label: string, amount: string): TableRow[] =>
		amount === ''
			? []
			: [
					{
						cells: [[label], [withDigits(amount, least)]],
						inWords: PAGE.line({ label, amount: withDigits(amount, least) }),
					},
				];
	const date = openedAt === '' ? '' : dayIn(timeZone, new Date(openedAt));
	const sums = [
		...row(PAGE.opening(date), opening),
		...byKind(account.entries).flatMap(({ kind, count, amount }) =>
			row(PAGE.booked({ kind, count }), amount),
		),
		...row(PAGE.expected, expected),
		...row(PAGE.balance, balance),
		...row(PAGE.difference, difference),
	];
	// How much missing fees could hide is said in one sentence.
	const shown = shownItems(items, verdict !== 'not explained')
		.filter(({ why }) => why !== 'fee not reported')
		.map((item) => shownItem(item, now));
	const rowOf = ({ words, amount, age }: (typeof shown)[number]): TableRow => {
		const cell = amount === '' ? '' : withDigits(amount, least);
		return { cells: [[words], [cell], [age]], inWords: PAGE.itemInWords({ words, age }) };
	};
	return [
		heading(PAGE.asset({ asset, verdict })),
		...saidOf(judged).verdict.map(paragraph),
		...(sums.length > 0 ? [table([shortLine(asset), PAGE.amount], sums)] : []),
		...(shown.length > 0
			? tableOfFirst([...PAGE.openItems], shown, { most: MOST_ITEMS, rowOf, more: PAGE.moreItems })
			: []),
	];
}

function byKind(entries: readonly Entry[]): Array<{ kind: string; count: number; amount: string }> {
	return [...Map.groupBy(entries, ({ kind }) => kind)].map(([kind, all]) => ({
		kind,
		count: all.length,
		amount: sumOf(all),
	}));
}

/** Rows of the book that a person must know of, beside what cannot be read in them. */
function notesOf({ book, folded }: PageInput): string[] {
	// A cell that cannot be read is named with its row.
	const others = folded.notCounted.filter(({ row, why }) => !row.odd.some(({ fault }) => fault === why));
	const byWhy = Map.groupBy(others, ({ why }) => why);
	const notCounted = [...byWhy].map(([why, all]) =>
		BOOK_NOTE[why](named(all.map(({ row }) => nameOfRow(row)))),
	);
	const keys = folded.sharedKeys.map(([first]) => first?.key ?? '');
	const twice = typedTwice(book.rows);
	return [
		...notCounted,
		...(folded.odd.length > 0 ? [BOOK_NOTE.odd(named(folded.odd.map(nameOfRow)))] : []),
		...(keys.length > 0 ? [BOOK_NOTE.sharedKey(named(keys))] : []),
		...(twice.length > 0 ? [BOOK_NOTE.twice(named(twice.map(nameOfRow)))] : []),
	];
}

/** Rows of people that no ID tells apart, and that are equal in each cell: a person may have meant one. */
function typedTwice(rows: readonly BookRow[]): BookRow[] {
	const alike = Map.groupBy(rows.filter(isWithoutName), (row) =>
		JSON.stringify(BOOK_COLUMNS.map((column) => row[column])),
	);
	return [...alike.values()].flatMap((same) => same.slice(1, 2));
}

/** A bar for the last reading of each day, as long as its part of the largest. */
function lastDays(judged: readonly Judged[], input: PageInput): Block[] {
	const blocks = judged.flatMap((each): Block[] => {
		const shown = barsOf(each, input);
		return shown.length > 1 ? [paragraph(shortLine(each.asset)), bars(shown)] : [];
	});
	const isMarked = blocks.some((block) => block.kind === 'bars' && block.bars.some((bar) => bar.isMarked));
	const legend = isMarked ? [paragraph(PAGE.legend)] : [];
	return blocks.length === 0 ? [] : [heading(PAGE.lastDays), ...legend, ...blocks];
}

function barsOf(judged: Judged, { now, timeZone }: PageInput): Bar[] {
	const { account, balance, verdict, asset } = judged;
	const first = new Date(Date.parse(now) - DAYS * 24 * 3_600_000).toISOString();
	const read = account.readings.filter(({ time }) => time > first);
	if (balance !== '') read.push({ time: now, balance, verdict });
	const days = new Map<string, typeof read>();
	for (const each of read) addTo(days, dayIn(timeZone, new Date(each.time)), each);
	const last = [...days].map(([day, all]) => ({ day: dayAndMonth(day), ...all.at(-1)! })).slice(-DAYS);
	const largest = last.reduce((most, each) => (compare(each.balance, most) > 0 ? each.balance : most), '0');
	return last.map((each) => {
		const { day } = each;
		const shown = money(each.balance, asset, placesOfAsset(judged));
		const isPositive = !isZero(largest) && compare(each.balance, '0') > 0;
		const percent = isPositive ? Number(divide(multiply(each.balance, '100'), largest, 0)) : 0;
		return {
			label: day,
			percent,
			value: shown,
			isMarked: each.verdict === 'not explained',
			inWords: PAGE.bar({ day, amount: shown, verdict: each.verdict }),
		};
	});
}
