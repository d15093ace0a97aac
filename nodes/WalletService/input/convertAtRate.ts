/** Convert at Best Rate: a conversion whose contract the node chooses. It is sent as the endpoint that converts. */
import { getOperation } from '../../../api/catalog.ts';
import type { Operation } from '../../../api/catalog.ts';
import type { OptionTable } from '../../shared/options/options.ts';

const CODE = { kind: 'code', lookup: 'currencies' } as const;

export const CONVERT_AT_RATE: Operation = {
	...getOperation('instantLiquidity.convert'),
	id: 'instantLiquidity.convertAtRate',
	operation: 'convertAtRate',
	name: 'Convert at Best Rate',
	action: 'Convert funds at best rate',
	description:
		'Convert an amount at the best rate that a contract has after its fee, if it reaches a minimum. Without a Payment Key, each run converts again.',
	request: {
		from: {
			...CODE,
			label: 'From',
			description: 'Code of the currency or coin to convert',
			placeholder: 'e.g. USDT',
			roles: ['currency'],
		},
		to: {
			...CODE,
			label: 'To',
			description: 'Code of the currency or coin to get',
			placeholder: 'e.g. NGN',
			roles: ['destination'],
		},
		amount: {
			kind: 'amount',
			label: 'Amount',
			description: 'Amount to convert as decimal text. Every digit is sent.',
			placeholder: 'e.g. 100.25',
			roles: ['amount'],
		},
	},
};

/** What the item of a conversion says about the node's choice, beside the fields of the answer. All are text. */
export const CHOSEN_FIELDS = ['contractId', 'quotedRate', 'wantedRate', 'skippedContracts'] as const;

/** The rate below which nothing is converted. It is no part of what a Payment Key stands for. */
export const MINIMUM_RATE = {
	label: 'Minimum Rate',
	description: 'Smallest rate after the fee, in To for one of From, as decimal text',
	placeholder: 'e.g. 1580.25',
} as const;

export const CONTRACT_SETTINGS_LABEL = 'Contract Settings';

/** What the document does not say of contracts. The account's documentation does. */
export const CONTRACT_SETTINGS = {
	availableIn: {
		kind: 'choice',
		label: 'Amount Available Is In',
		description: 'In which currency a contract says how much it has left',
		choices: { from: { name: 'From' }, to: { name: 'To' } },
	},
	direction: {
		kind: 'text',
		label: 'Direction',
		description: 'Word of the contracts that convert From into To',
		default: 'sell',
		expected: 'a word',
	},
	feeIs: {
		kind: 'choice',
		label: 'Fee Is',
		description: 'Whether the fee of a contract, such as 0.005, comes off what its rate gives',
		choices: { takenOff: { name: 'Taken Off' }, included: { name: 'Included in the Rate' } },
	},
	mostBelowBid: {
		kind: 'decimal',
		label: 'Most Below Bid',
		placeholder: 'e.g. 0.01',
		description:
			'How far below the published bid a rate may be: 0.01 is one percent. If empty, bids do not count.',
		expected: 'a decimal number such as 0.01',
	},
} as const satisfies OptionTable;
