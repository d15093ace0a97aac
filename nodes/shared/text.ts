/** Texts for people, in mails and on pages. */
import { firstAndMore } from './wording.ts';

/** The text in one line, without characters that nobody sees: no value can add a line to a mail. */
export function oneLine(text: unknown): string {
	const words = typeof text === 'string' ? text : typeof text === 'number' ? String(text) : '';
	return words.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
}

/** A plain decimal as people read it: `1320.5` is `1,320.5`. Nothing is rounded, and no digit is added. */
export function readableAmount(decimal: string): string {
	const [whole = '', fraction] = decimal.split('.');
	const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
	return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** `1 payout`, `2 payouts`. */
export function counted(count: number, one: string, many = `${one}s`): string {
	return `${count} ${count === 1 ? one : many}`;
}

/** A Payment Key has 255 characters at most, and no name or reason that a person reads is longer. */
const LONGEST = 300;

/** The text in one line, of so many characters at most. What is cut off shows as `…`. */
export function shortLine(text: unknown, most = LONGEST): string {
	const line = oneLine(text);
	if (line.length <= most) return line;
	// A character may have two units, of which half a one must not stay.
	const characters = [...line.slice(0, 2 * most)];
	const isWhole = characters.length <= most && line.length <= 2 * most;
	return isWhole ? line : `${characters.slice(0, most - 1).join('')}…`;
}

/** `3`, `3 and 7`, `3, 7 and 12`. Of more than `most`, the first ones and how many more. */
export function enumerated(
	words: readonly string[],
	{ word = 'and', most = 10 }: { word?: 'and' | 'or'; most?: number } = {},
): string {
	// One or two more words take no more room than their number.
	const isLong = words.length - most > 2;
	const shown = isLong ? firstAndMore(words, { most, more: (left) => `${left} more` }) : words;
	const last = shown.at(-1) ?? '';
	return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} ${word} ${last}` : last;
}

/** The text with a full stop, unless it ends as a sentence does. '' stays ''. */
export function asSentence(text: string): string {
	const trimmed = text.trim();
	return trimmed === '' || /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
