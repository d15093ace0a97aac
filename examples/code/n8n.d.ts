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
	DateTime: { fromISO(text: string): N8nTime };
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

/** A row of the table of payments, or a result of pay once. */
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
