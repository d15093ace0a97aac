import { resultsOf } from './listResults.js';
import { itemsOf } from './nodeItems.js';

/**
 * The results of the list of this execution.
 * @param {N8n['$']} $
 */
export function listNow($) {
	const all = (/** @type {string} */ node) => itemsOf($, node);
	const { taken } = [...all('Take'), ...all('List of the table')][0];
	return resultsOf({ rows: all('Rows to tell'), said: all('Pay once'), book: all('Book'), since: taken });
}
