/**
 * What alerts say. Parameters are texts to insert. Without a Payment Key, a payment that is run again is paid again: no sentence may advise
 * that.
 */
import { isPlainDecimal, withoutSign } from '../../../../api/exact/decimal.ts';
import { sentences } from '../../../../api/texts.ts';
import type { Texts } from '../../../../api/texts.ts';
import { asSentence, counted, shortLine } from '../../../shared/text.ts';
import { firstAndMore } from '../../../shared/wording.ts';
import { DeskProblem } from '../../operation/problem.ts';
import { digitsOf } from '../../values/money.ts';
import type { Movement } from '../movement.ts';
import type { BookRow } from '../row.ts';

const TABLE = 'wallet_service_book';
const LOOK_UP = 'Look it up in the dashboard of the service';

/** Lines that one alert shows. A person can filter the table for the rest. */
const MOST_LINES = 100;

/** Something that a person must look at. */
export interface Alert {
	/** The same as long as it is the same, so that one mail is enough. */
	alert: string;
	subject: string;
	/** Sentences, and a line for each row or payment that they are about. */
	text: string;
	/** The `id` of the row of the table with which it began. Left out, if it began with none, such as when hours were over. */
	row?: string;
}

/** An amount as people read it; the text itself if it is none. */
export function shownAmount(amount: string, asset: string): string {
	const plain = withoutSign(amount);
	return isPlainDecimal(plain) ? digitsOf(plain, asset) : shortLine(amount) || 'an unreadable amount of';
}

/** `1,250.50 NGN to supplier-main, key INV-7, payout po_1, pending, 2026-01-02 09:30 UTC` */
export function payoutLine({ amount, asset, counterpart, key, reference, rows, row }: Movement): string {
	const status = rows.findLast((each) => each.status !== '')?.status;
	const parts = [
		`${shownAmount(amount, asset)} ${shortLine(asset)} to ${shortLine(counterpart) || 'nobody that is named'}`,
		`key ${shortLine(key) || 'missing'}`,
		reference === '' ? 'without an ID' : `payout ${shortLine(reference)}`,
		shortLine(status) || 'no status',
		shownTime(row.time),
	];
	return parts.join(', ');
}

/** `8.20 NGN, customer-0042, reversed, 2026-01-02 09:30 UTC` */
export function rowLine({ amount, asset, counterpart, status, txHash, time }: BookRow): string {
	const sign = amount.startsWith('-') ? '-' : '';
	const parts = [
		`${sign}${shownAmount(amount, asset)} ${shortLine(asset)}`,
		...[counterpart, status, txHash].map((text) => shortLine(text)),
		shownTime(time),
	];
	return parts.filter((text) => text !== '').join(', ');
}

/** `2026-01-02 09:30 UTC` */
function shownTime(time: string): string {
	return `${time.slice(0, 16).replace('T', ' ')} UTC`;
}

/** `A deposit`, `An admin credit`. */
const withArticle = (kind: string) => `${/^[aeiou]/.test(kind) ? 'An' : 'A'} ${kind}`;

/** The lines that a person reads, and how many more there are. */
export function listed(lines: readonly string[]): string {
	const more = (left: number) => `and ${left} more in the table ${TABLE}`;
	return firstAndMore(lines, { most: MOST_LINES, more })
		.map((line) => `- ${line}`)
		.join('\n');
}

export const BALANCE = {
	low: ({ code, balance, minimum }: Texts<'code' | 'balance' | 'minimum'>): Alert => ({
		alert: `low ${code}`,
		subject: `The ${code} balance is low`,
		text: `The ${code} balance is ${shownAmount(balance, code)}, below ${shownAmount(minimum, code)}. Payouts can be refused until money is added.`,
	}),
	unreadable: ({ code, reason }: Texts<'code' | 'reason'>): Alert => ({
		alert: `unreadable ${code}`,
		subject: `The ${code} balance cannot be read`,
		text: `The service did not say it: ${asSentence(shortLine(reason))} So it is not known if it is too low.`,
	}),
	notAsked: () => 'the service was not asked for it',
};

/** A minimum balance in the node. */
export const MINIMUM = {
	cannotBeRead: ({ name, amount }: Texts<'name' | 'amount'>) =>
		new DeskProblem(
			`The minimum balance '${shortLine(amount)}' of '${shortLine(name)}' cannot be read`,
			"Under 'Minimum Balances', enter a code such as NGN and a minimum such as 5000",
		),
	isThereTwice: (code: string) =>
		new DeskProblem(
			`'${shortLine(code)}' has more than one minimum balance, so it is not certain which one counts`,
			"Remove all but one of them under 'Minimum Balances'",
		),
};

