/** What the book says in the column `message` of a row. Parameters are texts to insert. */
import { shortLine } from '../../../shared/text.ts';

/** Why the amount of a row is not known. */
export const MOVEMENT_PROBLEM = {
	amountUnreadable: (written: string) => `The amount cannot be read: ${shortLine(written)}.`,
	amountHasSign: (amount: string) => `The amount ${amount} has a sign, and money that goes out has none.`,
	assetMissing: () => 'It names no currency or coin.',
	directionMissing: () => 'It does not say credit or debit.',
	payoutIdMissing: () => 'It has no ID of a payout.',
};

export const PAYMENT_MESSAGE = {
	paidBefore: () =>
		'It was paid before, or a person has said so. This run has sent nothing. Its ID is in the row of the run that paid it, or at the service.',
	resultIsOdd: (result: string) =>
		`Its result '${shortLine(result)}' is none of a payment, so it is not known if it was paid.`,
	isBelowMinimum: () => 'It was converted below the minimum rate. Ask the service why.',
	convertedAmountMissing: () => 'How much came in is not known. Look it up at the service.',
	currencyMissing: () => 'The conversion does not name its currency. Write its code into the column asset.',
};

export const ODD = {
	message: (text: string) => `No event, no payment and no conversion: ${text}`,
};
