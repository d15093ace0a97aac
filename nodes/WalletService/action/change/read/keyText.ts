/** Reads a Payment Key: visible ASCII, after what Word and Excel write in its place is folded. Other characters are refused by name. */
import { KEY_TEXT } from './messages.ts';
import { visible } from '../../wording.ts';
import type { ValidationIssue } from '../../result.ts';

const MAX_LENGTH = 255;

/** Words with which a program or a person says that there is no value. A name may begin with null or nan, such as null-5. */
const NO_VALUE = [
	/^(?:null|nan)$/i,
	/(?<=[^a-z\d])(?:null|nan)(?![a-z\d])/i,
	/(?<=.)(?<![a-z])(?:null|NaN)(?![a-z])/,
	/undefined|\[object \w+\]|invalid date(?:time)?|\{\s*\}/i,
	/(?<![a-z\d])(?:none|#?n\/a|unknown|tb[acd]|not[ _-]?(?:applicable|available|given|known|provided|specified))(?![a-z\d])/i,
];

/** A key of nothing but these, such as "the invoice number", "n.a." or 0, names no payment. */
const NAMES_NOTHING =
	/^(?:[\W_0]+|(?:[\W_]|n[\W_]?a|no(?:t|ne)?|nil|missing|pending|value|unspecified|available|given|known|provided|specified|set|yet|to|be|determined|confirmed|by|the|user|customer|your|my|invoice|inv|payment|reference|ref|number|num|nr|id|key)+)$/i;

/** What a spreadsheet makes of a long number. */
const SHORTENED = /^\d(?:[.,]\d+)?e\+\d+$/i;

/** A sign between two parts, with nothing behind it. */
const ENDS_OPEN = /[-_/:#.,|+]$/;

export interface KeyText {
	/** The same for texts that are one key. */
	compared: string;
	/** As a header carries it. */
	sent: string;
}

/** The key as it is compared, and as a header carries it, or what is wrong with it. `text` has no spaces at its ends. */
export function readKeyText(text: string): KeyText | ValidationIssue {
	const sent = folded(text);
	if (sent.length > MAX_LENGTH) return KEY_TEXT.isTooLong(String(MAX_LENGTH));
	const odd = [...text].find((character) => /[^ -~]/u.test(folded(`a${character}a`)));
	if (odd !== undefined)
		return KEY_TEXT.hasCharacter({ character: visible(odd), code: codePointOf(odd), key: visible(text) });
	if (/\{\{|\}\}/.test(sent)) return KEY_TEXT.isNotExpression(text);
	if (SHORTENED.test(sent)) return KEY_TEXT.isShortened(text);
	for (const words of NO_VALUE) {
		const [word] = words.exec(sent) ?? [];
		if (word !== undefined) return KEY_TEXT.hasNoValue({ key: text, word: word });
	}
	if (ENDS_OPEN.test(sent) || NAMES_NOTHING.test(sent)) return KEY_TEXT.lacksPart(text);
	return { compared: sent.toLowerCase(), sent };
}

/** Dashes, quotes and spaces in ASCII, and what is ASCII after NFKC. */
function folded(text: string): string {
	return text
		.replace(/[\p{Pd}\u2212]/gu, '-')
		.replace(/[\u2018-\u201b\u2032\u02bc]/g, "'")
		.replace(/[\u201c-\u201f\u2033]/g, '"')
		.normalize('NFKC')
		.replace(/\p{Zs}+/gu, ' ')
		.trim();
}

function codePointOf(character: string): string {
	return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The expressions inside a text such as `=INV-{{ $json.invoice }}`. None if the whole text is one, whose value is the key. */
export function expressionsWithin(written: unknown): string[] {
	return onlyExpression(written) === undefined ? expressionsIn(written) : [];
}

/** The expression that a text is, apart from white space around it. */
export function onlyExpression(written: unknown): string | undefined {
	const [only, ...others] = expressionsIn(written);
	return others.length === 0 && String(written).slice(1).trim() === only ? only : undefined;
}

function expressionsIn(written: unknown): string[] {
	if (typeof written !== 'string' || !written.startsWith('=')) return [];
	return [...written.matchAll(/\{\{([\s\S]*?)\}\}/g)].map(([part]) => part);
}

/** Whether the value of such an expression can be a part of a key. */
export function isPartOfKey(value: unknown): boolean {
	if (value === undefined || value === null) return false;
	return typeof value === 'number' ? Number.isFinite(value) : String(value).trim() !== '';
}
