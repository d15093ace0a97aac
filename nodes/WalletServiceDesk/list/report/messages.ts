/**
 * All sentences of Report. What happened, then what to do. No sentence may invite to pay twice: each says for which
 * payments it holds, and "again" stands only beside a Payment Key.
 */
import { asSentence, counted, enumerated, readableAmount, shortLine } from '../../../shared/text.ts';
import { sentences } from '../../../../api/texts.ts';
import type { Texts } from '../../../../api/texts.ts';
import { DeskProblem } from '../../operation/problem.ts';
import { moneyOf } from '../../values/money.ts';

/** A value of a payment in a sentence. */
export const quoted = (text: string): string => `“${shortLine(text, 80)}”`;

const payouts = (count: number): string => (count === 1 ? 'The payout' : `All ${count} payouts`);
const are = (count: number): string => (count === 1 ? 'is' : 'are');
const have = (count: number): string => (count === 1 ? 'has' : 'have');

/** What is wrong with one payment. */
export const PROBLEM = {
	isNoRow: () =>
		"This item is neither a row of Read nor the result of a payment. Ask the workflow's owner which node gives it.",
	isNoRowBecause: (reason: string) =>
		`This item is neither a row of Read nor the result of a payment. It says: ${reason}`,
	hasUnclearError: (reason: string) =>
		`A node has failed for this row, and it is not known what it has done before. It says: ${reason}`,
	hasStopped: (reason: string) =>
		`The payments have stopped, and it is not known how far they came. n8n says: ${reason}`,
	wasNotChecked: () =>
		'This row was not checked, because it has no result of the dry run. Check the whole list again.',
	isDryRun: () => "It was only checked, because 'Dry Run' is on. Ask the workflow's owner.",
	hasNoResult: () => 'No result came for this payment.',
	hasNoResultAndProblems: () => 'No result came for this row.',
	resultIsNotKnown: (word: string) => `Its result ${quoted(word)} is none that a payment gives.`,
	isOfAnotherPayment: ({ ofRow, ofResult }: Texts<'ofRow' | 'ofResult'>) =>
		`Its row is a payment to ${quoted(ofRow)} and its result is of a payment to ${quoted(ofResult)}. Merge has joined two payments: give it as many rows as results, in the same order.`,
	amountCannotBeRead: (amount: string) =>
		amount === ''
			? 'The amount is missing.'
			: `The amount ${quoted(amount)} cannot be read. Write it like 1250.50.`,
	amountIsNotAboveZero: (amount: string) => `The amount ${readableAmount(amount)} is not above zero.`,
	hasNoCode: () => 'It needs a currency or a coin: one of the two, as a code such as NGN or USDT.',
	hasNoDestination: () => 'The destination is missing.',
	hasFailed: (status: string) =>
		`The service accepted this payment, and then reported ${quoted(status)}: the money did not go out, or came back. Ask the service why, before anybody pays it in any other way.`,
	bookIsNotRead: (reason: string) =>
		sentences(
			asSentence(['The book could not be read', shortLine(reason)].filter(Boolean).join(': ')),
			'So what is unlike earlier payments is not marked, and what went out today is not counted.',
			"Look at each payout yourself, and show this to the workflow's owner.",
		),
	listIsEmpty: () => 'The list has no payments.',
	isLongerThanItsPage: ({ count, most }: { count: number; most: number }) =>
		`The list has ${readableAmount(String(count))} payouts. Who approves it sees ${most} at most. Split it into shorter lists.`,
	withoutReason: () => 'No reason is known.',
	aPerson: () => 'a person',
	ofPlace: ({ place, problem }: Texts<'place' | 'problem'>) => `${place}: ${problem}`,
	isInNoTotal: () => 'It was paid, and its amount or its currency cannot be read, so it is in no total.',
};

/** The rows that belong to the results. */
export const LIST_ROWS = {
	areNoList: (place?: number) =>
		new DeskProblem(
			place === undefined
				? "'Rows of the List' is no list of rows"
				: `'Rows of the List' is no list of rows: entry ${place} is none`,
			"Set it to the rows that were paid, such as {{ $('Read').all() }}, or remove the option",
		),
	areNoBook: () =>
		new DeskProblem(
			"'Rows of the Book' is no list of rows of the book",
			"Set it to the rows of wallet_service_book, such as {{ $('Book').all() }}, or remove the option",
		),
};

