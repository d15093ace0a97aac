/**
 * The data of the items that a node gave. None if it has not run.
 * @param {N8n['$']} $
 * @param {string} node
 */
export const itemsOf = ($, node) =>
	$(node).isExecuted
		? $(node)
				.all()
				.map(({ json }) => json)
		: [];

/**
 * The rows that a Data Table node has read, without the item that it gives in place of no row or of an error.
 * @param {N8n['$']} $
 * @param {string} node
 */
export const rowsOf = ($, node) => itemsOf($, node).filter(({ id }) => id !== undefined);
