/** Reads a Payment Key: visible ASCII, after what Word and Excel write in its place is folded. Other characters are refused by name. */
import type { ValidationIssue } from '../wording.ts';
import { lacksPart, missingValueIn, templateIn } from './keyWords.ts';
import { KEY_TEXT } from './messages.ts';

export const MAX_KEY_LENGTH = 255;

/** What a spreadsheet makes of a long number. */
const SHORTENED = /^\d(?:[.,]\d+)?e\+\d+$/i;

const NOT_ASCII = /[^ -~]/u;

/** A Payment Key, read once. */
export interface PaymentKey {
	/** As the user wrote it: what items and messages show. */
	written: string;
	/** The same for texts that a person cannot tell apart: in lower case, and without spaces beside signs. */
	compared: string;
	/** As it was written, in ASCII, for a header. */
	sent: string;
}

/** What stands in the place of a key: the key, or a text that is none. A payment with such a text has an issue, and is not sent. */
export type GivenKey = PaymentKey | { written: string; compared?: undefined; sent?: undefined };

/** The key, or what is wrong with it. `text` has no spaces at its ends. */
export function readKeyText(text: string): PaymentKey | ValidationIssue {
	const sent = folded(text);
	if (sent.length > MAX_KEY_LENGTH) return KEY_TEXT.isTooLong(String(MAX_KEY_LENGTH));
	const odd = oddCharacterIn(text);
	if (odd !== undefined) {
		return KEY_TEXT.hasCharacter({ character: odd, code: codePointOf(odd), key: text });
	}
	if (sent.includes('{{') || sent.includes('}}')) return KEY_TEXT.isNotExpression(text);
	const word = missingValueIn(sent);
	if (word !== undefined) return KEY_TEXT.hasNoValue({ key: text, word });
	const place = templateIn(sent);
	if (place !== undefined) return KEY_TEXT.isTemplate({ key: text, place });
	const compact = withoutSpacesBesideSigns(sent);
	if (isShortenedNumber(compact)) return KEY_TEXT.isShortened(text);
	if (lacksPart(compact)) return KEY_TEXT.lacksPart(text);
	return { written: text, compared: compact.toLowerCase(), sent };
}

/** The first character that no key may have, because it stands for no ASCII. */
export function oddCharacterIn(text: string): string | undefined {
	// Between letters, so that a space is kept.
	return [...text].find((sign) => NOT_ASCII.test(sign) && NOT_ASCII.test(folded(`a${sign}a`)));
}

/** Whether a spreadsheet has written a long number as `1,23E+12`. */
export function isShortenedNumber(text: string): boolean {
	return SHORTENED.test(text);
}

/** `U+00E9` */
export function codePointOf(character: string): string {
	return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** NFKC would make an ordinary space of a hair space. Nobody sees it, so it is left as a character that is refused. */
const HAIR_SPACE = '\u200a';
const ZERO_WIDTH_SPACE = '\u200b';

/** Dashes, quotes and spaces in ASCII, and what is ASCII after NFKC. */
function folded(text: string): string {
	return text
		.replaceAll(HAIR_SPACE, ZERO_WIDTH_SPACE)
		.replace(/[\p{Pd}\u2212]/gu, '-')
		.replace(/[\u2018-\u201b\u2032\u02bc]/g, "'")
		.replace(/[\u201c-\u201f\u2033]/g, '"')
		.normalize('NFKC')
		.replace(/\p{Zs}+/gu, ' ')
		.trim();
}

/** A narrow space beside a dash cannot be seen, and others are written by habit: `INV - 7` is `INV-7`. */
function withoutSpacesBesideSigns(ascii: string): string {
	return ascii.replace(/ ?([^A-Za-z\d ]) ?/g, '$1');
}
