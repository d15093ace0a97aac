/** The page of a report: what is wrong, what is not known and what to do stand before the payments themselves. */
import { heading, lines, paragraph, table, tableOfFirst } from '../../page/blocks.ts';
import type { Block, TableRow } from '../../page/blocks.ts';
import { shortLine } from '../../../shared/text.ts';
import { dayIn } from '../../../shared/timeZone.ts';
import { firstAndMore } from '../../../shared/wording.ts';
import { comparedKey } from '../../values/comparedKey.ts';
import { digitsOf, moneyOf } from '../../values/money.ts';
import type { EarlierPayments } from '../earlierPayments.ts';
import { byDestination } from './byDestination.ts';
import type { JudgedList, JudgedPayment } from './judgeList.ts';
import { placesInWords } from '../places.ts';
import type { Comparison } from './marks.ts';
import { PAGE, TOTAL, UNKNOWN } from './messages.ts';
import { hasAmount, leftOutOf } from './reportRow.ts';
import type { ReportRow } from './reportRow.ts';
import { adviceOf } from './reportAdvice.ts';
import type { Total } from './totals.ts';
import { whenDecided, whyNotDecided } from './unknownPayments.ts';

/** How much a page shows. The file has all of it. */
export interface PageSize {
	rows: number;
	/** Of a value that people see. */
	characters: number;
}

/** Who approves a list must see all that a yes would pay. */
export const SIZE_BEFORE: PageSize = { rows: 500, characters: 300 };

/** Of a mail, from the largest. More of what was paid is not read. */
export const SIZES_OF_MAIL: readonly PageSize[] = [
	{ rows: 200, characters: 300 },
	{ rows: 200, characters: 80 },
	{ rows: 200, characters: 40 },
	{ rows: 100, characters: 40 },
	{ rows: 50, characters: 40 },
];

/** Of a destination and an amount. */
const MOST_OF_PAYMENT = 80;
const MOST_LINES = 200;
const MOST_PROBLEMS = 30;
/** Of a longer list, an approver also reads what each destination gets. */
const LONG_LIST = 20;

export interface ReportToShow extends Comparison {
	subject: string;
	list: JudgedList;
	totals: Total[];
	problems: string[];
	isGood: boolean;
	/** Whether a second person will be asked. */
	needsSecond: boolean;
	/** What went out today beside the list, by code. */
	today: ReadonlyMap<string, string>;
	/** What balances say of unknown payments. */
	balancesFell: string[];
	/** From when on an answer about what is unknown counts: `17:05 (Africa/Lagos)`. Undefined: now. */
	answerFrom?: string;
	/** Undefined: nobody has read the book. */
	earlier?: EarlierPayments;
	timeZone: string;
	size: PageSize;
}

export function reportPage(report: ReportToShow): Block[] {
	const { subject, list, totals, problems, isGood } = report;
	return [
		heading(subject),
		...totalsTable(totals, list.stage),
		...secondApproval(report),
		...leftOut(list),
		...problemLines(problems, list.stage),
		...unknownSection(report),
		...markedTable(report),
		...adviceOf(list, { isGood }).map(paragraph),
		...columnsNotRead(list),
		...meantAgain(report),
		...destinations(report),
		...otherPayments(report),
		...rowNumbers(list),
		...aboutTheBook(report),
	];
}

function secondApproval({ needsSecond, today, totals }: ReportToShow): Block[] {
	if (!needsSecond) return [];
	const ofList = [...today].filter(([code]) => totals.some((total) => total.code === code));
	const sums = ofList.map(([code, amount]) => moneyOf(amount, code)).join(', ');
	return [paragraph([PAGE.needsTwo(), ...(sums === '' ? [] : [PAGE.paidToday(sums)])].join(' '))];
}

function leftOut({ payments }: JudgedList): Block[] {
	const numbers = leftOutOf(payments.map(({ row }) => row));
	return numbers.length === 0 ? [] : [paragraph(PAGE.leftOut(numbers.join(', ')))];
}

