/** A check box of a spreadsheet is `TRUE` or `FALSE`, and people write the words. An empty cell says no. */
const WORDS = { yes: true, true: true, no: false, false: false, '': false };

/** Undefined for a text that says neither. */
export function yesOrNo(text: string): boolean | undefined {
	const word = text.trim().toLowerCase();
	return Object.hasOwn(WORDS, word) ? WORDS[word as keyof typeof WORDS] : undefined;
}
