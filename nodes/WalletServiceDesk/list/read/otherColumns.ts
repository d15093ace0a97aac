/** Columns without a meaning here, that change the meaning of a row: it is no payout any more, or cannot be paid as it stands. */
import { wordsOf } from '../../../shared/answers/words.ts';
import { isNoName } from '../../../shared/missingValues.ts';
import { addTo } from '../../values/groups.ts';
import type { ListRow } from '../listRow.ts';
import { isOtherUnit, isUnitOfMoney, KNOWN_CODES, readAmountName } from './amountName.ts';
import type { RawRow } from './cells.ts';
import { isExcelError, seenOf } from './characters.ts';
import { comparedName } from './columns.ts';
import { OTHER_COLUMN } from './messages.ts';
import {
	COUNT_NAMES,
	CURRENCY_NAMES,
	DECIMALS_NAMES,
	MUST_BE_YES,
	NOT_APPROVED,
	OF_WHAT,
	OPPOSITES,
	PAID_CURRENCY_NAMES,
	PAID_NAMES,
	PAYMENT_DONE,
	PAYMENT_STATUS,
	TAKEN_BACK,
	UNIT_NAMES,
} from './otherWords.ts';

/** `ON_HOLD` is `on hold`. */
const oneOf = (phrases: readonly string[]) => `(?:${phrases.join('|').replaceAll(' ', String.raw`[\s_-]*`)})`;

const OF_SOMETHING = String.raw`(?:${oneOf(OF_WHAT)}[\s:_-]+(?:(?:is|was|has been)\s+)?)?`;
const END = String.raw`(?:$|\s*[:;,.!?()*"'\p{So}]|\s+[-\u2013\u2014/]\s|\s+(?:\d|on\b|by\b))`;

/** `Paid`, `Paid 12/05`, `VOID - see INV-9`; not `Paid media` and `Void fill`, which are something to pay for. */
const cellsThatSay = (phrases: readonly string[]) =>
	new RegExp(String.raw`^["'*(\s\p{So}]*${OF_SOMETHING}${oneOf(phrases)}${END}`, 'iu');
const [SAYS, SAYS_DONE] = [cellsThatSay([...TAKEN_BACK, ...NOT_APPROVED]), cellsThatSay(PAYMENT_DONE)];
const NAME_SAYS = new RegExp(`^${oneOf([...TAKEN_BACK, ...NOT_APPROVED])}[?:]?$`, 'i');
const YES = /^(?:yes|y|true|x|1|\u2713|\u2714|\u2611)$/i;
const NO = /^(?:[0.,]+|no|n|false|0|\u2717|\u2718|\u2610|nein|non|nee|n\u00e3o)$/i;

/** The tag or memo by which a receiver of coins finds whose money has come. */
const TAG = /^(?:(?:dest|destination|address|wallet)?tag|memo(?:id|tag)?)$/;

const namesOf = (phrases: readonly string[]) => new Set(phrases.map(comparedName));
const [NEEDS_YES, OF_PAID, OF_CURRENCY, OF_PAID_CURRENCY, OF_UNIT, OF_DECIMALS, OF_COUNT] = [
	namesOf(MUST_BE_YES),
	namesOf(PAID_NAMES),
	namesOf(CURRENCY_NAMES),
	namesOf(PAID_CURRENCY_NAMES),
	namesOf(UNIT_NAMES),
	namesOf(DECIMALS_NAMES),
	namesOf(COUNT_NAMES),
];

/** What a column without a name is called. */
const WITHOUT_NAME = /^column [A-Z]{1,3}$/;

/** What only a person says, when asked. Whoever writes a list could say it there. */
const OF_PEOPLE = ['approvedBy', 'approvalsNeeded', 'decision'].map(comparedName);

export function isOfPeople(name: string): boolean {
	return OF_PEOPLE.includes(comparedName(name));
}

/** A name can be as long as the file, and is read for each row. */
const MAX_NAME_LENGTH = 100;

/** What is paid by the row. */
interface Paid {
	/** '' if the row does not say it. */
	code: string;
	isCoin: boolean;
	/** Whether the column of amounts says that they may be the price of one. */
	isPrice: boolean;
	/** Whether the node has said the code, for all rows. */
	isOfAll: boolean;
}

/** Says what is wrong with a row by its other columns. */
export type OtherColumns = (extra: RawRow['extra'], paid: Paid) => string[];

/** For one list: the name of a column is read once, and its cells in each row. */
export function otherColumns(): OtherColumns {
	const columns = new Map<string, NamedColumn>();
	return (extra, paid) =>
		extra.flatMap(([name, text]) => {
			const column = columns.get(name) ?? namedColumn(name);
			columns.set(name, column);
			return (
				problemOf(column, seenOf(text), paid) ?? paidCurrencyProblem(column, { text, extra, paid }) ?? []
			);
		});
}

/** What a name says. */
interface NamedColumn {
	name: string;
	isOfPeople: boolean;
	takesBack: boolean;
	needsYes: boolean;
	isOfPaid: boolean;
	isOfStatus: boolean;
	isOfUnit: boolean;
	isOfDecimals: boolean;
	isOfCount: boolean;
	isOfCurrency: boolean;
	hasCurrencyName: boolean;
	isOfPaidCurrency: boolean;
	isTag: boolean;
}

