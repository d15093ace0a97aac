import { sameKey } from './paymentKey.js';
import { paymentInWords } from './paymentInWords.js';

/**
 * What is known of each row of a list: by what *pay once* said, or by the table if *pay once* ended in the middle. *Pay once* handles the
 * rows in their order and writes each one that it sends. So one row can be under way: the first after those that it wrote, or after rows that it refused.
 * @param {{ rows: Payment[], said: Array<Partial<Row>>, book: Array<Partial<Row> & { id?: number }>, since: string }} list
 * `since`: when the list was approved
 * @returns {Array<Result & { isOpen: boolean }>} `isOpen`: it is not known, and the table does not say so
 */
export function resultsOf({ rows, said, book, since }) {
	/** @type {(row: Payment, ...results: string[]) => Array<Partial<Row>>} */
	const ofKey = (row, ...results) =>
		book.filter(
			(one) =>
				results.includes(String(one.result)) && sameKey(String(one.paymentKey)) === sameKey(row.paymentKey),
		);
	/** @type {(row: Payment) => (one: Partial<Row>) => boolean} */
	const isOf = (row) => (one) => paymentInWords(/** @type {Row} */ (one)) === paymentInWords(row);
	/** @type {(row: Payment, ...results: string[]) => Partial<Row> | undefined} */
	const written = (row, ...results) => ofKey(row, ...results).find(isOf(row));
	/** @param {Partial<Row> | undefined} row */
	const isNew = (row) => Date.parse(String(row?.time)) >= Date.parse(since);
	/** @param {Payment} row */
	const isSilent = (row) =>
		ofKey(row, 'paid', 'unknown').length > 0 ||
		book.some((one) => one.settle && sameKey(String(one.paymentKey)) === sameKey(row.paymentKey));
	const isUnread = book.some((row) => row.id === undefined && Object.keys(row).length > 0);

	const known = rows.map((row, index) => {
		const answer = said[index]?.paymentKey === row.paymentKey ? said[index] : undefined;
		if (answer && answer.result !== 'unknown') return answer;
		const paid = written(row, 'paid');
		if (paid) return { ...paid, result: isNew(paid) && !answer ? 'paid' : 'alreadyPaid' };
		const unknown = written(row, 'unknown');
		if (answer || unknown) return { result: 'unknown', ...unknown, ...answer };
		// *Pay once* refuses it, and its row in the book must stay.
		if (ofKey(row, 'paid', 'unknown').some((one) => !isNew(one))) return OTHER;
		const refused = written(row, 'rejected', 'notSent');
		return isNew(refused) ? refused : undefined;
	});
	const last = rows.findLastIndex((row) => isNew(written(row, 'paid', 'unknown', 'rejected', 'notSent')));
	const open = [...rows.keys()].filter((index) => !known[index] && index > last);
	// *Pay once* refuses these rows and writes nothing, so the next one may have been under way.
	const underWay = open.find((index) => !isSilent(rows[index])) ?? open.at(-1) ?? -1;
	return rows.map((row, index) => {
		const one =
			known[index] ?? (isUnread ? UNREAD : index <= Math.max(last, underWay) ? UNDER_WAY : NEVER_SENT);
		return {
			paymentKey: row.paymentKey,
			result: String(one.result),
			amount: row.amount,
			currency: row.currency ?? '',
			coin: row.coin ?? '',
			destination: row.destination,
			payoutId: one.payoutId ?? '',
			status: one.status ?? '',
			message: String(one.message ?? '').replace(/\.? ?(Run it again in|Wait five minutes).*$/, '.'),
			isOpen: one.result === 'unknown' && !written(row, 'unknown'),
		};
	});
}

/** @type {Partial<Row>} */
const OTHER = { result: 'notSent', message: 'In the book, its paymentKey is another payment.' };
/** @type {Partial<Row>} */
const UNREAD = { result: 'unknown', message: 'The book could not be read.' };
/** @type {Partial<Row>} */
const UNDER_WAY = { result: 'unknown', message: 'The payments ended while this row was under way.' };
/** @type {Partial<Row>} */
const NEVER_SENT = { result: 'notSent', message: 'Never sent, because the payments ended before this row.' };
