/** The words and signs of a Payment Key that names no payment: a value is missing, so other payments would have the same key. */
import { EMPTY_VALUES, NEVER_MEANT, NOT_KNOWN } from '../missingValues.ts';

/** A key of nothing but these words names no payment, such as "the invoice number" or "to be confirmed". */
const NAME_NOTHING = [
	'invoice',
	'inv',
	'bill',
	'order',
	'payment',
	'payout',
	'pay',
	'transaction',
	'document',
	'reference',
	'ref',
	'key',
	'id',
	'value',
	'number',
	'num',
	'nr',
	'no',
	'true',
	'the',
	'my',
	'your',
	'by',
	'user',
	'customer',
	'na',
	'nil',
	'none',
	'blank',
	'not',
	'missing',
	'pending',
	'unknown',
	'unspecified',
	'tba',
	'tbc',
	'tbd',
	'available',
	'given',
	'known',
	'provided',
	'specified',
	'set',
	'yet',
	'to',
	'be',
	'determined',
	'confirmed',
];

/** Also without a space between them: `invoicenumber`. */
const NAMES_NOTHING = new RegExp(`^(?:${NAME_NOTHING.join('|')})+$`);

/** What a program writes in place of a value that is missing: Odoo has `False` for it, pandas `NaT`. */
const EMPTY_WORDS = [...EMPTY_VALUES, 'false'];

/** The same, glued to what stands before it: `INVnull`; or alone, as a person would not write it. `\N` is from MySQL. */
const PROGRAM_VALUE = /(?<=[^a-z])(?:null|NaN|False)(?![a-z])|(?<![a-z])NaT(?![A-Za-z])|\\N(?![A-Za-z])/;

const GUID = /\{[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\}/gi;

/** A place for a value: `{order_id}`, `%s`, `%(order)s`, `%05d`, `$order_id`, `%ORDER%`, `<order>`, `[order_id]`. */
const TEMPLATES = [
	/[{}][^{}]*\}?/,
	/%(?:\(\w+\)|\d+\$)?(?:0\d+)?[sdiu](?![a-z\d])/i,
	/%[a-z_]{3,}%/i,
	/(?<![a-z\d])\$[a-z_][\w.]*/i,
	/<[^<>\d]+>/,
	/\[[a-z]+[_.][a-z_.]+\]/i,
];

/** Signs between the parts of a key. */
const SEPARATOR = /[-/_:|,]/;

/** A number sign or a plus sign at the end, and a point that belongs to no word: `Acme Ltd.` is a name. */
const OPEN_END = /[#+]$|\d\.$|^\.|\.\./;

/** The word or text in a key that says that a value is missing. */
export function missingValueIn(key: string): string | undefined {
	const text = key.toLowerCase();
	const never = NEVER_MEANT.find((each) => text.includes(each));
	if (never !== undefined) return never.trim();
	const [written] = PROGRAM_VALUE.exec(key) ?? [];
	if (written !== undefined) return written;
	const [first, ...others] = wordsIn(text);
	const counted = others.length === 0 ? [first] : others;
	const words = ` ${wordsIn(withSpaces(key)).join(' ')}`;
	// What people write counts at the end only: `INV-TBC-12` has a number.
	return (
		EMPTY_WORDS.find((value) => counted.includes(value)) ??
		NOT_KNOWN.find((phrase) => words.endsWith(` ${phrase}`))
	);
}

/** The place of a value in a key that no program has filled in. */
export function templateIn(key: string): string | undefined {
	const text = key.replace(GUID, '');
	return TEMPLATES.map((form) => form.exec(text)?.[0]).find((place) => place !== undefined);
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
