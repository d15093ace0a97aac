import { mailOf } from './listMail.js';
import { itemsOf, rowsOf } from './nodeItems.js';

/**
 * The mail to both, with the result file.
 * @param {N8n} n8n
 */
export function run({ $, $input }) {
	const all = (/** @type {string} */ node) => itemsOf($, node);
	const [{ hash }] = [...all('Take'), ...all('List of the table')];
	const unwritten = all('Open').length - rowsOf($, 'Write open rows').length;
	const isAsked = all('Settle').length > 0 && all('Settle').every(({ error }) => !error) && unwritten === 0;
	const isStopped = !$('Pay once').isExecuted || all('Pay once').some(({ error }) => error);
	const mail = mailOf({ rows: all('Results'), totals: all('After'), hash, isAsked, isStopped });
	return [{ json: { ...mail, attachment: 'data' }, binary: $input.first().binary }];
}
