/** What a text in a refusal says: a reason, nothing, or something that is not known. Tables: vocabulary.ts. */
import { withoutNames } from './namesOfFields.ts';
import { clausesOf, singular, tokensOf } from './tokens.ts';
import type { OwnTexts, Token } from './tokens.ts';
import * as known from './vocabulary.ts';
import { phrases, wordsOf } from './words.ts';

/** `name`: only that of a status. `no`: only that it failed. */
export type Says = 'reason' | 'name' | 'no' | 'other';

export interface TextJudged {
	/** A word that is not known, or what may be an ID. */
	unknown?: string;
	/** What each clause says. */
	says: Says[];
}

const WORDS = setOf(known.WORDS);
const PHRASES = tableOf(known.PHRASES);
const NO_REASONS = tableOf(known.NO_REASONS);
const REASONS = {
	any: tableOf(known.REASONS),
	ofOthers: tableOf(known.REASONS_OF_OTHERS),
	ofFields: tableOf(known.REASONS_OF_FIELDS),
	ofSignature: tableOf(known.REASONS_OF_SIGNATURE),
};
const WHOLE_CLAUSES = new Map<string, Says>([
	...[...setOf(known.CLAUSES)].map((clause) => [clause, 'other'] as const),
	...[...setOf(known.SAYS_NO)].map((clause) => [clause, 'no'] as const),
	...[...setOf(known.NAMES_OF_STATUS)].map((clause) => [clause, 'name'] as const),
]);
const SIGNATURE = setOf(known.SIGNATURE);
const PAYMENT = setOf(known.PAYMENT);
const PAYMENT_OR_MOVED = setOf(known.PAYMENT_OR_MOVED);
const GRAMMAR = setOf(known.GRAMMAR);
const STATES = setOf(known.STATES);
const NO_STATEMENTS = setOf(known.NO_STATEMENTS);
const IMPERATIVES = setOf(known.IMPERATIVES);
const ONLY_BEFORE_NUMBER = setOf(known.ONLY_BEFORE_NUMBER);
const FIRST_BEFORE_NUMBER = setOf(known.FIRST_BEFORE_NUMBER);
const OF_AMOUNTS = setOf(known.OF_AMOUNTS);
const BESIDE_SYMBOL = setOf(known.BESIDE_SYMBOL);
const BEFORE_NUMBER = setOf(known.BEFORE_NUMBER);
const BESIDE_NUMBER = setOf(known.BESIDE_NUMBER);
const BEHIND_NUMBER = setOf(known.BEHIND_NUMBER);

function setOf(lines: readonly string[]): Set<string> {
	return new Set(lines.map((line) => line.split(' ').map(singular).join(' ')));
}

function tableOf(lines: readonly string[]) {
	return phrases(...setOf(lines));
}

/** Statuses with which a signature is a reason. */
const STATUSES_OF_SIGNATURE = [400, 401, 403];

export function isKnownWord(word: string): boolean {
	return WORDS.has(singular(word));
}

export function judgeText(text: string, own: OwnTexts, statusCode: number): TextJudged {
	const tokens = tokensOf(withoutNames(withoutValues(withoutIps(withoutDocumentation(text)))), own);
	const isOfAmounts = tokens.some(({ word }) => OF_AMOUNTS.has(word));
	const id = tokens.find((_, at) => !(isOfAmounts && isShort(tokens, at)) && mayBeId(tokens, at));
	if (id !== undefined) return { unknown: id.raw, says: [] };
	const judged = clausesOf(tokens).map((clause) => judgeClause(clause, statusCode));
	const unknown = judged.find((each) => each.unknown !== undefined)?.unknown;
	return { unknown, says: judged.flatMap(({ says }) => says) };
}

