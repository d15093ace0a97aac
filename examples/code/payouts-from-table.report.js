import { add } from './decimal.js';

/**
 * Adds decimal texts with all their digits; numbers would lose some.
 * @param {N8n} n8n
 */
export function run({ $input }) {
	const rows = $input.all().map(({ json }) => ({ ...json, amount: String(json.amount ?? '').trim() }));
	/** @param {{ result: string }} row */
	const isPaid = (row) => row.result === 'paid' || row.result === 'alreadyPaid';
	const unknown = rows.filter((row) => row.result === 'unknown');
	const failed = rows.filter((row) => !isPaid(row) && row.result !== 'unknown');

	// One total for each currency, of what this run has paid.
	/** @type {Record<string, string>} */
	const totals = {};
	for (const { result, currency, amount } of rows)
		if (result === 'paid') totals[currency] = add(totals[currency] ?? '0', amount);

	/** @param {Record<string, string>} row */
	const payment = (row) => row.amount + ' ' + row.currency + ' to ' + row.account_alias;
	const lines = [
		...rows
			.filter((row) => row.result === 'paid')
			.map((row) => '- paid: ' + payment(row) + ', as ' + row.payout_id),
		...rows
			.filter((row) => row.result === 'alreadyPaid')
			.map((row) => '- paid by an earlier run: ' + payment(row) + ', as ' + row.payout_id),
		...failed.map((row) => '- not paid: ' + payment(row) + '. ' + row.note),
		...unknown.map((row) => '- LOOK IT UP at the service: ' + payment(row) + '. ' + row.note),
	];
	const paid = rows.filter(isPaid).length;
	const sums = Object.entries(totals).map(([currency, total]) => total + ' ' + currency);
	const subject =
		paid + ' of ' + rows.length + ' payouts made' + (sums.length > 0 ? ', ' + sums.join(', ') : '');
	return [
		{
			json: { subject, paid, failed: failed.length, unknown: unknown.length, totals, text: lines.join('\n') },
		},
	];
}
