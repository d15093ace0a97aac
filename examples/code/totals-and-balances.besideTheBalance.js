import { subtract } from './decimal.js';

/**
 * Compares decimal texts with all their digits.
 * @param {N8n} n8n
 */
export function run({ $, $input }) {
	const balances = new Map(
		$input.all().map((item) => [item.json.currency ?? item.json.coin, String(item.json.balance ?? '')]),
	);
	return $('Totals')
		.all()
		.filter((item) => item.json.code)
		.map(({ json }) => {
			const balance = balances.get(json.code) ?? '';
			const isNumber = /^\d+(\.\d+)?$/.test(balance);
			return {
				json: {
					...json,
					balance: isNumber ? balance : '',
					isEnough: isNumber ? !subtract(balance, json.total).startsWith('-') : null,
				},
			};
		});
}
