/** What only the other rows show: a key, or a payment, that the list has twice. */
import { canonical, isPlainDecimal } from '../../../../api/exact/decimal.ts';
import { comparedAlias } from '../../../shared/alias.ts';
import { comparedKey } from '../../values/comparedKey.ts';
import { addTo } from '../../values/groups.ts';
import type { ListRow } from '../listRow.ts';
import { filledProblem } from './amounts.ts';
import { PAYMENT_KEY, ROW } from './messages.ts';

/** A group of keys in a message. */
const MOST_KEYS = 5;

/** Adds to the problems of rows whose keys are the same, or differ in zeros that Excel cuts off. Takes time that grows with the rows. */
export function addRepeatedKeys(rows: readonly ListRow[], label: string): void {
	for (const group of groupsByNumber(rows)) {
		const written = new Map(group.map(({ key, row }) => [key, row.paymentKey]));
		const keys = [...written.values()].slice(0, MOST_KEYS).sort();
		for (const { row } of group) {
			row.problems.push(
				written.size > 1
					? PAYMENT_KEY.differsInZeros(keys)
					: PAYMENT_KEY.isTwice({ label, key: row.paymentKey }),
			);
		}
	}
}

interface Keyed {
	key: string;
	row: ListRow;
}

/** Rows whose keys are the same without the zeros before a number. Groups of one are left out. */
function groupsByNumber(rows: readonly ListRow[]): Keyed[][] {
	const groups = new Map<string, Keyed[]>();
	for (const row of rows) {
		const key = comparedKey(row.paymentKey);
		if (key === undefined) continue;
		addTo(groups, withoutLeadingZeros(key), { key, row });
	}
	return [...groups.values()].filter((group) => group.length > 1);
}

function withoutLeadingZeros(key: string): string {
	return key.replace(/^0+(?=\d+$)/, '');
}

/** Adds to the problems of a row whose amount fills a width that others fill with zeros: files of banks have two decimals without a point. */
export function addFilledWidths(rows: readonly ListRow[]): void {
	const widths = new Set(rows.flatMap(({ amount }) => (/^0\d{3,}$/.test(amount) ? [amount.length] : [])));
	for (const { amount, problems } of rows) {
		if (widths.has(amount.length) && /^[1-9]\d*$/.test(amount)) problems.push(filledProblem(amount));
	}
}

/** Adds to the problems of a row that pays the same as one above it, unless a person has said that this is meant. */
export function addSamePayments(rows: readonly ListRow[], againColumn: string): void {
	const first = new Map<string, ListRow>();
	for (const row of rows) {
		if (row.again || row.problems.length > 0 || !isPlainDecimal(row.amount)) continue;
		const payment = paymentIn(row);
		const same = first.get(payment);
		if (same === undefined) first.set(payment, row);
		else row.problems.push(sameProblem(row, same, againColumn));
	}
}

/** The same text for 5 and 5.00. */
function paymentIn({ amount, currency, coin, destination }: ListRow): string {
	return JSON.stringify([canonical(amount), currency, coin, comparedAlias(destination)]);
}

function sameProblem(row: ListRow, same: ListRow, column: string): string {
	const code = row.coin === undefined ? 'currency' : 'coin';
	return ROW.isSamePayment({ code, key: same.paymentKey, row: String(same.row), column });
}
