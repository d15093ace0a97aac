import { readOrder } from './conversion.js';

/**
 * The orders: of the workflow that called this one, or of the table.
 * @param {N8n} n8n
 */
export function run({ $, $input, DateTime }) {
	const called = $('When called');
	const rows = (called.isExecuted ? called : $input).all().map((item) => item.json);
	/** @param {string} text */
	const toTime = (text) =>
		DateTime.fromISO(text).toUTC().toISO() ?? DateTime.fromSQL(text).toUTC().toISO() ?? '';
	const orders = rows
		.filter((row) => Object.keys(row).length > 0)
		.map((row) => ({ ...readOrder(row, toTime), id: row.id ?? 0, isCalled: called.isExecuted }));
	return orders.map((order) => ({
		json:
			order.problem || orders.filter((other) => other.order_number === order.order_number).length === 1
				? order
				: { ...order, problem: 'Another order has this order_number. Each needs its own.' },
	}));
}
