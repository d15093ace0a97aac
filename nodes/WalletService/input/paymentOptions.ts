/** The options of payments. A table, and what the node reads in it. */
import { moneyFieldsOf, movesMoney } from '../../../api/catalog.ts';
import type { Endpoint } from '../../../api/endpoints.ts';
import type { OptionTable } from '../../shared/options/options.ts';

/** With the other codes from 400 to 499, no service has only refused: no answer came in time, or the connection was closed. */
const NO_REFUSED_CODES = ['408', '499'];

/** A code of an answer's body, such as `LIMIT_REACHED` or `E102`. */
const CODE_IN_WORDS = /^(?=.*[a-z])[\w.:/ -]{2,100}$/i;

/** Most days that Duplicate Check can look back. */
export const MOST_DAYS_OF_DUPLICATES = 90;

/** The options of every payment. */
const GENERAL_OPTIONS = {
	allowDuplicate: {
		kind: 'flag',
		label: 'Allow Duplicate',
		description: 'Whether Duplicate Check lets this item pass. An expression can say it for each item.',
		mayBeNothing: true,
		default: false,
	},
	allowedAliases: {
		kind: 'list',
		label: 'Allowed Aliases',
		placeholder: 'e.g. supplier-main, treasury',
		description: 'Comma-separated destinations, or contract IDs for conversions. Quote a name with a comma.',
		expected: 'a list of aliases',
	},
	allowedCurrencies: {
		kind: 'list',
		label: 'Allowed Currencies',
		placeholder: 'e.g. NGN, USDT',
		description: 'Comma-separated currencies or coins',
		expected: 'a list of currencies',
	},
	amountFormat: {
		kind: 'choice',
		label: 'Amount Format',
		description: 'How Amount is written. Limits and JSON are always strict.',
		choices: {
			strict: { name: 'Strict', description: '1250.50, without signs between thousands' },
			'1,250.50': { name: '1,250.50' },
			'1.250,50': { name: '1.250,50' },
		},
	},
	/** Whoever fills in the item says who it was: with a fixed name, all items count as approved. */
	approvedBy: {
		kind: 'person',
		label: 'Approved By',
		placeholder: 'e.g. {{ $json.approvedBy }}',
		description:
			'Who has said yes to this payment. An expression can name the person of each item. A payment without a name is not paid.',
	},
	dryRun: {
		kind: 'flag',
		label: 'Dry Run',
		description: 'Whether to check and show each payment without paying',
		default: false,
		// Adding the option asks for one: a forgotten switch must not pay.
		whenAdded: true,
	},
	duplicateCheck: {
		kind: 'count',
		label: 'Duplicate Check',
		placeholder: 'e.g. 30',
		description: `Days, from 1 to ${MOST_DAYS_OF_DUPLICATES}, within which the same destination, amount and currency is not paid again under another key`,
		expected: `a number of days from 1 to ${MOST_DAYS_OF_DUPLICATES}`,
		minimum: 1,
		maximum: MOST_DAYS_OF_DUPLICATES,
	},
	ifOutcomeIsUnknown: {
		kind: 'choice',
		label: 'If Outcome Is Unknown',
		description: 'What you found out about an unknown payment',
		mayBeNothing: true,
		choices: {
			doNotPay: { name: 'Do Not Pay' },
			wasNotPaid: { name: 'It Was Not Paid: Pay Now' },
			wasPaid: { name: 'It Was Paid' },
		},
	},
	maximumAmount: {
		kind: 'decimal',
		label: 'Maximum Amount',
		placeholder: 'e.g. 5000',
		description: 'Largest amount of one item, as decimal text',
		expected: 'a decimal number such as 5000.50',
	},
	maximumPerDay: {
		kind: 'count',
		label: 'Maximum Payments per Day',
		placeholder: 'e.g. 20',
		description: 'Most payments in a day of all nodes of this workflow that have this option',
		expected: 'a whole number such as 20',
		minimum: 0,
		maximum: 999_999,
	},
	maximumTotal: {
		kind: 'decimal',
		label: 'Maximum Total',
		placeholder: 'e.g. 20000',
		description:
			'Largest sum of all payments of this node in one execution, in one currency. The next execution starts at zero, and so does each call of a workflow that an agent has as a tool.',
		expected: 'a decimal number such as 5000.50',
	},
	/** Only of a list. */
	needsApproval: {
		kind: 'flag',
		label: 'Needs Approval',
		description: 'Whether a row without a name in approvedBy is only checked, and not paid',
		default: true,
		whenAdded: false,
	},
	/** Statuses and codes in words with which this service only refuses. Each is a reason; what else is said must be known. */
	refusedCodes: {
		kind: 'list',
		label: 'Refused Codes',
		placeholder: 'e.g. 409, LIMIT_REACHED',
		description:
			'HTTP codes from 400 to 499, or codes in words, with which this service refuses and never does anything',
		expected: 'a list of codes such as 409, LIMIT_REACHED',
		isEntry: (code: string) =>
			/^4\d\d$/.test(code) ? !NO_REFUSED_CODES.includes(code) : CODE_IN_WORDS.test(code),
	},
	showRequest: {
		kind: 'flag',
		label: 'Show Request',
		description: 'Whether a dry run shows the HTTP request',
		default: false,
		whenAdded: true,
	},
} as const satisfies OptionTable;

