import { subtract } from './decimal.js';
import { itemsOf } from './nodeItems.js';
import { separated } from './separated.js';

/**
 * What a person needs to settle the rows: the balance before and after the list. If the payments ended in the middle, the table of lists
 * has the balance before.
 * @param {N8n} n8n
 */
export function run({ $ }) {
	const [{ asker, approver, before: written }] = [
		...itemsOf($, 'When called'),
		...itemsOf($, 'List of the table'),
	];
	/** A currency and a coin may have one name. @param {any[]} totals @param {any} row */
	const totalOf = (totals, { currency, coin }) =>
		totals.find(({ code, isFiat }) => code === (currency || coin) && isFiat === Boolean(currency));
	const before = $('Before').isExecuted ? itemsOf($, 'Before') : JSON.parse(written || '[]');
	const after = itemsOf($, 'After');
	return itemsOf($, 'Results')
		.filter(({ result }) => result === 'unknown')
		.map(({ paymentKey, ...row }) => {
			const code = row.currency || row.coin;
			const had = totalOf(before, row)?.balance;
			const { balance: has, paid = '0' } = totalOf(after, row) ?? {};
			const balances =
				had && has
					? `${separated(had)} ${code} before the list, ${separated(has)} ${code} after it. The rows that are known to be paid took ${separated(paid)} ${code}. Beyond that, ${separated(subtract(subtract(had, has), paid))} ${code} are gone.`
					: has
						? `${separated(has)} ${code} after the list`
						: '';
			return { json: { paymentKey, balances, asker, approver } };
		});
}
