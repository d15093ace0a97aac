/** Checks payments against the limits that the user sets, in exact decimals. */
import { add, compare } from '../../../../../api/decimal.ts';
import { isRecord } from '../../../../../api/json.ts';
import { labelOfOption } from '../../parameters/payments.ts';
import type { Money, ServiceRequest } from '../../request/buildRequest.ts';
import { LIMIT } from './messages.ts';
import type { ValidationIssue } from '../../result.ts';
import type { PaymentOptions } from './options.ts';

/** The limits that one payment exceeds. */
export function checkLimits(
	{ maximumAmount, allowedAliases, allowedCurrencies }: PaymentOptions,
	{ amount, currency, destination }: ServiceRequest,
): ValidationIssue[] {
	const issues: ValidationIssue[] = [];
	if (maximumAmount !== undefined && amount !== undefined && compare(amount, maximumAmount) > 0) {
		issues.push(
			LIMIT.amountIsAbove({ amount: amount, label: labelOfOption('maximumAmount'), maximum: maximumAmount }),
		);
	}
	if (destination !== undefined && allowedAliases?.includes(destination) === false)
		issues.push(LIMIT.isNotAllowed({ label: labelOfOption('allowedAliases'), value: destination }));
	// Codes have no case. A conversion has a contract in place of a currency, and its ID has.
	const isContract = currency === destination;
	const isSame = (entry: string) =>
		isContract ? entry === currency : entry.toUpperCase() === currency?.toUpperCase();
	if (currency !== undefined && allowedCurrencies?.some(isSame) === false)
		issues.push(LIMIT.isNotAllowed({ label: labelOfOption('allowedCurrencies'), value: currency }));
	return issues;
}

/** Each field that a limit needs is there once. The meaning of others is unknown, so the author must have written them. */
export function checkUndocumentedBody(
	options: PaymentOptions,
	{ fields, amount, currency, destination }: ServiceRequest,
	fieldsOfAuthor: string[],
): ValidationIssue[] {
	const { maximumAmount, maximumTotal, amountField, coinField, destinationField } = options;
	const keys = keysIn(fields);
	const issues: ValidationIssue[] = [];
	const check = (limit: keyof PaymentOptions, setting: NameOfField, value: string | undefined) => {
		if (options[limit] === undefined) return;
		const words = { label: labelOfOption(limit), field: options[setting], setting: labelOfOption(setting) };
		if (value === undefined) issues.push(LIMIT.fieldIsMissing(words));
		if (keys.filter((key) => key === options[setting]).length > 1) issues.push(LIMIT.fieldIsAmbiguous(words));
	};
	check(maximumAmount === undefined ? 'maximumTotal' : 'maximumAmount', 'amountField', amount);
	check('maximumTotal', 'coinField', currency);
	check('allowedAliases', 'destinationField', destination);
	check('allowedCurrencies', 'coinField', currency);
	const limits = [maximumAmount, maximumTotal, options.allowedAliases, options.allowedCurrencies];
	const isLimited = limits.some((limit) => limit !== undefined);
	const named = [amountField, coinField, destinationField, ...fieldsOfAuthor];
	const unknown = keys.find((key) => !named.includes(key));
	if (isLimited && issues.length === 0 && unknown !== undefined) issues.push(LIMIT.fieldIsUnknown(unknown));
	return issues;
}

type NameOfField = 'amountField' | 'coinField' | 'destinationField';

/** The keys of an object and of everything inside it. */
export function keysIn(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(keysIn);
	if (!isRecord(value)) return [];
	return Object.entries(value).flatMap(([key, entry]) => [key, ...keysIn(entry)]);
}

/** What all payments of an execution add up to. */
export function totalOf(payments: Money[]) {
	const amounts = payments.map(({ amount }) => amount);
	return {
		/** Decimal text; undefined if the amount of a payment is not readable. */
		amount: amounts.every((amount) => amount !== undefined) ? amounts.reduce(add, '0') : undefined,
		/** The currencies, coins or contracts that the amounts are counted in. */
		currencies: new Set(payments.map(({ currency }) => currency?.toUpperCase() ?? 'unknown')),
	};
}

/** Whether the payments of an execution together stay within the limit. */
export function checkTotal(
	maximumTotal: string | undefined,
	{ amount, currencies }: ReturnType<typeof totalOf>,
): ValidationIssue[] {
	if (maximumTotal === undefined) return [];
	const label = labelOfOption('maximumTotal');
	if (currencies.size > 1) return [LIMIT.totalIsMixed({ label: label, units: [...currencies].join(', ') })];
	if (amount === undefined) return [LIMIT.totalIsUnknown(label)];
	return compare(amount, maximumTotal) > 0
		? [LIMIT.totalIsAbove({ total: amount, label: label, maximum: maximumTotal })]
		: [];
}
