import { add } from './decimal.js';
import { factsPage, factsText } from './factsPage.js';
import { paymentsIn } from './payment.js';
import { separated } from './separated.js';
import { oneLine } from './text.js';

/**
 * Words from outside. Nothing in them can end the quotation.
 * @param {unknown} text
 */
const quoted = (text) => `“${oneLine(text).replace(/[“”„‟«»]/g, '"')}”`;

/**
 * What the first or the second approver sees: one fact a line. Words from outside stand apart. No text can add a line, a tag or a sign that
 * nobody sees.
 * @param {N8n} n8n
 */
export function run({ $, $now }) {
	const wanted = $('When called').first().json;
	const { approver, second, approvedBy } = wanted;
	const rest = `${wanted.currency || wanted.coin} to ${wanted.destination}`;
	const payment = oneLine(`${wanted.amount} ${rest}`);
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
		.map(([unit, sum]) => `${separated(sum)} ${unit}`)
		.join(', ');

	const facts = [
		`Pay: ${oneLine(`${separated(wanted.amount)} ${rest}`)}`,
		...(wanted.sameAs
			? [`THE SAME PAYMENT has another key: ${quoted(wanted.sameAs)}. A yes pays it a second time.`]
			: []),
		`Asked on: ${$now.toFormat("yyyy-MM-dd HH:mm '('z')'")}`,
		`Paid on that day before: ${paid.length === 0 ? 'nothing' : `${paid.length} ${paid.length === 1 ? 'payment' : 'payments'}, ${sums}`}`,
		...(approvedBy ? [`Said yes before: ${oneLine(approvedBy)}`] : []),
		...(second ? [`Second yes: ${oneLine(second)} is asked after your yes`] : []),
		'Nobody has checked these words. They come from the one who asks:',
		[`Payment key: ${key}`, `Asked by: ${quoted(askedBy)}`],
	];
	return [
		{
			json: {
				payment: `${payment}, payment key ${key}`,
				subject: `Approve ${payment}?`,
				text: factsText(facts),
				page: factsPage(facts),
				people: [approvedBy, approver].filter((person) => person).join(', '),
			},
		},
	];
}
