/** The parameters of payments. */
import type { INodeProperties } from 'n8n-workflow';

export const PAYMENT_KEY_FIELD: INodeProperties = {
	displayName: 'Payment Key',
	name: 'paymentKey',
	type: 'string',
	default: '',
	placeholder: 'e.g. invoice-1042',
	description:
		'Unique text for this payment, such as an invoice number. This workflow makes a payment with the same key only once, even if it runs again.',
};

/** A notice has at most 15 words, and an operation has one at most. */
const notice = (displayName: string): INodeProperties => ({
	displayName,
	name: 'moneyNotice',
	type: 'notice',
	default: '',
});

export const MONEY_NOTICE = notice('This moves real money, one payment at a time. Dry Run shows it first.');
export const UNDOCUMENTED_MONEY_NOTICE = notice(
	"This moves real money. The fields are likely ones: see your account's documentation.",
);

/**
 * Options that are one expression lose all limits in n8n, which keeps only declared fields. Each text has this field, so the
 * node sees that it was one. The editor does not show it.
 */
export const OPTIONS_ARE_TEXT: INodeProperties = {
	displayName: 'Length',
	name: 'length',
	type: 'hidden',
	default: '',
};

export const LIMIT_OPTIONS: INodeProperties[] = [
	{
		displayName: 'Allowed Aliases',
		name: 'allowedAliases',
		type: 'string',
		default: '',
		placeholder: 'e.g. supplier-main, treasury',
		description: 'Comma-separated destinations, or contract IDs for conversions. Quote a name with a comma.',
	},
	{
		displayName: 'Allowed Currencies',
		name: 'allowedCurrencies',
		type: 'string',
		default: '',
		placeholder: 'e.g. NGN, USDT',
		description: 'Comma-separated currencies or coins, or contract IDs for conversions',
	},
	{
		displayName: 'Amount Format',
		name: 'amountFormat',
		type: 'options',
		options: [
			{ name: '1,250.50', value: '1,250.50' },
			{ name: '1.250,50', value: '1.250,50' },
			{ name: 'Strict', value: 'strict', description: '1250.50, without signs between thousands' },
		],
		default: 'strict',
		description: 'How Amount is written. Limits and JSON are always strict.',
	},
	{
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		// Adding the option asks for one: a forgotten switch must not pay.
		default: true,
		description: 'Whether to check and show each payment without paying',
	},
	{
		displayName: 'If Outcome Is Unknown',
		name: 'ifOutcomeIsUnknown',
		type: 'options',
		options: [
			{ name: 'Do Not Pay', value: 'doNotPay' },
			{ name: 'It Was Not Paid', value: 'wasNotPaid' },
			{ name: 'It Was Paid', value: 'wasPaid' },
		],
		default: 'doNotPay',
		description: 'What you found out about an unknown payment. It Was Not Paid pays it now, once.',
	},
	{
		displayName: 'Maximum Amount',
		name: 'maximumAmount',
		type: 'string',
		default: '',
		placeholder: 'e.g. 5000',
		description: 'Largest amount of one item, as decimal text',
	},
	{
		displayName: 'Maximum per Day',
		name: 'maximumPerDay',
		type: 'string',
		default: '',
		placeholder: 'e.g. 20',
		description: 'Most payments in a day of all nodes of this workflow that have this option',
	},
	{
		displayName: 'Maximum Total',
		name: 'maximumTotal',
		type: 'string',
		default: '',
		placeholder: 'e.g. 20000',
		description: 'Largest sum of one execution, in one currency',
	},
	{
		displayName: 'Refused Codes',
		name: 'refusedCodes',
		type: 'string',
		default: '',
		placeholder: 'e.g. 402, 409',
		description: 'Which of 402 and 409 this service uses only for refusals',
	},
	{
		displayName: 'Show Request',
		name: 'showRequest',
		type: 'boolean',
		default: true,
		description: 'Whether a dry run shows the HTTP request',
	},
];

/** The keys of the money in a request body that the document does not describe. */
export const FIELD_OPTIONS: INodeProperties[] = [
	{
		displayName: 'Amount Field',
		name: 'amountField',
		type: 'string',
		default: 'amount',
		description: 'Name of the amount in the request body',
	},
	{
		displayName: 'Coin Field',
		name: 'coinField',
		type: 'string',
		default: 'coin',
		description: 'Name of the coin in the request body',
	},
	{
		displayName: 'Destination Field',
		name: 'destinationField',
		type: 'string',
		default: 'wallet_alias',
		description: 'Name of the destination in the request body',
	},
];

const OPTIONS = new Map([...LIMIT_OPTIONS, ...FIELD_OPTIONS].map((option) => [option.name, option]));

/** Limits without which a tool pays nothing. */
export const LIMITS_OF_TOOLS = ['maximumAmount', 'allowedAliases', 'allowedCurrencies'] as const;

/** The limits that a tool must have, empty: they appear at once, and an empty limit refuses everything. */
export const TOOL_DEFAULTS = Object.fromEntries(LIMITS_OF_TOOLS.map((name) => [name, '']));

export function labelOfOption(name: string): string {
	return OPTIONS.get(name)?.displayName ?? name;
}

export function defaultOfOption(name: string): string {
	return String(OPTIONS.get(name)?.default ?? '');
}

/** The values that can be chosen; none for an option without choices. */
export function choicesOfOption(name: string): string[] {
	return (OPTIONS.get(name)?.options ?? []).flatMap((option) =>
		'value' in option ? [String(option.value)] : [],
	);
}
