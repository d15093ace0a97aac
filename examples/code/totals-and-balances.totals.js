import { add } from './decimal.js';

/**
 * One item for each currency and coin. Adds decimal texts with all their digits; numbers would lose some.
 * @param {N8n} n8n
 */
export function run({ $input }) {
	const totals = new Map();
	for (const { amount: given, currency, coin, result } of $input.all().map((item) => item.json)) {
		const amount = String(given).trim();
		const code = String(currency || coin || '')
			.trim()
			.toUpperCase();
		if (code === '' || !/^\d+(\.\d+)?$/.test(amount)) continue;
		// A currency and a coin may have one name.
		const name = `${currency ? 'currency' : 'coin'} ${code}`;
		const { count, total, paid } = totals.get(name) ?? { count: 0, total: '0', paid: '0' };
		totals.set(name, {
			code,
			isFiat: Boolean(currency),
			count: count + 1,
			total: add(total, amount),
			paid: result === 'paid' ? add(paid, amount) : paid,
		});
	}
	return [...totals.values()].map((json) => ({ json }));
}