/** The page of a form asks for these numbers below. */
function rowNumbers({ stage, payments: [first, ...others] }: JudgedList): Block[] {
	const number = first?.row.row ?? 0;
	return stage === 'check' && number > 1 && others.length > 0 ? [paragraph(PAGE.rowNumbers(number))] : [];
}

function totalsTable(totals: readonly Total[], stage: JudgedList['stage']): Block[] {
	const shown = totals.filter(({ count }) => count > 0 || stage !== 'check');
	if (shown.length === 0) return [];
	const columns = stage === 'check' ? PAGE.totalColumns() : PAGE.paidColumns();
	return [
		table(
			columns,
			shown.map((total) => totalRow(total, nameIn(totals, total), stage)),
		),
	];
}

function totalRow(each: Total, name: string, stage: JudgedList['stage']): TableRow {
	const { code, count, total } = each;
	const sum = (stage === 'check' ? TOTAL.needed : TOTAL.paid)({ count, total, code: name });
	return { cells: [[name], [String(count)], [digitsOf(total, code)]], inWords: sum };
}

/** What only approvers may read, so it stands on no page or mail that an address can be typed for. */
export function balancesOf(totals: readonly Total[]): Block[] {
	const balances = totals.flatMap((total) => {
		const { balance } = total;
		return balance === undefined ? [] : [paragraph(TOTAL.has({ balance, code: nameIn(totals, total) }))];
	});
	return balances.length === 0 ? [] : [...balances, paragraph(TOTAL.fees())];
}

/** A currency and a coin may have one code. */
function nameIn(totals: readonly Total[], { code, isFiat }: Total): string {
	const hasTwin = totals.some((other) => other.code === code && other.isFiat !== isFiat);
	return hasTwin ? PAGE.asset({ code, isFiat }) : code;
}

function problemLines(problems: readonly string[], stage: JudgedList['stage']): Block[] {
	if (problems.length === 0) return [];
	return [
		heading(stage === 'check' ? PAGE.whatIsWrong() : PAGE.whatWentWrong()),
		lines(firstAndMore(problems, { most: MOST_PROBLEMS, more: PAGE.moreProblems })),
	];
}

/** What a person must find out, and how. Those that nobody can decide about stand by themselves. */
function unknownSection({
	list: { stage, payments },
	answerFrom,
	balancesFell,
	size,
}: ReportToShow): Block[] {
	const unknown = payments.filter(({ row }) => row.result === 'unknown');
	if (unknown.length === 0) return [];
	const groups = Map.groupBy(unknown, ({ row }) => whenDecided(row));
	const part = (when: 'now' | 'later' | 'never', before: Block[], after: Block[]) => {
		const group = groups.get(when);
		const words = group?.map((payment) => unknownInWords(payment, size));
		return words === undefined ? [] : [...before, firstOf(words, size), ...after];
	};
	return [
		heading(PAGE.notKnown(unknown.length)),
		paragraph(UNKNOWN.mayHaveMoved()),
		...balancesFell.map(paragraph),
		...part('now', [], [lines(stage === 'check' ? UNKNOWN.howToBeAsked() : howToFindOut(answerFrom))]),
		...part('later', [paragraph(UNKNOWN.isDecidedLater())], [lines(UNKNOWN.howToDecideLater())]),
		...part('never', [paragraph(UNKNOWN.cannotBeDecided())], [paragraph(UNKNOWN.whatIfNotDecided())]),
	];
}

function howToFindOut(answerFrom?: string): string[] {
	return [...(answerFrom === undefined ? [] : [UNKNOWN.answerFrom(answerFrom)]), ...UNKNOWN.howToFindOut()];
}

