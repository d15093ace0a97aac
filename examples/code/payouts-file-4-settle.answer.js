import { decisionsIn } from './settleAnswer.js';

/**
 * The rows that the answer is about, each with the word of the person. One item without rows if it cannot be read.
 * @param {N8n} n8n
 */
export function run({ $, $input }) {
	const { Answer, Rows } = $input.first().json;
	const { rows } = $('Question').first().json;
	const numbers = rows.map((/** @type {{ number: number }} */ { number }) => number);
	const { problem, chosen = [], settle } = decisionsIn(Answer, Rows, numbers);
	if (problem) return [{ json: { problem } }];
	return chosen.map((number) => ({ json: { ...rows[numbers.indexOf(number)], settle } }));
}
