/** Which rows of the book are one movement of money, and which of them says what became of it: the one answer for all who read the book. */
import type { BookRow, KindName } from './row.ts';

/**
 * What became of a movement.
 * - `made`: the money has moved, and counts
 * - `no answer`: a payment that is under way or unknown. It may have been made
 * - `paid before`: its key says that it was paid, and no row says when
 * - `not made`: refused, not sent, or failed before it moved anything
 * - `pending`: a deposit or funding without a final state
 * - `not ordered`: updates of a crypto payout that is in no row of payments
 */
export type MovementState = 'made' | 'no answer' | 'paid before' | 'not made' | 'pending' | 'not ordered';

/** A part of a movement that has a time of its own. */
export interface Part {
	/** Signed, as it changes the balance. */
	amount: string;
	time: string;
	/** The row that says it. */
	row: BookRow;
}

/** A payment, a deposit, a funding by an administrator, or one side of a conversion. */
export interface Movement {
	kind: KindName;
	state: MovementState;
	/** How people and corrections name it: its key, or the reference of what nobody ordered. '' if it has neither. */
	name: string;
	/** Filled cells of its rows, the newest first; those of `row` before others. */
	key: string;
	reference: string;
	asset: string;
	counterpart: string;
	details: string;
	txHash: string;
	/** Signed decimal text; '' if no row has one that can be read. */
	amount: string;
	/** Decimal text without a sign, of the newest row that has one; '' if none was reported. */
	fee: string;
	feeAsset: string;
	/** The time from which `amount` counts, if the state is `made`. */
	from: string;
	/** What came back, if the newest final state is a failure. */
	back: Part | undefined;
	/** By how much the balance is another one if a word that contradicts the one that counts is right. */
	others: Part[];
	/** The newest final state, by the first arrival of each; '' if there is none. */
	final: 'successful' | 'failed' | '';
	/** Times of its first and its newest row. */
	began: string;
	newest: string;
	/** The execution that made it, or may have: `run` of its rows. */
	run: string;
	/** The row that says what became of it. */
	row: BookRow;
	/** What the service told of a crypto payout, the oldest first. */
	updates: BookRow[];
	/** All its rows, the oldest first. */
	rows: BookRow[];
	/** Corrections that name its key or reference. They end what is open of it, and alerts. */
	corrections: BookRow[];
}

/** Why a row counts nothing. */
export type NotCounted = 'future' | 'time' | 'amount' | 'kind';

export interface Folded {
	/** In the order of `began`. */
	movements: Movement[];
	/** Rows of the kinds of bookkeeping with a time and an amount, the oldest first. */
	openings: BookRow[];
	corrections: BookRow[];
	reconciliations: BookRow[];
	/** Rows of the kind `odd`. */
	odd: BookRow[];
	/** Rows that count nothing, to be named. */
	notCounted: Array<{ row: BookRow; why: NotCounted }>;
	/** Payments of one key in one workflow that may all have been made. */
	sharedKeys: Movement[][];
}

/** Folds rows as `readRows` gives them, in any order. Rows of a time after `now` are in the future. */
export type Fold = (rows: readonly BookRow[], now: string) => Folded;
