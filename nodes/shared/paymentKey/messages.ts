/** What is wrong with the text of a Payment Key. Parameters of the functions are texts to insert. */
import { marked } from '../wording.ts';
import type { Texts } from '../wording.ts';

/** What a key without a value asks for. */
const WRITE_NUMBER =
	'Write the supplier, and the number and year of the invoice, or fix the expression or the data that it comes from';

/** A model is told to ask for the number of the invoice. */
export const KEY_TEXT = marked('key', {
	hasNoValue: ({ key, word }: Texts<'key' | 'word'>) => ({
		message: `'Payment Key' ${key} has the word ${word}, so a value is missing`,
		description: WRITE_NUMBER,
	}),
	isTemplate: ({ key, place }: Texts<'key' | 'place'>) => ({
		message: `'Payment Key' ${key} is a template: ${place} was not filled in`,
		description: WRITE_NUMBER,
	}),
	lacksPart: (key: string) => ({
		message: `'Payment Key' ${key} looks as if a part is missing`,
		description: WRITE_NUMBER,
	}),
	hasCharacter: ({ character, code, key }: Texts<'character' | 'code' | 'key'>) => ({
		message: `'Payment Key' has the character ${character} (${code}): ${key}`,
		description: "Write 'Payment Key' with plain letters, digits and signs, such as INV-1042",
	}),
	isNotExpression: (key: string) => ({
		message: `'Payment Key' is the fixed text ${key}`,
		description: "Switch 'Payment Key' from Fixed to Expression, so that the part in braces has a value",
	}),
	isShortened: (key: string) => ({
		message: `'Payment Key' ${key} is a number that a spreadsheet has shortened`,
		description:
			'Give the column the format Text in the spreadsheet, enter the numbers again, and export it again',
	}),
	isTooLong: (maximum: string) => ({
		message: `'Payment Key' is longer than ${maximum} characters`,
		description:
			"Enter a shorter 'Payment Key', such as the supplier, and the number and year of the invoice",
	}),
});
