/**
 * What Reconcile says. No sentence invites to pay twice: a list may be run again only if each payment in it has a Payment Key. Amounts
 * that come as parameters are written as people read them.
 */
import type { Texts } from '../../../../api/texts.ts';
import { counted, enumerated, shortLine } from '../../../shared/text.ts';
import { DeskProblem } from '../../operation/problem.ts';
import type { Why } from './openItems.ts';

const TABLE = 'wallet_service_book';
const DASHBOARD = 'the dashboard of the service';

/** As many names as one sentence has. */
const MOST_NAMED = 5;

export const named = (names: readonly string[]) =>
	enumerated(
		names.map((name) => shortLine(name)),
		{ most: MOST_NAMED },
	);

type OfMovement = Texts<'name' | 'kind' | 'amount' | 'counterpart'>;

const payment = ({ name, kind, amount, counterpart }: OfMovement) =>
	`${kind} ${shortLine(name) || 'without a key'}, ${amount}${counterpart === '' ? '' : `, ${shortLine(counterpart)}`}`;

/** An open item in words. */
export const ITEM: Record<Why, (of: OfMovement & Texts<'status'>) => string> = {
	'no answer': (of) => `${payment(of)}: no answer, so it may have been made`,
	'paid before': (of) => `${payment(of)}: its key says that it was paid, and no row says when`,
	'no final state': (of) => `${payment(of)}: no final state`,
	pending: (of) => `${payment(of)}: ${shortLine(of.status) || 'no status'}`,
	contradiction: (of) =>
		`${payment(of)}: its rows contradict each other, the last one says ${shortLine(of.status)}`,
	'fee not reported': (of) => `${payment(of)}: its fee is not reported`,
	'not ordered': (of) =>
		`${payment(of)}: it is not in the book as a payment, and its amount and fee do not count`,
};

export const IS_YOUNG = (of: OfMovement) => `${payment(of)}: younger than an hour`;
export const UNKNOWN_AMOUNT = 'amount not known';

/** What a person does about an open item. Said once, however many there are. */
export const WHAT_TO_DO: Record<Why, string> = {
	'no answer': `Payments without an answer: look each one up in ${DASHBOARD}. If its list still asks about it, answer there. Otherwise insert a row with its kind, key and asset, and the result paid or notSent.`,
	'paid before': `Payments that were paid before: look up in ${DASHBOARD} when each was paid. If it was after the opening, insert a row with its kind, key and asset, the result paid and that time.`,
	'no final state': `Crypto payouts without a final state: ask the service for their state. Insert a row with the kind, reference and status if no event comes.`,
	pending: `Deposits that are pending: ask the service for their state. Insert a row with the kind, reference, asset, amount and status if no event comes.`,
	contradiction: `Rows that contradict each other: ask the service which word is right, and pay nothing again before you know.`,
	'fee not reported': `Fees that are not reported: ask the service. Insert a row with the kind, reference and fee, or set the option 'Fee of a Payout'.`,
	'not ordered': `Payouts that nobody ordered: ask everyone who can pay. If nobody did, let the service stop them, and change the API key.`,
};

type Money = Texts<'amount'>;

export const VERDICT = {
	isOpened: ({ amount }: Money) =>
		`The opening is taken: ${amount}. From now on, what the book has counts from it.`,
	isRounding: ({ amount }: Money) =>
		`The difference of ${amount} is rounding: movements have more digits than the balance.`,
	difference: 'the difference',
	rest: 'the rest of the difference',
	butForFees: 'the difference but for fees that are not reported yet',
	one: ({ sum, item }: Texts<'sum' | 'item'>) => `This is ${sum}: ${item}.`,
	oneOf: ({ sum, items }: Texts<'sum'> & { items: string[] }) =>
		`One of these is ${sum}, and no row says which: ${items.join('; ')}.`,
	all: ({ sum, count }: Texts<'sum'> & { count: number }) =>
		`All ${counted(count, 'open item')} together are ${sum}.`,
	some: ({ sum, items }: Texts<'sum'> & { items: string[] }) =>
		`Some payments of one execution are ${sum}: ${items.join('; ')}.`,
	someEqual: ({ sum, count, of, execution }: Texts<'sum' | 'execution'> & { count: number; of: number }) =>
		`${count} of ${of} equal payments of execution ${shortLine(execution)} are ${sum}, and no row says which.`,
	part: (item: string) => `This can be a part of the difference: ${item}.`,
	fees: ({ amount, count, most }: Money & { count: number; most: string }) =>
		`${amount} can be fees that are not reported yet, of ${counted(count, 'crypto payout')}: at most ${most}.`,
	hasNoReading: () =>
		'The book has no earlier reading of this balance, so nobody can tell if the difference is older than these items.',
	notExplained: ({ amount, since }: Money & Texts<'since'>) => `No row explains ${amount} since ${since}.`,
	stood: ({ amount }: Money) =>
		`${amount} stood at an earlier reading, so an item that began later is not its cause.`,
	laterFits: (item: string) => `What is new since then can be: ${item}.`,
	tooOld: (item: string) => `This has the amount, and is open for more than three days: ${item}.`,
	tooOldEqual: ({ count, of, execution }: Texts<'execution'> & { count: number; of: number }) =>
		`${count} of ${of} equal payments of execution ${shortLine(execution)} have the amount, and are open for more than three days.`,
	isNotOrdered: (item: string) => `This has the amount: ${item}.`,
	fits: (items: string[]) =>
		`The book counts this amount, and perhaps it has not moved: ${items.join('; ')}.`,
	feeFits: ({ amount, count }: Money & { count: number }) =>
		`${amount} for each of ${counted(count, 'payout')} without a fee would be the difference. If that is the fee, set the option 'Fee of a Payout' of Reconcile.`,
	fundingFees: ({ amount }: Money) =>
		`The fees of deposits and fundings since the opening are ${amount}, and do not count.`,
	noOpening: (items: string[]) =>
		`There is no opening yet, so nothing is compared. It is taken when none of these may move the balance any more: ${items.join('; ')}.`,
	notRead: (problem: string) => `The balance was not read. ${problem}`,
	notReadWhy: () => 'The service was not asked.',
	unreadable: (balance: string) => `The service says: ${shortLine(balance)}.`,
	isBoth: (code: string) =>
		`${shortLine(code)} is a currency in some rows and a coin in others. Correct the kind of the rows, or the option 'Assets'.`,
	couldHide: ({ amount, count }: Money & { count: number }) =>
		`Missing fees of ${counted(count, 'crypto payout')} could hide ${amount} at most.`,
	oldFees: ({ count, names }: { count: number; names: string }) =>
		`${counted(count, 'crypto payout')} had no fee for more than three days: ${names}.`,
	tooOldCorrections: ({ count, names }: { count: number; names: string }) =>
		`${counted(count, 'correction')} from before the opening ${count === 1 ? 'does' : 'do'} not count: ${names}.`,
	openingIsTyped: ({ names }: Texts<'names'>) =>
		`An opening that a person typed after the first one does not count: ${names}. Delete the older opening to begin anew.`,
};

