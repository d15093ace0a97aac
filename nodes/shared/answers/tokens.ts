/** The words, numbers and signs of a text in a refusal. The one place that says where a word begins and which form of it counts. */
import { CURRENCIES, NOT, WORDS } from './vocabulary.ts';
import { apart } from './words.ts';

export interface Token {
	/** As it stands in the text. */
	raw: string;
	/** As the tables have it: lower case, without accents, not a plural; `not` for all words of NOT. */
	word: string;
	/** A part of a value of the request, or of a name that it has. */
	isOwn: boolean;
	/** What stands between this token and the one before. */
	gap: string;
}

type Piece = Pick<Token, 'raw' | 'gap'>;

/** Texts of the request, which a refusal may repeat, by their first piece. */
export type OwnTexts = ReadonlyMap<string, string[][]>;

const NOTS = new Set(NOT);
const KNOWN = new Set(WORDS.map(singular));

/** Texts of nothing but known words are read as any others. */
export function ownTexts(texts: readonly string[]): OwnTexts {
	const own = new Map<string, string[][]>();
	for (const text of texts) {
		const raws = piecesOf(text).map(({ raw }) => raw.toLowerCase());
		const [first] = raws;
		if (first === undefined || raws.every((raw) => KNOWN.has(wordOf(raw)))) continue;
		own.set(first, [...(own.get(first) ?? []), raws]);
	}
	return own;
}

export function tokensOf(text: string, own: OwnTexts): Token[] {
	const pieces = piecesOf(text);
	const raws = pieces.map(({ raw }) => raw.toLowerCase());
	const tokens: Token[] = [];
	for (let at = 0; at < pieces.length; ) {
		const length = lengthOfOwn(raws, at, own);
		const next = pieces.slice(at, at + Math.max(1, length));
		tokens.push(...next.flatMap((piece) => tokensIn(piece, length > 0)));
		at += next.length;
	}
	return tokens;
}

/** What one clause says is not said of what another one names. Without what the request has. */
export function clausesOf(tokens: readonly Token[]): Token[][] {
	const clauses: Token[][] = [[]];
	for (const token of tokens) {
		if (/[.,;:!?()[\]{}|\n–—]|\s-\s/.test(token.gap)) clauses.push([]);
		if (!token.isOwn) clauses.at(-1)!.push(token);
	}
	return clauses.filter(({ length }) => length > 0);
}

/** Of a plural, and of a verb in the third person: `currencies`, `addresses`, `exceeds`. */
export function singular(word: string): string {
	if (word.length < 4 || !word.endsWith('s') || /(?:ss|us|is|^seconds)$/.test(word)) return word;
	if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
	return /(?:ss|x|ch|sh)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

/** Letters and digits, a number with its decimals, or any one sign that is no punctuation of plain text. */
const PIECE = /(?:[\p{L}\p{M}\p{N}]|(?<=\p{Nd})[.,](?=\p{Nd}))+|[^\s!-#%-/:-@[-`{-~‘’“”–—•·]/gu;

function piecesOf(text: string): Piece[] {
	const joined = text
		.normalize('NFKC')
		// `account's`, `digit(s)`, `IDs`, `don't`
		.replace(/(\p{L})(?:['’]s\b|\(s\))/gu, '$1')
		.replace(/\b([A-Z]{2,})s\b/g, '$1')
		.replace(/(\p{L})['’](\p{L})/gu, '$1$2');
	let end = 0;
	return [...joined.matchAll(PIECE)].map(({ 0: raw, index }) => {
		const gap = joined.slice(end, index);
		end = index + raw.length;
		return { raw, gap };
	});
}

/** How many pieces from here on are a text of the request. The longest counts. */
function lengthOfOwn(raws: string[], start: number, own: OwnTexts): number {
	const texts = own.get(raws[start]!) ?? [];
	const found = texts.filter((text) => text.every((raw, at) => raws[start + at] === raw));
	return Math.max(0, ...found.map(({ length }) => length));
}

/** `InvalidAmount` is two tokens, and so are `100NGN` and `NGN100`. */
function tokensIn({ raw, gap }: Piece, isOwn: boolean): Token[] {
	if (isOwn) return [{ raw, word: raw.toLowerCase(), isOwn, gap }];
	const [, ...money] = /^(\p{L}+)(\d.*)$/u.exec(raw) ?? /^(\d[\d.,]*)(\p{L}+)$/u.exec(raw) ?? [];
	const raws = money.some((part) => CURRENCIES.has(part)) ? money : apart(raw).split(' ');
	return raws.map((part, at) => ({ raw: part, word: wordOf(part), isOwn, gap: at === 0 ? gap : '' }));
}

function wordOf(raw: string): string {
	const word = raw.toLowerCase();
	return NOTS.has(word) ? 'not' : singular(word);
}
