import { bookOne } from './bookEvent.js';

/**
 * How each movement is written, and what a person must read.
 * @param {N8n} n8n
 */
export function run({ $, $input }) {
	/** @type {Movement[]} */
	const known = $input
		.all()
		.map(({ json }) => json)
		.filter(({ key }) => key);
	return $('Movement')
		.all()
		.map(({ json }) => ({ json: bookOne(json, known) }));
}
