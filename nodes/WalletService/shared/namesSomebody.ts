/** Whether a text names who has said yes. Money waits for it, so a doubt counts as nobody. */
import { EMPTY_VALUES, NEVER_MEANT, NOT_KNOWN } from './missingValues.ts';

/** An expression that n8n has not evaluated, beside what programs write. */
const NO_TEXTS = [...NEVER_MEANT, '{{'];

/** What people write where a name is asked for. A yes is no name, either. */
const NO_NAMES = new Set(
	[
		...EMPTY_VALUES,
		...NOT_KNOWN,
		...['no', 'n', 'nope', 'non', 'not', 'never', 'nein', 'nee', 'nej', 'nao', 'false', 'f'],
		...['yes', 'y', 'yep', 'yeah', 'ok', 'okay', 'true', 't', 'x', 'ja', 'oui', 'si', 'sim'],
		...['nobody', 'no one', 'anybody', 'anyone', 'everybody', 'everyone', 'somebody', 'someone'],
		...['me', 'approver', 'name', 'person', 'user', 'the', 'by', 'to', 'be', 'is', 'it', 'was', 'yet'],
		...['approve', 'approved', 'approved by', 'approval', 'confirmed'],
		...['declined', 'denied', 'rejected', 'refused'],
		...['blank', 'empty', 'given', 'known', 'missing', 'nil', 'open', 'pending', 'waiting'],
	].map((words) => wordsIn(words).join('')),
);

/** Signs between the names of several persons. */
const BETWEEN_NAMES = /[,;、،؛\r\n]/;

/** A text may name several persons, with commas between them. Then each of them must have a name. */
export function namesSomebody(given: unknown): boolean {
	if (typeof given !== 'string') return false;
	const text = plainOf(given);
	return !NO_TEXTS.some((each) => text.includes(each)) && text.split(BETWEEN_NAMES).every(isName);
}

/** In lower case, without accents and without what shows nothing. */
function plainOf(text: string): string {
	return text
		.normalize('NFKD')
		.replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
		.toLowerCase();
}

/** `No.`, `n/a`, `N O` and `not yet` are none: neither all letters together, nor each word by itself, may be one of these words. */
function isName(text: string): boolean {
	const words = wordsIn(text);
	return !NO_NAMES.has(words.join('')) && !words.every((word) => NO_NAMES.has(word));
}

function wordsIn(text: string): string[] {
	return text.match(/[\p{Ll}\p{Lo}]+/gu) ?? [];
}