/** How a person ends an alert that no other row ends. */
const END_IT = (reference: string) =>
	`To end this alert, insert a row of the kind correction into ${TABLE}, with the asset, the amount that nothing else books (or 0), and ${shortLine(reference)} in reference.`;

export const BOOK = {
	missingColumns: (columns: readonly string[]): Alert => ({
		alert: 'missing columns',
		subject: `The book has no column ${columns.join(', ')}`,
		text: `The table ${TABLE} has no column ${columns.join(' and no column ')}. Add ${columns.length === 1 ? 'it' : 'them'}, of the type text. Until then, rows cannot be written, and what would stand there is not known.`,
	}),
	unreadableRows: (notes: readonly string[]): Alert => ({
		alert: 'unreadable rows',
		subject: 'Rows of the book cannot be read as they are',
		text: `In the table ${TABLE}:\n${listed(notes.map((note) => shortLine(note, 1000)))}`,
	}),
	doNotCount: {
		future: (names: string) => `Rows of a time that is still to come do not count: ${names}.`,
		time: (names: string) => `Rows without a time do not count: ${names}.`,
		amount: (names: string) =>
			`Openings, corrections and reconciliations without an amount do not count: ${names}.`,
	},
	odd: ({
		execution,
		count,
		key,
		lines,
	}: Texts<'execution' | 'key' | 'lines'> & { count: number }): Alert => ({
		alert: `odd ${execution}`.trim(),
		subject: `${counted(count, 'item')} could not be booked`,
		text: sentences(
			`Nobody knows what these items are, so the book may lack money that has moved. Book what they mean. ${END_IT(key)}`,
			`In the table ${TABLE}:\n${lines}`,
		),
	}),
	withoutResult: ({ name, payout }: Texts<'name' | 'payout'>): Alert => ({
		alert: `no result ${name}`,
		subject: `A payout has no result: ${name}`,
		text: `A row of the table ${TABLE} is a payout and has no result, so it is not known if it was paid: ${payout}. ${LOOK_UP}, and write paid or notSent into its column result.`,
	}),
	/** `since`: of the last event; '' if the rows have none. */
	noEvents: ({ hours, since }: Texts<'hours' | 'since'>): Alert => ({
		alert: 'no events',
		subject: `No event came for ${hours}`,
		text: sentences(
			since === '' ? 'The book has no event of the service.' : `The last event came at ${shownTime(since)}.`,
			'If the service has sent some since, look if the workflow with the trigger is published, and if its URL stands in the dashboard of the service.',
		),
	}),
};

/** What a person does with a payment whose outcome is unknown. */
const ROW_WITH = (result: string) => `insert a row with its kind, key and asset, and the result ${result}`;
const DECIDE_BY_KEY =
	"Then answer the question about it in the mail of its list, or set 'If Outcome Is Unknown' for it. Before that, nothing is sent again under its Payment Key.";
const DECIDE_WITHOUT_KEY = `It has no Payment Key, so do not run its list again: it could be paid a second time. Into the table ${TABLE}, ${ROW_WITH('paid or notSent')}.`;
const DECIDE_CONVERSION_BY_KEY =
	"Then set 'If Outcome Is Unknown' for it. Before that, nothing is sent again under its Payment Key.";
const DECIDE_CONVERSION_WITHOUT_KEY = `It has no Payment Key, so do not run it again: it could be made a second time. Into the table ${TABLE}, ${ROW_WITH('paid or notSent')}, for each of its two sides.`;

interface OfPayment extends Texts<'name' | 'payout'> {
	hasKey: boolean;
}

export const hoursInWords = (hours: number) => counted(Math.floor(hours), 'hour');

