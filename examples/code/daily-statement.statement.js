/** @param {N8n} n8n */
export function run({ $, $today }) {
	const date = $today.toISODate();
	/** @param {string} node */
	const read = (node) =>
		$(node)
			.all()
			.map((item) => item.json);
	const currencies = read('One currency each');

	// One list for the table, the page and the file: kind, name, figure, value.
	const entries = [
		...read('Balances').map(({ currency, balance, error }, index) =>
			error
				? ['balance', currencies[index].currency, 'cannot be read', error.message]
				: ['balance', currency, 'balance', balance],
		),
		...read('Rates').flatMap(({ baseCurrency, quoteCurrency, bid, ask, error }) => {
			if (error) return [['rate', 'all', 'cannot be read', error.message]];
			if (!baseCurrency) return [];
			const pair = baseCurrency + '/' + quoteCurrency;
			return [
				['rate', pair, 'bid', bid],
				['rate', pair, 'ask', ask],
			];
		}),
		...read('Contracts').flatMap(({ contractId, from, to, rate, fee, amountAvailable, error }) => {
			if (error) return [['contract', 'all', 'cannot be read', error.message]];
			if (!contractId) return [];
			const name = from + ' to ' + to + ' (' + contractId + ')';
			return [
				['contract', name, 'rate', rate],
				['contract', name, 'fee', fee],
				['contract', name, 'available', amountAvailable],
			];
		}),
	];

	/**
	 * @param {string} title
	 * @param {string} kind
	 */
	const table = (title, kind) => [
		'## ' + title,
		'',
		'| | | |',
		'|---|---|---:|',
		...entries
			.filter((entry) => entry[0] === kind)
			.map(
				(entry) =>
					'| ' +
					entry
						.slice(1)
						.map((text) => String(text).replaceAll('|', '/'))
						.join(' | ') +
					' |',
			),
		'',
	];
	const unread = entries.filter((entry) => entry[2] === 'cannot be read').length;
	const markdown = [
		'# Statement of ' + date,
		'',
		...table('Balances', 'balance'),
		...table('Rates', 'rate'),
		...table('Contracts', 'contract'),
	].join('\n');

	const csv = [['date', 'kind', 'name', 'figure', 'value'], ...entries.map((entry) => [date, ...entry])]
		.map((line) => line.map((text) => '"' + String(text).replaceAll('"', '""') + '"').join(','))
		.join('\r\n');

	const subject = 'Statement of ' + date + (unread > 0 ? ', ' + unread + ' not readable' : '');
	return [{ json: { subject, date, unread, markdown, csv } }];
}
