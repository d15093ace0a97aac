/** The words and signs of a Payment Key that names no payment: a value is missing, so other payments would have the same key. */
import { EMPTY_VALUES, NEVER_MEANT, NOT_KNOWN } from '../missingValues.ts';

/** A key of nothing but these words names no payment, such as "the invoice number" or "to be confirmed". */
const NAME_NOTHING = [
	...['invoice', 'inv', 'payment', 'reference', 'ref', 'key', 'id', 'value'],
	...['number', 'num', 'nr', 'no'],
	...['the', 'my', 'your', 'by', 'user', 'customer'],
	...['na', 'nil', 'none', 'not', 'missing', 'pending', 'unknown', 'unspecified', 'tba', 'tbc', 'tbd'],
	...['available', 'given', 'known', 'provided', 'specified', 'set', 'yet'],
	...['to', 'be', 'determined', 'confirmed'],
];

/** Also without a space between them: `invoicenumber`. */
const NAMES_NOTHING = new RegExp(`^(?:${NAME_NOTHING.join('|')})+$`);

/** Glued to what stands before it by a program: `INVnull`. */
const GLUED_VALUE = /(?<=[^a-z])(?:null|NaN)(?![a-z])/;

/** Signs between the parts of a key. */
const SEPARATOR = /[-/_:|,]/;

/** A number sign or a plus sign at the end, and a point that belongs to no word: `Acme Ltd.` is a name. */
const OPEN_END = /[#+]$|\d\.$|^\.|\.\./;

/** The word or text in a key that says that a value is missing. */
export function missingValueIn(key: string): string | undefined {
	const text = key.toLowerCase();
	const never = NEVER_MEANT.find((each) => text.includes(each));
	if (never !== undefined) return never.trim();
	const [glued] = GLUED_VALUE.exec(key) ?? [];
	if (glued !== undefined) return glued;
	const [first, ...others] = wordsIn(text);
	const counted = others.length === 0 ? [first] : others;
	const words = ` ${wordsIn(withSpaces(key)).join(' ')}`;
	// What people write counts at the end only: `INV-TBC-12` has a number.
	return (
		EMPTY_VALUES.find((value) => counted.includes(value)) ??
		NOT_KNOWN.find((phrase) => words.endsWith(` ${phrase}`))
	);
}

/** Whether a part of a key is empty, or nothing in it names a payment. `key` has no spaces beside signs. */
export function lacksPart(key: string): boolean {
	const words = wordsIn(withSpaces(key));
	const hasNoName = !/[a-z1-9]/i.test(key) || words.every((word) => NAMES_NOTHING.test(word));
	return hasNoName || hasEmptyPart(key);
}

function hasEmptyPart(key: string): boolean {
	// The signs of a web address are one.
	const parts = key.replace('://', '/').split(SEPARATOR);
	return OPEN_END.test(key) || parts.some((part) => !/[a-z\d]/i.test(part));
}

/** The words and numbers of a text in lower case. */
function wordsIn(text: string): string[] {
	return text.match(/(?<![a-z\d])n[./]a(?![a-z\d])|[a-z]+|\d+/g) ?? [];
}

/** In lower case, with a space between the words of `invoiceNumber`. */
function withSpaces(key: string): string {
	return key.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}
