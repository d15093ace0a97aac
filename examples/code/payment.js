/** The kinds of movements that are no payments. */
const OTHERS = ['deposit', 'coin deposit', 'admin credit', 'admin debit', 'conversion'];

/**
 * A person can have written a kind that nobody knows. An update of a payout has no result.
 * @param {{ kind?: string | null, result?: string | null }} row
 */
export const isPayment = ({ kind, result }) => Boolean(result) && !OTHERS.includes(String(kind));

/**
 * A row of the book as the payment that it is. The book has its amount with a minus.
 * @param {any} row
 * @returns {Row & PaidRow}
 */
export function paymentOf({ key, kind, asset, amount, counterpart, reference, ...row }) {
	const isFiat = kind === 'fiat payout';
	return {
		...row,
		paymentKey: key,
		amount: String(amount ?? '').replace(/^-/, ''),
		currency: isFiat ? asset : '',
		coin: isFiat ? '' : asset,
		destination: counterpart,
		payoutId: reference,
	};
}

/**
 * The payments among the rows that were read from the book.
 * @param {any[]} rows
 */
export const paymentsIn = (rows) => rows.filter(isPayment).map(paymentOf);
