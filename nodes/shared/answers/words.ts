/** The words of a text, and lists of phrases to look for in them, in time that grows with the length of the text. */

/** The words in lower case, without accents: `alreadyPaid`, `already-paid` and `ALREADY_PAID` are two. */
export function wordsOf(text: string): string[] {
	const plain = text.normalize('NFKD').replace(/[\p{M}\p{Cf}]/gu, '');
	const apart = plain.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
	return apart
		.toLowerCase()
		.split(/[^a-z\d]+/)
		.filter((word) => word !== '');
}

/** The entries of lines such as `payout, payment`. */
export function listed(...lines: string[]): string[] {
	return lines.flatMap((line) => line.split(', '));
}

/** Other ways to write "not". In a clause all of them are this one word, so that a phrase need not list them. */
const NOT = new Set(
	listed(
		'cannot, never, unable, without, neither, nor',
		'cant, dont, doesnt, didnt, isnt, arent, wasnt, werent, hasnt, havent, hadnt',
		'wont, wouldnt, couldnt, shouldnt, mustnt',
	),
);

/** The clauses of a text, each as its words. What one of them says is not said of what another one names. */
export function clausesOf(text: string): string[][] {
	return text
		.replace(/(\w)['’](\w)/g, '$1$2')
		.split(/[.,;:!?()[\]{}|\n]+| - | but | though | although | however /i)
		.map((clause) => wordsOf(clause).map((word) => (NOT.has(word) ? 'not' : word)))
		.filter((words) => words.length > 0);
}

/** Phrases to look for in the words of a clause. */
export interface Phrases {
	areIn(words: string[]): boolean;
	/** Where a phrase begins, for each place. */
	placesIn(words: string[]): number[];
}

const GAP = '…';
const MOST_WORDS_IN_GAP = 3;

/**
 * `lines`: phrases with commas in between. A phrase is words that follow each other: `in progress`. A word with `*` at its end
 * stands for all that begin so: `duplicat*`. In `not … valid`, up to three words may stand in between.
 */
export function phrases(...lines: string[]): Phrases {
	const compiled = listed(...lines).map((phrase) => phrase.split(' '));
	const beginsAt = (words: string[], at: number) => compiled.some((phrase) => isAt(at, phrase, words));
	return {
		areIn: (words) => words.some((_, at) => beginsAt(words, at)),
		placesIn: (words) => words.flatMap((_, at) => (beginsAt(words, at) ? [at] : [])),
	};
}

function isAt(start: number, [first = '', ...others]: string[], words: string[]): boolean {
	if (!isWord(words[start], first)) return false;
	let at = start + 1;
	let isAfterGap = false;
	for (const part of others) {
		if (part === GAP) {
			isAfterGap = true;
			continue;
		}
		const reach = isAfterGap ? MOST_WORDS_IN_GAP : 0;
		const found = words.slice(at, at + reach + 1).findIndex((word) => isWord(word, part));
		if (found === -1) return false;
		at += found + 1;
		isAfterGap = false;
	}
	return true;
}

function isWord(word: string | undefined, pattern: string): boolean {
	if (word === undefined) return false;
	return pattern.endsWith('*') ? word.startsWith(pattern.slice(0, -1)) : word === pattern;
}
