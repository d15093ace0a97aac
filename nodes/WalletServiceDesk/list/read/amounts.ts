/** Reads an amount as people and spreadsheets write it: the plain decimal, or why nobody can be sure of it. */
import { isPlainDecimal, isZero, readDecimal } from '../../../../api/exact/decimal.ts';
import { isShortenedNumber } from '../../../shared/paymentKey/keyText.ts';
import { oddIn } from './characters.ts';
import { AMOUNT, CELL } from './messages.ts';

/** No amount is longer, however it is spelt. */
const MAX_LENGTH = 100;

/** Excel shows six digits of a small number: `1.23457E-05`. */
const SHORTENED_FRACTION = /^\d[.,]\d{5,}e-\d+$/i;

/**
 * What is wrong with the text of an amount. Undefined: it is a plain decimal above zero, and can be paid as it stands. A spelling
 * that is not plain is refused and never changed, even where only one meaning is possible.
 */
export function amountProblem(amount: string, label: string): string | undefined {
	if (amount === '') return CELL.isMissing(label);
	if (amount.length > MAX_LENGTH) return AMOUNT.isNoNumber(amount);
	if (isShortenedNumber(amount) || SHORTENED_FRACTION.test(amount)) return AMOUNT.isShortened(amount);
	const [meaning, other] = meaningsOf(amount);
	if (meaning === undefined) return unreadableProblem(amount);
	if (other !== undefined) return AMOUNT.isAmbiguous({ amount, meanings: inFull(meaning, other) });
	if (isZero(meaning)) return AMOUNT.isZero(amount);
	if (isPlainDecimal(amount)) return undefined;
	return AMOUNT.isNotPlain({ amount, spelling: spellingOf(amount), meaning });
}

/** What is wrong with digits that fill the width of their column, where others have zeros before them. */
export function filledProblem(amount: string): string {
	const [whole = '', cents = ''] = meaningsOfPadded(amount);
	return AMOUNT.isAmbiguous({ amount, meanings: inFull(whole, cents) });
}

/** What is wrong with an amount that came as a number. Its point is no sign between thousands. */
export function numberProblem(amount: string): string | undefined {
	if (!isPlainDecimal(amount) || amount.startsWith('-')) return unreadableProblem(amount);
	return isZero(amount) ? AMOUNT.isZero(amount) : undefined;
}

/** `12.5050` says the same as `12.505`, and cannot be read as thousands. People know both. */
function inFull(meaning: string, other: string) {
	const known = other.replace(/(\.\d{3})0$/, '$1');
	return { can: [meaning, known], write: [meaning, other] };
}

function spellingOf(amount: string): string {
	if (amount.includes(',')) return 'has a comma';
	if (/e/i.test(amount)) return 'has an exponent';
	if (amount.startsWith('+')) return 'has a plus sign';
	if (amount.startsWith('.')) return 'begins with a point';
	if (amount.endsWith('.')) return 'ends with a point';
	if (WHOLE.test(amount)) return 'ends with a sign';
	if (amount.split('.').length > 2) return 'has more than one point';
	if (amount.startsWith('0')) return 'has zeros before it';
	return 'has spaces or signs between its digits';
}

/** Why the text is no number: what a sign in it means, where that is clear. */
function unreadableProblem(amount: string): string {
	const number = withoutCurrency(amount);
	if (isDebit(number)) return AMOUNT.isDebit(amount);
	if (number !== amount && /\d/.test(number)) {
		return AMOUNT.hasCurrency({ amount, meanings: meaningsOf(number) });
	}
	const odd = oddIn(amount);
	return odd === undefined ? AMOUNT.isNoNumber(amount) : AMOUNT.hasCharacter(odd);
}

/** `$5`, `US$5`, `-€5`, `NGN 5`. */
const CURRENCY_BEFORE = /^([-\u2212(]?)\s*(?:[A-Z]{0,3}\p{Sc}|[A-Z]{3,5})\s*(?=[-\u2212(]?[\d.,])/u;
/** `5 €`, `5NGN`, `(5 USD)`. Not the month of `12-MAY`. */
const CURRENCY_BEHIND = /(?<=[\d).,\s])\s?(?:\p{Sc}|[A-Z]{3,5})\s?([)-]?)$/u;

function withoutCurrency(amount: string): string {
	return amount.replace(CURRENCY_BEFORE, '$1').replace(CURRENCY_BEHIND, '$1').trim();
}

/** Whether a person means an amount, whatever is wrong with it. */
export function isLikeAmount(text: string): boolean {
	return meaningsOf(withoutCurrency(text)).length > 0;
}

