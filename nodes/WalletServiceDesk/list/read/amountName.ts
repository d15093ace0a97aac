/** What the name of a column says of the amounts in it, beside that they are amounts. */
import { smallUnit } from '../../../shared/smallUnit.ts';
import { seenOf } from './characters.ts';
import {
	AMOUNT_WORDS,
	CODES_OF_NAMES,
	COINS,
	NEUTRAL,
	PRICES,
	TOTALS,
	UNITS,
	UNITS_OF_MONEY,
} from './amountWords.ts';

/** A word or sign, as it was written. */
interface Word {
	written: string;
	/** The codes that it stands for. `$`: of any dollar. */
	codes: string[];
	/** Whether it may say that amounts are in another unit: it does, or nobody knows what it says. */
	mayBeUnit: boolean;
}

export interface AmountName {
	/** The word that may say another unit. */
	unit?: string;
	/** Whether it may be the price of one piece or hour. */
	isPrice: boolean;
	/** The word that says a currency or coin, as it was written. */
	code?: string;
	/** Whether amounts of this currency or coin may stand under the name. */
	fits(code: string): boolean;
}

/** Characters of a name that are read. */
const MAX_LENGTH = 200;
/** `US$` is one, too. */
const WORD = /(?:US|CA?|AU?|NZ|HK|SG?|NT|R)\$|\p{Sc}|\p{L}[\p{L}\p{M}]*|\d+|[%^\u00d7\u00f7]/gu;
/** `amountInCents` has three words, and `mBTC` one. */
const NEXT_WORD = /(?<=\p{L}\p{Ll})(?=\p{Lu})/gu;

/**
 * Reads the name of the column of amounts. `codesOfList`: the currencies and coins of the rows, in capitals. The words for units never
 * end. So a word that is not known says one, unless the name has no other.
 */
export function readAmountName(name: string, codesOfList: ReadonlySet<string>): AmountName {
	const seen = seenOf(name.slice(0, MAX_LENGTH));
	const texts = seen.replace(NEXT_WORD, ' ').match(WORD) ?? [];
	const words = texts.map((written) => wordOf(written, { codesOfList, isAlone: texts.length === 1 }));
	const ofCodes = words.filter(({ codes }) => codes.length > 0);
	const codes = ofCodes.flatMap((word) => word.codes);
	const plain = texts.map(plainOf);
	return {
		unit: words.find(({ mayBeUnit }) => mayBeUnit)?.written,
		isPrice: plain.some((word) => PRICES.has(word)) && !plain.some((word) => TOTALS.has(word)),
		code: ofCodes[0]?.written,
		fits: (code) => codes.length === 0 || codes.includes(code) || (codes.includes('$') && isDollar(code)),
	};
}

function wordOf(
	written: string,
	{ codesOfList, isAlone }: { codesOfList: ReadonlySet<string>; isAlone: boolean },
): Word {
	const plain = plainOf(written);
	const codes = codesOf(written, plain, codesOfList);
	const isUnit = UNITS.has(plain) || isPowerOfTen(plain) || isMultiple(written);
	const isKnown = codes.length > 0 || /^\d+$/.test(plain) || NEUTRAL.has(plain) || isAmount(plain);
	return { written, codes: isUnit ? [] : codes, mayBeUnit: isUnit || !(isKnown || isAlone) };
}

/** Whether a text is the name of a column of amounts, in words that are known: `Net total`. */
export function areAmountWords(text: string): boolean {
	const words = (seenOf(text.slice(0, MAX_LENGTH)).match(WORD) ?? []).map(plainOf);
	return words.length > 0 && words.every((plain) => NEUTRAL.has(plain) || isAmount(plain));
}

/** Whether a text by itself says that money is counted in parts or multiples: `kobo`, `'000`, `NGN thousands`. */
export function isUnitOfMoney(text: string): boolean {
	const hasThousands = /['\u2018\u2019]000/.test(text);
	return areUnits(text, (plain) => UNITS_OF_MONEY.has(plain) || (hasThousands && plain === '000'));
}

/** The same where a text can say nothing but a unit: `k`, `1000`, `minor`. */
export function isOtherUnit(text: string): boolean {
	return (
		areUnits(text, (plain) => UNITS.has(plain) || isPowerOfTen(plain)) && !NOT_OF_MONEY.test(text.trim())
	);
}

/** What is paid for may be counted so. */
const NOT_OF_MONEY = /^(?:units?|dozens|hundreds)$/i;

/** Whether all words are units, but for a currency or a filler. */
function areUnits(text: string, isUnit: (plain: string) => boolean): boolean {
	if (text.length > MAX_UNIT_LENGTH) return false;
	const words = (seenOf(text).match(WORD) ?? []).map((written) => ({ written, plain: plainOf(written) }));
	const units = words.filter(({ written, plain }) => isUnit(plain) || smallUnit(written) !== undefined);
	const isOther = ({ written, plain }: (typeof words)[number]) =>
		NEUTRAL.has(plain) || codesOf(written, plain, CURRENCIES).length > 0;
	return units.length > 0 && words.every((word) => units.includes(word) || isOther(word));
}

const MAX_UNIT_LENGTH = 40;

function plainOf(written: string): string {
	return written.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

/** Codes that a list may have, in capitals. */
export const KNOWN_CODES: ReadonlySet<string> = new Set([...CURRENCIES, ...COINS]);

function codesOf(written: string, plain: string, codesOfList: ReadonlySet<string>): string[] {
	if (NEUTRAL.has(plain) || isAmount(plain)) return [];
	const named = CODES_OF_NAMES.get(plain) ?? CODES_OF_NAMES.get(plain.replace(/^[a-z]+(?=\p{Sc})/u, ''));
	if (named !== undefined) return named;
	const code = written.toUpperCase();
	return [CURRENCIES, COINS, codesOfList].some((known) => known.has(code)) ? [code] : [];
}

/** `GBp`, `TEUR`, `NGNm`, and the thousand of Chinese and Japanese. */
function isMultiple(written: string): boolean {
	if (smallUnit(written) !== undefined || /[\u5343\u4e07\u842c\u5104\u4ebf]/.test(written)) return true;
	const [, code = ''] = /^[TKMtkmun\u00b5\u03bc]?([A-Z]{3,4})(?:[kmKM]|mn|bn)?$/.exec(written) ?? [];
	return code !== written && (CURRENCIES.has(code) || COINS.has(code));
}

/** `1000` and `000`: a year or the number of a column is none. */
function isPowerOfTen(text: string): boolean {
	return /^(?:1?00+)$/.test(text);
}

function isAmount(word: string): boolean {
	return AMOUNT_WORDS.some((ending) => word.endsWith(ending));
}

/** A dollar is one of many countries, or a coin that follows it. */
function isDollar(code: string): boolean {
	return /USD|^[A-Z]{2}D$/.test(code);
}