function unknownInWords({ row, place }: JudgedPayment, size: PageSize): string {
	const key = row.paymentKey === '' ? '' : `, ${PAGE.key(shortLine(row.paymentKey, size.characters))}`;
	const why = [shortLine(row.message, size.characters), whyNotDecided(row) ?? ''].join(' ').trim();
	return `${placesInWords([place])}: ${paymentInWords(row, size)}${key}. ${why}`;
}

/** Payments that are made although the same one may have been made under another key. */
function meantAgain({ list: { stage, payments }, size }: ReportToShow): Block[] {
	const again = payments.filter(({ row }) => row.again === true);
	if (stage !== 'check' || again.length === 0) return [];
	const words = again.map(({ row, place }) => `${placesInWords([place])}: ${paymentInWords(row, size)}`);
	return [heading(PAGE.meantAgain(again.length)), firstOf(words, size)];
}

function destinations({ list: { stage, payments }, size }: ReportToShow): Block[] {
	if (stage !== 'check' || payments.length <= LONG_LIST) return [];
	const words = byDestination(payments.map(({ row }) => row));
	// Where each has one payout, this would be the list once more.
	return words.length === payments.length
		? []
		: [heading(PAGE.byDestination(payments.length)), firstOf(words, size)];
}

function firstOf(words: readonly string[], { rows }: PageSize): Block {
	return lines(firstAndMore(words, { most: Math.min(rows, MOST_LINES), more: PAGE.moreInTheFile }));
}

/** The rows that are unlike before stand first. A list without any says so, if somebody has looked. */
function markedTable(report: ReportToShow): Block[] {
	const { list, marks, notCompared, earlier } = report;
	if (list.stage !== 'check' || list.payments.length === 0) return [];
	const isCalm = marks.size === 0 && notCompared === 0 && earlier !== undefined;
	return [
		...(isCalm ? [paragraph(PAGE.hasNoMarks())] : []),
		...(notCompared > 0 ? [paragraph(PAGE.notCompared(notCompared))] : []),
		...(marks.size > 0
			? [heading(PAGE.toLookAt(marks.size)), ...paymentsTable([...marks.keys()], report)]
			: []),
	];
}

/** The columns of the list that have no meaning here, named once. */
function columnsNotRead({ stage, payments }: JudgedList): Block[] {
	const names = new Set(payments.flatMap(({ row: { extra = {} } }) => Object.keys(extra)));
	return stage === 'check' && names.size > 0 ? [paragraph(PAGE.columnsNotRead([...names]))] : [];
}

function otherPayments(report: ReportToShow): Block[] {
	const { list, marks } = report;
	const { payments } = list;
	const others = payments.filter((payment) => !marks.has(payment));
	if (others.length === 0) return [];
	return [
		heading(marks.size > 0 ? PAGE.others(others.length) : PAGE.payouts(others.length)),
		...paymentsTable(others, report),
	];
}

function aboutTheBook({ earlier, list, size }: ReportToShow): Block[] {
	const notes = earlier?.notes ?? [];
	return list.stage === 'check' && notes.length > 0
		? [heading(PAGE.aboutTheBook()), firstOf(notes, size)]
		: [];
}

function paymentsTable(payments: readonly JudgedPayment[], report: ReportToShow): Block[] {
	const paidOn = daysPaid(report);
	const { marks, size } = report;
	return tableOfFirst(PAGE.columns(), payments, {
		most: size.rows,
		rowOf: (payment) => paymentRow(payment, { marks: marks.get(payment) ?? [], paidOn, size }),
		more: PAGE.moreInTheFile,
	});
}

/** The day on which a payment of the key was made. */
type PaidOn = (key: string) => string | undefined;

/** By the book. */
function daysPaid({ earlier, timeZone }: ReportToShow): PaidOn {
	const times = new Map<string, string>();
	for (const { key, time, isMade } of [...(earlier?.byDestination.values() ?? [])].flat())
		if (key !== undefined && isMade && !times.has(key)) times.set(key, time);
	return (paymentKey) => {
		const time = times.get(comparedKey(paymentKey) ?? '');
		return time === undefined ? undefined : dayIn(timeZone, new Date(time));
	};
}

