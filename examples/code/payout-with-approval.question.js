import { add } from './decimal.js';
import { paymentsIn } from './payment.js';
import { oneLine, toHtml } from './text.js';

/**
 * Words from outside. Nothing in them can end the quotation.
 * @param {unknown} text
 */
export const quoted = (text) => `“${oneLine(text).replace(/[“”„‟«»]/g, '"')}”`;

/**
 * What the approver sees: one fact a line. Words from outside stand apart. No text can add a line, a tag or a sign that nobody sees.
 * @param {N8n} n8n
 */
export function run({ $, $now }) {
	const wanted = $('When called').first().json;
	const payment = oneLine(`${wanted.amount} ${wanted.currency || wanted.coin} to ${wanted.destination}`);
	const key = quoted(wanted.paymentKey);
	// This can hold no address of a page.
	const askedBy =
		oneLine(String(wanted.askedBy ?? '').replace(/[^\p{L}\p{N}@_-]+/gu, ' ')).slice(0, 80) || 'not said';

	// A Data Table may have two rows of one key.
	const rows = paymentsIn(
		$('Paid today')
			.all()
			.map((item) => item.json),
	);
	const paid = [...new Map(rows.map((row) => [row.paymentKey, row])).values()];
	/** @type {Record<string, string>} */
	const totals = {};
	for (const { amount, currency, coin } of paid)
		if (/^\d+(\.\d+)?$/.test(amount)) totals[currency || coin] = add(totals[currency || coin] ?? '0', amount);
	const sums = Object.entries(totals)
		.map(([unit, sum]) => `${sum} ${unit}`)
		.join(', ');

	const text = [
		`Pay: ${payment}`,
		`Asked on: ${$now.toFormat("yyyy-MM-dd HH:mm '('z')'")}`,
		`Paid on that day before: ${paid.length === 0 ? 'nothing' : `${paid.length} ${paid.length === 1 ? 'payment' : 'payments'}, ${sums}`}`,
		'Nobody has checked these words. They come from the one who asks:',
		`- Payment key: ${key}`,
		`- Asked by: ${quoted(askedBy)}`,
	].join('\n');
	const page = toHtml(text);
	return [
		{
			json: {
				payment: `${payment}, payment key ${key}`,
				subject: `Approve ${payment}?`,
				text,
				page,
			},
		},
	];
}
