/** Whether a text names who has said yes. What is clearly no name is refused. In doubt it is one: people have every kind of name. */
import { BETWEEN_NAMES } from './approvers.ts';
import { EMPTY_VALUES, NEVER_MEANT, NOT_KNOWN } from './missingValues.ts';

/** A template or an expression that was not filled in, beside what programs write. No name has these. */
const UNFILLED = /[{}]|\$json|\$\(|%s/;

const NO = ['no', 'nope', 'non', 'nein', 'nee', 'nej', 'não', 'never', 'false', 'nobody', 'noone', 'no one'];
const DECLINED = [
	'declined',
	'denied',
	'disapproved',
	'refused',
	'rejected',
	'cancelled',
	'canceled',
	'pending',
];

/** What people and programs write where a name is asked for. */
const NO_NAMES = new Set([
	...EMPTY_VALUES,
	...NOT_KNOWN,
	...NO,
	...DECLINED,
	'nil',
	'blank',
	'empty',
	'missing',
	'open',
	'waiting',
	'anybody',
	'anyone',
	'everybody',
	'everyone',
	'somebody',
	'someone',
	'approve',
	'approved',
	'approvedby',
	'approver',
	'approval',
	'confirmed',
	'name',
	'person',
	'user',
	// What a program writes for itself.
	'agent',
	'assistant',
	'automated',
	'automatic',
	'automatically',
	'chatgpt',
	'llm',
	'model',
	'system',
	'workflow',
]);

/** No names alone. Beside another word they may be parts of one: Ja Rule, Ok Ja, N. Obi. */
const NO_NAMES_ALONE = new Set([
	'yes',
	'yep',
	'yeah',
	'ok',
	'o k',
	'okay',
	'true',
	'ja',
	'oui',
	'si',
	'sí',
	'sim',
	'n a',
	'na',
	'n o',
	'me',
]);

/** Marks in place of an answer. As one of several parts they are an initial: Obi, N. */
const MARKS = new Set(['n', 'f', 'y', 't', 'x']);

/** Alone, they are names of people, too. */
const PROGRAMS = ['ai', 'auto', 'bot', 'language'];

/** They say nothing beside the words above: `the user`, `no one yet`. */
const FILLERS = new Set(['the', 'your', 'by', 'to', 'be', 'is', 'it', 'was', 'yet', 'one', ...PROGRAMS]);

/** No sign ends a word between letters: No-eul, No’am. */
const BEHIND_NO = /(?:(?!['’ʼ-]\p{L})|\s+)[^\p{L}\p{M}\p{N}\s]|\s+(?:by|from)(?!\p{L})/u;

/** A no or a decision at the beginning, whose sign, `by` or `from` says that another thing follows: `Declined by Ada`, `No: Ada`. */
const NO_FIRST = new RegExp(`^[^\\p{L}]*(?:${[...NO, ...DECLINED].join('|')})(?:${BEHIND_NO.source})`, 'u');

/** `not Ada`, `do not pay` */
const NOT_FIRST = /^[^\p{L}]*(?:(?:do\s+)?not|don['’]t)(?!\p{L})/u;

/** A text may name several persons, with commas between them. Then each of them must have a name. */
export function namesSomebody(given: unknown): given is string {
	if (typeof given !== 'string') return false;
	const text = plainOf(given);
	if (UNFILLED.test(text) || NEVER_MEANT.some((each) => text.includes(each))) return false;
	return !MARKS.has(wordsIn(text).join(' ')) && text.split(BETWEEN_NAMES).every(isName);
}

/** In lower case, and without what shows nothing. */
function plainOf(text: string): string {
	return text
		.normalize('NFKC')
		.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
		.toLowerCase();
}

function isName(text: string): boolean {
	const words = wordsIn(text);
	if (words.length === 0 || NO_FIRST.test(text) || NOT_FIRST.test(text)) return false;
	return !NO_NAMES_ALONE.has(words.join(' ')) && !areNoName(words);
}

/** Whether all words are of the lists, and not of names such as Ok Ja or Be To. */
function areNoName(words: readonly string[]): boolean {
	const isOfLists = (word: string) => NO_NAMES.has(word) || NO_NAMES_ALONE.has(word) || FILLERS.has(word);
	return words.every(isOfLists) && words.some((word) => NO_NAMES.has(word));
}

function wordsIn(text: string): string[] {
	return text.match(/[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{M}]*/gu) ?? [];
}
