/** The parameters that only payments have, but for their options. A table: no logic. */
import { optionProperties } from '../../shared/options/optionProperties.ts';
import { CONTRACT_SETTINGS, CONTRACT_SETTINGS_LABEL, MINIMUM_RATE } from '../input/convertAtRate.ts';
import { notice, parameter } from './fixed.ts';

export const PAYMENT_KEY = parameter('paymentKey', 'Payment Key', {
	placeholder: 'e.g. invoice-1042',
	description:
		'Unique text for this payment, such as an invoice number. This workflow makes a payment with the same key only once, even if it runs again.',
});

const { label: rateLabel, ...rateWords } = MINIMUM_RATE;
export const MINIMUM_RATE_FIELD = parameter('minimumRate', rateLabel, { ...rateWords, required: true });

export const CONTRACT_SETTINGS_FIELD = parameter('contractSettings', CONTRACT_SETTINGS_LABEL, {
	type: 'collection',
	placeholder: 'Add setting',
	default: {},
	options: optionProperties(CONTRACT_SETTINGS),
});

export const MONEY_NOTICE = notice(
	'moneyNotice',
	'This moves real money, except in sandboxes. To check first, add the option Dry Run.',
);
export const UNDOCUMENTED_MONEY_NOTICE = notice(
	'moneyNotice',
	"This moves real money. Try Dry Run first. Your account's documentation has the field names.",
);
