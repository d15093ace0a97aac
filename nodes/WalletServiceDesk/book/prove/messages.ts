/**
 * What a proof says. No sentence invites to pay twice: a list may be run again only if each payment in it has a Payment Key. Amounts are
 * plain decimals, and shown as people read them.
 */
import { withoutSign } from '../../../../api/exact/decimal.ts';
import type { Texts } from '../../../../api/texts.ts';
import { counted, enumerated, readableAmount, shortLine } from '../../../shared/text.ts';
import type { BookRow } from '../bookRow.ts';
import { dayOf } from '../bookTime.ts';

/** `1,250.50 NGN`. */
export function money(amount: string, asset: string): string {
	return `${readableAmount(amount)} ${shortLine(asset)}`;
}

/** As many rows as one sentence names. */
const MOST_NAMED = 5;

function listed(names: string[]): string {
	return enumerated(
		names.map((name) => shortLine(name)),
		{ most: MOST_NAMED },
	);
}

/** What a movement is called in sentences. */
export const NAME = {
	payment: ({ row, amount, asset }: { row: BookRow; amount: string; asset: string }) => {
		const name = shortLine(row.key || row.reference) || 'a payment without a key';
		const by = row.kind === 'conversion' ? 'by contract' : 'to';
		return `${name}, ${money(withoutSign(amount), asset)} ${by} ${shortLine(row.counterpart)}`;
	},
	fee: ({ reference, fee, asset }: Texts<'reference' | 'fee' | 'asset'>) =>
		`the fee of payout ${shortLine(reference)}, ${money(fee, asset)}`,
	comesBack: (of: Texts<'reference' | 'status' | 'amount' | 'asset'>) =>
		`payout ${shortLine(of.reference)} is ${shortLine(of.status)}, ${money(of.amount, of.asset)} come back`,
	other: ({ kind, reference, amount, asset, counterpart }: BookRow) =>
		`${shortLine(kind)} ${shortLine(reference)}, ${money(amount, asset)}, ${shortLine(counterpart)}`,
};

interface WithoutAnswer {
	words: string;
	/** The ID of updates that have its amount and wallet; '' if there are none. */
	id: string;
	status: string;
	isFailed: boolean;
	isUnderWay: boolean;
}

/** What may have moved the balance, beside what counts. */
export const DOUBT = {
	hasNoAnswer: ({ words, id, status, isFailed, isUnderWay }: WithoutAnswer) => {
		const failed = isFailed ? `, and is ${shortLine(status)}` : '';
		const named = id === '' ? '' : ` (payout ${shortLine(id)} has its amount and wallet${failed})`;
		return `${words}${named}, ${isUnderWay ? 'is being paid' : 'has no answer'}`;
	},
	feeOfUnanswered: ({ words, fee, asset }: Texts<'words' | 'fee' | 'asset'>) =>
		`the fee of ${words}, is ${money(fee, asset)} as the last one`,
	feeToCome: ({ words, fee, asset }: Texts<'words' | 'fee' | 'asset'>) =>
		`${words}, has a fee that is not reported yet, ${money(fee, asset)} as the last one`,
	madeBefore: (words: string) =>
		`${words}, was paid by an earlier run, as its key says. If an earlier proof has counted it, it was paid twice: compare it in the dashboard of the service`,
	movedAgain: ({ words, since }: Texts<'words' | 'since'>) =>
		`${words}, was in the balance of ${dayOf(since)}, and moved the balance again. It was perhaps paid twice: ask the service`,
	paymentUnread: ({ key, counterpart, result, status }: BookRow) =>
		`${shortLine(key)}, ${shortLine(counterpart)}, has the status ${shortLine(status || result)}, and its amount is not known`,
	otherUnread: ({ row, status }: { row: BookRow; status: string }) =>
		`${shortLine(row.kind)} ${shortLine(row.reference)}, ${shortLine(row.counterpart)}, has the status ${shortLine(status)}, and its amount is not known`,
	inNoRow: ({ row, amount, asset }: { row: BookRow; amount: string; asset: string }) =>
		`payout ${shortLine(row.reference) || 'without an ID'}, ${money(withoutSign(amount), asset)} to ${shortLine(row.counterpart)}, is in no row of payments`,
	cameBack: ({ words, status }: Texts<'words' | 'status'>) =>
		`${words}, is ${shortLine(status)}, and its amount came back`,
	feeCameBack: ({ reference, fee, asset }: Texts<'reference' | 'fee' | 'asset'>) =>
		`the fee of payout ${shortLine(reference)}, ${money(fee, asset)}, came back`,
	twoWords: ({ reference, status, other }: Texts<'reference' | 'status' | 'other'>) =>
		`payout ${shortLine(reference)} is ${shortLine(status)} and ${shortLine(other)}`,
	otherAmount: (of: Texts<'reference' | 'sent' | 'ordered' | 'asset'>) =>
		`payout ${shortLine(of.reference)} sent ${money(withoutSign(of.sent), of.asset)} in place of ${money(withoutSign(of.ordered), of.asset)}`,
	movedAnyway: ({ words, status }: Texts<'words' | 'status'>) =>
		`${words}, has the status ${shortLine(status) || 'that is empty'}, and moved the balance`,
	cameAgain: ({ words, amount, asset }: Texts<'words' | 'amount' | 'asset'>) =>
		`${words}, came again as ${money(amount, asset)}`,
	movedBoth: ({ words, amount, asset }: Texts<'words' | 'amount' | 'asset'>) =>
		`${words}, came again as ${money(amount, asset)}, and both moved the balance`,
	statusTwice: ({ words, status, other }: Texts<'words' | 'status' | 'other'>) =>
		`${words}, is ${shortLine(status)} and ${shortLine(other)}`,
	partTakenBack: (of: Texts<'words' | 'status' | 'other' | 'amount' | 'asset'>) =>
		`${of.words}, is ${shortLine(of.status)}, and ${money(of.amount, of.asset)} of it are ${shortLine(of.other)}`,
	hadFee: ({ words, fee, asset }: Texts<'words' | 'fee' | 'asset'>) =>
		`${words}, had a fee of ${money(fee, asset)}`,
	cameMeanwhile: (words: string) => `${words}, came while the balance was read`,
	noFees: () => "the service took no fees from this balance. If it never does, turn off 'Fees on Top'",
};

