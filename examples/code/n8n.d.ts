/** What n8n gives to a Code node. The data of items has the shape that the workflow gave it. */
interface N8nItem {
	// eslint-disable-next-line @typescript-eslint/no-explicit-any
	json: any;
	// eslint-disable-next-line @typescript-eslint/no-explicit-any
	binary?: any;
}

interface N8nItems {
	all(): N8nItem[];
	first(branch?: number, run?: number): N8nItem;
	isExecuted: boolean;
}

interface N8nTime {
	zone: unknown;
	toFormat(format: string): string;
	toISODate(): string;
	toUTC(): { toISO(): string | null };
	setZone(zone: unknown): N8nTime;
}

interface N8n {
	// eslint-disable-next-line @typescript-eslint/no-explicit-any
	$: (node: string) => N8nItems & { params: any; isExecuted: boolean };
	$input: N8nItems;
	$now: N8nTime;
	$today: N8nTime;
	$workflow: { id: string };
	$runIndex: number;
	DateTime: { fromISO(text: string): N8nTime; fromSQL(text: string): N8nTime };
}

/** What is paid. One of currency and coin is filled. */
interface Payment {
	paymentKey: string;
	/** A decimal. */
	amount: string;
	currency: string;
	coin: string;
	/** The alias of a settlement account or wallet. */
	destination: string;
}

/** A row of the book, or a result of pay once. */
interface Row extends Payment {
	result: string;
	message: string;
	payoutId: string;
	status: string;
	execution: string;
	workflow: string;
	settle: string;
	/** When it was sent. */
	time?: string;
}

/** What the list says of a row, whatever happened. */
type Result = Pick<Row, keyof Payment | 'result' | 'payoutId' | 'status' | 'message'>;

/** What is converted. Amounts and rates are decimals. */
interface Order {
	order_number: string;
	from_currency: string;
	to_currency: string;
	from_amount: string;
	/** Units of to_currency that one unit of from_currency must bring after the fee. */
	minimum_rate: string;
	/** A time in UTC, or ''. */
	valid_until: string;
	/** What is wrong with it, or ''. */
	problem: string;
	/** A workflow handed it over. It is in no table of orders. */
	isCalled?: boolean;
}

/** A contract, as the node gives it. */
interface Contract {
	contractId: string;
	from: string;
	to: string;
	rate: string;
	fee: string;
	amountAvailable: string;
	direction: string;
}

interface PublishedRate {
	baseCurrency: string;
	quoteCurrency: string;
	bid: string;
}

/** What the service's document does not say, and which execution reads it. */
interface ConversionSettings {
	feeIs: string;
	availableIn: string;
	direction: string;
	mostBelowBid: string;
	execution: string;
}

/** A row of the table of conversions: one part of an order. */
interface Conversion {
	id: number;
	payment_key: string;
	contract_id: string;
	order_amount: string;
	from_currency: string;
	to_currency: string;
	from_amount: string;
	minimum_rate: string;
	/** planned (nothing is sent yet), sending, converted or unknown. */
	state: string;
	transaction_id: string | null;
	to_amount: string;
	settle: string | null;
	note: string | null;
	balance_before: string | null;
	execution: string;
}

interface NextStep extends Partial<Omit<Conversion, 'state'>> {
	next: 'plan' | 'convert' | 'look' | 'end';
	order_number?: string;
	decision?: string;
	state?: string;
	rate?: string;
	why?: string;
	text?: string;
}

/** What the author of the way from a deposit to the bank decides, and what the service's document does not say. */
interface WaySettings {
	wallets: string;
	coin: string;
	toCurrency: string;
	payTo: string;
	minimumRate: string;
	depositFee: string;
	payoutPlaces: string;
}

/** A row of the table of deposits. */
interface Deposit {
	deposit_id: string;
	wallet: string;
	coin: string;
	/** What is converted. */
	amount: string;
	to_currency: string;
	pay_to: string;
	minimum_rate: string;
	state: string;
	told: string;
}
