import { resultsOf } from './listResults.js';

/**
 * The results of the list of this execution.
 * @param {N8n['$']} $
 */
export function listNow($) {
	/** @param {string} node */
	const all = (node) =>
		$(node).isExecuted
			? $(node)
					.all()
					.map((item) => item.json)
			: [];
	const { taken } = [...all('Take'), ...all('List of the table')][0];
	return resultsOf({ rows: all('Rows to tell'), said: all('Pay once'), book: all('Book'), since: taken });
}
