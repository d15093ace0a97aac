/** Pay List: each row of a list becomes a payout of its own. Tables of what a row and the settings of a list have. */
import { getOperation, moneyFieldsOf, requestFieldsOf } from '../../../api/catalog.ts';
import type { Operation } from '../../../api/catalog.ts';
import type { RequestShape } from '../../../api/shape.ts';
import { UNDOCUMENTED } from '../../../api/shape.ts';
import type { OptionTable } from '../../shared/options/options.ts';
import { OPTIONS } from './paymentOptions.ts';
import type { PaymentOption } from './paymentOptions.ts';

const FIAT = getOperation('fiatWallet.createPayout');
const CRYPTO = getOperation('cryptoWallet.createPayout');

/** What rows become. */
export const PAYOUTS_OF_LIST: readonly Operation[] = [FIAT, CRYPTO];

/** The operation itself sends nothing: each row goes out as one of the two payouts. */
export const PAY_LIST: Operation = {
	...FIAT,
	id: 'payoutList.pay',
	resource: 'payoutList',
	resourceName: 'Payout List',
	operation: 'pay',
	name: 'Pay List',
	action: 'Pay payout list',
	description:
		'Pay each row of a list that Read gives, in fiat or coins. Each row has a Payment Key, and is paid once.',
};

/** Where a row has the destination. The other fields of both requests have their own names in it. */
const DESTINATION = 'destination';

/** A payout, as a row says it. */
export interface PayoutOfRow {
	payout: Operation;
	/** The payout with the words of a row: messages about a field name the column. */
	form: Operation;
	/** The column of each field of its request. */
	columns: ReadonlyMap<string, string>;
}

function payoutOfRow(payout: Operation): PayoutOfRow {
	const { destination } = moneyFieldsOf(payout);
	const fields = Object.entries(requestFieldsOf(payout)).map(([name, field]) => {
		const column = name === destination ? DESTINATION : name;
		return { name, column, field: { ...field, label: column } };
	});
	const shape = Object.fromEntries(fields.map(({ name, field }) => [name, field])) as RequestShape;
	const form =
		payout.request === UNDOCUMENTED ? { ...payout, suggestedFields: shape } : { ...payout, request: shape };
	return { payout, form, columns: new Map(fields.map(({ name, column }) => [name, column])) };
}

/** By the column that a row has filled in. */
export const PAYOUT_BY_COLUMN = { currency: payoutOfRow(FIAT), coin: payoutOfRow(CRYPTO) } as const;

/** What people have said of a row. Their names are those of its columns. */
export const SAID_OF_ROW = {
	again: { ...OPTIONS.allowDuplicate, label: 'again' },
	decision: { ...OPTIONS.ifOutcomeIsUnknown, label: 'decision' },
	approvedBy: { ...OPTIONS.approvedBy, label: 'approvedBy', mayBeNothing: true },
} as const satisfies OptionTable;

export const LIMITS_LABEL = 'Limits';
/** The parameter, and what each entry in it is called. */
export const LIMITS_NAME = 'limits';
export const LIMIT_NAME = 'limit';

/** What bounds the payouts of one currency or coin. */
export const LIMIT_FIELDS = {
	code: {
		kind: 'text',
		label: 'Currency or Coin',
		placeholder: 'e.g. NGN',
		description: 'Code of the currency or coin',
		expected: 'a code such as NGN',
	},
	isCoin: {
		kind: 'flag',
		label: 'Is a Coin',
		description: 'Whether the code is that of a coin',
		default: false,
	},
	maximumAmount: { ...OPTIONS.maximumAmount, description: 'Largest amount of one row, as decimal text' },
	maximumTotal: {
		...OPTIONS.maximumTotal,
		description:
			'Largest sum of what this node pays in one execution, as decimal text. The first row above it is not paid, and none of this code behind it.',
	},
	secondApprovalAbove: {
		kind: 'decimal',
		label: 'Second Approval Above',
		placeholder: 'e.g. 100000',
		description: 'Amount of one row above which two people must have said yes, as decimal text',
		expected: OPTIONS.maximumAmount.expected,
	},
	secondApprovalAbovePerDay: {
		kind: 'decimal',
		label: 'Second Approval Above per Day',
		placeholder: 'e.g. 100000',
		description:
			'Sum of all rows of a day with fewer than two names, above which a row needs two, as decimal text. It counts the nodes of this workflow that have it.',
		expected: OPTIONS.maximumAmount.expected,
	},
	allowedAliases: {
		...OPTIONS.allowedAliases,
		description: 'Comma-separated destinations. Quote a name with a comma.',
	},
} as const satisfies OptionTable;

/** With another value in one of them, the list would have other limits: they are never expressions. */
export const NUMBERS_OF_LIMIT = [
	'maximumAmount',
	'maximumTotal',
	'secondApprovalAbove',
	'secondApprovalAbovePerDay',
] as const;

/** Limits that each entry of a tool needs. */
export const LIMITS_OF_TOOL = ['maximumAmount', 'allowedAliases'] as const;

export const OPTIONS_OF_LIST: readonly PaymentOption[] = [
	...(['amountFormat', 'dryRun', 'duplicateCheck', 'maximumPerDay', 'needsApproval'] as const),
	...(['refusedCodes', 'showRequest', 'amountField', 'coinField', 'destinationField', 'idField'] as const),
];
