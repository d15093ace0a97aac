/** What identifies a payment, by the name of its field or record. */
import { areNameOfPayment, PAYMENTS } from './payments.ts';
import { isReason } from './reasons.ts';
import { isFilled, isIdentifier, textOf } from './values.ts';
import { listed, wordsOf } from './words.ts';

/** Names of the identifier in an accepted answer: those of documented payments first, in both spellings, then general ones. */
export const PAYMENT_IDS = listed(
	'payout_id, transaction_id, payoutId, transactionId, tx_hash, id, reference',
);

/** Last words of a key whose value identifies: `order_no`, `payoutUrl`. */
const IDENTIFIERS = listed(
	'id, ids, uuid, guid, hash, ref, refs, reference, references, no, nr, number, key, token, url, href, link',
);

/** Words of keys that only a payment has, whatever stands beside them. */
const MARKS = listed('hash, utr, rrn, uetr, nip, receipt, tracking, confirmation');

/**
 * Whether a field of a refusal identifies a payment: by its own name, such as `withdrawal_id` or `payout`, or, in the record of a
 * payment, as `id` or `no`. An `id` in the record of an error is the error's.
 */
export function identifiesPayment(key: string, value: unknown, isInPayment: boolean): boolean {
	return isFilled(value) && namesPayment(wordsOf(key), isInPayment) && textsOf(value).some(identifies);
}

function namesPayment(words: string[], isInPayment: boolean): boolean {
	if (areNameOfPayment(words) || words.some((word) => MARKS.includes(word))) return true;
	if (!IDENTIFIERS.includes(words.at(-1) ?? '')) return false;
	return words.length === 1 ? isInPayment : words.some((word) => PAYMENTS.includes(word));
}

/** The texts of a value that may be one identifier or a list of them. */
function textsOf(value: unknown): string[] {
	return (Array.isArray(value) ? value : [value]).map(textOf);
}

/** A text such as `is required` stands under the name of a field that was refused. */
function identifies(text: string): boolean {
	return isIdentifier(text) && !/\s/.test(text.trim()) && !isReason(text);
}
