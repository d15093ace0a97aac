/** How services name a payment and what identifies it, and where an answer holds its record. */
import { isRecord } from '../json.ts';
import { isReason } from './reasons.ts';
import { isFilled, isIdentifier, textOf } from './values.ts';
import { wordsOf } from './words.ts';

type Fields = Record<string, unknown>;

/** Names of the identifier in an accepted answer: those of documented payments first, in both spellings, then general ones. */
export const PAYMENT_IDS = [
	...['payout_id', 'transaction_id', 'payoutId', 'transactionId', 'tx_hash'],
	...['id', 'reference'],
];

/** Words for a payment. */
export const PAYMENTS = [
	...['payout', 'payment', 'transaction', 'transfer', 'withdrawal', 'disbursement', 'remittance', 'order'],
	...['conversion', 'trade', 'txn', 'trx', 'tx'],
].flatMap((name) => [name, `${name}s`]);

/** Last words of a key whose value identifies: `order_no`, `payoutUrl`. */
const IDENTIFIERS = [
	...['id', 'ids', 'uuid', 'guid', 'hash', 'ref', 'refs', 'reference', 'references', 'no', 'nr', 'number'],
	...['key', 'token', 'url', 'href', 'link'],
];
/** Words of keys that only a payment has, whatever stands beside them. */
const MARKS = ['hash', 'utr', 'rrn', 'receipt', 'tracking', 'confirmation'];

/** Keys under which services put the record of a payment, besides its own names. */
const RECORDS = [
	'data',
	'response',
	'result',
	'results',
	'payload',
	'body',
	'content',
	'resource',
	'item',
	'attributes',
];

function isNameOfPayment(words: string[]): boolean {
	return words.length > 0 && words.every((word) => PAYMENTS.includes(word));
}

/** Whether a record under this key may be that of a payment. */
export function mayHoldPayment(key: string): boolean {
	const words = wordsOf(key);
	return isNameOfPayment(words) || (words.length === 1 && RECORDS.includes(words[0] ?? ''));
}

/**
 * Whether a field of a refusal identifies a payment: by its own name, such as `withdrawal_id` or `payout`, or, in the record of a
 * payment, as `id` or `no`. An `id` in the record of an error is the error's.
 */
export function identifiesPayment(key: string, value: unknown, isInPayment: boolean): boolean {
	if (!isFilled(value)) return false;
	const words = wordsOf(key);
	const isIdOfPayment =
		isNameOfPayment(words) ||
		words.some((word) => MARKS.includes(word)) ||
		(IDENTIFIERS.includes(words.at(-1) ?? '') &&
			(words.length === 1 ? isInPayment : words.some((word) => PAYMENTS.includes(word))));
	return isIdOfPayment && identifiers(value).some(isIdentifierOfPayment);
}

/** A text such as `is required` stands under the name of a field that was refused. */
function isIdentifierOfPayment(text: string): boolean {
	return isIdentifier(text) && !/\s/.test(text.trim()) && !isReason(text);
}

/** The texts of a value that may be one identifier or a list of them. */
function identifiers(value: unknown): string[] {
	return (Array.isArray(value) ? value : [value]).map(textOf);
}

const MOST_LEVELS = 3;

/** The record of a payment in an accepted answer, and what identifies the payment. */
export interface PaymentRecord {
	fields: Fields;
	id: string;
}

/**
 * The record is the answer itself if it has an identifier, or else the one object under a usual key. Undefined if no record has
 * one, or several have. `names` of the identifier: the first that is filled counts. `sent`: texts of the request; an answer that
 * repeats one identifies nothing.
 */
export function recordOfPayment(
	answer: Fields,
	names: string[],
	sent: string[],
	levels = MOST_LEVELS,
): PaymentRecord | undefined {
	const id = names
		.map((name) => (Object.hasOwn(answer, name) ? textOf(answer[name]) : ''))
		.find((text) => isIdentifier(text) && !sent.includes(text));
	if (id !== undefined) return { fields: answer, id };
	if (levels === 0) return undefined;
	const inner = Object.entries(answer)
		.filter(([key]) => mayHoldPayment(key))
		.map(([, value]) => (isRecord(value) ? recordOfPayment(value, names, sent, levels - 1) : undefined))
		.filter((record) => record !== undefined);
	return inner.length === 1 ? inner[0] : undefined;
}

/** The records of an answer, if it holds exactly one list of records, at most one level down as documented lists do. */
export function recordsIn(value: unknown, levels = 2): Fields[] | undefined {
	if (Array.isArray(value)) return value.every(isRecord) ? value : undefined;
	if (!isRecord(value) || levels === 0) return undefined;
	const inner = Object.values(value);
	const lists = inner.filter((entry) => Array.isArray(entry));
	const candidates = lists.length > 0 ? lists : inner.filter(isRecord);
	return candidates.length === 1 ? recordsIn(candidates[0], levels - 1) : undefined;
}