/** The sums above which a second person must say yes. */
export const SECOND_APPROVAL = {
	cannotBeRead: ({ name, amount }: Texts<'name' | 'amount'>) =>
		new DeskProblem(
			`The sum '${shortLine(amount, 80)}' of '${shortLine(name, 80)}' cannot be read`,
			"Under 'Second Approval Above', enter a code such as NGN and a sum such as 100000",
		),
	isThereTwice: (code: string) =>
		new DeskProblem(
			`'${shortLine(code, 80)}' has more than one sum, so it is not certain which one counts`,
			"Remove all but one of them under 'Second Approval Above'",
		),
};

/** Totals and balances. */
export const TOTAL = {
	isNoDecimal: () => 'The service gave a balance that is no amount.',
	isNotCompared: ({ code, reason }: Texts<'code' | 'reason'>) =>
		`The balance of ${code} could not be read, so nobody knows if it is enough. ${shortLine(reason, 300)}`.trim(),
	isNotEnough: ({ code, total }: Texts<'code' | 'total'>) =>
		`The list needs ${moneyOf(total, code)}, and the wallet has less.`,
	needed: ({ count, total, code }: { count: number; total: string; code: string }) =>
		`${counted(count, 'payout')}, ${moneyOf(total, code)}`,
	paid: ({ count, total, code }: { count: number; total: string; code: string }) =>
		count === 0 ? `Nothing paid in ${code}` : `${counted(count, 'payout')} paid, ${moneyOf(total, code)}`,
	has: ({ balance, code }: Texts<'balance' | 'code'>) => `The wallet has ${moneyOf(balance, code)}.`,
	fees: () => 'Fees of the service are in no total, so a wallet may have less than you expect.',
};

/** The first line of a report, which is also the subject of a mail. */
export const SUBJECT = {
	hasNoPayments: () => 'Not ready to pay: the list has no payments',
	/** Of rows that nobody is asked about yet. */
	isReady: ({ payouts: all, sums }: Texts<'payouts' | 'sums'>) => `${all}: ${sums}`,
	approve: ({ payouts: all, sums }: Texts<'payouts' | 'sums'>) => `Approve ${all}: ${sums}`,
	payouts: ({ count, marked, isBookRead }: { count: number; marked: number; isBookRead: boolean }) =>
		`${counted(count, 'payout')}${marked > 0 ? `, ${marked} to look at` : ''}${isBookRead ? '' : ', BOOK NOT READ'}`,
	askedBy: (askedBy: string) => ` (asked by ${askedBy})`,
	isNothingNew: () => 'Nothing else is left to pay',
	approveNothingNew: () => 'Approve: nothing else is left to pay',
	nothingIsLeft: (count: number) => `Nothing is left to pay: ${counted(count, 'payout')}, all paid before`,
	isNotReady: (reasons: string) => `Not ready to pay: ${reasons}`,
	isPaid: ({ paid, count, sums }: { paid: number; count: number; sums: string }) =>
		`${paid} of ${counted(count, 'payout')} paid${sums === '' ? '' : `: ${sums}`}`,
	areAllPaid: ({ count, sums }: { count: number; sums: string }) =>
		`${payouts(count)} ${are(count)} paid${sums === '' ? '' : `: ${sums}`}`,
	wereAllPaidBefore: (count: number) => `${payouts(count)} ${count === 1 ? 'was' : 'were'} paid before`,
	ofThemBefore: (count: number) => `${count} of them before`,
	isFound: ({ name, by }: Texts<'name' | 'by'>) => `. ${name}: paid, as ${by} found`,
	areFound: ({ count, by }: { count: number; by: string }) => `. ${count} of them: paid, as ${by} found`,
	hasStopped: (count: number) => `Stopped before the end: ${counted(count, 'payout')}`,
	isNothingPaidNow: () => 'Nothing paid now',
	paidBefore: (count: number) => `${count} paid before`,
	failedAfterwards: (count: number) => `${count} FAILED AFTERWARDS`,
	notPaid: (count: number) => `${count} not paid`,
	leftOut: (count: number) => `${count} left out`,
	problems: (count: number) => counted(count, 'problem'),
	notKnown: (count: number) => `${count} NOT KNOWN`,
	withoutResult: (count: number) =>
		`no result here for ${counted(count, 'other row', 'other rows')} of the list`,
};

