import { judge } from './bookEvent.js';
import { paymentsIn } from './payment.js';
import { rowsOf } from './nodeItems.js';

/**
 * What the update of a payout means beside the rows of payments.
 * @param {N8n} n8n
 */
export function run({ $ }) {
	const book = {
		rows: paymentsIn(rowsOf($, 'Row')),
		withoutId: paymentsIn(rowsOf($, 'Rows without an ID')),
		known: rowsOf($, 'Known rows'),
		waited: $('Ten seconds').isExecuted,
	};
	return [{ json: judge($('A payout?').first().json, book) }];
}
