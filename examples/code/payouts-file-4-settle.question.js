import { oneLine, toHtml } from './text.js';

/**
 * What a person needs to know to settle this row.
 * @param {N8n} n8n
 */
export function run({ $, $input, $now, DateTime }) {
	const row = $input.first().json;
	const { balances } = $('When called').first().json;
	const sent = row.time
		? DateTime.fromISO(new Date(row.time).toISOString())
				.setZone($now.zone)
				.toFormat("yyyy-MM-dd HH:mm '('z')'")
		: 'not recorded';
	const payment = oneLine(`${row.amount} ${row.currency || row.coin} to ${row.destination}`);
	const text = [
		`Payment: ${payment}`,
		`Payment key: ${oneLine(row.paymentKey)}`,
		`Sent: ${sent}, by execution ${row.execution || 'not recorded'}`,
		`Why it is not known: ${oneLine(row.message).replace(/ ?(Run it again|Look the payment up).*$/, '') || 'The execution ended before it wrote a result.'}`,
		`Balance: ${oneLine(balances) || 'not recorded'}`,
		`Look in the dashboard for: a payout of ${payment}, made at this time or later`,
	].join('\n');
	const page = toHtml(text).replace(/^[^:]+:/gm, '<b>$&</b>');
	return [
		{
			json: {
				...row,
				payment: `${payment}, payment key ${oneLine(row.paymentKey)}`,
				subject: `Was this paid? ${payment}`,
				text,
				page,
			},
		},
	];
}
