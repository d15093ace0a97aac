import { listNow } from './listNow.js';

/**
 * One row for each row of the list, whatever happened.
 * @param {N8n} n8n
 */
export function run({ $ }) {
	return listNow($).map(({ isOpen, ...json }) => ({ json }));
}
