/** A row of the book, the Data Table `wallet_service_book`: one movement, one update of it, or one proved balance. All columns are text. */

export interface BookRow {
	/** Names the row: the payment key, the delivery key of an event, or `balance <asset> <time>`. */
	key: string;
	/** One of BOOK_KINDS. A person may have written another word. */
	kind: string;
	/** ISO 8601 in UTC. */
	time: string;
	/** Code in capitals. */
	asset: string;
	/** Signed decimal text: with a minus if the money goes out. '' if nobody can read it. */
	amount: string;
	/** Destination, wallet, virtual account or contract. */
	counterpart: string;
	/** The ID that the service gave. */
	reference: string;
	/** Of a payment: `under way`, then its result. '' for an event. */
	result: string;
	/** As the service reports it, in lower case. */
	status: string;
	txHash: string;
	/** Decimal text without a sign. */
	fee: string;
	feeAsset: string;
	/** What a person must know; of a `balance`, what the next proof must know, as JSON. */
	message: string;
	workflow: string;
	execution: string;
	approvedBy: string;
}

export const BOOK_KINDS = [
	'fiat payout',
	'coin payout',
	'deposit',
	'coin deposit',
	'admin credit',
	'admin debit',
	'conversion',
	'correction',
	'balance',
] as const;

export const BOOK_COLUMNS = [
	...['key', 'kind', 'time', 'asset', 'amount', 'counterpart', 'reference', 'result'],
	...['status', 'txHash', 'fee', 'feeAsset', 'message', 'workflow', 'execution', 'approvedBy'],
] as ReadonlyArray<keyof BookRow>;

/** A row in which nothing stands. */
export const EMPTY_ROW: Readonly<BookRow> = Object.fromEntries(
	BOOK_COLUMNS.map((column) => [column, '']),
) as unknown as BookRow;
