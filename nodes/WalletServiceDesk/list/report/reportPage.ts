/** The page of a report: what is wrong, what is not known and what to do stand before the payments themselves. */
import { heading, lines, paragraph, table } from '../../page/blocks.ts';
import type { Block, TableRow } from '../../page/blocks.ts';
import { readableAmount, shortLine } from '../../../shared/text.ts';
import { byDestination } from './byDestination.ts';
import type { JudgedList, JudgedPayment } from './judgeList.ts';
import { amountInWords, destinationInWords, paymentInWords } from './paymentWords.ts';
import { placesInWords } from '../places.ts';
import { PAGE, TOTAL, UNKNOWN } from './messages.ts';
import type { ReportRow } from './reportRow.ts';
import { adviceOf } from './reportAdvice.ts';
import type { Total } from './totals.ts';
import { whenDecided, whyNotDecided } from './settleForm.ts';

/** Rows on a page: who approves a list must see all that a yes would pay. More of what was paid is not read. */
export const MOST_ROWS = { check: 500, payments: 200, stopped: 200 };
const MOST_LINES = 200;
const MOST_PROBLEMS = 30;
const MOST_EXTRA = 10;
/** Of a longer list, an approver also reads what each destination gets. */
const LONG_LIST = 20;
/** Characters of a value that people see. The file has all of them. */
const MOST_CHARACTERS = 300;

export interface ReportToShow {
	subject: string;
	list: JudgedList;
	totals: Total[];
	problems: string[];
	isGood: boolean;
	/** From when on an answer about what is unknown counts: `17:05 (Africa/Lagos)`. Undefined: now. */
	answerFrom?: string;
}

export function reportPage(report: ReportToShow): Block[] {
	const { subject, list, totals, problems, isGood } = report;
	const unknown = list.payments.filter(({ row }) => row.result === 'unknown');
	return [
		heading(subject),
		...totalsTable(totals, list.stage),
		...problemLines(problems, list.stage),
		...unknownSection(unknown, report),
		...adviceOf(list, { isGood }).map(paragraph),
		...meantAgain(list),
		...destinations(list),
		...paymentsTable(list),
	];
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
	const { count, total, balance, isEnough } = each;
	const isCheck = stage === 'check';
	const sum = (isCheck ? TOTAL.needed : TOTAL.paid)({ count, total, code: name });
	const shown = balance === undefined ? TOTAL.cannotBeRead() : readableAmount(balance);
	const has = isCheck ? TOTAL.has : TOTAL.hasNow;
	const inWords = balance === undefined ? shown : has({ balance, code: name });
	const lacks = isEnough === false ? [TOTAL.notEnough()] : [];
	return {
		cells: [[name], [String(count)], [readableAmount(total)], [shown, ...lacks]],
		inWords: `${sum}. ${[inWords, ...lacks].join(': ')}.`,
	};
}

/** A currency and a coin may have one code. */
function nameIn(totals: readonly Total[], { code, isFiat }: Total): string {
	const hasTwin = totals.some((other) => other.code === code && other.isFiat !== isFiat);
	return hasTwin ? PAGE.asset({ code, isFiat }) : code;
}

function problemLines(problems: readonly string[], stage: JudgedList['stage']): Block[] {
	if (problems.length === 0) return [];
	const more = problems.length - MOST_PROBLEMS;
	return [
		heading(stage === 'check' ? PAGE.whatIsWrong() : PAGE.whatWentWrong()),
		lines([...problems.slice(0, MOST_PROBLEMS), ...(more > 0 ? [PAGE.moreProblems(more)] : [])]),
	];
}

/** What a person must find out, and how. Those that nobody can decide about stand by themselves. */
function unknownSection(
	unknown: readonly JudgedPayment[],
	{ list: { stage }, answerFrom }: ReportToShow,
): Block[] {
	if (unknown.length === 0) return [];
	const groups = Map.groupBy(unknown, ({ row }) => whenDecided(row));
	const part = (when: 'now' | 'later' | 'never', before: Block[], after: Block[]) => {
		const payments = groups.get(when);
		return payments === undefined ? [] : [...before, firstOf(payments.map(unknownInWords)), ...after];
	};
	return [
		heading(PAGE.notKnown(unknown.length)),
		paragraph(UNKNOWN.mayHaveMoved()),
		...part('now', [], [lines(stage === 'check' ? UNKNOWN.howToBeAsked() : howToFindOut(answerFrom))]),
		...part('later', [paragraph(UNKNOWN.isDecidedLater())], [lines(UNKNOWN.howToDecideLater())]),
		...part('never', [paragraph(UNKNOWN.cannotBeDecided())], [paragraph(UNKNOWN.whatIfNotDecided())]),
	];
}

