import { movementsOfConversion } from './movement.js';

/**
 * The movements of this order, as the book shall have them now. They are written before a part is sent, and after.
 * @param {N8n} n8n
 */
export function run({ $input }) {
	return $input
		.all()
		.filter(({ json }) => json.id)
		.flatMap(({ json }) => movementsOfConversion(json))
		.map((json) => ({ json }));
}
