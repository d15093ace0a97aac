/** What a text in a refusal says: a reason, nothing, or something that is not known. Tables: vocabulary.ts. */
import * as known from './vocabulary.ts';
import { apart, phrases } from './words.ts';

/** `name`: only that of a status. `no`: only that it failed. */
export type Says = 'reason' | 'name' | 'no' | 'other';

export interface TextJudged {
	/** A word that is not known, or what may be an ID. */
	unknown?: string;
	/** What each clause says. */
	says: Says[];
}

/** A word, number or sign of a text. */
interface Token {
	/** As it stands in the text. */
	raw: string;
	/** As the tables have it: lower case, singular, without accents. */
	word: string;
	/** A value or a name of the request. */
	isOwn: boolean;
	/** What stands between this token and the one before. */
	gap: string;
}

/** Texts of the request, which a refusal may repeat. */
export type OwnTexts = ReadonlyMap<string, string[][]>;

const TABLES = {
	words: setOf(known.WORDS),
	not: new Set(known.NOT),
	phrases: tableOf(known.PHRASES),
	noReasons: tableOf(known.NO_REASONS),
	reasons: tableOf(known.REASONS),
	reasonsOfOthers: tableOf(known.REASONS_OF_OTHERS),
	reasonsOfFields: tableOf(known.REASONS_OF_FIELDS),
	signature: tableOf(known.REASONS_OF_SIGNATURE),
	aboutSignature: setOf(known.SIGNATURE),
	names: setOf(known.NAMES_OF_STATUS),
	no: setOf(known.SAYS_NO),
	clauses: setOf(known.CLAUSES),
	payment: setOf(known.PAYMENT),
	paymentOrMoved: setOf(known.PAYMENT_OR_MOVED),
	/** What follows a payment that is spoken of itself, and not its account or method. */
	grammar: setOf(known.GRAMMAR),
	states: setOf(known.STATES),
	noStatements: setOf(known.NO_STATEMENTS),
	imperatives: setOf(known.IMPERATIVES),
	beforeNumber: setOf(known.BEFORE_NUMBER),
	besideNumber: setOf(known.BESIDE_NUMBER),
	behindNumber: setOf(known.BEHIND_NUMBER),
};

function tableOf(lines: string[]) {
	return phrases(...setOf(lines));
}

/** The words of each line in singular. */
function setOf(lines: string[]): Set<string> {
	return new Set(lines.map((line) => line.split(' ').map(singular).join(' ')));
}

/** Texts of the request by their first piece, without those of known words only. */
export function ownTexts(texts: string[]): OwnTexts {
	const own = new Map<string, string[][]>();
	for (const text of texts) {
		const raws = piecesOf(text).map(({ raw }) => raw.toLowerCase());
		const [first] = raws;
		if (first === undefined || raws.every((raw) => TABLES.words.has(wordOf(raw)))) continue;
		own.set(first, [...(own.get(first) ?? []), raws]);
	}
	return own;
}

/** `statusCode`: a signature is a reason only with some. */
export function judgeText(text: string, own: OwnTexts, statusCode: number): TextJudged {
	const tokens = tokensOf(text, own);
	const id = tokens.find((token, at) => mayBeId(token) && !isNumberOfLimit(tokens, at));
	if (id !== undefined) return { unknown: id.raw, says: [] };
	const judged = clausesOf(tokens).map((clause) => judgeClause(clause, statusCode));
	const unknown = judged.find((each) => each.unknown !== undefined)?.unknown;
	return { unknown, says: judged.flatMap(({ says }) => says) };
}

