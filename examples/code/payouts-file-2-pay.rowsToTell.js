import { itemsOf } from './nodeItems.js';
import { sameKey } from './paymentKey.js';

/**
 * The rows of the approved list, in their order: from its file, or from the table of lists if the payments ended in the middle. With
 * their keys as the book has them.
 * @param {N8n} n8n
 */
export function run({ $ }) {
	/** @type {Payment[]} */
	const rows = $('Rows').isExecuted
		? itemsOf($, 'Rows')
		: JSON.parse($('List of the table').first().json.rows);
	return rows.map((row) => ({ json: { ...row, tableKey: sameKey(row.paymentKey) } }));
}