export const LOOK = {
	gone: `Money is gone that no row has: look in ${DASHBOARD} for a payout, a conversion, a debit or a fee, and for a deposit that was taken back. If n8n stopped while it paid a list in which each payment has a Payment Key, run that list again: what was paid is not paid again.`,
	come: `Money has come that no row has: look in ${DASHBOARD} for a deposit or credit whose event did not come, and for a payout that came back.`,
	book: `Book what you find: insert a row of the kind correction into ${TABLE}, with asset, amount, time, a message, and in reference the key or reference of what it books. Until then the difference stands in the subject each day.`,
};

/** About the rows of the book. */
export const BOOK_NOTE = {
	future: (names: string) => `Rows of a time after this reading do not count: ${names}.`,
	time: (names: string) => `Rows without a time do not count: ${names}.`,
	amount: (names: string) =>
		`What has no amount does not count: ${names}. Insert a row with its kind, reference or key, and the amount.`,
	kind: (names: string) => `Rows of a kind that the book does not know do not count: ${names}.`,
	odd: (names: string) =>
		`Items that could not be booked: ${names}. Their rows are of the kind odd, and say why.`,
	twice: (names: string) =>
		`Rows that people wrote stand twice, and each counts: ${names}. If only one was meant, delete the other.`,
	sharedKey: (names: string) =>
		`More than one payment has the key, and each counts: ${names}. If only one was meant, ask the service.`,
};

export const PAGE = {
	subject: ({ date, parts }: { date: string; parts: string[] }) => `Balances of ${date}: ${parts.join(', ')}`,
	nothing: 'the book has no currency and no coin',
	notExplained: ({ asset, since, amount }: Texts<'asset' | 'since' | 'amount'>) =>
		`${shortLine(asset)} NOT EXPLAINED since ${since}: ${amount}`,
	moreNotExplained: (count: number) => `${count} more NOT EXPLAINED`,
	notRead: (assets: string) => `${assets} NOT READ`,
	withOpenItems: (count: number) => `${count} with open items`,
	noOpening: (count: number) => `${count} without an opening`,
	opened: (count: number) => counted(count, 'new opening'),
	reconciled: (count: number) => `${count} reconciled`,
	notes: (count: number) => counted(count, 'note'),
	asset: ({ asset, verdict }: Texts<'asset' | 'verdict'>) => `${shortLine(asset)}: ${verdict}`,
	opening: (time: string) => `Opening, ${time}`,
	booked: ({ count, kind }: { count: number; kind: string }) => `${shortLine(kind)} (${count})`,
	amount: 'Amount',
	expected: 'Expected',
	balance: 'Balance',
	difference: 'Difference',
	line: ({ label, amount }: Texts<'label' | 'amount'>) => `${label}: ${amount}`,
	openItems: ['Open item', 'May differ by', 'Age'],
	itemInWords: ({ words, age }: Texts<'words' | 'age'>) => `${words}, ${age}`,
	moreItems: (count: number) =>
		`And ${counted(count, 'more open item')}. All of them are in the field openItems.`,
	whatToDo: 'What to do',
	aboutTheBook: 'About the book',
	lastDays: 'Balances of the last 14 days',
	legend: 'Red: not explained.',
	bar: ({ day, amount, verdict }: Texts<'day' | 'amount' | 'verdict'>) =>
		`${day}: ${amount}${verdict === 'not explained' ? ', not explained' : ''}`,
};

/** An entry of the option *Assets*. */
export const ASSETS = {
	cannotBeRead: () =>
		new DeskProblem(
			"An entry of 'Assets' has no code",
			"Under 'Assets', enter a code such as NGN, or remove the entry",
		),
	isThereTwice: (code: string) =>
		new DeskProblem(`'${shortLine(code)}' is twice under 'Assets'`, 'Remove one of the two entries'),
};

/** An entry of the option *Fee of a Payout*. */
export const FEE_OF_PAYOUT = {
	cannotBeRead: ({ name, amount }: Texts<'name' | 'amount'>) =>
		new DeskProblem(
			`The fee '${shortLine(amount)}' of '${shortLine(name)}' cannot be read`,
			"Under 'Fee of a Payout', enter a code such as NGN and a fee such as 50",
		),
	isThereTwice: (code: string) =>
		new DeskProblem(
			`'${shortLine(code)}' has more than one fee, so it is not certain which one counts`,
			"Remove all but one of them under 'Fee of a Payout'",
		),
};
