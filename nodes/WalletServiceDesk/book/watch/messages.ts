/**
 * What the watch says. Parameters are texts to insert; those named `payout` or `payouts` come from `payoutLine`. Without a Payment Key,
 * a payment that is run again is paid again: no sentence may advise that.
 */
import { isPlainDecimal, withoutSign } from '../../../../api/exact/decimal.ts';
import { sentences } from '../../../../api/texts.ts';
import type { Texts } from '../../../../api/texts.ts';
import { asSentence, counted, readableAmount, shortLine } from '../../../shared/text.ts';
import { DeskProblem } from '../../operation/problem.ts';
import type { BookCells as BookRow } from '../row.ts';

const TABLE = 'wallet_service_book';
const LOOK_UP = 'Look it up in the dashboard of the service';

/** Lines that one matter shows. A person can filter the table for the rest. */
const MOST_LINES = 100;

/** Something that a person must look at. */
export interface Matter {
	/** The same for the same matter, so that it can be told once a day. */
	matter: string;
	subject: string;
	/** Sentences, and a line for each payout that they are about. */
	text: string;
}

/** An amount as people read it; the text itself if it is none. */
export function shownAmount(amount: string): string {
	const plain = withoutSign(amount);
	return isPlainDecimal(plain) ? readableAmount(plain) : shortLine(amount) || 'an unreadable amount of';
}

/** `1,250.50 NGN to supplier-main, key INV-7, payout po_1, pending, 2026-01-02 09:30 UTC` */
export function payoutLine(row: BookRow): string {
	const { amount, asset, counterpart, key, reference, status, time } = row;
	const parts = [
		`${shownAmount(amount)} ${shortLine(asset)} to ${shortLine(counterpart) || 'nobody that is named'}`,
		`key ${shortLine(key) || 'missing'}`,
		reference === '' ? 'without an ID' : `payout ${shortLine(reference)}`,
		shortLine(status) || 'no status',
		shownTime(time),
	];
	return parts.join(', ');
}

/** `8.20 NGN, Ada Obi to customer-0042, reversed, 2026-01-02 09:30 UTC` */
export function eventLine(row: BookRow): string {
	const { amount, asset, counterpart, status, txHash, time } = row;
	const sign = amount.startsWith('-') ? '-' : '';
	const parts = [
		`${sign}${shownAmount(amount)} ${shortLine(asset)}`,
		...[counterpart, status, txHash].map((text) => shortLine(text)),
		shownTime(time),
	];
	return parts.filter((text) => text !== '').join(', ');
}

/** `2026-01-02 09:30 UTC` */
function shownTime(time: string): string {
	return Number.isNaN(Date.parse(time)) ? 'no time' : `${time.slice(0, 16).replace('T', ' ')} UTC`;
}

/** `A deposit`, `An admin credit`. */
const withArticle = (kind: string) => `${/^[aeiou]/.test(kind) ? 'An' : 'A'} ${kind}`;

/** The lines that a person reads, and how many more there are. */
export function listed(lines: string[]): string {
	const more = lines.length - MOST_LINES;
	const shown = lines.slice(0, MOST_LINES).map((line) => `- ${line}`);
	return [...shown, ...(more > 0 ? [`- and ${more} more in the table ${TABLE}`] : [])].join('\n');
}

