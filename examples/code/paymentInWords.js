/**
 * A payment in words that are the same for 5 and 5.00.
 * @param {Payment} payment
 */
export function paymentInWords({ amount, currency, coin, destination }) {
	const plain = String(amount ?? '')
		.replace(/^0+(?=\d)/, '')
		.replace(/(\.\d*?)0+$/, '$1')
		.replace(/\.$/, '');
	return `${plain} ${currency || `of the coin ${coin}`} to ${destination}`;
}