function namedColumn(name: string): NamedColumn {
	const begin = name.slice(0, MAX_NAME_LENGTH).trim();
	const [compared, words] = [comparedName(begin), wordsOf(begin)];
	return {
		name,
		isOfPeople: isOfPeople(name),
		takesBack: NAME_SAYS.test(begin),
		needsYes: NEEDS_YES.has(compared),
		isOfPaid: OF_PAID.has(compared),
		isOfStatus: PAYMENT_STATUS.every((of) => of.some((word) => words.includes(word))),
		isOfUnit: OF_UNIT.has(compared),
		isOfDecimals: OF_DECIMALS.has(compared),
		isOfCount: OF_COUNT.has(compared),
		hasCurrencyName: OF_CURRENCY.has(compared),
		// Of names that were merged, a file has the first: the code beside an amount has none.
		isOfCurrency: OF_CURRENCY.has(compared) || WITHOUT_NAME.test(name) || seenOf(begin) === '',
		isOfPaidCurrency: OF_PAID_CURRENCY.has(compared),
		isTag: words.some((word) => TAG.test(word)),
	};
}

function problemOf(column: NamedColumn, text: string, paid: Paid): string | undefined {
	const { name } = column;
	if (column.isOfPeople) return OTHER_COLUMN.isOfPeople(name);
	if (isTakenBack(column, text)) return OTHER_COLUMN.takesBack({ name, text });
	if (paid.isPrice && column.isOfCount && isNotOne(text)) return OTHER_COLUMN.saysCount({ name, text });
	if (saysUnit(column, text)) return OTHER_COLUMN.saysUnit({ name, text });
	if (saysOtherCurrency(column, text, paid))
		return OTHER_COLUMN.saysCurrency({ name, text, code: paid.code });
	return paid.isCoin && column.isTag ? OTHER_COLUMN.isTag({ name, text }) : undefined;
}

function isTakenBack({ takesBack, needsYes, isOfPaid, isOfStatus }: NamedColumn, text: string): boolean {
	const wasPaid = isOfPaid && !NO.test(text) && !isNoName(text);
	const wasSent = isOfStatus && SAYS_DONE.test(text);
	return (
		SAYS.test(text) || wasPaid || wasSent || (takesBack && YES.test(text)) || (needsYes && NO.test(text))
	);
}

/** `3` and `0,5`, but not `1.00`. */
function isNotOne(text: string): boolean {
	return /^\d[\d.,\s]*$/.test(text) && !/^1(?:[.,]0{0,2})?$/.test(text);
}

/** Hours and pieces are units of what is paid for. */
function saysUnit({ isOfUnit, isOfDecimals }: NamedColumn, text: string): boolean {
	if (isOfDecimals) return /^[1-9]\d?$/.test(text);
	return isUnitOfMoney(text) || (isOfUnit && isOtherUnit(text));
}

/** Beside the currency column of the list, another one may say what an invoice is in. */
function saysOtherCurrency(
	{ isOfCurrency, hasCurrencyName }: NamedColumn,
	text: string,
	{ code, isOfAll }: Paid,
): boolean {
	if (!isOfAll || !isOfCurrency) return false;
	const said = text.toUpperCase();
	const isOtherCode = KNOWN_CODES.has(said) && said !== code;
	return isExcelError(text) || isOtherCode || (hasCurrencyName && isOtherName(text, code));
}

/** A code that nobody knows, or the coin of a network itself. */
const LIKE_CODE = /^(?:[A-Z][A-Z\d]{1,9}|native)$/;

/** `US Dollar`, `$` and `PEPE`; not `Laptop`, which is an asset, too. */
function isOtherName(text: string, code: string): boolean {
	const named = readAmountName(text, new Set([code]));
	return named.code === undefined ? LIKE_CODE.test(text) : !named.fits(code);
}

/** The amount may be in the currency that is sent, or in the one that arrives: `source`, of which another column has the code. */
function paidCurrencyProblem(
	{ name, isOfPaidCurrency }: NamedColumn,
	{ text, extra, paid }: { text: string; extra: RawRow['extra']; paid: Paid },
): string | undefined {
	if (!isOfPaidCurrency) return undefined;
	const side = comparedName(`${text} currency`);
	const [, ofSide] = extra.find(([other]) => comparedName(other) === side) ?? [];
	const code = seenOf(ofSide ?? text).toUpperCase();
	const isOther = KNOWN_CODES.has(code) && code !== paid.code;
	return isOther ? OTHER_COLUMN.saysPaidCurrency({ name, text, said: code, code: paid.code }) : undefined;
}

/** Adds to the problems of rows of which one says debit, and another one credit, in one column. */
export function addOppositeDirections(rows: readonly ListRow[]): void {
	for (const ways of OPPOSITES) addOpposites(rows, ways);
}

function addOpposites(rows: readonly ListRow[], ways: (typeof OPPOSITES)[number]): void {
	const found = new Map<string, Array<{ row: ListRow; text: string; said: string; way: number }>>();
	for (const row of rows) {
		for (const [name, text] of Object.entries(row.extra ?? {})) {
			const said = text
				.toLowerCase()
				.replace(/\([^()]*\)$/, '')
				.trim();
			const way = ways.findIndex((words) => words.includes(said));
			if (way >= 0) addTo(found, name, { row, text, said, way });
		}
	}
	for (const [name, cells] of found) {
		const isMarked = cells.every(({ said }) => said.length > 1) || saysDirection(name, ways);
		if (!isMarked || new Set(cells.map(({ way }) => way)).size < ways.length) continue;
		for (const { row, text } of cells) row.problems.push(OTHER_COLUMN.saysDirection({ name, text }));
	}
}

/** `Dr/Cr`, `D/C`, `Debit/Credit`, `+/-`, `Direction`: a single letter may say anything else. */
function saysDirection(name: string, ways: (typeof OPPOSITES)[number]): boolean {
	const words = wordsOf(name.slice(0, MAX_NAME_LENGTH));
	const isOfBoth = ways.every((of) => of.some((word) => words.includes(word) || name.includes(word)));
	return (
		words.some((word) => ['direction', 'sign', 'indicator'].includes(word)) || (isOfBoth && words.length <= 3)
	);
}
