/** Texts of strangers inside sentences for people. */
import { oneLine } from './text.ts';

/** A Payment Key has 255 characters at most, and no name or reason that a person reads is longer. */
const LONGEST = 300;

/** A text of anybody in one line, and cut off where no person would read on. */
export function shortLine(text: string, longest = LONGEST): string {
	const line = oneLine(text.slice(0, longest));
	return text.length > longest ? `${line}…` : line;
}
