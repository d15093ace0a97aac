import { mailOf } from './listMail.js';

/**
 * The mail to both, with the result file.
 * @param {N8n} n8n
 */
export function run({ $, $input }) {
	/** @param {string} node */
	const all = (node) =>
		$(node).isExecuted
			? $(node)
					.all()
					.map((item) => item.json)
			: [];
	const [{ hash }] = [...all('Take'), ...all('List of the table')];
	const unwritten = all('Open').length - all('Write open rows').filter(({ id }) => id !== undefined).length;
	const isAsked = all('Settle').length > 0 && all('Settle').every(({ error }) => !error) && unwritten === 0;
	const isStopped = !$('Pay once').isExecuted || all('Pay once').some(({ error }) => error);
	const mail = mailOf({ rows: all('Results'), totals: all('After'), hash, isAsked, isStopped });
	return [{ json: { ...mail, attachment: 'data' }, binary: $input.first().binary }];
}
