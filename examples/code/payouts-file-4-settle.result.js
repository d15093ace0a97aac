import { itemsOf } from './nodeItems.js';
import { settledMail } from './settledMail.js';

/**
 * What became of each row of the answer.
 * @param {N8n} n8n
 */
export function run({ $ }) {
	const all = (/** @type {string} */ node) => itemsOf($, node);
	const answers = all('Answer');
	const { problem } = answers[0];
	return [
		{
			json: settledMail({
				rows: all('Question')[0].rows,
				answers: problem ? [] : answers,
				problem,
				written: problem ? [] : all('Write the answer'),
				said: problem ? [] : all('Pay once'),
			}),
		},
	];
}