/** Headings and lines of the page. */
export const PAGE = {
	/** Above the item in n8n's editor. */
	isForPeople: () =>
		'This item is a page for people: give html to a mail or a form. Pay List takes the rows of Read, not this item.',
	whatIsWrong: () => 'What is wrong',
	whatWentWrong: () => 'What went wrong',
	notKnown: (count: number) => `NOT KNOWN: ${counted(count, 'payment')}`,
	toLookAt: (count: number) => `To look at: ${count}`,
	hasNoMarks: () => 'Nothing in it is unlike earlier payments.',
	notCompared: (count: number) =>
		`The service says nothing now of the account of ${counted(count, 'payout')} that it had details of before, so these accounts are not compared.`,
	aboutTheBook: () => 'About the book',
	leftOut: (numbers: string) =>
		`Row numbers that an approver left out: ${numbers}. Nothing is sent for them.`,
	isLeftOut: () => 'An approver left it out. Nothing is sent for it.',
	rowNumbers: (first: number) => `Row numbers are those of the file: the first payout is row ${first}.`,
	needsTwo: () => 'Two people must say yes to it.',
	paidToday: (sums: string) => `${sums} went out, or may have gone out, today.`,
	columnsNotRead: (names: string[]) =>
		`Columns of the list that were not read: ${enumerated(names.map(quoted))}. The file has them.`,
	payouts: (count: number) => `Payouts: ${count}`,
	others: (count: number) => `Others: ${count}`,
	byDestination: (count: number) => `By destination: all ${count}`,
	to: (destination: string) => `to ${destination}`,
	asset: ({ code, isFiat }: { code: string; isFiat: boolean }) => `${code} (${isFiat ? 'currency' : 'coin'})`,
	inDestination: ({ destination, count, sums }: { destination: string; count: number; sums: string }) =>
		`${destination}: ${counted(count, 'payout')}, ${sums}`,
	anAmountCannotBeRead: () => 'an amount cannot be read',
	meantAgain: (count: number) => `Meant, even if the same payment was made under another key: ${count}`,
	moreInTheFile: (count: number) => `And ${count} more, in the file.`,
	more: (count: number) => `And ${count} more.`,
	moreProblems: (count: number) => `And ${counted(count, 'more problem', 'more problems')}, in the file.`,
	columns: () => ['Row and key', 'Payout'],
	totalColumns: () => ['Asset', 'Payouts', 'Total'],
	paidColumns: () => ['Asset', 'Paid', 'Total'],
	key: (key: string) => `Payment Key ${key}`,
	hasNoKey: () => 'no Payment Key',
	payee: (payee: string) => `Payee: ${payee}`,
	note: (note: string) => `Note: ${note}`,
	isMeantAgain: () => 'Meant, even if the same payment was made under another key',
	result: {
		paid: 'Paid',
		alreadyPaid: 'Paid before',
		notSent: 'NOT PAID',
		rejected: 'NOT PAID',
		unknown: 'NOT KNOWN',
	},
	paidAs: (id: string) => `Paid as ${id}`,
	foundBy: (name: string) => `Paid, as ${name} found`,
	paidBeforeOn: (day: string) => `Paid before, on ${day}`,
	status: (status: string) => `Status: ${status}`,
	extra: ({ name, value }: Texts<'name' | 'value'>) => `${name}: ${value}`,
	place: ({ position, of }: { position: number; of: number }) => `${position} of ${of}`,
	otherColumns: () => 'other columns',
	ofList: (column: string) => `${column} (of the list)`,
};