/** Without links to pages about the API. Digits in another link than that of an RFC may be an ID. */
function withoutDocumentation(text: string): string {
	return text.replace(/https?:\/\/(\S+)/gi, (link, address: string) => {
		if (known.ADDRESSES_OF_RFC.some((beginning) => address.startsWith(beginning))) return ' ';
		const words = /\d/.test(address.replace(/\/v?\d\.?\d?(?=\/)/g, '')) ? [] : wordsOf(address);
		return words.some((word) => known.WORDS_OF_DOCUMENTATION.includes(word)) ? ' ' : link;
	});
}

/** Without the address that a sender may not call from, in a text about an IP. */
function withoutIps(text: string): string {
	return /\bip\b/i.test(text) ? text.replace(/(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?!\.?\w)/g, ' ') : text;
}

/** Without the values that a field may have: `must be one of [PAN, SORT_CODE]`, `one of: card, bank`. */
function withoutValues(text: string): string {
	return text
		.replace(
			/\b(?:one of|(?:allowed|supported|valid|possible|accepted|permitted) [a-z ]{0,30})\s?:? ?[[({][^\])}\d]{0,300}[\])}]/gi,
			'a valid value',
		)
		.replace(
			/\b(?:allowed|supported|valid|possible|accepted|permitted) values are:? (["'`])[a-z_-]+\1(?:(?:, | or |, or )(["'`])[a-z_-]+\2)*(?!\w| [a-z])/gi,
			'a valid value',
		)
		.replace(
			/\bone of(?: the following(?: values)?)?: ?["'`]?[a-z_-]+["'`]?(?:(?:, ?| or |, or )["'`]?[a-z_-]+["'`]?(?!\w| [a-z]))*(?! ?[a-z])/gi,
			'a valid value',
		);
}

function judgeClause(clause: Token[], statusCode: number): TextJudged {
	const words = clause.map(({ word }) => word);
	const whole = WHOLE_CLAUSES.get(words.join(' '));
	if (whole !== undefined) return { says: [whole] };
	const { reasons, signature, inPhrases } = phrasesIn(words);
	const covered = new Set([...inPhrases, ...[...reasons, ...signature].flat()]);
	const stranger = clause.find(({ raw }, at) => !covered.has(at) && !isKnown(words, at, raw));
	if (stranger !== undefined) return { unknown: stranger.raw, says: [] };
	const isReason = words.some((word) => SIGNATURE.has(word))
		? signature.length > 0 && STATUSES_OF_SIGNATURE.includes(statusCode)
		: reasons.length > 0;
	if (isReason) return { says: ['reason'] };
	const statement = isRemark(words)
		? undefined
		: clause.find((_, at) => !inPhrases.has(at) && isStatement(words, at));
	return statement === undefined ? { says: ['other'] } : { unknown: statement.raw, says: [] };
}

/** Where phrases of the tables stand in a clause. */
function phrasesIn(words: string[]) {
	const inNoReason = new Set(NO_REASONS.placesIn(words).flat());
	const others = words.map((word, at) => (inNoReason.has(at) ? '' : word));
	const ofOthers = REASONS.ofOthers.placesIn(others);
	const ofFields = REASONS.ofFields.placesIn(others);
	return {
		inPhrases: new Set([...inNoReason, ...PHRASES.placesIn(words).flat()]),
		reasons: [
			...REASONS.any.placesIn(others),
			...ofOthers.filter((places) => !isOfPayment(words, places, PAYMENT_OR_MOVED)),
			...ofFields.filter((places) => !isOfPayment(words, places, PAYMENT)),
		],
		signature: REASONS.ofSignature.placesIn(others),
	};
}

