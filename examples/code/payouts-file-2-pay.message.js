/**
 * The mail to both, with the result file.
 * @param {N8n} n8n
 */
export function run({ $, $input }) {
	/** @type {Row[]} */
	const rows = $('Results')
		.all()
		.map((item) => item.json);
	const { hash } = $('Question').first().json;
	/** @param {number} some */
	const words = (some) => `${some} of ${rows.length} ${rows.length === 1 ? 'payout' : 'payouts'}`;
	/** @param {string[]} results */
	const having = (...results) => rows.filter(({ result }) => results.includes(result));
	const [paid, before, unknown] = [having('paid'), having('alreadyPaid'), having('unknown')];
	const failed = rows.filter((row) => ![paid, before, unknown].some((some) => some.includes(row)));
	const totals = $('After')
		.all()
		.map((item) => item.json)
		.filter(({ code }) => code);
	const sums = totals
		.filter((total) => /[1-9]/.test(total.paid))
		.map(({ code, paid: sum }) => `${sum} ${code}`)
		.join(', ');
	/** @param {Payment} payment */
	const payment = ({ paymentKey, amount, currency, coin, destination }) =>
		`${paymentKey}, ${amount} ${currency || coin} to ${destination}`;
	const MOST = 20;
	/** @type {(title: string, list: Row[], tell: (row: Row) => string) => string[]} */
	const some = (title, list, tell) =>
		list.length === 0
			? []
			: [
					'',
					title,
					...list.slice(0, MOST).map((row) => `- ${payment(row)}. ${tell(row)}`.trim()),
					...(list.length > MOST ? [`- and ${list.length - MOST} more, see the file`] : []),
				];
	const subject = `${words(paid.length)} paid${sums ? `: ${sums}` : ''}${unknown.length > 0 ? `, ${unknown.length} NOT KNOWN` : ''}`;
	const text = [
		`${words(paid.length)} paid${sums ? `: ${sums}` : ''}.`,
		...(before.length > 0 ? [`${before.length} paid before. Nothing was sent for them now.`] : []),
		'The attached file has the result of each row.',
		...some('Not paid:', failed, ({ message }) => message),
		...some('NOT KNOWN. The approver gets a mail for each, to settle it:', unknown, () => ''),
		'',
		...(having('paid').some(({ coin }) => coin)
			? ['The status of a crypto payout arrives later. The Data Table wallet_service_payments then shows it.']
			: []),
		...(having('paid').some(({ currency }) => currency)
			? ['The service reports no status of fiat payouts. Look in its dashboard.']
			: []),
		...totals.map(
			({ code, balance }) =>
				`The wallet now has ${balance ? `${balance} ${code}` : `a ${code} balance that could not be read`}.`,
		),
		`SHA-256 of the approved file: ${hash}`,
	].join('\n');
	return [{ json: { subject, text, attachment: 'data' }, binary: $input.first().binary }];
}