/** What a person is told, and what to do. */
export const ADVICE = {
	nothingIsPaidYet: () => 'Nothing is paid yet.',
	othersAreNotPaidYet: () => 'The others are not paid yet.',
	/** Holds only for payments with a Payment Key. */
	unknownAreKept: () =>
		'What is not known is not sent together with the others: its Payment Key waits for the answer of a person.',
	correctFirst: () => 'Nothing was paid now. Correct what is named above, and check the list again.',
	/** Before it is known what was paid, nobody may start anything again. */
	findOutFirst: () => 'Find out first what is not known, and correct what else is named above.',
	/** Holds only for payments with a Payment Key. */
	werePaidBefore: (count: number) =>
		`${count} ${count === 1 ? 'was' : 'were'} paid before under ${count === 1 ? 'its Payment Key' : 'their Payment Keys'}. Nothing is sent for ${count === 1 ? 'it' : 'them'} again.`,
	haveNoKey: ({ places, count }: { places: string; count: number }) =>
		`${places} ${have(count)} no Payment Key. If this list is paid a second time, ${count === 1 ? 'it is' : 'they are'} paid a second time.`,
	/** Only for a list in which each payment has a Payment Key: those of others would be paid again. */
	startAgainWithKeys: () =>
		'To pay what was not paid: correct what is named above, and leave out each payment that somebody knows to be paid. Then hand in the list again, in the same way and with the same Payment Keys. What was paid stays paid, and what is not known is not sent.',
	/** Only for a list in which each payment has a Payment Key. */
	handInAgain: () =>
		'Correct that, then hand in the same list again, in the same way and with the same Payment Keys: nothing is paid twice.',
	/** For a list with payments that have no Payment Key. */
	doNotStartAgain: ({ places, count }: { places: string; count: number }) =>
		`Do NOT hand in this list again. ${places} ${have(count)} no Payment Key, so a second run may pay ${count === 1 ? 'it' : 'them'} a second time.`,
	onlyThoseWithKeys: (places: string) =>
		`To pay what was not paid and has a Payment Key: correct it, and put only these into a new list, with the same Payment Keys, for the same workflow: ${places}.`,
	lookUpWithoutKey: ({ places, count }: { places: string; count: number }) =>
		`${places} ${are(count)} without a Payment Key and not paid by this run. An earlier run may have paid ${count === 1 ? 'it' : 'them'}. Look in the dashboard of the service before anybody pays ${count === 1 ? 'it' : 'them'} in any way.`,
	saidToBePaid: ({ places, count }: { places: string; count: number }) =>
		`A person has said that this was paid: ${places}. Leave ${count === 1 ? 'it' : 'them'} out of every later list.`,
	cryptoStatusComesLater: () =>
		'The status of a crypto payout arrives later, in the dashboard of the service and in its events.',
	fiatHasNoStatus: () =>
		'The service reports no later status of fiat payouts. Its dashboard shows what became of them.',
};

/** Payments of which nobody knows whether they were made. */
export const UNKNOWN = {
	mayHaveMoved: () => 'The money may have moved, or not. Do not pay these in any other way before you know.',
	answerFrom: (time: string) => `An answer counts from ${time} on. An earlier one is not used.`,
	balanceFell: ({ code, amount }: Texts<'code' | 'amount'>) =>
		`Since the list was checked, the balance fell by ${moneyOf(amount, code)} more than was paid`,
	lookFirst: ({ fell, names }: { fell: string; names: string[] }) =>
		`${fell}: look first whether ${enumerated(
			names.map((name) => shortLine(name, 80)),
			{ word: 'or' },
		)} was made.`,
	otherMoves: (fell: string) => `${fell}. Fees and other payments count in it, too.`,
	howToFindOut: () => [
		'Look in the dashboard of the service for each of them: the same amount, currency or coin, and destination, made at the time of the payment or later.',
		'Keep what you see as evidence: the ID of the payout, or a picture of the page on which it is missing.',
		'Whoever is asked answers for each one by itself, and leaves out what is not certain. Until there is an answer, nothing is decided and nothing is sent.',
	],
	/** Before the payments of the list. */
	howToBeAsked: () => [
		'If this list is approved, nothing is sent for these. Then a person is asked about each of them, and only that answer decides.',
	],
	isDecidedLater: () =>
		'An answer about these was used before, or two came at the same moment. No answer about them counts in this run:',
	/** Holds only for payments with a Payment Key. */
	howToDecideLater: () => [
		'Hand in these rows once more, in the same way and under the same Payment Keys. Nothing is sent for them then.',
		'After a yes to them, somebody is asked again whether they were paid: that answer counts.',
	],
	cannotBeDecided: () => 'Nobody can decide about these here:',
	whatIfNotDecided: () =>
		"They cannot be sent again safely, since nothing tells them from payments that were made. Look them up in the dashboard in the same way, and give what you see to the workflow's owner.",
	hasNoKey: () => 'No Payment Key tells it from other payments.',
	isNotComplete: () => 'Its amount, its currency or its destination cannot be read.',
};
