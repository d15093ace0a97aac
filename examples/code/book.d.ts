/** A row of the book: one movement. */
interface BookRow {
	id?: number;
	/** The payment key in capitals, or the delivery key of the event. */
	key: string;
	/** fiat payout, coin payout, deposit, coin deposit, admin credit, admin debit or conversion. */
	kind: string;
	time: string | null;
	asset: string;
	/** A decimal with its sign, or '' if it cannot be read. */
	amount: string;
	counterpart: string;
	/** The ID that the service gave. */
	reference: string;
	/** Of a payment: paid, unknown, notSent or rejected. */
	result: string;
	status: string;
	txHash: string;
	fee: string;
	feeAsset: string;
	/** What the service says that it sent. */
	sentAmount: string;
	message: string;
	/** The word of a person: wasPaid or wasNotPaid. */
	settle: string;
	workflow: string;
	execution: string;
	approvedBy: string;
	createdAt: string;
	updatedAt: string;
}

/** A row of the table of movements: what one event says. */
interface Movement {
	id?: number;
	/** The delivery key of the event. */
	key: string;
	time: string;
	kind: string;
	asset: string;
	/** A decimal with its sign, or '' if it cannot be read. */
	amount: string;
	counterpart: string;
	/** The ID of the deposit, payout, conversion or admin funding. */
	reference: string;
	status: string;
	txHash: string;
	fee: string;
	feeAsset: string;
	execution?: string;
}

/** A row of the table of payments, as the books read it. */
interface PaidRow extends Payment {
	result: string;
	payoutId: string | null;
	status: string | null;
	time: string | null;
	createdAt: string;
	updatedAt?: string;
}

/** A part of a difference that a later morning may balance. */
interface OpenPart {
	/**
	 * `early`: it moved before its row. `late`: its row came first. `none`: it is in no row. Of a payment without an answer:
	 * `waits`: it may still move. `gone`: it has moved. `unclear`: nobody can say.
	 */
	type: 'early' | 'late' | 'none' | 'waits' | 'gone' | 'unclear';
	key: string;
	amount: string;
	since: string;
}

/** What may explain a difference. */
interface Candidate {
	key: string;
	/** By how much the balance is then higher than the book. */
	amount: string;
	words: string;
	isUnderWay?: boolean;
	isWeak?: boolean;
	/** An update has its amount and wallet. */
	isNamed?: boolean;
	/** How it is remembered, if at all. */
	type?: OpenPart['type'];
	/** What of it may get a row later, if not all. */
	remember?: string;
	/** A part of an earlier difference that it closes. */
	closes?: OpenPart;
}

/** A line of the book: what the balance should have done. */
interface Entry {
	key: string;
	time: string;
	kind: string;
	amount: string;
	counterpart: string;
	reference: string;
	status: string;
	txHash: string;
	words: string;
	isUnderWay: boolean;
	/** The fee of a payout that has no update with a fee, as the last one was. */
	unreported?: string;
}

interface LastProof {
	asset: string;
	time: string;
	balance: string;
	open: string;
}

interface ProofInput {
	asset: string;
	isFiat: boolean;
	balance?: string;
	/** Why the balance cannot be read. */
	problem?: string;
	/** When the balances were read. */
	cutOff: string;
	last?: LastProof;
	payments: PaidRow[];
	movements: Movement[];
	settings: { underWayMinutes: number; feesOnTop: boolean };
}