/** The keys of the money in a request body, and of the ID in an answer, that the document does not describe. */
const FIELD_OPTIONS = {
	amountField: {
		kind: 'text',
		label: 'Amount Field',
		description: 'Name of the amount in the request body',
		default: 'amount',
		expected: 'a name',
	},
	coinField: {
		kind: 'text',
		label: 'Coin Field',
		description: 'Name of the coin in the request body',
		default: 'coin',
		expected: 'a name',
	},
	destinationField: {
		kind: 'text',
		label: 'Destination Field',
		description: 'Name of the destination in the request body',
		default: 'wallet_alias',
		expected: 'a name',
	},
	idField: {
		kind: 'text',
		label: 'ID Field',
		placeholder: 'e.g. payout_id',
		description: "Name of the payment's ID in the answer. Without this option, any usual name counts.",
		expected: 'a name',
	},
} as const satisfies OptionTable;

export const OPTIONS = { ...GENERAL_OPTIONS, ...FIELD_OPTIONS };

export type PaymentOption = keyof typeof OPTIONS;

export const OPTION_NAMES = Object.keys(OPTIONS) as PaymentOption[];

/** Those of a single payment. */
export const OPTIONS_OF_PAYMENT: readonly PaymentOption[] = OPTION_NAMES.filter(
	(name) => name !== 'needsApproval',
);

/** `dryRun` -> `dry_run`, as the service writes its fields. */
const inSnakeCase = (name: string): string =>
	name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** What programs that write workflows put beside Options, where n8n would drop it: a dry run would pay, and a limit be none. */
export const BESIDE_OPTIONS: readonly string[] = [
	...new Set([...OPTION_NAMES, 'paymentKey', 'idempotencyKey'].flatMap((name) => [name, inSnakeCase(name)])),
	'additionalFields',
	'additionalOptions',
].filter((name) => name !== 'paymentKey');

/** Whether a name in stored options is one of the table. */
export function isPaymentOption(name: string): name is PaymentOption {
	return Object.hasOwn(OPTIONS, name);
}

/** Limits without which a tool pays nothing, shown empty at first. The contract of a conversion needs one list. */
export function limitsOfTool(endpoint: Endpoint): PaymentOption[] {
	if (!movesMoney(endpoint)) return [];
	const { currency, destination } = moneyFieldsOf(endpoint);
	const limits: PaymentOption[] = ['maximumAmount', 'allowedAliases'];
	return currency === destination ? limits : [...limits, 'allowedCurrencies'];
}

export function labelOfOption(name: PaymentOption): string {
	return OPTIONS[name].label;
}

/** Whether an option is offered only where the document does not describe the request. */
export function isFieldOption(name: string): boolean {
	return Object.hasOwn(FIELD_OPTIONS, name);
}
