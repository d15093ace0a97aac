/** What the book says in the column `message` of a row, and why an item makes no row. Parameters are texts to insert. */
import { shortLine } from '../../../shared/text.ts';

/** Why the amount of a row is not known. A person who looks it up writes it into the row. */
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
	keyCannotBeUsed: (key: string) => `Its Payment Key ${shortLine(key)} cannot be used.`,
	resultIsOdd: (result: string) =>
		`Its result '${shortLine(result)}' is none of a payment, so it is not known if it was paid.`,
	isBelowMinimum: () => 'It was converted below the minimum rate. Ask the service why.',
	convertedAmountMissing: () => 'How much came in is not known. Look it up at the service.',
	currencyMissing: () => 'The conversion does not name its currency. Write its code into the column asset.',
};

export const NO_ROW = {
	message: (item: string) => `Item ${item} is no event, no payment and no conversion, so it makes no row`,
	description: (fields: string) =>
		`The book has rows for events of the trigger, payments and conversions. This item has ${fields}. Connect only nodes that give those. No row was made of the other items either. If payments were made before this node and each has a Payment Key, choose Retry: what was paid is not paid again. Do not run payments without a Payment Key again: they would be paid a second time`,
	noFields: () => 'no fields',
	fields: (names: string) => `the fields ${shortLine(names)}`,
	error: (message: string) => `the error: ${shortLine(message)}`,
};
