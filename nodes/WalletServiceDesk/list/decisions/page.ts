/** The payments of a page, by what a person can call them: a Payment Key, or the number of a row. */
import { canonical } from '../../../../api/exact/decimal.ts';
import { comparedAlias } from '../../../shared/alias.ts';
import { comparedKey } from '../../values/comparedKey.ts';
import { addTo } from '../../values/groups.ts';
import { textOf } from '../../values/itemValues.ts';
import { hasAmount } from '../report/reportRow.ts';
import type { ReportRow } from '../report/reportRow.ts';
import { isOpen } from '../report/unknownPayments.ts';

/** One payment, however often the page has it. */
export interface Payment {
	rows: ReportRow[];
	/** The first of its rows that a person can decide about now. */
	open?: ReportRow;
}

export interface Page {
	/** In the order of the rows. */
	payments: Payment[];
	/** By the key, as keys are compared. A key has several payments if their amounts, codes or destinations differ. */
	byKey: Map<string, Payment[]>;
	/** By the number of the row: `7`. */
	byRow: Map<string, Payment[]>;
}

export function readPage(rows: readonly ReportRow[]): Page {
	const payments = [...Map.groupBy(rows, (row) => paymentIn(row) ?? row).values()].map((same): Payment => {
		const open = same.find(isOpen);
		return { rows: same, ...(open !== undefined && { open }) };
	});
	const keysOf = ({ rows: [row] }: Payment) => [comparedKey(row?.paymentKey ?? '')];
	return {
		payments,
		byKey: byName(payments, keysOf),
		byRow: byName(payments, (payment) => payment.rows.map(({ row }) => textOf(row))),
	};
}

/** The same text for rows of one payment. Undefined for a row without a key, which is a payment by itself. */
function paymentIn(row: ReportRow): string | undefined {
	const key = comparedKey(row.paymentKey);
	if (key === undefined) return undefined;
	const amount = hasAmount(row) ? canonical(row.amount) : row.amount;
	const { currency = '', coin = '', destination } = row;
	return JSON.stringify([key, amount, currency, coin, comparedAlias(destination)]);
}

function byName(payments: readonly Payment[], namesOf: (payment: Payment) => Array<string | undefined>) {
	const found = new Map<string, Payment[]>();
	for (const payment of payments)
		for (const name of new Set(namesOf(payment)))
			if (name !== undefined && name !== '') addTo(found, name, payment);
	return found;
}
