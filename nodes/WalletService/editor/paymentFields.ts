/** The parameters that only payments have, but for their options. A table: no logic. */
import type { INodeProperties } from 'n8n-workflow';

import { notice, parameter, withTwin } from '../../shared/editor/parameters.ts';
import { optionProperties, optionProperty } from '../../shared/options/optionProperties.ts';
import { CONTRACT_SETTINGS, CONTRACT_SETTINGS_LABEL, MINIMUM_RATE } from '../input/convertAtRate.ts';
import { BESIDE_OPTIONS } from '../input/paymentOptions.ts';
import { LIMIT_FIELDS, LIMIT_NAME, LIMITS_LABEL, LIMITS_NAME, NUMBERS_OF_LIMIT } from '../input/payList.ts';

export const PAYMENT_KEY = parameter('paymentKey', 'Payment Key', {
	placeholder: 'e.g. acme-1042-2026',
	description:
		'Unique text for this payment, such as the supplier, and the number and year of the invoice. This workflow makes a payment with the same key only once, even if it runs again.',
});

const { label: rateLabel, ...rateWords } = MINIMUM_RATE;
export const MINIMUM_RATE_FIELD = parameter('minimumRate', rateLabel, { ...rateWords, required: true });

export const CONTRACT_SETTINGS_FIELD = withTwin(
	parameter('contractSettings', CONTRACT_SETTINGS_LABEL, {
		type: 'collection',
		placeholder: 'Add setting',
		default: {},
		options: optionProperties(CONTRACT_SETTINGS),
	}),
);

/** Whatever stands in them is refused. */
export const NAMES_BESIDE = BESIDE_OPTIONS.map((name) => parameter(name, 'Not Read', { type: 'hidden' }));

/** What bounds a list. */
export function limitsProperties(isTool: boolean): INodeProperties[] {
	const isFixed = (name: string) => isTool || (NUMBERS_OF_LIMIT as readonly string[]).includes(name);
	const fields = Object.entries(LIMIT_FIELDS)
		.map(([name, option]) => ({
			...optionProperty(name, option),
			...(isFixed(name) && { noDataExpression: true }),
		}))
		// n8n's order for more than four fields.
		.sort((one, other) => one.displayName.localeCompare(other.displayName, 'en'));
	return withTwin(
		parameter(LIMITS_NAME, LIMITS_LABEL, {
			default: {},
			displayOptions: { show: { '@tool': [isTool] } },
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add limit',
			description: 'What may be paid of each currency and coin. If there is one, no other code is paid.',
			options: [{ displayName: 'Limit', name: LIMIT_NAME, values: fields }],
		}),
	);
}

export const MONEY_NOTICE = notice(
	'moneyNotice',
	'This moves real money, except in sandboxes. To check first, add the option Dry Run.',
);
export const UNDOCUMENTED_MONEY_NOTICE = notice(
	'moneyNotice',
	"This moves real money. Try Dry Run first. Your account's documentation has the field names.",
);
