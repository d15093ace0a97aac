/** What the book says about the balance of one asset: what should have moved it, and what may have. */
import type { OpenParts } from './openParts.ts';

/** What moved the balance, or may have. */
interface Moved {
	/** Of its row; `fee:<ID>` and `back:<ID>` for the fee and the return of a payout. */
	key: string;
	/** `Movement.name`. */
	name: string;
	/** When it should have moved the balance. */
	time: string;
	/** Signed decimal text: by how much the balance is then higher. Of a payment that may have been made, with its fee if that is known. */
	amount: string;
	words: string;
}

/** Something that should have moved the balance: a line of the account. */
export interface Entry extends Moved {
	/** `payout`, `fee`, `payout back`, or the kind of the row. */
	kind: string;
	counterpart: string;
	reference: string;
	status: string;
	txHash: string;
	/** So new, or a payout in coins without its end, that it may not have moved the balance yet. */
	isUnderWay: boolean;
	/** An earlier proof has counted it. It must not count again. */
	isKnown: boolean;
}

/** Something that may have moved the balance, and that the book does not count. */
export interface Doubt extends Moved {
	/** Ordinary business that ends by itself. */
	isUnderWay?: boolean;
}

/** A payment of which nobody knows whether it was made. */
export interface Unanswered extends Moved {
	fee: string;
	/** Its row was written before it was sent, and not after that. */
	isBeingPaid: boolean;
	/** Its row was written so lately that its answer may still come. */
	isUnderWay: boolean;
	/** An update of the service has its amount and wallet. */
	isNamed: boolean;
	/** This update says that it failed. */
	hasFailed: boolean;
	hasPaymentKey: boolean;
}

/** A payment that was found paid under its key. Nobody says when it was made. */
export type MadeBefore = Moved;

/** A row whose amount nobody can read. */
export interface Unread {
	/** `Movement.name`. */
	name: string;
	time: string;
	words: string;
}

/** A payout in coins that counts, and may still get a fee or fail. */
export interface Sent {
	/** `Movement.name`. */
	name: string;
	amount: string;
	/** As far as the book counts it. */
	fee: string;
}

export interface Findings {
	entries: Entry[];
	doubts: Doubt[];
	unanswered: Unanswered[];
	madeBefore: MadeBefore[];
	unread: Unread[];
	sent: Sent[];
	/** Sentences for a person about rows that changed since the last proof. */
	remarks: string[];
}

/** How the book is read for one asset. */
export interface Reading {
	asset: string;
	/** When the balance was read. */
	now: string;
	/** The time of the proof from which this one starts. Undefined if there was none. */
	lastTime: string | undefined;
	/** What happened after this may not have moved the balance yet. */
	underWaySince: string;
	/** What that proof left open. */
	open: OpenParts;
	/** Whether the service takes the fee of a payout from the same balance, beside the amount. */
	feesOnTop: boolean;
	/** The fee of the newest payout in coins that has one; '0' if none is known, or fees are not on top. */
	usualFee: string;
	/** The largest fee of a payout in coins that the book has seen; '0' as above. */
	largestFee: string;
}

export function noFindings(): Findings {
	const lists = { entries: [], doubts: [], unanswered: [], madeBefore: [], unread: [], sent: [] };
	return { ...lists, remarks: [] };
}
