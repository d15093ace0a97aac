/** The parameters of payments. A table, and what the node reads in it. */
import type { INodeProperties } from 'n8n-workflow';

import { moneyFieldsOf, movesMoney } from '../../../../api/catalog.ts';
import type { Endpoint } from '../../../../api/endpoints.ts';
import { notice, parameter } from './fixed.ts';

export const PAYMENT_KEY = parameter('paymentKey', 'Payment Key', {
	placeholder: 'e.g. invoice-1042',
	description:
		'Unique text for this payment, such as an invoice number. This workflow makes a payment with the same key only once, even if it runs again.',
});

export const MONEY_NOTICE = notice(
	'moneyNotice',
	'This moves real money, except in sandboxes. To check first, add the option Dry Run.',
);
export const UNDOCUMENTED_MONEY_NOTICE = notice(
	'moneyNotice',
	"This moves real money, except in sandboxes. Check the field names in your account's documentation.",
);

/** In options that are one expression, n8n drops all but declared fields. Each text has this one, which shows that it was. */
export const OPTIONS_ARE_TEXT = parameter('length', 'Length', { type: 'hidden' });

export const OPTIONS: INodeProperties[] = [
	parameter('allowedAliases', 'Allowed Aliases', {
		placeholder: 'e.g. supplier-main, treasury',
		description: 'Comma-separated destinations, or contract IDs for conversions. Quote a name with a comma.',
	}),
	parameter('allowedCurrencies', 'Allowed Currencies', {
		placeholder: 'e.g. NGN, USDT',
		description: 'Comma-separated currencies or coins',
	}),
	parameter('amountFormat', 'Amount Format', {
		type: 'options',
		options: [
			{ name: '1,250.50', value: '1,250.50' },
			{ name: '1.250,50', value: '1.250,50' },
			{ name: 'Strict', value: 'strict', description: '1250.50, without signs between thousands' },
		],
		default: 'strict',
		description: 'How Amount is written. Limits and JSON are always strict.',
	}),
	parameter('dryRun', 'Dry Run', {
		type: 'boolean',
		// Adding the option asks for one: a forgotten switch must not pay.
		default: true,
		description: 'Whether to check and show each payment without paying',
	}),
	parameter('holdRepeats', 'Hold Repeats', {
		placeholder: 'e.g. 30',
		description:
			'Days, from 1 to 90, within which the same destination, amount and currency is not paid again under another key',
	}),
	parameter('ifOutcomeIsUnknown', 'If Outcome Is Unknown', {
		type: 'options',
		options: [
			{ name: 'Do Not Pay', value: 'doNotPay' },
			{ name: 'It Was Not Paid: Pay Now', value: 'wasNotPaid' },
			{ name: 'It Was Paid', value: 'wasPaid' },
		],
		default: 'doNotPay',
		description: 'What you found out about an unknown payment',
	}),
	parameter('maximumAmount', 'Maximum Amount', {
		placeholder: 'e.g. 5000',
		description: 'Largest amount of one item, as decimal text',
	}),
	parameter('maximumPerDay', 'Maximum Payments per Day', {
		placeholder: 'e.g. 20',
		description: 'Most payments in a day of all nodes of this workflow that have this option',
	}),
	parameter('maximumTotal', 'Maximum Total', {
		placeholder: 'e.g. 20000',
		description:
			'Largest sum of all payments of this node in one execution, in one currency. The next execution starts at zero.',
	}),
	parameter('refusedCodes', 'Refused Codes', {
		placeholder: 'e.g. 402, 409',
		description: 'HTTP codes from 400 to 499 with which this service refuses and never does anything',
	}),
	parameter('repeatIsMeant', 'Repeat Is Meant', {
		type: 'boolean',
		default: false,
		description: 'Whether Hold Repeats lets this item pass. An expression can say it for each item.',
	}),
	parameter('showRequest', 'Show Request', {
		type: 'boolean',
		default: true,
		description: 'Whether a dry run shows the HTTP request',
	}),
];

/** The keys of the money in a request body, and of the ID in an answer, that the document does not describe. */
export const FIELD_OPTIONS: INodeProperties[] = [
	parameter('amountField', 'Amount Field', {
		default: 'amount',
		description: 'Name of the amount in the request body',
	}),
	parameter('coinField', 'Coin Field', {
		default: 'coin',
		description: 'Name of the coin in the request body',
	}),
	parameter('destinationField', 'Destination Field', {
		default: 'wallet_alias',
		description: 'Name of the destination in the request body',
	}),
	parameter('idField', 'ID Field', {
		placeholder: 'e.g. payout_id',
		description: "Name of the payment's ID in the answer. Without this option, any usual name counts.",
	}),
];

/** Limits without which a tool pays nothing, shown empty at first. The contract of a conversion needs one list. */
export function limitsOfTool(endpoint: Endpoint): string[] {
	if (!movesMoney(endpoint)) return [];
	const { currency, destination } = moneyFieldsOf(endpoint);
	return ['maximumAmount', 'allowedAliases', ...(currency === destination ? [] : ['allowedCurrencies'])];
}

const BY_NAME = new Map([...OPTIONS, ...FIELD_OPTIONS].map((option) => [option.name, option]));

export function labelOfOption(name: string): string {
	return BY_NAME.get(name)?.displayName ?? name;
}

export function defaultOfOption(name: string): string {
	return String(BY_NAME.get(name)?.default ?? '');
}

/** The values that can be chosen; none for an option without choices. */
export function choicesOfOption(name: string): string[] {
	return (BY_NAME.get(name)?.options ?? []).flatMap((option) =>
		'value' in option ? [String(option.value)] : [],
	);
}