export const PAYMENT = {
	unknown: ({ name, payout, hasKey }: OfPayment): Alert => ({
		alert: `unknown ${name}`,
		subject: `It is not known if this was paid: ${name}`,
		text: `It is not known if this was paid: ${payout}. ${LOOK_UP}. ${hasKey ? DECIDE_BY_KEY : DECIDE_WITHOUT_KEY}`,
	}),
	unknownConversion: ({
		name,
		conversion,
		hasKey,
	}: Texts<'name' | 'conversion'> & { hasKey: boolean }): Alert => ({
		alert: `unknown conversion ${name}`,
		subject: `It is not known if this was converted: ${name}`,
		text: `It is not known if ${conversion} were converted: ${name}. ${LOOK_UP}. ${hasKey ? DECIDE_CONVERSION_BY_KEY : DECIDE_CONVERSION_WITHOUT_KEY}`,
	}),
	silent: ({ name, payout, hours }: Texts<'name' | 'payout' | 'hours'>): Alert => ({
		alert: `silent ${name}`,
		subject: `No update of a payout: ${name}`,
		text: `For ${hours}, no update came of a crypto payout: ${payout}. ${LOOK_UP}, and insert a row with its kind, reference and status into the table ${TABLE}. The service has accepted it, so do not pay it again.`,
	}),
	amountUnreadable: ({ name, payout }: Texts<'name' | 'payout'>): Alert => ({
		alert: `no amount ${name}`,
		subject: `A payment has no amount in the book: ${name}`,
		text: `The amount of a payment cannot be read: ${payout}. ${LOOK_UP}, and insert a row with its kind, key, reference, asset and result, and the amount, with a minus if the money went out.`,
	}),
	twice: ({ name, lines }: Texts<'name' | 'lines'>): Alert => ({
		alert: `two payments ${name}`,
		subject: `More than one payment has the key ${name}`,
		text: sentences(
			`The book has payments of one key under different IDs, so the same thing may be paid twice. Compare them in the dashboard of the service.`,
			END_IT(name),
			`In the table ${TABLE}:\n${lines}`,
		),
	}),
};

interface EndedList {
	/** Number of the execution; '' if the rows do not say. */
	execution: string;
	/** Lines of the payments with a Payment Key. */
	withKey: string[];
	withoutKey: string[];
}

/** Retry pays what has a key and is not paid yet. What has none may have been paid, and nothing remembers it. */
export function endedList({ execution, withKey, withoutKey }: EndedList): Alert {
	const number = shortLine(execution);
	const name = number === '' ? 'an execution without a number' : `execution ${number}`;
	const count = withKey.length + withoutKey.length;
	const parts = [
		`${counted(count, 'payment')} of ${name} ${count === 1 ? 'is' : 'are'} still under way in the table ${TABLE}. If n8n stopped, the list ended in the middle.`,
		...(withKey.length > 0 ? [retryAdvice(number, withoutKey.length > 0), listed(withKey)] : []),
		...(withoutKey.length > 0 ? [withoutKeyAdvice(), listed(withoutKey)] : []),
	];
	return {
		alert: `ended in the middle ${number}`.trim(),
		subject: `A list ended in the middle: ${name}`,
		text: parts.join('\n'),
	};
}

function retryAdvice(execution: string, hasOthers: boolean): string {
	const these = hasOthers ? 'These have Payment Keys' : 'All of them have Payment Keys';
	const where =
		execution === ''
			? 'Find the execution of this time under Executions'
			: `Open execution ${execution} under Executions`;
	return `${these}. ${where}. If it is still running, wait. If it has ended, choose Retry: it goes on with what is left, and what was paid is not paid again.`;
}

function withoutKeyAdvice(): string {
	return `These have no Payment Key, so nobody can tell which of them were paid. Do not run them again: they could be paid a second time. Retry does not send them. Look each one up in the dashboard of the service, and ${ROW_WITH('paid or notSent')}.`;
}

export const UPDATE = {
	ofNobody: ({ reference, payout }: Texts<'reference' | 'payout'>): Alert => ({
		alert: `not ordered ${reference}`,
		subject: `ALARM: a payout that nobody ordered: ${reference}`,
		text: `${payout}. No payment in the table ${TABLE} has this ID, or its amount, coin and wallet. Ask everyone who can pay if they made it. If nobody did, let the service stop it, and change the API key. When you know what became of its money, book it. ${END_IT(reference)}`,
	}),
	looksPaid: ({ reference, payout, name }: Texts<'reference' | 'payout' | 'name'>): Alert => ({
		alert: `looks paid ${reference}`,
		subject: `A payment that is not known looks paid: ${name}`,
		text: `${payout}. No row of a payment has this ID. ${name} has no answer, and has this amount, coin and wallet. Compare it in the dashboard of the service. If it is the same, answer that it was paid.`,
	}),
	wasPaid: ({ reference, payout, name }: Texts<'reference' | 'payout' | 'name'>): Alert => ({
		alert: `was paid ${reference}`,
		subject: `ALARM: a payment looks paid that a person called not sent: ${name}`,
		text: `${payout}. No row of a payment has this ID. ${name} has this amount, coin and wallet, and a row of a person says that it was not sent. Do not pay it again. Compare it in the dashboard of the service. If it is the same, book it. ${END_IT(reference)}`,
	}),
	looksFailed: ({ reference, payout, name }: Texts<'reference' | 'payout' | 'name'>): Alert => ({
		alert: `looks failed ${reference}`,
		subject: `A payment that is not known has failed: ${name}`,
		text: `${payout}. No row of a payment has this ID. ${name} has no answer, and has this amount, coin and wallet. Its money is not gone, or has come back. Compare it in the dashboard of the service before you answer.`,
	}),
	notAsOrdered: ({
		name,
		reference,
		payout,
		ordered,
	}: Texts<'name' | 'reference' | 'payout' | 'ordered'>): Alert => ({
		alert: `not as ordered ${reference}`,
		subject: `ALARM: a payout is not as ordered: ${name}`,
		text: `${payout}. Ordered was: ${ordered}. Its Payment Key is ${name}. Both rows are in the table ${TABLE}. Ask the service at once why it paid something else. ${END_IT(reference)}`,
	}),
	ordered: ({ what, ordered, asset }: Texts<'what' | 'ordered' | 'asset'>) =>
		`the ${what} ${what === 'amount' ? shownAmount(ordered, asset) : shortLine(ordered)}`,
	/** `first` and `last` are final states, one of them a failure. */
	twoStates: ({
		kind,
		reference,
		first,
		last,
		lines,
	}: Texts<'kind' | 'reference' | 'first' | 'last' | 'lines'>): Alert => ({
		alert: `two states ${kind} ${reference}`,
		subject: `${withArticle(kind)} is ${first} and ${last}: ${reference}`,
		text: sentences(
			`The ${kind} ${reference} was reported as ${first}, and as ${last}. Ask the service which is right, and pay nothing again before you know.`,
			END_IT(reference),
			`In the table ${TABLE}:\n${lines}`,
		),
	}),
};

