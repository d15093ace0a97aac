import { movementsOfConversion } from './movement.js';

/** What says less comes before what says more. */
const RESULTS = ['notSent', 'unknown', 'paid'];

/**
 * The movements of this order, as the book shall have them now. They are written before a part is sent, and after. Two executions
 * at the same instant may make two rows of one part.
 * @param {N8n} n8n
 */
export function run({ $input }) {
	const movements = $input
		.all()
		.filter(({ json }) => json.id)
		.flatMap(({ json }) => movementsOfConversion(json))
		.sort((a, b) => RESULTS.indexOf(a.result) - RESULTS.indexOf(b.result));
	return [...new Map(movements.map((row) => [row.key, row])).values()].map((json) => ({ json }));
}
