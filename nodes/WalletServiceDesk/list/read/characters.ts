/** Signs in a cell that a person does not see, or that a spreadsheet has put there. */
import { codePointOf } from '../../../shared/paymentKey/keyText.ts';
import { CHARACTER } from './messages.ts';

/** Letters, marks, numbers, punctuation, symbols and the ordinary space are seen, but for some that have no width. */
const INVISIBLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|\p{DI}|\u2800/u;
const ALL_WITHOUT_WIDTH = /[\p{C}\p{DI}\u2800]/gu;
const NOT_ON_KEYBOARDS = /[^ -~]/u;

/** The first character that shows nothing, in words: `the character U+200B, which nobody sees`. */
export function invisibleIn(text: string): string | undefined {
	const [sign] = INVISIBLE.exec(text) ?? [];
	if (sign === undefined) return undefined;
	if (sign === '\n' || sign === '\r') return CHARACTER.lineBreak();
	return CHARACTER.invisible(codePointOf(sign));
}

/** The first character that is not on every keyboard, in words: `the character ₦ (U+20A6)`. */
export function oddIn(text: string): string | undefined {
	const [sign] = NOT_ON_KEYBOARDS.exec(text) ?? [];
	return sign === undefined ? undefined : inWords(sign);
}

/** The character in words, whether it can be seen or not. */
export function inWords(sign: string): string {
	return invisibleIn(sign) ?? CHARACTER.visible({ sign, code: codePointOf(sign) });
}

/** What a person sees of the text. */
export function seenOf(text: string): string {
	return text.replace(ALL_WITHOUT_WIDTH, '').trim();
}

/** Whether Excel writes this in place of a value: `#N/A`, `#REF!`, `#####`. */
export function isExcelError(cell: string): boolean {
	return /^#(?:N\/?[AV]|#+|[\p{L}/0]+[!?])$/iu.test(cell);
}

/** Whether a spreadsheet would compute the text. */
export function isFormula(cell: string): boolean {
	return /^[=+@\t-]/.test(cell);
}
