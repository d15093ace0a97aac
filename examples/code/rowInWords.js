/**
 * A payment of the book in words that are the same for 5 and -5.00.
 * @param {Pick<BookRow, 'amount' | 'kind' | 'asset' | 'counterpart'>} row
 */
export function rowInWords({ amount, kind, asset, counterpart }) {
	const plain = String(amount ?? '')
		.replace(/^-?0*(?=\d)/, '')
		.replace(/(\.\d*?)0+$/, '$1')
		.replace(/\.$/, '');
	const code = `${asset}`.trim().toUpperCase();
	return `${plain} ${kind === 'fiat payout' ? code : `of the coin ${code}`} to ${counterpart}`;
}
