/**
 * The table is a book for people. It answers what it knows. For all else, Payment Key decides.
 * @param {N8n} n8n
 */
export function run({ $, $input, $workflow }) {
	const wanted = $('Each row').first().json;
	const rows = $input.all().map((item) => item.json);
	/** @type {Array<(row: Row) => unknown>} */
	const kinds = [
		(row) => row.payoutId,
		(row) => row.result === 'paid',
		(row) => row.settle,
		(row) => row.result === 'unknown',
		() => true,
	];
	const row = kinds.map((isKind) => rows.find(isKind)).find((found) => found);
	const isUnknown = row.result === 'unknown';
	/** @param {unknown} amount */
	const plain = (amount) =>
		String(amount ?? '')
			.replace(/^0+(?=\d)/, '')
			.replace(/(\.\d*?)0+$/, '$1')
			.replace(/\.$/, '');
	/** @param {Payment} payment */
	const words = ({ amount, currency, coin, destination }) =>
		`${plain(amount)} ${currency || `of the coin ${coin}`} to ${destination}`;
	/** @type {(result: string, message: string, row?: Partial<Row>) => N8nItem[]} */
	const tell = (result, message, { payoutId, status, execution } = {}) => [
		{ json: { next: 'tell', result, message, payoutId, status, execution } },
	];

	if (wanted.problem) return tell('notSent', wanted.problem);
	if ((isUnknown || row.result === 'paid') && words(row) !== words(wanted))
		return tell(
			'notSent',
			`In the table, ${wanted.paymentKey} is ${words(row)}. This row says ${words(wanted)}. One of the two is wrong. Nothing was sent.`,
		);
	if (row.result === 'paid') return tell('alreadyPaid', row.message, row);
	if (row.settle && !(isUnknown && ['wasPaid', 'wasNotPaid'].includes(row.settle)))
		return tell(
			isUnknown ? 'unknown' : 'notSent',
			`The column settle says '${row.settle}'. It may say wasPaid or wasNotPaid, and only if the result is unknown. Nothing was sent.`,
			row,
		);

	const word = row.settle ? `A person wrote ${row.settle}.` : '';
	const unknown = word
		? 'Run it again in a few minutes. If it is still unknown, look the payment up at the service. Then write wasPaid or wasNotPaid again.'
		: 'Look the payment up at the service. Then write wasPaid or wasNotPaid into the column settle, and run it again.';
	if (isUnknown && !row.settle && (wanted.dryRun || row.workflow !== $workflow.id))
		return tell('unknown', row.message || unknown, row);
	const says = {
		paid: word,
		alreadyPaid:
			row.settle === 'wasPaid'
				? word
				: 'An earlier run has paid this, and could not write it here. Look for its ID at the service.',
		dryRun: 'This was a dry run.',
		unknown,
	};
	return [
		{
			json: {
				...(row.settle === 'wasPaid'
					? { next: 'settled', result: 'alreadyPaid' }
					: { next: wanted.coin ? 'coin' : 'fiat' }),
				decision: row.settle || 'doNotPay',
				says,
				tried: isUnknown ? row : {},
				keeps: isUnknown ? ['notSent', ...(word ? [] : ['unknown'])] : [],
			},
		},
	];
}
