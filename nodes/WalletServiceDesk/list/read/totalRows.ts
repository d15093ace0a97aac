/** Finds rows that hold a total of the list, and are no payouts. */
import { isNoName } from '../../../shared/missingValues.ts';
import { isFilled } from './cells.ts';
import type { RawRow } from './cells.ts';
import { ROW } from './messages.ts';

/** Before a word for a total. */
const PREFIXES = ['sub', 'grand', 'overall', 'net'];
const WORDS = [
	'total',
	'totals',
	'totale',
	'totaal',
	'sum',
	'summe',
	'somme',
	'suma',
	'soma',
	'gesamt',
	'gesamtsumme',
	'zwischensumme',
	'итого',
	'合計',
	'合计',
	'Σ',
];
/** A key such as TOTAL-42 names none. */
const TOTAL = new RegExp(`^(?:${PREFIXES.join('|')})?[ -]?(?:${WORDS.join('|')})(?:[ :=(].*|\\.)?$`, 'iu');

/** The row, with the one thing that is said of it if it is a total. A total has no destination. */
export function asTotal(raw: RawRow): RawRow {
	const { cells, extra, problem } = raw;
	const { text: alias } = cells.destination;
	const hasDestination = isFilled(cells.destination) && !isNoName(alias) && !TOTAL.test(alias);
	if (problem !== undefined || hasDestination) return raw;
	const texts = [...Object.values(cells).map(({ text }) => text), ...extra.map(([, text]) => text)];
	const named = cells.paymentKey.text === '' ? texts : [cells.paymentKey.text];
	return named.some((text) => TOTAL.test(text)) ? { ...raw, problem: ROW.isTotal() } : raw;
}