function howToFindOut(answerFrom?: string): string[] {
	return [...(answerFrom === undefined ? [] : [UNKNOWN.answerFrom(answerFrom)]), ...UNKNOWN.howToFindOut()];
}

function unknownInWords({ row, place }: JudgedPayment): string {
	const key = row.paymentKey === '' ? '' : `, ${PAGE.key(shortLine(row.paymentKey, MOST_CHARACTERS))}`;
	const why = [shortLine(row.message, MOST_CHARACTERS), whyNotDecided(row) ?? ''].join(' ').trim();
	return `${placesInWords([place])}: ${paymentInWords(row)}${key}. ${why}`;
}

/** Payments that are made although the same one may have been made under another key. */
function meantAgain({ stage, payments }: JudgedList): Block[] {
	const again = payments.filter(({ row }) => row.again === true);
	if (stage !== 'check' || again.length === 0) return [];
	const words = again.map(({ row, place }) => `${placesInWords([place])}: ${paymentInWords(row)}`);
	return [heading(PAGE.meantAgain(again.length)), firstOf(words)];
}

function destinations({ stage, payments }: JudgedList): Block[] {
	if (stage !== 'check' || payments.length <= LONG_LIST) return [];
	return [
		heading(PAGE.byDestination(payments.length)),
		firstOf(byDestination(payments.map(({ row }) => row))),
	];
}

/** The first of many lines, and how many more there are. */
function firstOf(words: readonly string[]): Block {
	const more = words.length - MOST_LINES;
	return lines([...words.slice(0, MOST_LINES), ...(more > 0 ? [PAGE.moreInTheFile(more)] : [])]);
}

function paymentsTable({ payments, stage }: JudgedList): Block[] {
	if (payments.length === 0) return [];
	const most = MOST_ROWS[stage];
	const more = payments.length - most;
	return [
		heading(PAGE.payouts(payments.length)),
		table(PAGE.columns(), payments.slice(0, most).map(paymentRow)),
		...(more > 0 ? [paragraph(PAGE.moreInTheFile(more))] : []),
	];
}

function paymentRow({ row, place }: JudgedPayment): TableRow {
	const details = shortLine(row.destinationDetails, MOST_CHARACTERS);
	const about = aboutPayment(row);
	const ofDetails = details === '' ? '' : ` (${details})`;
	return {
		cells: [
			[row.row === undefined ? PAGE.place(place) : String(row.row)],
			[amountInWords(row), destinationInWords(row), ...(details === '' ? [] : [details])],
			about,
		],
		inWords: [`${placesInWords([place])}: ${paymentInWords(row)}${ofDetails}`, ...about].join('. '),
	};
}

/** The result first; then what the list says of the payment. */
function aboutPayment(row: ReportRow): string[] {
	const { result, payoutId, status, paymentKey, note, extra = {} } = row;
	const others = Object.entries(extra).map(([name, value]) =>
		PAGE.extra({ name: shortLine(name, MOST_CHARACTERS), value: shortLine(value, MOST_CHARACTERS) }),
	);
	const more = others.length - MOST_EXTRA;
	const says = (words: (text: string) => string, text = '') =>
		text.trim() === '' ? [] : [words(shortLine(text, MOST_CHARACTERS))];
	const isPaidAs = result === 'paid' && payoutId !== undefined;
	return [
		...(isPaidAs ? says(PAGE.paidAs, payoutId) : result === undefined ? [] : [PAGE.result[result]]),
		...says(PAGE.status, status),
		...says(PAGE.key, paymentKey),
		...(row.again === true ? [PAGE.isMeantAgain()] : []),
		...says(PAGE.note, note),
		...others.slice(0, MOST_EXTRA),
		...(more > 0 ? [PAGE.moreInTheFile(more)] : []),
	];
}
