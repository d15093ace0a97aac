import { sameKey } from './paymentKey.js';

/**
 * The rows that are asked about, with their keys as the book has them.
 * @param {N8n} n8n
 */
export function run({ $ }) {
	return $('When called')
		.all()
		.map(({ json }) => ({ json: { tableKey: sameKey(json.paymentKey) } }));
}