export const BALANCE = {
	low: ({ code, balance, minimum }: Texts<'code' | 'balance' | 'minimum'>): Matter => ({
		matter: `low ${code}`,
		subject: `The ${code} balance is low`,
		text: `The ${code} balance is ${shownAmount(balance)}, below ${shownAmount(minimum)}. Payouts can be refused until money is added.`,
	}),
	unreadable: ({ code, reason }: Texts<'code' | 'reason'>): Matter => ({
		matter: `unreadable ${code}`,
		subject: `The ${code} balance cannot be read`,
		text: `The service did not say it: ${asSentence(shortLine(reason))} So it is not known if it is too low.`,
	}),
	notAsked: () => 'the service was not asked for it',
	minimumUnreadable: ({ code, minimum }: Texts<'code' | 'minimum'>): Matter => ({
		matter: `minimum ${code}`,
		subject: `The minimum of ${code} cannot be read`,
		text: `The minimum of ${code} is '${shortLine(minimum)}'. Write it as a number, such as 5000. Until then, nobody is told when the balance is low.`,
	}),
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

/** The row whose matters are asked for. */
export const NEWS = {
	rowIsMissing: (key: string) =>
		new DeskProblem(
			`The row '${shortLine(key)}' is not among the rows, so it is not certain what is new with it`,
			"Hand over the row that 'Only New With' names, and all rows with its reference or counterpart",
		),
};

export const BOOK = {
	missingColumns: (columns: string[]): Matter => ({
		matter: 'missing columns',
		subject: `The book has no column ${shortLine(columns.join(', '))}`,
		text: `The table ${TABLE} has no column ${shortLine(columns.join(' and no column '))}. Add ${columns.length === 1 ? 'it' : 'them'}, of the type text. Until then, what would stand there is not watched, and rows cannot be written.`,
	}),
	oddRows: (notes: string[]): Matter => ({
		matter: 'odd rows',
		subject: 'Rows of the book cannot be read as they are',
		text: `In the table ${TABLE}:\n${listed(notes.map((note) => shortLine(note, 1000)))}`,
	}),
	withoutResult: ({ key, payout }: Texts<'key' | 'payout'>): Matter => ({
		matter: `no result ${key}`,
		subject: `A payout has no result: ${key}`,
		text: `A row of the table ${TABLE} is a payout and has no result, so it is not known if it was paid: ${payout}. ${LOOK_UP}, and write paid or notSent into its column result.`,
	}),
};

/** What a person does with a payment whose outcome is unknown. */
const SETTLE_BY_KEY =
	"Then answer the question about it in the mail of its list, or set 'If Outcome Is Unknown' for it. Before that, nothing is sent again under its Payment Key.";
const SETTLE_WITHOUT_KEY = `It has no Payment Key, so do not run its list again: it could be paid a second time. Write what the service shows, paid or notSent, into the column result of its row in the table ${TABLE}.`;
const SETTLE_CONVERSION_BY_KEY =
	"Then set 'If Outcome Is Unknown' for it. Before that, nothing is sent again under its Payment Key.";
const SETTLE_CONVERSION_WITHOUT_KEY = `It has no Payment Key, so do not run it again: it could be made a second time. Write what the service shows, paid or notSent, into the column result of its two rows in the table ${TABLE}.`;
const settle = (hasKey: boolean) => (hasKey ? SETTLE_BY_KEY : SETTLE_WITHOUT_KEY);

interface OfConversion extends Texts<'key' | 'conversion'> {
	hasKey: boolean;
}

interface OfPayment extends Texts<'key' | 'payout'> {
	hasKey: boolean;
}

/** How long nothing was heard of something, by its age in hours. */
export const waitInWords = (age: number) =>
	age === Infinity ? 'an unknown time' : counted(Math.floor(age), 'hour');

export const PAYMENT = {
	unknown: ({ key, payout, hasKey }: OfPayment): Matter => ({
		matter: `unknown ${key}`,
		subject: `It is not known if this was paid: ${key}`,
		text: `It is not known if this was paid: ${payout}. ${LOOK_UP}. ${settle(hasKey)}`,
	}),
	unknownConversion: ({ key, conversion, hasKey }: OfConversion): Matter => ({
		matter: `unknown conversion ${key}`,
		subject: `It is not known if this was converted: ${key}`,
		text: `It is not known if ${conversion} were converted: ${key}. ${LOOK_UP}. ${hasKey ? SETTLE_CONVERSION_BY_KEY : SETTLE_CONVERSION_WITHOUT_KEY}`,
	}),
	silent: ({ key, payout, hours }: Texts<'key' | 'payout' | 'hours'>): Matter => ({
		matter: `silent ${key}`,
		subject: `No update of a payout: ${key}`,
		text: `For ${hours}, no update came of a payout in coins: ${payout}. ${LOOK_UP}. Its row is in the table ${TABLE}. The service has accepted it, so do not pay it again.`,
	}),
	amountUnreadable: ({ key, payout }: Texts<'key' | 'payout'>): Matter => ({
		matter: `unreadable payment ${key}`,
		subject: `A payment has no amount in the book: ${key}`,
		text: `The amount of a payment cannot be read: ${payout}. ${LOOK_UP}, and write the amount into its row in the table ${TABLE}, with a minus if the money went out.`,
	}),
	check: ({ count, sums, payouts }: { count: number; sums: string; payouts: string }): Matter => ({
		matter: 'check',
		subject: `Check by hand: ${counted(count, 'fiat payout')}`,
		text: `Check by hand: ${counted(count, 'fiat payout')}, ${sums}. The service reports no status of them. Look each one up in the dashboard of the service. Then write successful or failed into the column status of its row in the table ${TABLE}.\n${payouts}`,
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
export function endedList({ execution, withKey, withoutKey }: EndedList): Matter {
	const number = shortLine(execution);
	const name = number === '' ? 'an execution without a number' : `execution ${number}`;
	const count = withKey.length + withoutKey.length;
	const parts = [
		`${counted(count, 'payment')} of ${name} ${count === 1 ? 'is' : 'are'} still under way in the table ${TABLE}. If n8n stopped, the list ended in the middle.`,
		...(withKey.length > 0 ? [retryAdvice(number, withoutKey.length > 0), listed(withKey)] : []),
		...(withoutKey.length > 0 ? [withoutKeyAdvice(), listed(withoutKey)] : []),
	];
	return {
		matter: `ended in the middle ${number}`.trim(),
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
	return `These have no Payment Key, so nobody can tell which of them were paid. Do not run them again: they could be paid a second time. Retry does not send them. Look each one up in the dashboard of the service, and write paid or notSent into the column result of its row.`;
}

interface OfUpdates extends Texts<'reference' | 'payout'> {
	/** Keys of the payments that it may be. */
	keys?: string;
}

export const UPDATE = {
	ofNobody: ({ reference, payout }: OfUpdates): Matter => ({
		matter: `no row ${reference}`,
		subject: `ALARM: a payout that nobody ordered: ${reference}`,
		text: `${payout}. No payment in the table ${TABLE} has this ID, or its amount, coin and wallet. Ask everyone who can pay if they made it. If nobody did, let the service stop it, and change the API key.`,
	}),
	looksPaid: ({ reference, payout, keys = '' }: OfUpdates): Matter => ({
		matter: `looks paid ${reference}`,
		subject: `A payment that is not known looks paid: ${keys}`,
		text: `${payout}. No row has this ID. Without an answer, with this amount, coin and wallet: ${keys}. Compare it in the dashboard of the service. If it is the same, answer that it was paid.`,
	}),
	looksFailed: ({ reference, payout, keys = '' }: OfUpdates): Matter => ({
		matter: `looks failed ${reference}`,
		subject: `A payment that is not known has failed: ${keys}`,
		text: `${payout}. No row has this ID. Without an answer, with this amount, coin and wallet: ${keys}. Its money is not gone, or has come back. Compare it in the dashboard of the service before you answer.`,
	}),
	notAsOrdered: ({ key, payout, ordered }: Texts<'key' | 'payout' | 'ordered'>): Matter => ({
		matter: `not as ordered ${key}`,
		subject: `ALARM: a payout is not as ordered: ${key}`,
		text: `${payout}. Ordered was: ${ordered}. Its payment key is ${key}. Both rows are in the table ${TABLE}. Ask the service at once why it paid something else.`,
	}),
	ordered: ({ what, ordered }: Texts<'what' | 'ordered'>) =>
		`the ${what} ${what === 'amount' ? shownAmount(ordered) : shortLine(ordered)}`,
	/** `first` and `last` are final states, one of them a failure. */
	twoStates: ({
		kind,
		reference,
		first,
		last,
		lines,
	}: Texts<'kind' | 'reference' | 'first' | 'last' | 'lines'>): Matter => ({
		matter: `two states ${kind} ${reference}`,
		subject: `${withArticle(kind)} is ${first} and ${last}: ${reference}`,
		text: `The ${kind} ${reference} was reported as ${first}, and as ${last}. Ask the service which is right, and pay nothing again before you know. In the table ${TABLE}:\n${lines}`,
	}),
};

type OfEvent = Texts<'kind' | 'reference' | 'lines'>;

/** An execution that waits for a rate does not know that its deposit was taken back. */
const STOP_CONVERSION =
	'If a workflow converts it or pays it out, that execution may still wait for a rate: stop it under Executions.';

export const EVENT = {
	amountUnreadable: ({ key, kind, event, reason }: Texts<'key' | 'kind' | 'event' | 'reason'>): Matter => ({
		matter: `unreadable event ${key}`,
		subject: `${withArticle(kind)} has no amount in the book`,
		text: `An event came whose amount is not known: ${event}. ${reason === '' ? '' : `${reason} `}${LOOK_UP}, and write the amount into its row in the table ${TABLE}, with a minus if the money went out. The key of the row is ${key}.`,
	}),
	takenBack: ({ kind, reference, lines, isPart }: OfEvent & { isPart: boolean }): Matter => ({
		matter: `taken back ${kind} ${reference}`,
		subject: `${withArticle(kind)} was taken back: ${reference}`,
		text: sentences(
			`The ${kind} ${reference} came, and ${isPart ? 'a part of it was taken back: see the amounts' : 'was taken back'}.`,
			`Ask the service why. If a customer got credit for ${isPart ? 'that part' : 'it'}, take it back too.`,
			...(kind === 'crypto deposit' ? [STOP_CONVERSION] : []),
			`In the table ${TABLE}:\n${lines}`,
		),
	}),
	stillOnTheWay: ({ kind, reference, hours, lines }: OfEvent & Texts<'hours'>): Matter => ({
		matter: `still on the way ${kind} ${reference}`,
		subject: `${withArticle(kind)} does not come to an end: ${reference}`,
		text: sentences(
			`For ${hours}, no event said that the ${kind} ${reference} was successful or has failed.`,
			`${LOOK_UP}.`,
			'If it was successful, ask the service to deliver the event that says so.',
			'If it has failed, write failed into the column status of its row.',
			`In the table ${TABLE}:\n${lines}`,
		),
	}),
	severalIds: ({ txHash, ids, lines }: Texts<'txHash' | 'ids' | 'lines'>): Matter => ({
		matter: `several IDs ${txHash}`,
		subject: `One transaction is several deposits: ${ids}`,
		text: sentences(
			`The deposits ${ids} have the same transaction ${txHash}, wallet and amount.`,
			'Look at the transaction: if it has paid the wallet only once, the service has told one deposit under several IDs.',
			'Then take back what was credited for the others.',
			STOP_CONVERSION,
			`In the table ${TABLE}:\n${lines}`,
		),
	}),
	otherContent: ({ kind, reference, lines }: OfEvent): Matter => ({
		matter: `other content ${kind} ${reference}`,
		subject: `${withArticle(kind)} came again with other content: ${reference}`,
		text: `Events with the same ID say different things. Ask the service which is right. In the table ${TABLE}:\n${lines}`,
	}),
};