function paymentRow(
	{ row, place }: JudgedPayment,
	{ marks, paidOn, size }: { marks: readonly string[]; paidOn: PaidOn; size: PageSize },
): TableRow {
	const details = shortLine(row.destinationDetails, size.characters);
	const key = shortLine(row.paymentKey, size.characters);
	const [outcome, about] = [outcomeOf(row, paidOn, size), aboutPayment(row, size)];
	// What was not paid must not hide among the others.
	const isPaid = row.result === 'paid' || row.result === 'alreadyPaid';
	const ofDetails = details === '' ? '' : ` (${details})`;
	const keyInWords = key === '' ? [] : [PAGE.key(key)];
	return {
		cells: [
			[row.row === undefined ? PAGE.place(place) : String(row.row), key || PAGE.hasNoKey()],
			[
				amountInWords(row, size),
				destinationInWords(row, size),
				...(details === '' ? [] : [details]),
				...(isPaid ? outcome : []),
				...about,
			],
		],
		below: [...marks, ...(isPaid ? [] : outcome)],
		inWords: [
			`${placesInWords([place])}: ${paymentInWords(row, size)}${ofDetails}`,
			...marks.map((mark) => mark.replace(/\.$/, '')),
			...outcome,
			...keyInWords,
			...about,
		].join('. '),
	};
}

/** What became of the payment. That it was checked, the page says of all. */
function outcomeOf(
	{ result, payoutId, status, foundBy, paymentKey }: ReportRow,
	paidOn: PaidOn,
	size: PageSize,
): string[] {
	const day = result === 'alreadyPaid' ? paidOn(paymentKey) : undefined;
	const isPaidAs = result === 'paid' && payoutId !== undefined;
	return [
		...(isPaidAs ? says(PAGE.paidAs, payoutId, size) : []),
		...(foundBy !== undefined ? says(PAGE.foundBy, foundBy, size) : []),
		...(day !== undefined && foundBy === undefined ? [PAGE.paidBeforeOn(day)] : []),
		...(isPaidAs || foundBy !== undefined || day !== undefined ? [] : resultInWords(result)),
		...says(PAGE.status, status, size),
	];
}

function resultInWords(result: ReportRow['result']): string[] {
	return result === undefined || result === 'dryRun' ? [] : [PAGE.result[result]];
}

/** What the list says of the payment. */
function aboutPayment({ again, payee, note }: ReportRow, size: PageSize): string[] {
	return [
		...says(PAGE.payee, payee, size),
		...(again === true ? [PAGE.isMeantAgain()] : []),
		...says(PAGE.note, note, size),
	];
}

function says(words: (text: string) => string, text = '', { characters }: PageSize): string[] {
	return text.trim() === '' ? [] : [words(shortLine(text, characters))];
}

/** `1,250.50 NGN to supplier-main`. */
function paymentInWords(row: ReportRow, size: PageSize): string {
	return `${amountInWords(row, size)} ${destinationInWords(row, size)}`;
}

/** `to supplier-main`. */
function destinationInWords({ destination }: ReportRow, size: PageSize): string {
	return PAGE.to(partOfPayment(destination, size));
}

/** `1,250.50 NGN`. What is missing shows as `?`. */
function amountInWords(row: ReportRow, size: PageSize): string {
	const codes = [row.currency, row.coin].filter((code) => code !== undefined).join(' or ');
	const amount = hasAmount(row) ? digitsOf(row.amount, codes) : partOfPayment(row.amount, size);
	return `${amount} ${partOfPayment(codes, size)}`;
}

function partOfPayment(text: string, { characters }: PageSize): string {
	return shortLine(text, Math.min(characters, MOST_OF_PAYMENT)) || '?';
}
