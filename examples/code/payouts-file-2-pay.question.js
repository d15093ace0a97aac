import { factsPage, factsText } from './factsPage.js';
import { listAsText, openLists } from './openLists.js';
import { rowsShown } from './rowsShown.js';
import { secondYes } from './secondYes.js';
import { separated } from './separated.js';
import { oneLine } from './text.js';

/** @param {{ code: string, count: number, total: string, balance?: string }} total */
const sumInWords = ({ code, count, total, balance }) =>
	`Pay: ${separated(total)} ${code} in ${count} ${count === 1 ? 'payout' : 'payouts'}. The wallet has ${balance ? `${separated(balance)} ${code}` : 'a balance that could not be read'}`;

/**
 * Who must say yes after this person, or why nobody can be asked. The second person is asked about the list of the first yes.
 * @param {N8n['$']} $
 * @param {Payment[]} rows
 * @param {any[]} lists
 */
function nextYes($, rows, lists) {
	const { asker, approver, approvedBy, list } = $('When called').first().json;
	if (!list) return secondYes($('Settings').first().json, { rows, asker, approver });
	const approved = lists.find(({ id }) => String(id) === String(list));
	const problem =
		!approvedBy || !approved
			? 'The same list was answered with no before.'
			: approved.hash !== $('Hash').first().json.hash
				? 'The file has changed since the first yes.'
				: '';
	return { second: '', problem };
}

/**
 * What the first or the second approver sees, and what his yes does.
 * @param {N8n} n8n
 */
export function run({ $, $now }) {
	const { hash } = $('Hash').first().json;
	/** @type {Payment[]} */
	const rows = $('List')
		.all()
		.map((item) => item.json);
	const { asker, approver, approvedBy, list } = $('When called').first().json;
	const totals = $('Totals')
		.all()
		.map((item) => item.json)
		.filter(({ code }) => code);
	const lists = $('Open lists')
		.all()
		.map((item) => item.json);
	const { second, problem } = nextYes($, rows, lists);
	const others = lists.filter(({ id }) => String(id) !== String(list));
	const payment = `${rows.length} ${rows.length === 1 ? 'payout' : 'payouts'}, ${totals.map(({ code, total }) => `${separated(total)} ${code}`).join(', ')}`;
	const asked = $now.toFormat("yyyy-MM-dd HH:mm '('z')'");
	const facts = [
		...totals.map(sumInWords),
		...rowsShown(rows),
		`Asked by: ${oneLine(asker)}`,
		`Asked on: ${asked}`,
		...(approvedBy ? [`Said yes before: ${oneLine(approvedBy)}`] : []),
		...(second ? [`Second yes: ${oneLine(second)} is asked after your yes`] : []),
		...openLists(rows, others, Date.now()),
		`SHA-256 of the file: ${hash}`,
	];
	const said = second
		? `You said yes to ${payment}. Now ${oneLine(second)} is asked. Nothing is paid before that second yes. You get a mail with the result.`
		: `Approved: ${payment}. The rows are being paid. You get a mail with the results, at the latest 20 minutes after the payments end.`;
	return [
		{
			json: {
				hash,
				payment,
				subject: `Approve ${payment}?`,
				text: factsText(facts),
				// The page is too narrow for the hash in one line.
				page: factsPage(facts).replace(hash, `<br>${hash.slice(0, 32)}<br>${hash.slice(32)}`),
				rows: JSON.stringify(rows),
				same: listAsText(rows),
				asked,
				problem,
				// A first question that nobody gets closes no other one.
				closes: problem && !list ? '' : listAsText(rows),
				second,
				people: [approvedBy, approver, second].filter((person) => person).join(', '),
				who: approvedBy ? 'The second approver' : 'The approver',
				said,
				saidPage: factsPage([
					second ? said : `Approved: ${payment}. The mail with the results says what was paid.`,
				]),
			},
			binary: $('File').first().binary,
		},
	];
}