/** What is known now of a payment that was unclear. `since`: when that was. */
export const CLOSING = {
	waited: ({ words, since }: Texts<'words' | 'since'>) =>
		`${words}, had no answer on ${dayOf(since)}, and moved the balance after that`,
	wasUnclear: ({ words, since }: Texts<'words' | 'since'>) =>
		`${words}, had no answer on ${dayOf(since)}, and had moved the balance before its row`,
};

/** What counts, and perhaps did not happen. */
export const NOT_MOVED = {
	isUnderWay: (words: string) => `${words}, is under way: it has not moved the balance yet`,
	payout: (words: string) =>
		`${words}, is paid in the book, and its amount is still in the balance. Ask the service, and do not pay it again`,
	other: (words: string) => `${words}, is booked, and did not move the balance. Ask the service`,
};

interface OpenPayment {
	words: string;
	/** What keeps it from being paid twice. */
	hasPaymentKey: boolean;
	/** n8n stopped while it paid: its row was written before, and not after. */
	isBeingPaid: boolean;
}

const RUN_AGAIN =
	'Run its list again only if each payment in it has a Payment Key: then nothing is paid twice, and you are asked about this one. Otherwise look it up in the dashboard of the service';
const WITHOUT_KEY =
	'It has no Payment Key, so a second run could pay it twice: do not run it again. Look in the dashboard of the service what became of it';

/** What a person does about a payment of which nobody knows if it was paid. */
function whatToDo({ hasPaymentKey, isBeingPaid }: OpenPayment): string {
	if (!hasPaymentKey) return WITHOUT_KEY;
	return isBeingPaid ? RUN_AGAIN : 'Look it up in the dashboard of the service before you answer';
}

/** What a person does about a payment that looks paid. */
function whatToAnswer({ hasPaymentKey, isBeingPaid }: OpenPayment): string {
	if (!hasPaymentKey) return WITHOUT_KEY;
	return isBeingPaid ? RUN_AGAIN : 'Compare it in the dashboard of the service, then answer that it was paid';
}

/** What is said of a payment without an answer. */
export const OPEN_PAYMENT = {
	looksPaid: (payment: OpenPayment) => `, and looks paid. ${whatToAnswer(payment)}`,
	looksNotPaid: (payment: OpenPayment) =>
		`${payment.words}. Its amount did not leave the balance: it looks not paid, and it may still leave. ${whatToDo(payment)}.`,
	isUnclear: (payment: OpenPayment) =>
		`${payment.words}. The balance does not tell if it was paid. ${whatToDo(payment)}.`,
};

/** What has not ended, or cannot be read. */
export const STILL_OPEN = {
	payment: ({ words }: { words: string }) => `${words}.`,
	payouts: (names: string[]) =>
		`${counted(names.length, 'payout')} in coins without a final status: ${listed(names)}.`,
	others: (names: string[]) => `Still pending: ${listed(names)}.`,
	unread: ({ words }: { words: string }) => `${words}. Write it into the row.`,
};

const LOOK = {
	gone: 'Look in the dashboard of the service for a payout, conversion or debit that is in no row, and for a deposit that was taken back.',
	come: 'Look in the dashboard of the service for a deposit or credit whose event did not come, and for a payout that came back.',
};

