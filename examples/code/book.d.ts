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
	/** Of a payment: paid, unknown, notSent or rejected. An update without its payment has none. */
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

/** A row of the book as an event makes it. */
type Movement = Omit<
	BookRow,
	'result' | 'message' | 'settle' | 'workflow' | 'execution' | 'approvedBy' | 'createdAt' | 'updatedAt'
> &
	Partial<BookRow>;

/** A payment of the book. */
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
	 * `early`: it moved before its row. `late`: its row came first. `none`: it is in no row. `sent`: a payout is under way. Of a
	 * payment without an answer: `waits`: it may still move. `gone`: it has moved. `unclear`: nobody can say.
	 */
	type: 'early' | 'late' | 'none' | 'sent' | 'waits' | 'gone' | 'unclear' | 'unread';
	key: string;
	amount: string;
	/** Of a payment: the fee that was counted. */
	fee?: string;
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
	/** The part of the amount that is a fee. */
	fee?: string;
	/** An update has its amount and wallet. */
	isNamed?: boolean;
	/** This update says that it failed. */
	hasFailed?: boolean;
	/** How it is remembered, if at all. */
	type?: OpenPart['type'];
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
	rows: BookRow[];
	settings: { underWayMinutes: number; feesOnTop: boolean };
}
