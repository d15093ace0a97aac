/** Reads a Payment Key as people read it. Two texts that look the same are the same key, or one of them is refused. */
import { PAYMENT_KEY } from '../messages.ts';
import type { ValidationIssue } from '../result.ts';

const MAX_LENGTH = 255;

/** Invisible characters, and those that change how others are shown. */
const INVISIBLE =
	/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufffc]|\u2d7f/u;

/** Words with which a program says that there is no value, also behind other letters. */
const NO_VALUE =
	/undefined|\[object \w+\]|Invalid Date(?:Time)?|(?<![\p{L}\p{N}])(?:null|nan|none)(?![\p{L}\p{N}])|(?<![a-z])(?:null|NaN)(?![a-z])|\{\s*\}/u;
const NO_VALUE_IN_CAPITALS = /(?<![\p{L}\p{N}])(?:NULL|NONE|UNDEFINED)(?![\p{L}\p{N}])/u;

/** A sign between two parts, with nothing behind it. */
const ENDS_OPEN = /[-_/:#.,|+=\p{Pd}]$|([-_:#|])\1/u;

/** Alphabets of which some letters look like those of another one. */
const ALPHABETS = [
	/\p{sc=Latin}/u,
	/\p{sc=Cyrillic}/u,
	/\p{sc=Greek}/u,
	/\p{sc=Armenian}/u,
	/\p{sc=Cherokee}/u,
	/\p{sc=Coptic}/u,
	/\p{sc=Lisu}/u,
];
/** Latin letters of phonetic alphabets, such as small capitals, and alphabets whose letters look like Latin ones. */
const LOOK_ALIKE =
	/[\u0250-\u02af\u1d00-\u1dbf\u2c60-\u2c7f\ua720-\ua7ff\uab30-\uab6f]|\p{sc=Lisu}|\p{sc=Cherokee}|\p{sc=Coptic}/u;

/** Letters and signs that look like another one in lower or upper case. */
const SAME_LOOK = new Map(
	[
		...['аa', 'вb', 'еe', 'ёë', 'кk', 'мm', 'нh', 'оo', 'рp', 'сc', 'тt', 'уy', 'үy', 'хx', 'іi', 'їï'],
		...['јj', 'ѕs', 'һh', 'ԁd', 'ԛq', 'ԝw', 'ӏi', 'ǀi', 'օo'],
		...['αa', 'βb', 'εe', 'ζz', 'ηh', 'ιi', 'κk', 'μm', 'νn', 'οo', 'ρp', 'τt', 'υy', 'χx', 'ϲc', 'ϳj', 'ςσ'],
		...['ıi', "’'", "‘'", "ʼ'", "′'", "`'", '“"', '”"', '⁄/', '∕/', '⧸/', '∶:', '꞉:', '−-', '˗-', '⁃-'],
	].map((pair) => [...pair] as [string, string]),
);

/** The form in which the key is compared, or what is wrong with it. `text` has no spaces at its ends. */
export function readKeyText(text: string): { key: string } | ValidationIssue {
	const invisible = INVISIBLE.exec(text)?.[0];
	if (invisible !== undefined) return PAYMENT_KEY.hasInvisible(codePointOf(invisible), visible(text));
	if (text.length > MAX_LENGTH) return PAYMENT_KEY.isTooLong(String(MAX_LENGTH));
	if (ENDS_OPEN.test(text)) return PAYMENT_KEY.endsWithSeparator(text);
	const noValue = (NO_VALUE.exec(text) ?? NO_VALUE_IN_CAPITALS.exec(text))?.[0];
	if (noValue !== undefined) return PAYMENT_KEY.hasNoValue(text, noValue);
	const words = text.normalize('NFKC').match(/[\p{L}\p{M}]+/gu) ?? [];
	const odd = words.find((word) => alphabetsOf(word) > 1 || LOOK_ALIKE.test(word));
	if (odd !== undefined) return PAYMENT_KEY.mixesAlphabets(text, odd);
	return { key: comparable(text) };
}

/** The text as people read it: the same for texts that look the same. */
export function comparable(text: string): string {
	const plain = text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
	const folded = [...plain].map((character) => SAME_LOOK.get(character) ?? character).join('');
	return (
		folded
			.replace(/\p{Pd}/gu, '-')
			.replace(/\p{Zs}+/gu, ' ')
			// A dot above adds nothing to a letter that has one.
			.replace(/([ij])\u0307/gu, '$1')
			.trim()
	);
}

function alphabetsOf(word: string): number {
	return ALPHABETS.filter((alphabet) => alphabet.test(word)).length;
}

function codePointOf(character: string): string {
	return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The text with a mark in place of each invisible character. */
function visible(text: string): string {
	return text.replace(new RegExp(INVISIBLE, 'gu'), '�');
}

/**
 * The expressions inside a text such as `=INV-{{ $json.invoice }}`, each as an expression of its own. Empty if the whole text
 * is one expression, since its value then is the key.
 */
export function expressionsWithin(expression: unknown): string[] {
	if (typeof expression !== 'string' || !expression.startsWith('=')) return [];
	const parts = [...expression.matchAll(/\{\{([\s\S]*?)\}\}/g)].map(([part]) => part);
	const isOne = parts.length === 1 && expression.slice(1).trim() === parts[0];
	return isOne ? [] : parts;
}

/** Whether the value of such an expression can be a part of a key. */
export function isPartOfKey(value: unknown): boolean {
	if (value === undefined || value === null) return false;
	return typeof value === 'number' ? Number.isFinite(value) : String(value).trim() !== '';
}