function isKnown(words: string[], at: number, raw: string): boolean {
	const word = words[at]!;
	const isNumber = (each = '') => /^\p{N}/u.test(each);
	const isUnit = BEHIND_NUMBER.has(word) && isNumber(words[at - 1]);
	const isOfNumber = ONLY_BEFORE_NUMBER.has(word) && isNumber(words[at + 1]);
	const isFirst = at === 0 && FIRST_BEFORE_NUMBER.has(word) && isNumber(words[1]);
	const isSymbol =
		/^[A-Z]{3}$/.test(raw) && [words[at - 1], words[at + 1]].some((each) => BESIDE_SYMBOL.has(each ?? ''));
	return (
		isUnit ||
		isOfNumber ||
		isFirst ||
		isSymbol ||
		WORDS.has(word) ||
		known.CURRENCIES.has(raw) ||
		isNumber(word)
	);
}

/** Whether a clause without a reason says no, what to do, or how much there is. */
function isRemark(words: string[]): boolean {
	return IMPERATIVES.has(words[0]!) || words.some((word) => NO_STATEMENTS.has(word));
}

/** Whether a word states something, such as "is", or is the payment itself. */
function isStatement(words: string[], at: number): boolean {
	return STATES.has(words[at]!) || isPaymentItself(words, at, PAYMENT);
}

/** Whether a reason is said of the payment itself, such as "the payout to this account is pending". */
function isOfPayment(words: string[], places: number[], payments: ReadonlySet<string>): boolean {
	const upTo = words.slice(0, places.at(-1)! + 2);
	return upTo.some((word, at) => {
		if (places.includes(at) || !payments.has(word)) return false;
		return places.includes(at + 1) || isPaymentItself(words, at, payments) || isNumbered(words[at + 1]);
	});
}

/** Not its account or method. */
function isPaymentItself(words: string[], at: number, payments: ReadonlySet<string>): boolean {
	const next = words[at + 1];
	return payments.has(words[at]!) && (next === undefined || GRAMMAR.has(next));
}

/** Whether what follows a payment says which one: "payout ID". */
function isNumbered(next: string | undefined): boolean {
	return ['id', 'number', 'code', 'reference'].includes(next ?? '');
}

/** Whether a word with digits may identify something. A zero beside words does not. */
function mayBeId(tokens: Token[], at: number): boolean {
	const { word, isOwn } = tokens[at]!;
	if (isOwn || !/\p{N}/u.test(word) || WORDS.has(word)) return false;
	return (word !== '0' || tokens.length === 1) && !isNumberOfLimit(tokens, at);
}

const PLAIN_NUMBER = /^\d{1,15}(?:[.,]\d+)*k?$/;

/** Whether a number is a limit or an amount: beside a currency or a unit, or behind such words as "at least". */
function isNumberOfLimit(tokens: Token[], at: number): boolean {
	if (!PLAIN_NUMBER.test(tokens[at]!.word)) return false;
	const [before, behind] = [tokens[at - 1], tokens[at + 1]];
	const isCurrency = (token?: Token) => token !== undefined && known.CURRENCIES.has(token.raw.toUpperCase());
	if (isCurrency(before) || isCurrency(behind) || BEHIND_NUMBER.has(behind?.word ?? '')) return true;
	let first = at - 1;
	while (isBesideNumber(tokens[first])) first -= 1;
	const gaps = tokens.slice(first + 1, at + 1).map(({ gap }) => gap);
	return BEFORE_NUMBER.has(tokens[first]?.word ?? '') && !/[.;!?\n]/.test(gaps.join(''));
}

/** Whether a number is no longer than amounts are: one with a point, or one of three digits in brackets. Not behind a payment. */
function isShort(tokens: Token[], at: number): boolean {
	const { word, gap } = tokens[at]!;
	const before = tokens[at - 1]?.word ?? '';
	if (PAYMENT.has(before) || isNumbered(before)) return false;
	return /^(?=.{3,12}$)\d+\.\d+$/.test(word) || (/\($/.test(gap) && /^\d{1,3}$/.test(word));
}

function isBesideNumber(token: Token | undefined): boolean {
	return token !== undefined && (BESIDE_NUMBER.has(token.word) || PLAIN_NUMBER.test(token.word));
}