function judgeClause(clause: Token[], statusCode: number): TextJudged {
	const words = clause.map(({ word }) => word);
	const whole = words.join(' ');
	if (TABLES.names.has(whole)) return { says: ['name'] };
	if (TABLES.no.has(whole)) return { says: ['no'] };
	if (TABLES.clauses.has(whole)) return { says: ['other'] };
	const inNone = new Set(TABLES.noReasons.placesIn(words).flat());
	const others = words.map((word, at) => (inNone.has(at) ? '' : word));
	const reasons = [
		...TABLES.reasons.placesIn(others),
		...TABLES.reasonsOfOthers
			.placesIn(others)
			.filter((places) => !isOfPayment(words, TABLES.paymentOrMoved, places)),
		...TABLES.reasonsOfFields
			.placesIn(others)
			.filter((places) => !isOfPayment(words, TABLES.payment, places)),
	];
	const signature = TABLES.signature.placesIn(others);
	const inPhrase = new Set([...inNone, ...TABLES.phrases.placesIn(words).flat()]);
	const covered = new Set([...inPhrase, ...[...reasons, ...signature].flat()]);
	const isKnown = ({ word, raw }: Token, at: number) =>
		covered.has(at) ||
		(TABLES.behindNumber.has(word) && /^\p{N}/u.test(words[at - 1] ?? '')) ||
		TABLES.words.has(word) ||
		known.CURRENCIES.has(raw) ||
		/^\p{N}/u.test(word);
	const stranger = clause.find((token, at) => !isKnown(token, at));
	if (stranger !== undefined) return { unknown: stranger.raw, says: [] };
	const isReason = words.some((word) => TABLES.aboutSignature.has(word))
		? signature.length > 0 && STATUSES_OF_SIGNATURE.includes(statusCode)
		: reasons.length > 0;
	if (isReason) return { says: ['reason'] };
	const statement = isRemark(words)
		? undefined
		: clause.find(({ word }, at) => !inPhrase.has(at) && states(words, word, at));
	return statement === undefined ? { says: ['other'] } : { says: [], unknown: statement.raw };
}

/** Whether a clause without a reason says no, what to do, or how much there is. */
function isRemark(words: string[]): boolean {
	return TABLES.imperatives.has(words[0] ?? '') || words.some((word) => TABLES.noStatements.has(word));
}

/** Whether a word states something, such as "is", or names the payment itself. */
function states(words: string[], word: string, at: number): boolean {
	const isOf = TABLES.payment.has(word) && TABLES.grammar.has(words[at + 1] ?? '');
	return TABLES.states.has(word) || isOf;
}

function isPaymentItself(words: string[], at: number, payments: ReadonlySet<string>): boolean {
	const next = words[at + 1];
	return payments.has(words[at]!) && (next === undefined || TABLES.grammar.has(next));
}

/** Statuses with which a signature is a reason. */
const STATUSES_OF_SIGNATURE = [400, 401, 403];

/** Whether a reason is said of the payment itself, such as "the payout to this account is pending". */
function isOfPayment(words: string[], payments: ReadonlySet<string>, places: number[]): boolean {
	const upTo = words.slice(0, places.at(-1)! + 2);
	return upTo.some((word, at) => {
		if (places.includes(at)) return false;
		const isRightBefore = payments.has(word) && places.includes(at + 1);
		return (
			isRightBefore ||
			isPaymentItself(words, at, payments) ||
			(payments.has(word) && isNumbered(words[at + 1]))
		);
	});
}

/** Whether what follows a payment says which: "payout ID". */
function isNumbered(next: string | undefined): boolean {
	return ['id', 'number', 'code', 'reference'].includes(next ?? '');
}

