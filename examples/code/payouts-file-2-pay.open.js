import { listNow } from './listNow.js';
import { sameKey } from './paymentKey.js';

/**
 * The rows that are not known, and of which the table does not say so. Nobody could settle them.
 * @param {N8n} n8n
 */
export function run({ $ }) {
	return listNow($)
		.filter(({ isOpen }) => isOpen)
		.map(({ isOpen, ...row }) => ({ json: { ...row, tableKey: sameKey(row.paymentKey) } }));
}
