/** What a list of the editor says when it has nothing to choose. Parameters of the functions are texts to insert. */
import type { Texts, ValidationIssue } from '../../shared/wording.ts';

export const EMPTY_LIST = {
	/** `of`: nothing, or ` in` a currency. */
	hasNothing: ({ what, of, mode }: Texts<'what' | 'of' | 'mode'>): ValidationIssue => ({
		message: `The service lists no ${what}${of}`,
		description: `If you know the value, choose '${mode}' in place of 'From List' and enter it`,
	}),
};
