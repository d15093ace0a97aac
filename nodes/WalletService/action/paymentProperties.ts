/** The parameters of payments. */
import type { INodeProperties } from 'n8n-workflow';

export const PAYMENT_KEY: INodeProperties = {
	displayName: 'Payment Key',
	name: 'paymentKey',
	type: 'string',
	default: '',
	placeholder: 'e.g. invoice-1042',
	description:
		'Unique text for this payment, such as an invoice number. A payment with the same key is made only once, even if the workflow runs again.',
};

export const MONEY_NOTICE: INodeProperties = {
	displayName:
		'This moves money each time the workflow runs. Retries within one execution never pay twice; a new execution does, unless Payment Key is set. Add the option Dry Run to see the request first.',
	name: 'moneyNotice',
	type: 'notice',
	default: '',
};

export const LIMIT_OPTIONS: INodeProperties[] = [
	{
		displayName: 'Allowed Aliases',
		name: 'allowedAliases',
		type: 'string',
		default: '',
		placeholder: 'e.g. supplier-main, treasury',
		description:
			'Comma-separated destinations that money may go to: aliases, or contract IDs for conversions. Nothing is sent if an item names another.',
	},
	{
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		// Adding the option asks for one: a forgotten switch must not pay.
		default: true,
		description: 'Whether to return the request that would be sent instead of sending it',
	},
	{
		displayName: 'Maximum Amount',
		name: 'maximumAmount',
		type: 'string',
		default: '',
		placeholder: 'e.g. 5000',
		description: 'Largest amount of one item, as decimal text. Nothing is sent if an item is above it.',
	},
	{
		displayName: 'Maximum Total',
		name: 'maximumTotal',
		type: 'string',
		default: '',
		placeholder: 'e.g. 20000',
		description:
			'Largest sum of all payments of this node in one execution, loops and agent calls included, as decimal text. Nothing is sent if the sum is above it or has more than one currency.',
	},
];

/** The keys of the money in a request body that the document does not describe. */
export const FIELD_OPTIONS: INodeProperties[] = [
	{
		displayName: 'Amount Field',
		name: 'amountField',
		type: 'string',
		default: 'amount',
		description: "Key of the amount in the request body, if your account's documentation has another one",
	},
	{
		displayName: 'Coin Field',
		name: 'coinField',
		type: 'string',
		default: 'coin',
		description: "Key of the coin in the request body, if your account's documentation has another one",
	},
	{
		displayName: 'Destination Field',
		name: 'destinationField',
		type: 'string',
		default: 'wallet_alias',
		description:
			"Key of the destination in the request body, if your account's documentation has another one",
	},
];

const LABELS = new Map(
	[...LIMIT_OPTIONS, ...FIELD_OPTIONS].map(({ name, displayName }) => [name, displayName]),
);

export function labelOfOption(name: string): string {
	return LABELS.get(name) ?? name;
}
