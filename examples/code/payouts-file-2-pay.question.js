import { listAsText, openLists } from './openLists.js';
import { oneLine, toHtml } from './text.js';

/**
 * What the approver sees: one fact a line. No text can add a line, a tag or a sign that nobody sees.
 * @param {N8n} n8n
 */
export function run({ $, $now }) {
	const { hash } = $('Hash').first().json;
	/** @type {Payment[]} */
	const rows = $('List')
		.all()
		.map((item) => item.json);
	const { asker } = $('When called').first().json;
	const totals = $('Totals')
		.all()
		.map((item) => item.json)
		.filter(({ code }) => code);
	const count = `${rows.length} ${rows.length === 1 ? 'payout' : 'payouts'}`;
	const sums = totals.map(({ code, total }) => `${total} ${code}`).join(', ');
	const lists = $('Open lists')
		.all()
		.map((item) => item.json);
	const text = [
		...totals.map(
			({ code, count: some, total, balance }) =>
				`Pay: ${total} ${code} in ${some} ${some === 1 ? 'payout' : 'payouts'}. The wallet has ${balance ? `${balance} ${code}` : 'a balance that could not be read'}`,
		),
		`Payouts: ${rows.length}`,
		`Asked by: ${oneLine(asker)}`,
		`Asked on: ${$now.toFormat("yyyy-MM-dd HH:mm '('z')'")}`,
		...openLists(rows, lists, Date.now()),
		`SHA-256 of the file: ${hash}`,
	].join('\n');
	const safe = toHtml(text);
	// The page is too narrow for the hash in one line.
	const page = safe
		.replace(/^[^:]+:/gm, '<b>$&</b>')
		.replace(hash, `\n${hash.slice(0, 32)}\n${hash.slice(32)}`);
	return [
		{
			json: {
				hash,
				payment: `${count}, ${sums}`,
				subject: `Approve ${count}, ${sums}?`,
				text,
				page,
				rows: JSON.stringify(rows),
				same: listAsText(rows),
				asked: $now.toFormat("yyyy-MM-dd HH:mm '('z')'"),
			},
			binary: $('File').first().binary,
		},
	];
}
