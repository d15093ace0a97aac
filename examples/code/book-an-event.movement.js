import { movementsOf } from './movement.js';

/**
 * The rows that the events make.
 * @param {N8n} n8n
 */
export function run({ $ }) {
	return $('An event')
		.all()
		.flatMap(({ json }) => movementsOf(json))
		.map((json) => ({ json }));
}