/** The lines of a proof. */
export const LINE = {
	cause: ({ amount, asset, words, end }: Texts<'amount' | 'asset' | 'words' | 'end'>) =>
		`${money(amount, asset)}: ${words}${end}.`,
	andMoreCauses: (count: number) => `And ${counted(count, 'more', 'more')} of this kind.`,
	oneOf: 'One of these explains it:',
	otherWays: (count: number) => `And ${counted(count, 'other way', 'other ways')}.`,
	look: (isGone: boolean) => (isGone ? LOOK.gone : LOOK.come),
	orInNoRow: (isGone: boolean) => `Or it is in no row. ${isGone ? LOOK.gone : LOOK.come}`,
	notExplained: ({ amount, asset, since }: Texts<'amount' | 'asset' | 'since'>) =>
		`No row explains ${money(amount, asset)} since ${dayOf(since)}.`,
	ifStopped:
		'If n8n stopped while it paid a list in which each payment has a Payment Key, run that list again: what was paid is not paid again, and its rows are written. Do not run payments without a Payment Key again.',
	perhaps: (causes: string[]) => `Perhaps a part of it: ${causes.join(' ')}`,
	areFees: ({ amount, asset, count }: { amount: string; asset: string; count: number }) =>
		`${money(amount, asset)} can be fees that are not reported yet, of ${counted(count, 'payout')} in coins.`,
	memoryUnreadable:
		'Somebody has changed what an earlier proof left open, and it cannot be read. Payments without an answer are looked at anew.',
	andMoreNotes: (count: number) => `And ${counted(count, 'more note')}. The rows are in the book.`,
};

/** What a person must know of rows that stand together. */
export const REMARK = {
	hasTwoKeys: ({ reference, keys }: { reference: string; keys: string[] }) => {
		const named = keys.map((key) => shortLine(key));
		return `Payout ${shortLine(reference)} stands under ${counted(keys.length, 'key')}, ${enumerated(named, { most: 3 })}. It is counted once.`;
	},
	standsTwice: ({ key, amount, asset }: BookRow) =>
		`${shortLine(key)} stands in the book more than once, with other content. ${money(amount, asset)} is counted. Ask the service which is right.`,
	keyWasPaidTwice: ({ key, count }: { key: string; count: number }) =>
		`The key ${shortLine(key)} has ${counted(count, 'payment')}. Each is counted. If only one was meant, ask the service.`,
	cameAgain: ({ words, amount, asset }: Texts<'words' | 'amount' | 'asset'>) =>
		`${words}, came again as ${money(amount, asset)}. The first one is counted. Ask the service which is right.`,
	balanceUnreadable: (balance: string) => `The service says: ${shortLine(balance)}`,
	notReadableWhy: 'The balance was not read.',
};

const MOST_NOT_PROVED = 20;

type Sums = Texts<'opening' | 'openedAt' | 'booked' | 'closing' | 'difference'>;

/** Balances that the subject names. */
const MOST_IN_SUBJECT = 3;

/** The mail and the page. */
export const PAGE = {
	allProved: (date: string) => `Proof of ${date}: all proved`,
	first: ({ date, count }: { date: string; count: number }) =>
		`Proof of ${date}: the first one, of ${counted(count, 'balance')}`,
	nothing: (date: string) => `Proof of ${date}: the book has no currency and no coin`,
	verdicts: ({ date, verdicts }: { date: string; verdicts: string[] }) =>
		`Proof of ${date}: ${verdicts.join(', ')}`,
	notExplained: (proofs: Array<Texts<'asset' | 'since' | 'notExplained'>>) => {
		const named = proofs.slice(0, MOST_IN_SUBJECT);
		const more = proofs.length - named.length;
		const texts = named.map(
			({ asset, since, notExplained }) =>
				`${shortLine(asset)} NOT EXPLAINED since ${dayOf(since)}: ${readableAmount(notExplained)}`,
		);
		return [...texts, ...(more > 0 ? [`${more} more NOT EXPLAINED`] : [])];
	},
	notes: (count: number) => counted(count, 'note'),
	notProved: (assets: string[]) => {
		const named = assets.map((asset) => shortLine(asset));
		return `Not proved, because no balance was read: ${enumerated(named, { most: MOST_NOT_PROVED })}.`;
	},
	startsHere: 'First proof. The next one starts from these balances:',
	balance: ({ asset, closing }: Texts<'asset' | 'closing'>) => money(closing, asset),
	verdict: ({ asset, verdict }: Texts<'asset' | 'verdict'>) => `${shortLine(asset)}: ${verdict}`,
	sums: ({ opening, openedAt, booked, closing, difference }: Sums) =>
		`${readableAmount(opening)} on ${dayOf(openedAt)}, ${readableAmount(booked)} moved, ${readableAmount(closing)} now, difference ${readableAmount(difference)}`,
	columns: ['Asset', 'Starts from', 'Movements', 'Balance now', 'Difference', 'What it means'],
	firstColumns: ['Asset', 'Balance'],
	aboutTheBook: 'About the book:',
};
