/** What Read and Report both say of a row. */
import { readableAmount } from '../../shared/text.ts';
import type { Texts } from '../../../api/texts.ts';

export const LIST_ROW = {
	problemCannotBeRead: () => 'It has a problem that cannot be read.',
	hasOddDecimals: ({ amount, currency, decimals }: Texts<'amount' | 'currency' | 'decimals'>) =>
		`${readableAmount(amount)} ${currency} cannot be paid by a bank: ${currency} has ${decimals} decimals. Find out which amount is meant.`,
};
