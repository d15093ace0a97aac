import { add } from './decimal.js';

/**
 * Adds decimal texts with all their digits; numbers would lose some.
 * @param {N8n} n8n
 */
export function run({ $, $input }) {
	const { customer, currency, amount, sender, delivery_key } = $('Credit').first().json;
	const balance = $input
		.all()
		.map((item) => item.json.amount)
		.reduce(add, '0');
	const isReversal = amount.startsWith('-');
	const subject = amount.replace('-', '') + ' ' + currency + (isReversal ? ' was taken back' : ' arrived');
	const from = sender && !isReversal ? ' from ' + sender : '';
	const text = subject + from + '. The balance is ' + balance + ' ' + currency + '.';
	return [{ json: { customer, currency, amount, balance, deliveryKey: delivery_key, subject, text } }];
}