/** `Payout po_1: 40 USDT to treasury, successful` */
export function updateInWords({
	reference,
	amount,
	asset,
	counterpart,
	status,
}: Texts<'reference' | 'amount' | 'asset' | 'counterpart' | 'status'>): string {
	const to = shortLine(counterpart) || 'nobody that is named';
	const state = shortLine(status) || 'no status';
	return `Payout ${shortLine(reference)}: ${shownAmount(amount, asset)} ${shortLine(asset)} to ${to}, ${state}`;
}

type OfEvent = Texts<'kind' | 'reference' | 'lines'>;

/** An execution that waits for a rate does not know that its deposit was taken back. */
const STOP_CONVERSION =
	'If a workflow converts it or pays it out, that execution may still wait for a rate: stop it under Executions.';

export const EVENT = {
	amountUnreadable: ({
		kind,
		reference,
		event,
		reason,
	}: Texts<'kind' | 'reference' | 'event' | 'reason'>): Alert => ({
		alert: `no amount ${kind} ${reference}`,
		subject: `${withArticle(kind)} has no amount in the book: ${reference}`,
		text: sentences(
			`An event came whose amount is not known: ${event}.`,
			...(reason === '' ? [] : [reason]),
			`${LOOK_UP}, and insert a row with its kind, reference, asset and status, and the amount, with a minus if the money went out.`,
		),
	}),
	takenBack: ({ kind, reference, lines, isPart }: OfEvent & { isPart: boolean }): Alert => ({
		alert: `taken back ${kind} ${reference}`,
		subject: `${withArticle(kind)} was taken back: ${reference}`,
		text: sentences(
			`The ${kind} ${reference} came, and ${isPart ? 'a part of it was taken back: see the amounts' : 'was taken back'}.`,
			`Ask the service why. If a customer got credit for ${isPart ? 'that part' : 'it'}, take it back too.`,
			...(kind === 'crypto deposit' ? [STOP_CONVERSION] : []),
			END_IT(reference),
			`In the table ${TABLE}:\n${lines}`,
		),
	}),
	stillPending: ({ kind, reference, hours, lines }: OfEvent & Texts<'hours'>): Alert => ({
		alert: `pending ${kind} ${reference}`,
		subject: `${withArticle(kind)} stays pending: ${reference}`,
		text: sentences(
			`For ${hours}, no event said that the ${kind} ${reference} was successful or has failed.`,
			`${LOOK_UP}.`,
			'If it was successful, ask the service to deliver the event that says so.',
			'If it has failed, insert a row with its kind and reference, and the status failed.',
			`In the table ${TABLE}:\n${lines}`,
		),
	}),
	severalIds: ({ txHash, ids, first, lines }: Texts<'txHash' | 'ids' | 'first' | 'lines'>): Alert => ({
		alert: `several IDs ${ids}`,
		subject: `One transaction is several deposits: ${ids}`,
		text: sentences(
			`The deposits ${ids} have the same transaction ${txHash}, wallet and amount.`,
			'Look at the transaction: if it has paid the wallet only once, the service has told one deposit under several IDs.',
			'Then take back what was credited for the others.',
			STOP_CONVERSION,
			END_IT(first),
			`In the table ${TABLE}:\n${lines}`,
		),
	}),
};
