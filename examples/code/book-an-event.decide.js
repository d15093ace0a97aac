import { bookOne, filled } from './bookEvent.js';

/** An update of a payout fills the row of its payment. @param {Movement & { problem: string }} movement */
const isUpdate = ({ kind, reference, problem }) => kind === 'coin payout' && reference && !problem;

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
		.map(({ json }) => ({
			json: isUpdate(json) ? { ...filled(json, known), isUpdate: true, subject: '' } : bookOne(json, known),
		}));
}
