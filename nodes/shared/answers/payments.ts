/** How services name a payment, and a record that may be one. */
import { listed, wordsOf } from './words.ts';

/** Words for a payment. */
export const PAYMENTS = listed(
	'payout, payment, transaction, transfer, withdrawal, disbursement, remittance, order, conversion, trade',
	'txn, trx, tx, txid',
).flatMap((name) => [name, `${name}s`]);

/** Keys under which services put the record of a payment, besides its own names. */
const RECORDS = listed('data, response, result, results, payload, body, content, resource, item, attributes');

/** Whether the words of a key are the name of a payment and nothing else. */
function areNameOfPayment(words: string[]): boolean {
	return words.length > 0 && words.every((word) => PAYMENTS.includes(word));
}

/** Whether a record under this key may be that of a payment. */
export function mayHoldPayment(key: string): boolean {
	const words = wordsOf(key);
	return areNameOfPayment(words) || (words.length === 1 && RECORDS.includes(words[0] ?? ''));
}
