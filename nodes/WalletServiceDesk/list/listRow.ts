/** A row of a list of payouts, as Read gives it and as payments and Report take it. */

export interface ListRow {
	/** The number that Excel shows. 1 is the row with the names of the columns. 0: the list as a whole. */
	row: number;
	/** The number that a text editor shows; the same as `row` unless a cell has line breaks. */
	line: number;
	paymentKey: string;
	/** Decimal text. As it was written, if it cannot be read. */
	amount: string;
	/** Either a currency or a coin, in capitals. */
	currency?: string;
	coin?: string;
	/** The alias of a settlement account or settlement wallet. */
	destination: string;
	/** What the service's list says of the destination, since an alias is a nickname: `GTBank, Supplier Ltd, …6789`. */
	destinationDetails?: string;
	/** Who gets the money by the list. */
	payee?: string;
	/** Whether the service has this name for the destination. Absent if the two cannot be compared. */
	payeeMatch?: 'match' | 'close' | 'none';
	note: string;
	/** Whether a person says that the same payment is meant again. */
	again: boolean;
	/** Numbers of other rows that a person has left out of this list: `3, 7`. */
	leftOut?: string;
	/** Columns that have no meaning here, by their names, as they were written. */
	extra?: Record<string, string>;
	/** Whole sentences for a person. Empty if the row can be paid. */
	problems: string[];
}

/** The row that stands for the list as a whole. */
export function wholeList(problems: string[]): ListRow {
	const nothing = { paymentKey: '', amount: '', destination: '', note: '' };
	return { row: 0, line: 0, ...nothing, again: false, problems };
}

/** The rows, with what is wrong with the list as a whole before them. It stands in one row. */
export function withProblems(problems: readonly string[], rows: readonly ListRow[]): ListRow[] {
	const [first, ...others] = rows;
	if (problems.length === 0) return [...rows];
	if (first?.row !== 0) return [wholeList([...problems]), ...rows];
	return [{ ...first, problems: [...new Set([...first.problems, ...problems])] }, ...others];
}
