import { rowInWords } from './rowInWords.js';

/**
 * A payment in words that are the same for 5 and 5.00.
 * @param {Payment} payment
 */
export const paymentInWords = ({ amount, currency, coin, destination }) =>
	rowInWords({
		amount,
		kind: currency ? 'fiat payout' : 'coin payout',
		asset: currency || coin,
		counterpart: destination,
	});
