import { subtract } from './decimal.js';
import { itemsOf } from './nodeItems.js';
import { separated } from './separated.js';

/**
 * What a person needs to settle the rows: the balance before and after the list.
 * @param {N8n} n8n
 */
export function run({ $ }) {
	/** @param {string} name */
	const totals = (name) =>
		new Map(
			itemsOf($, name)
				.filter(({ code }) => code)
				.map((total) => [total.code, total]),
		);
	const [before, after] = [totals('Before'), totals('After')];
	const [{ asker, approver }] = [...itemsOf($, 'When called'), ...itemsOf($, 'List of the table')];
	return itemsOf($, 'Results')
		.filter(({ result }) => result === 'unknown')
		.map(({ paymentKey, currency, coin }) => {
			const code = currency || coin;
			const [had, has] = [before.get(code)?.balance, after.get(code)?.balance];
			const paid = after.get(code)?.paid ?? '0';
			const balances =
				had && has
					? `${separated(had)} ${code} before the list, ${separated(has)} ${code} after it. The rows that are known to be paid took ${separated(paid)} ${code}. Beyond that, ${separated(subtract(subtract(had, has), paid))} ${code} are gone.`
					: has
						? `${separated(has)} ${code} after the list`
						: '';
			return { json: { paymentKey, balances, asker, approver } };
		});
}
