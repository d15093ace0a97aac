import { resultsOf } from './listResults.js';
import { itemsOf } from './nodeItems.js';
import { isPayment, paymentOf } from './payment.js';

/**
 * The results of the list of this execution.
 * @param {N8n['$']} $
 */
export function listNow($) {
	const all = (/** @type {string} */ node) => itemsOf($, node);
	const { taken } = [...all('Take'), ...all('List of the table')][0];
	// What has no id is an error.
	const book = all('Book')
		.filter((row) => row.id === undefined || isPayment(row))
		.map((row) => (row.id === undefined ? row : paymentOf(row)));
	return resultsOf({ rows: all('Rows to tell'), said: all('Pay once'), book, since: taken });
}
