import { subtract } from './decimal.js';

/**
 * Compares decimal texts with all their digits. The service may write a code in small letters.
 * @param {N8n} n8n
 */
export function run({ $, $input }) {
	/** @param {boolean} isFiat @param {unknown} code */
	const nameOf = (isFiat, code) => `${isFiat ? 'currency' : 'coin'} ${String(code).trim().toUpperCase()}`;
	const balances = new Map(
		$input
			.all()
			.map(({ json: { currency, coin, balance } }) => [
				nameOf(currency !== undefined, currency ?? coin),
				String(balance ?? '').trim(),
			]),
	);
	return $('Totals')
		.all()
		.filter((item) => item.json.code)
		.map(({ json }) => {
			const balance = balances.get(nameOf(json.isFiat, json.code)) ?? '';
			const isNumber = /^-?\d+(\.\d+)?$/.test(balance);
			return {
				json: {
					...json,
					balance: isNumber ? balance : '',
					isEnough: isNumber ? !subtract(balance, json.total).startsWith('-') : null,
				},
			};
		});
}
