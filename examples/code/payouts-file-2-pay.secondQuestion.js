import { rowsOf } from './nodeItems.js';

/**
 * The list of the first yes, for the second person. *Take* has written both into the table, so a stop in between loses nobody.
 * @param {N8n} n8n
 */
export function run({ $ }) {
	return [...rowsOf($, 'Take'), ...rowsOf($, 'First yes')].flatMap(({ id, rows, asker, approver }) => {
		const between = approver.lastIndexOf(', ');
		const people = { approvedBy: approver.slice(0, between), approver: approver.slice(between + 2) };
		return JSON.parse(rows).map((/** @type {Payment} */ row) => ({
			json: { ...row, asker, ...people, list: String(id) },
		}));
	});
}
