/** Which rows are one payment: a payout, or one side of a conversion, that was ordered here. */
import { isSameAlias } from '../../../shared/alias.ts';
import type { BookRow } from '../bookRow.ts';
import { byTime } from '../bookTime.ts';
import { madeOf } from '../made.ts';
import type { Made } from '../made.ts';
import { bookKeyOf } from '../rowKeys.ts';
import { addTo } from '../../values/groups.ts';
import { REMARK } from './messages.ts';

export interface Payment {
	is: 'payment';
	/** The same in each proof, and of no other payment: its key as keys are compared. */
	name: string;
	/** The row that counts. */
	row: BookRow;
	/** The ID of the service: that of the row, or of updates that have its amount and wallet. '' if nobody knows it. */
	reference: string;
	/** What the service told of it, the oldest first. */
	updates: BookRow[];
	/** Sentences: what a person must know of its rows, such as that its key has two payments. */
	remarks: string[];
}

/** Of rows of one payment, the one that says most about its money counts. */
const WHAT_COUNTS: readonly Made[] = ['made', 'madeBefore', 'notKnown', 'notMade'];

/** Capitals, digits and signs without spaces: such a key is compared as it stands. The book has its keys so. */
const IN_CAPITALS = /^[!-`{-~]*$/;

/** The key as keys are compared. A key that no payment can have is compared as it stands. */
function nameOfKey(key: string): string {
	if (IN_CAPITALS.test(key)) return key;
	return bookKeyOf(key) ?? key;
}

/**
 * The payments of these rows, the oldest first. Rows with one ID of the service are one payment, and rows with two IDs are two. A row
 * without an ID belongs to the payment of its key, unless another workflow wrote it: each workflow has its own keys. Of rows that say
 * different things, never takes "not sent" over "perhaps sent".
 */
export function paymentsOf(rows: BookRow[]): Payment[] {
	const found = new RowsOfPayments();
	for (const row of rows.filter(hasId)) found.add(row);
	for (const row of rows.filter((each) => !hasId(each))) found.add(row);
	const payments = found.all.map(paymentOf);
	payments.sort((a, b) => byTime(a.row, b.row));
	return withOwnNames(payments);
}

function hasId({ reference }: BookRow): boolean {
	return reference !== '';
}

class RowsOfPayments {
	readonly all: BookRow[][] = [];
	readonly #byId = new Map<string, BookRow[]>();
	/** By key, then by workflow. */
	readonly #byKey = new Map<string, Map<string, BookRow[]>>();

	/** Rows that have an ID must come first. */
	add(row: BookRow): void {
		const key = nameOfKey(row.key);
		const known = hasId(row) ? this.#byId.get(idOf(row)) : this.#ofKey(key, row.workflow);
		const rows = known ?? this.#newPayment();
		rows.push(row);
		if (hasId(row)) this.#byId.set(idOf(row), rows);
		if (key !== '') this.#remember(key, row.workflow, rows);
	}

	#ofKey(key: string, workflow: string): BookRow[] | undefined {
		const ofWorkflows = this.#byKey.get(key);
		if (workflow === '') return ofWorkflows?.values().next().value;
		return ofWorkflows?.get(workflow) ?? ofWorkflows?.get('');
	}

	#newPayment(): BookRow[] {
		const rows: BookRow[] = [];
		this.all.push(rows);
		return rows;
	}

	#remember(key: string, workflow: string, rows: BookRow[]): void {
		const ofWorkflows = this.#byKey.get(key) ?? new Map<string, BookRow[]>();
		this.#byKey.set(key, ofWorkflows);
		if (!ofWorkflows.has(workflow)) ofWorkflows.set(workflow, rows);
	}
}

/** Both sides of a conversion have its ID, and are two movements. */
function idOf({ kind, reference, asset }: BookRow): string {
	return JSON.stringify(kind === 'conversion' ? [kind, reference, asset] : [kind, reference]);
}

function paymentOf(rows: BookRow[]): Payment {
	const ranked = WHAT_COUNTS.flatMap((made) => rows.filter((row) => madeOf(row) === made));
	const row = sinceItsStart(ranked[0] as BookRow, rows);
	const reference = rows.find(hasId)?.reference ?? '';
	const name = nameOfKey(row.key) || reference || `${row.kind} ${row.counterpart} ${row.time}`;
	return { is: 'payment', name, row, reference, updates: [], remarks: remarksOf(row, rows) };
}

/** What was found paid was made by the run that had left it open, and counts from then on. */
function sinceItsStart(row: BookRow, rows: BookRow[]): BookRow {
	if (madeOf(row) !== 'madeBefore') return row;
	const [first] = rows.filter((each) => madeOf(each) === 'notKnown' && each.time < row.time).sort(byTime);
	if (first === undefined) return row;
	return { ...row, result: 'paid', time: first.time, amount: row.amount || first.amount };
}

/** Columns that rows of one payment share. */
const COMPARED = ['asset', 'amount'] as const;

function remarksOf(row: BookRow, rows: BookRow[]): string[] {
	const keys = [...new Set(rows.map(({ key }) => nameOfKey(key)))].filter((key) => key !== '');
	// What was found paid does not know what came in. An empty cell contradicts nothing.
	const isSame = (other: BookRow) =>
		COMPARED.every((column) => other[column] === '' || other[column] === row[column]) &&
		(other.counterpart === '' || isSameAlias(other.counterpart, row.counterpart));
	return [
		...(keys.length > 1 ? [REMARK.hasTwoKeys({ reference: row.reference, keys })] : []),
		...(rows.every(isSame) ? [] : [REMARK.standsTwice(row)]),
	];
}

/** The second payment of a key has another name than the first one. */
function withOwnNames(payments: Payment[]): Payment[] {
	const byName = new Map<string, Payment[]>();
	for (const payment of payments) addTo(byName, payment.name, payment);
	for (const [name, same] of byName) {
		const perhapsMade = same.filter(({ row }) => madeOf(row) !== 'notMade');
		const count = perhapsMade.length;
		if (count > 1)
			perhapsMade[1]?.remarks.push(REMARK.keyWasPaidTwice({ key: same[0]?.row.key ?? name, count }));
		for (const [index, payment] of same.entries())
			if (index > 0) payment.name = `${name} ${payment.reference || payment.row.workflow}`;
	}
	return payments;
}
