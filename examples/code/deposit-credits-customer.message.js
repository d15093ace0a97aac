import { add } from './decimal.js';
import { isDecimal } from './movement.js';

/**
 * Adds decimal texts with all their digits; numbers would lose some.
 * @param {N8n} n8n
 */
export function run({ $, $input }) {
	const { customer, currency, amount, sender, delivery_key } = $('Credit').first().json;
	const amounts = $input.all().map((item) => item.json.amount);
	const readable = amounts.filter(isDecimal);
	const without = amounts.length - readable.length;
	const balance = readable.reduce(add, '0');
	const isReversal = amount.startsWith('-');
	const subject = amount.replace('-', '') + ' ' + currency + (isReversal ? ' was taken back' : ' arrived');
	const from = sender && !isReversal ? ' from ' + sender : '';
	const text =
		subject +
		from +
		'. The balance is ' +
		balance +
		' ' +
		currency +
		(without > 0 ? ', without ' + without + ' of which the amount cannot be read.' : '.');
	return [{ json: { customer, currency, amount, balance, deliveryKey: delivery_key, subject, text } }];
}
