/** Checks payments against the limits that the user sets, in exact decimals. */
import { add, compare } from '../../../../api/decimal.ts';
import { isRecord } from '../../../../api/json.ts';
import { labelOfOption } from '../parameters/payments.ts';
import type { ServiceRequest } from '../request/buildRequest.ts';
import { INPUT, LIMIT } from '../messages.ts';
import type { ValidationIssue } from '../result.ts';
import type { PaymentOptions } from './options.ts';

/** The options that name a field of an undocumented request body. */
type NameOfField = 'amountField' | 'coinField' | 'destinationField';

/** The limits that one payment exceeds. */
export function checkLimits(
	{ maximumAmount, allowedAliases, allowedCurrencies }: PaymentOptions,
	{ amount, currency, destination }: ServiceRequest,
): ValidationIssue[] {
	const issues: ValidationIssue[] = [];
	if (maximumAmount !== undefined && amount !== undefined && compare(amount, maximumAmount) > 0) {
		issues.push(LIMIT.amountIsAbove(amount, labelOfOption('maximumAmount'), maximumAmount));
	}
	if (destination !== undefined && allowedAliases?.includes(destination) === false)
		issues.push(LIMIT.isNotAllowed(labelOfOption('allowedAliases'), destination));
	// Codes have no case. A conversion has a contract in place of a currency, and its ID has.
	const isContract = currency === destination;
	const isSame = (entry: string) =>
		isContract ? entry === currency : entry.toUpperCase() === currency?.toUpperCase();
	if (currency !== undefined && allowedCurrencies?.some(isSame) === false)
		issues.push(LIMIT.isNotAllowed(labelOfOption('allowedCurrencies'), currency));
	return issues;
}

/**
 * Checks that each field that a limit needs can be read and is there once. The author must have written the names of all other
 * fields, because their meaning is unknown.
 */
export function checkUndocumentedBody(
	options: PaymentOptions,
	{ fields, amount, currency, destination }: ServiceRequest,
	fieldsOfAuthor: string[],
): ValidationIssue[] {
	const { maximumAmount, maximumTotal, allowedAliases, allowedCurrencies } = options;
	const issues: ValidationIssue[] = [];
	const keys = keysIn(fields);
	const checkField = (limit: string, setting: NameOfField, value: string | undefined) => {
		const [field, label] = [options[setting], labelOfOption(limit)];
		if (value === undefined) issues.push(LIMIT.fieldIsMissing(label, field, labelOfOption(setting)));
		if (keys.filter((key) => key === field).length > 1)
			issues.push(LIMIT.fieldIsAmbiguous(label, field, labelOfOption(setting)));
	};
	const limitOfAmount = maximumAmount === undefined ? 'maximumTotal' : 'maximumAmount';
	if (options[limitOfAmount] !== undefined) {
		checkField(limitOfAmount, 'amountField', amount);
		if (amount !== undefined && compare(amount, '0') <= 0) {
			issues.push(INPUT.hasWrongSign(options.amountField, 'is not above zero', amount, 'e.g. 12.50'));
		}
	}
	if (maximumTotal !== undefined) checkField('maximumTotal', 'coinField', currency);
	if (allowedAliases !== undefined) checkField('allowedAliases', 'destinationField', destination);
	if (allowedCurrencies !== undefined) checkField('allowedCurrencies', 'coinField', currency);
	const isLimited = [options[limitOfAmount], allowedAliases, allowedCurrencies].some(
		(limit) => limit !== undefined,
	);
	const named = [options.amountField, options.coinField, options.destinationField, ...fieldsOfAuthor];
	const unknown = keys.find((key) => !named.includes(key));
	if (isLimited && issues.length === 0 && unknown !== undefined) issues.push(LIMIT.fieldIsUnknown(unknown));
	return issues;
}

/** The keys of an object and of everything inside it. */
export function keysIn(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(keysIn);
	if (!isRecord(value)) return [];
	return Object.entries(value).flatMap(([key, entry]) => [key, ...keysIn(entry)]);
}

/** A payment that counts towards the total of an execution. */
export interface CountedPayment {
	amount?: string;
	currency?: string;
}

/** What all payments of an execution add up to. */
export interface Total {
	/** Decimal text; undefined if the amount of a payment is not readable. */
	amount: string | undefined;
	/** The currencies, coins or contracts that the amounts are counted in. */
	currencies: Set<string>;
}

export function totalOf(payments: CountedPayment[]): Total {
	let amount: string | undefined = '0';
	const currencies = new Set<string>();
	for (const payment of payments) {
		amount = amount === undefined || payment.amount === undefined ? undefined : add(amount, payment.amount);
		currencies.add(payment.currency?.toUpperCase() ?? 'unknown');
	}
	return { amount, currencies };
}

/** Whether the payments of an execution together stay within the limit. */
export function checkTotal(maximumTotal: string, { amount, currencies }: Total): ValidationIssue[] {
	const label = labelOfOption('maximumTotal');
	if (currencies.size > 1) return [LIMIT.totalIsMixed(label, [...currencies].join(', '))];
	if (amount === undefined) return [LIMIT.totalIsUnknown(label)];
	return compare(amount, maximumTotal) > 0 ? [LIMIT.totalIsAbove(amount, label, maximumTotal)] : [];
}
