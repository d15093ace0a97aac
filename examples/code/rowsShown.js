import { add } from './decimal.js';
import { separated } from './separated.js';
import { oneLine } from './text.js';

const MOST = 20;

/** @param {Payment & { again?: string }} payment */
const inOneLine = ({ paymentKey, amount, currency, coin, destination, again }) =>
	oneLine(
		`${paymentKey}: ${separated(amount)} ${currency || coin} to ${destination}${again ? ` (again: ${again})` : ''}`,
	);

/**
 * The sum of each currency and coin.
 * @param {Payment[]} rows
 */
function sumsOf(rows) {
	if (!rows.every(({ amount }) => /^\d+(\.\d+)?$/.test(amount))) return 'an amount cannot be read';
	const groups = Map.groupBy(rows, ({ currency, coin }) =>
		currency ? `currency ${currency}` : `coin ${coin}`,
	);
	return [...groups.values()]
		.map((group) => {
			const [{ currency, coin }] = group;
			return `${separated(group.map(({ amount }) => amount).reduce(add))} ${currency || coin}`;
		})
		.join(', ');
}

/** @param {[string, Payment[]]} group */
const inSum = ([destination, rows]) =>
	oneLine(`${destination}: ${rows.length} ${rows.length === 1 ? 'payout' : 'payouts'}, ${sumsOf(rows)}`);

/**
 * @param {string} title
 * @param {Array<Payment & { again?: string }>} rows
 */
const firstOf = (title, rows) => [
	`${title}: ${rows.length}${rows.length > MOST ? `. These are the first ${MOST}` : ''}`,
	rows.slice(0, MOST).map(inOneLine),
];

/**
 * The rows that a person decides about. Of a long list the first ones, all by their destinations, and those that may be paid twice.
 * @param {Array<Payment & { again?: string }>} rows
 * @returns {import('./factsPage.js').Facts}
 */
export function rowsShown(rows) {
	const shown = firstOf('Payouts', rows);
	if (rows.length <= MOST) return shown;
	const again = rows.filter((row) => row.again);
	return [
		...shown,
		`By destination: all ${rows.length}`,
		[...Map.groupBy(rows, ({ destination }) => destination)].map(inSum),
		...(again.length > 0 ? firstOf('Paid even if they were paid before under another key', again) : []),
	];
}