/** Words, numbers, and any sign that is not punctuation. */
const PIECE = /(?:[\p{L}\p{M}\p{N}]|(?<=\p{Nd})[.,](?=\p{Nd}))+|[^\s!-#%-/:-@[-`{-~‘’“”–—…•·]/gu;

function piecesOf(text: string): Array<{ raw: string; gap: string }> {
	const joined = text
		.normalize('NFKC')
		.replace(/(\p{L})(?:['’]s\b|\(s\))/gu, '$1')
		.replace(/(\p{L})['’](\p{L})/gu, '$1$2');
	let end = 0;
	return [...joined.matchAll(PIECE)].map(({ 0: raw, index }) => {
		const gap = joined.slice(end, index);
		end = index + raw.length;
		return { raw, gap };
	});
}

function tokensOf(text: string, own: OwnTexts): Token[] {
	const pieces = piecesOf(text);
	const raws = pieces.map(({ raw }) => raw.toLowerCase());
	const tokens: Token[] = [];
	for (let at = 0; at < pieces.length; ) {
		const length = lengthOfOwn(raws, at, own);
		for (const piece of pieces.slice(at, at + Math.max(1, length)))
			tokens.push(...tokensIn(piece, length > 0));
		at += Math.max(1, length);
	}
	return tokens;
}

/** How many pieces from here on are a text of the request; the longest counts. */
function lengthOfOwn(raws: string[], start: number, own: OwnTexts): number {
	const found = (own.get(raws[start]!) ?? []).filter((text) =>
		text.every((raw, at) => raws[start + at] === raw),
	);
	return Math.max(0, ...found.map(({ length }) => length));
}

/** `InvalidAmount` is two tokens, and so are `100NGN` and `NGN100`. */
function tokensIn({ raw, gap }: { raw: string; gap: string }, isOwn: boolean): Token[] {
	if (isOwn) return [{ raw, word: raw.toLowerCase(), isOwn, gap }];
	const money = /^(\p{L}+)(\p{Nd}.*)$/u.exec(raw) ?? /^(\p{Nd}[^\p{L}]*)(\p{L}+)$/u.exec(raw);
	const parts = money?.slice(1) ?? [];
	const raws = parts.some((part) => known.CURRENCIES.has(part)) ? parts : apart(raw).split(' ');
	return raws.map((part, at) => ({ raw: part, word: wordOf(part), isOwn, gap: at === 0 ? gap : '' }));
}

function wordOf(raw: string): string {
	const word = raw.toLowerCase();
	return TABLES.not.has(word) ? 'not' : singular(word);
}

/** Of a plural and of a verb in the third person: `currencies`, `addresses`, `exceeds`. */
function singular(word: string): string {
	if (word.length < 4 || !word.endsWith('s') || /(?:ss|us|is|seconds)$/.test(word)) return word;
	if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
	return /(?:ss|x|ch|sh)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

function clausesOf(tokens: Token[]): Token[][] {
	const clauses: Token[][] = [[]];
	for (const token of tokens) {
		if (/[.,;:!?()[\]{}|\n–—…]|\s-\s/.test(token.gap)) clauses.push([]);
		if (!token.isOwn) clauses.at(-1)!.push(token);
	}
	return clauses.filter(({ length }) => length > 0);
}

function mayBeId({ word, isOwn }: Token): boolean {
	return !isOwn && /\p{N}/u.test(word) && word !== '0' && !TABLES.words.has(word);
}

const PLAIN_NUMBER = /^\d{1,15}(?:[.,]\d+)*k?$/;

/** Whether a number is a limit or an amount: beside a currency or a unit, or behind such words as "at least". */
function isNumberOfLimit(tokens: Token[], at: number): boolean {
	if (!PLAIN_NUMBER.test(tokens[at]!.word)) return false;
	const [before, behind] = [tokens[at - 1], tokens[at + 1]];
	const isCurrency = (token?: Token) => token !== undefined && known.CURRENCIES.has(token.raw.toUpperCase());
	if (isCurrency(before) || isCurrency(behind) || TABLES.behindNumber.has(behind?.word ?? '')) return true;
	let first = at - 1;
	while (isBesideNumber(tokens[first])) first -= 1;
	const gaps = tokens.slice(first + 1, at + 1).map(({ gap }) => gap);
	return TABLES.beforeNumber.has(tokens[first]?.word ?? '') && !/[.;!?\n]/.test(gaps.join(''));
}

function isBesideNumber(token: Token | undefined): boolean {
	return token !== undefined && (TABLES.besideNumber.has(token.word) || PLAIN_NUMBER.test(token.word));
}
