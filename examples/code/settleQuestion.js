import { factsPage, factsText } from './factsPage.js';
import { separated } from './separated.js';
import { oneLine } from './text.js';

/** @param {Payment} row */
export const inWords = (row) => oneLine(`${row.amount} ${row.currency || row.coin} to ${row.destination}`);

/** @param {Payment} row */
const shown = (row) => inWords({ ...row, amount: separated(row.amount) });

/**
 * What happened, without what *pay once* advises: the page of this question takes its place.
 * @param {unknown} message
 */
export const withoutAdvice = (message) =>
	oneLine(message).replace(/ ?(Run it again|Wait five minutes).*$/, '');

/** @param {Row} row */
const reasonOf = ({ message }) => withoutAdvice(message) || 'The execution ended before it wrote a result.';

/**
 * The mail and the page: one fact a line, for one row or for many.
 * @param {Array<Row & { number: number, balances?: string, sent: string }>} rows
 */
export function questionOf(rows) {
	const [row] = rows;
	const balances = [...new Set(rows.map((each) => oneLine(each.balances)).filter((text) => text))];
	const reasons = [...new Set(rows.map(reasonOf))];
	const lines =
		rows.length === 1
			? [
					`Payment: ${shown(row)}`,
					`Payment key: ${oneLine(row.paymentKey)}`,
					`Sent: ${row.sent}, by execution ${row.execution || 'not recorded'}`,
					`Why it is not known: ${reasonOf(row)}`,
				]
			: [
					...rows.map(
						(each) =>
							`Row ${each.number}: ${shown(each)}, payment key ${oneLine(each.paymentKey)}, sent ${each.sent} by execution ${each.execution || 'not recorded'}`,
					),
					...reasons.map((reason) => `Why they are not known: ${reason}`),
				];
	const facts = [
		...lines,
		...(balances.length > 0 ? balances : ['not recorded']).map((balance) => `Balance: ${balance}`),
		rows.length === 1
			? `Look in the dashboard for: a payout of ${shown(row)}, made at this time or later`
			: 'Look in the dashboard for: each of these payouts, made at its time or later',
	];
	return {
		subject: rows.length === 1 ? `Was this paid? ${inWords(row)}` : `Were these ${rows.length} payouts made?`,
		text: factsText(facts),
		page: factsPage(facts),
	};
}