const IN_BRACKETS = /^\([^()]*\d[^()]*\)$/;
const MINUS_BEFORE = /^[\p{Pd}\u2212]\s?[\d.,]/u;
const MINUS_BEHIND = /\d\s?[\p{Pd}\u2212]$/u;
/** Short for credit and debit in statements of banks. */
const CREDIT_OR_DEBIT = /^(?:CR|DR)\.?\s?\d|\d\s?(?:CR|DR)\.?$/i;

/** Whether a statement of an account means money that goes the other way by this text. */
function isDebit(text: string): boolean {
	return [IN_BRACKETS, MINUS_BEFORE, MINUS_BEHIND, CREDIT_OR_DEBIT].some((form) => form.test(text));
}

/** What people write between thousands, beside the point and the comma. */
const SPACES = /[\p{Zs}'\u2019_]/u;
const ALL_SPACES = /[\p{Zs}'\u2019_]/gu;
const SPACED_THOUSANDS = /^\d{1,3}(?:[\p{Zs}'\u2019_]\d{3})+(?:[.,]\d+)?$/u;

/** Behind an amount without cents: `1250.-`, `1250,--`, `1250/-`, `1250/=`. */
const WHOLE = /(?<=\d)[.,/]\s?(?:[\p{Pd}\u2212]{1,2}|=)$/u;

/** Of a program, which writes no zeros: `1E-05`. */
const SMALL = /^\d(?:[.,]\d+)?e-\d{1,2}$/i;

/**
 * The plain decimals that people may mean by the text: `1,250` is 1250 for one, and 1.25 for another. Of two, the first reads the
 * sign as one between thousands. None: it is no number.
 */
export function meaningsOf(text: string): string[] {
	if (SMALL.test(text)) return [readDecimal(text.replace(',', '.')) ?? ''].filter(isPlainDecimal);
	// Excel writes an apostrophe before a number that is text.
	const spaced = text
		.replace(/^['\u2019+]/, '')
		.replace(WHOLE, '')
		.replace(/(?<=\d)[.,]$/, '')
		.replace(/^[.,](?=\d+$)/, '0$&');
	if (/\D{2}/.test(spaced)) return [];
	if (SPACES.test(spaced) && !SPACED_THOUSANDS.test(spaced)) return [];
	if (/^0\d+$/.test(spaced)) return meaningsOfPadded(spaced);
	const digits = spaced.replace(ALL_SPACES, '').replace(/^0+(?=\d)/, '');
	if (WHOLE.test(text)) return isGrouped(digits) ? [joined(digits)] : [];
	return /^\d[\d.,]*$/.test(digits) ? meaningsOfDigits(digits) : [];
}

/** Files of banks have zeros before an amount, and often two decimals without a point. */
function meaningsOfPadded(digits: string): string[] {
	const whole = digits.replace(/^0+(?=\d)/, '');
	const cents = readDecimal(`${digits.slice(0, -2)}.${digits.slice(-2)}`);
	return isZero(whole) || cents === undefined ? [whole] : [whole, cents];
}

/** The same for digits, points and commas. */
function meaningsOfDigits(digits: string): string[] {
	const signs = digits.replace(/\d/g, '');
	if (signs === '') return [digits];
	const last = signs.slice(-1);
	const isRepeated = signs.indexOf(last) < signs.length - 1;
	if (isRepeated) return signs === last.repeat(signs.length) && isGrouped(digits) ? [joined(digits)] : [];
	const point = digits.lastIndexOf(last);
	const [whole, fraction] = [digits.slice(0, point), digits.slice(point + 1)];
	if (!isGrouped(whole)) return [];
	const decimal = `${joined(whole)}.${fraction}`;
	const canBeThousands = signs.length === 1 && fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
	return canBeThousands ? [joined(digits), notThousands(decimal)] : [decimal];
}

/** Digits without a sign between them, with one between thousands, or as in India: `12,50,000`. */
const GROUPED = [/^\d+$/, /^\d{1,3}(?:\.\d{3})+$/, /^\d{1,3}(?:,\d{3})+$/, /^\d{1,2}(?:,\d{2})+,\d{3}$/];

function isGrouped(number: string): boolean {
	return GROUPED.some((form) => form.test(number));
}

function joined(number: string): string {
	return number.replace(/[.,]/g, '');
}

/** Three digits behind the point would be ambiguous again. */
function notThousands(decimal: string): string {
	return decimal.endsWith('0') ? decimal.replace(/\.?0+$/, '') : `${decimal}0`;
}
