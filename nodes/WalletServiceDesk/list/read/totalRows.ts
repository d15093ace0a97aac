/** Finds rows that hold a total of the list, and are no payouts. */
import { add, compare, isPlainDecimal, isZero } from '../../../../api/exact/decimal.ts';
import type { ListRow } from '../listRow.ts';
import { ROW } from './messages.ts';

/** Before a word for a total. */
const PREFIXES = ['sub', 'grand', 'overall', 'net'];
const WORDS = [
	...['total', 'totals', 'totale', 'totaal', 'sum', 'summe', 'somme', 'suma', 'soma'],
	...['gesamt', 'gesamtsumme', 'zwischensumme', 'итого', '合計', '合计', 'Σ'],
];
/** A key such as TOTAL-42 names none. */
const TOTAL = new RegExp(`^(?:${PREFIXES.join('|')})?[ -]?(?:${WORDS.join('|')})(?:[ :=(].*|\\.)?$`, 'iu');

export interface RowWithTexts {
	listRow: ListRow;
	/** All its filled cells. */
	texts: readonly string[];
}

/** Replaces the problems of rows whose key names a total. */
export function addNamedTotals(rows: readonly ListRow[]): void {
	for (const row of rows) if (TOTAL.test(row.paymentKey)) row.problems = [ROW.isNamedTotal()];
}

/** Replaces the problems of rows that are totals, and adds to those of payouts that may be. Takes time that grows with the rows. */
export function addTotals(rows: readonly RowWithTexts[]): void {
	const isNamed = new Map(rows.map((row) => [row, isNamedTotal(row)]));
	for (const [{ listRow }, isTotal] of isNamed) {
		if (isTotal) listRow.problems = [ROW.isNamedTotal()];
	}
	const others = rows.filter((row) => isNamed.get(row) !== true).map(({ listRow }) => listRow);
	const withAmount = others.filter(({ amount }) => isPlainDecimal(amount));
	for (const row of sumsAtEnds(withAmount)) {
		if (isPayout(row)) row.problems.push(ROW.mayBeSum(row.amount));
		else row.problems = [ROW.isSum()];
	}
}

function isNamedTotal({ listRow, texts }: RowWithTexts): boolean {
	if (TOTAL.test(listRow.paymentKey)) return true;
	const canBePayout = listRow.paymentKey !== '' || (listRow.destination !== '' && codeOf(listRow) !== '');
	return !canBePayout && texts.some((text) => TOTAL.test(text));
}

function isPayout(row: ListRow): boolean {
	return row.paymentKey !== '' && row.destination !== '' && codeOf(row) !== '';
}

function codeOf({ currency, coin }: ListRow): string {
	return currency ?? coin ?? '';
}

/** Of each currency, its first and its last row, if its amount is the sum of all others. A row without a code may be the sum of all. */
function sumsAtEnds(rows: readonly ListRow[]): Set<ListRow> {
	const groups = Map.groupBy(rows, codeOf);
	const sums = new Set<ListRow>();
	for (const [code, group] of groups) {
		const summed = code === '' ? rows : group;
		const total = summed.map(({ amount }) => amount).reduce(add, '0');
		for (const row of [group[0], group.at(-1)]) {
			if (row !== undefined && summed.length > 2 && isHalfOf(total, row.amount)) sums.add(row);
		}
	}
	return sums;
}

/** The row itself is in the total. */
function isHalfOf(total: string, amount: string): boolean {
	return !isZero(amount) && compare(add(amount, amount), total) === 0;
}
