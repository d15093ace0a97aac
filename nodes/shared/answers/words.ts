/** The words of a text, and lists of phrases to look for in them, in time that grows with the length of the text. */

/** The words in lower case, without accents: `alreadyPaid`, `already-paid` and `ALREADY_PAID` are two. */
export function wordsOf(text: string): string[] {
	return apart(text)
		.toLowerCase()
		.split(/[^a-z\d]+/)
		.filter((word) => word !== '');
}

/** The text without accents, and with a space inside of camelCase. */
export function apart(text: string): string {
	const plain = text.normalize('NFKD').replace(/\p{M}|\p{Cf}/gu, '');
	return plain.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
}

/** The entries of lines such as `payout, payment`. */
export function listed(...lines: string[]): string[] {
	return lines.flatMap((line) => line.split(', '));
}

/** The words of a text, one after another. */
type Words = readonly string[];

/** Phrases to look for in words. */
export interface Phrases {
	areIn(words: Words): boolean;
	/** The places of the words of each phrase that is found, without those in a gap. */
	placesIn(words: Words): number[][];
}

const GAP = '…';
const MOST_WORDS_IN_GAP = 3;

/**
 * `lines`: phrases with commas in between. A phrase is words that follow each other: `in progress`. A word with `*` at its end
 * stands for all that begin so: `duplicat*`. In `not … valid`, up to three words may stand in between.
 */
export function phrases(...lines: string[]): Phrases {
	const compiled = listed(...lines).map((phrase) => phrase.split(' '));
	const byFirst = Map.groupBy(compiled, ([first = '']) => (first.endsWith('*') ? '*' : first));
	const beginningWith = (word: string) => [...(byFirst.get(word) ?? []), ...(byFirst.get('*') ?? [])];
	const placesAt = (words: Words, at: number) =>
		beginningWith(words[at]!)
			.map((phrase) => placesOf(phrase, words, at))
			.filter((places) => places !== undefined);
	return {
		areIn: (words) => words.some((_, at) => placesAt(words, at).length > 0),
		placesIn: (words) => words.flatMap((_, at) => placesAt(words, at)),
	};
}

/** Where the words of a phrase stand if it begins at `start`. */
function placesOf([first = '', ...others]: Words, words: Words, start: number): number[] | undefined {
	if (!isWord(words[start], first)) return undefined;
	const places = [start];
	let isAfterGap = false;
	for (const part of others) {
		if (part === GAP) {
			isAfterGap = true;
			continue;
		}
		const at = places.at(-1)! + 1;
		const reach = isAfterGap ? MOST_WORDS_IN_GAP : 0;
		const found = words.slice(at, at + reach + 1).findIndex((word) => isWord(word, part));
		if (found === -1) return undefined;
		places.push(at + found);
		isAfterGap = false;
	}
	return places;
}

function isWord(word: string | undefined, pattern: string): boolean {
	if (word === undefined) return false;
	return pattern.endsWith('*') ? word.startsWith(pattern.slice(0, -1)) : word === pattern;
}
