/** Limits that the user sets for payments, as exact decimals. A limit that cannot be read refuses the payment. */
import { add, compare, isPlainDecimal } from '../../../../api/decimal.ts';
import type { MoneyFields } from '../../../../api/endpoints.ts';
import { isLikelyAmount, isLikelyCurrency, isLikelyDestination } from '../../../../api/guesses.ts';
import { isRecord } from '../../../../api/json.ts';
import type { ServiceRequest } from '../http/buildRequest.ts';
import { AMOUNT_FORMATS } from '../http/readInput.ts';
import type { AmountFormat } from '../http/readInput.ts';
import { INPUT, LIMIT } from '../messages.ts';
import type { ValidationIssue } from '../result.ts';
import { comparable } from './keyText.ts';
import type { Settlement } from './paymentKeys.ts';

/** The options of a payment, read. An option that the user did not add is absent. */
export interface PaymentOptions {
	dryRun: boolean;
	/** Whether a dry run shows the HTTP request. */
	showRequest: boolean;
	/** How the amounts of the items are written. Limits are plain decimals. */
	amountFormat: AmountFormat;
	/** What a person says about a payment whose outcome is unknown. */
	ifOutcomeIsUnknown?: Settlement;
	maximumAmount?: string;
	maximumTotal?: string;
	/** Payments of the workflow in a day. */
	maximumPerDay?: number;
	allowedAliases?: string[];
	/** In upper case. */
	allowedCurrencies?: string[];
	/** Keys of an undocumented request body. */
	amountField: string;
	coinField: string;
	destinationField: string;
}

const DECISIONS: readonly string[] = ['doNotPay', 'wasPaid', 'wasNotPaid'] satisfies Settlement[];

/** An option that is present but empty refuses everything: its expression gave nothing, or nobody filled it in. */
export function readOptions(options: Record<string, unknown>): {
	options: PaymentOptions;
	issues: ValidationIssue[];
} {
	const issues: ValidationIssue[] = [];
	const text = (name: string, label: string): string | undefined => {
		if (!Object.hasOwn(options, name)) return undefined;
		const value = String(options[name] ?? '').trim();
		if (value === '') issues.push(LIMIT.isEmpty(label));
		return value;
	};
	const decimal = (name: string, label: string): string | undefined => {
		const value = text(name, label);
		if (value !== undefined && value !== '' && !isPlainDecimal(value)) {
			issues.push(LIMIT.isNotDecimal(label, value));
		}
		return value;
	};
	const boolean = (name: string, label: string): boolean => {
		const value = text(name, label) ?? 'false';
		if (!['', 'true', 'false'].includes(value)) issues.push(LIMIT.isNotBoolean(label, value));
		return value === 'true';
	};
	const dryRun = boolean('dryRun', 'Dry Run');
	const showRequest = boolean('showRequest', 'Show Request');
	const choice = (name: string, label: string, choices: readonly string[]): string | undefined => {
		const value = text(name, label);
		if (value !== undefined && !['', ...choices].includes(value)) {
			issues.push(LIMIT.isNotChoice(label, value, choices.join(' or ')));
		}
		return value;
	};
	const decision = choice('ifOutcomeIsUnknown', 'If Outcome Is Unknown', DECISIONS);
	const amountFormat = choice('amountFormat', 'Amount Format', AMOUNT_FORMATS);
	const list = (name: string, label: string): string[] | undefined => {
		const value = text(name, label);
		const entries = value?.split(',').map((entry) => entry.trim());
		const filled = entries?.filter((entry) => entry !== '');
		if (value !== '' && filled?.length === 0) issues.push(LIMIT.isEmpty(label));
		return filled;
	};
	const count = (name: string, label: string): number | undefined => {
		const value = text(name, label);
		if (value !== undefined && value !== '' && !/^\d{1,6}$/.test(value)) {
			issues.push(LIMIT.isNotCount(label, value));
		}
		return value === undefined ? undefined : Number(value);
	};
	const allowedAliases = list('allowedAliases', 'Allowed Aliases');
	const allowedCurrencies = list('allowedCurrencies', 'Allowed Currencies')?.map((code) =>
		code.toUpperCase(),
	);
	const maximumPerDay = count('maximumPerDay', 'Maximum per Day');
	const maximumAmount = decimal('maximumAmount', 'Maximum Amount');
	const maximumTotal = decimal('maximumTotal', 'Maximum Total');
	return {
		options: {
			dryRun,
			showRequest,
			// With an issue, nothing is sent in any format.
			amountFormat: AMOUNT_FORMATS.includes(amountFormat ?? '') ? (amountFormat as AmountFormat) : 'strict',
			...(decision === undefined ? {} : { ifOutcomeIsUnknown: decision as Settlement }),
			...(maximumAmount === undefined ? {} : { maximumAmount }),
			...(maximumTotal === undefined ? {} : { maximumTotal }),
			...(maximumPerDay === undefined ? {} : { maximumPerDay }),
			...(allowedAliases === undefined ? {} : { allowedAliases }),
			...(allowedCurrencies === undefined ? {} : { allowedCurrencies }),
			amountField: text('amountField', 'Amount Field') ?? 'amount',
			coinField: text('coinField', 'Coin Field') ?? 'coin',
			destinationField: text('destinationField', 'Destination Field') ?? 'wallet_alias',
		},
		issues,
	};
}

/** The fields of a payment whose request is undocumented. */
export function undocumentedFields(options: PaymentOptions, fields: Record<string, unknown>): MoneyFields {
	const { coinField } = options;
	const currency = Object.hasOwn(fields, coinField) ? coinField : Object.keys(fields).find(mayBeCurrency);
	return {
		amount: options.amountField,
		destination: options.destinationField,
		...(currency === undefined ? {} : { currency }),
	};
}

/** The limits that one payment exceeds. */
export function checkLimits(
	{ maximumAmount, allowedAliases, allowedCurrencies }: PaymentOptions,
	{ amount, currency, destination }: ServiceRequest,
): ValidationIssue[] {
	const issues: ValidationIssue[] = [];
	if (maximumAmount !== undefined && amount !== undefined && compare(amount, maximumAmount) > 0) {
		issues.push(LIMIT.amountIsAbove(amount, 'Maximum Amount', maximumAmount));
	}
	if (allowedAliases !== undefined && destination !== undefined && !allowedAliases.includes(destination)) {
		issues.push(LIMIT.isNotAllowed('Allowed Aliases', destination));
	}
	if (
		allowedCurrencies !== undefined &&
		currency !== undefined &&
		!allowedCurrencies.includes(currency.toUpperCase())
	) {
		issues.push(LIMIT.isNotAllowed('Allowed Currencies', currency));
	}
	return issues;
}

/**
 * Checks that each field that a limit needs can be read and is the only one of its kind. The author must have written the names
 * of all other fields, because their meaning is unknown.
 */
export function checkUndocumentedBody(
	options: PaymentOptions,
	{ fields, amount, currency, destination }: ServiceRequest,
	fieldsOfAuthor: string[],
): ValidationIssue[] {
	const { maximumAmount, maximumTotal, allowedAliases, allowedCurrencies } = options;
	const { amountField, coinField, destinationField } = options;
	const issues: ValidationIssue[] = [];
	const keys = keysIn(fields);
	const isLimited = [maximumAmount, maximumTotal, allowedAliases, allowedCurrencies].some(
		(limit) => limit !== undefined,
	);
	if (!isLimited) return issues;
	/** The key that counts must be there once, and no other key may mean the same. */
	const checkKey = (
		label: string,
		field: string,
		setting: string,
		isLikely: (letters: string) => boolean,
	) => {
		const named = [amountField, coinField, destinationField];
		const other = keys.find((key) => !named.includes(key) && isLikely(lettersOf(key)));
		const isTwice = keys.filter((key) => key === field).length > 1;
		if (other !== undefined || isTwice)
			issues.push(LIMIT.fieldIsAmbiguous(label, field, other ?? field, setting));
	};
	if (maximumAmount !== undefined || maximumTotal !== undefined) {
		const label = maximumAmount === undefined ? 'Maximum Total' : 'Maximum Amount';
		if (amount === undefined) issues.push(LIMIT.fieldIsMissing(label, amountField, 'Amount Field'));
		else if (compare(amount, '0') <= 0) {
			issues.push(INPUT.hasWrongSign(amountField, 'is not above zero', amount, 'e.g. 12.50'));
		}
		if (maximumTotal !== undefined && currency === undefined) issues.push(LIMIT.currencyIsUnknown(label));
		const [first, second] = keys.filter((key) => key === coinField || mayBeCurrency(key));
		if (first !== undefined && second !== undefined)
			issues.push(LIMIT.fieldIsAmbiguous(label, first, second, 'Coin Field'));
		checkKey(label, amountField, 'Amount Field', isLikelyAmount);
	}
	if (allowedAliases !== undefined) {
		const label = 'Allowed Aliases';
		if (destination === undefined)
			issues.push(LIMIT.fieldIsMissing(label, destinationField, 'Destination Field'));
		checkKey(label, destinationField, 'Destination Field', isLikelyDestination);
	}
	if (allowedCurrencies !== undefined) {
		const label = 'Allowed Currencies';
		if (currency === undefined) issues.push(LIMIT.fieldIsMissing(label, coinField, 'Coin Field'));
		const [first, second] = keys.filter((key) => key === coinField || mayBeCurrency(key));
		if (first !== undefined && second !== undefined)
			issues.push(LIMIT.fieldIsAmbiguous(label, first, second, 'Coin Field'));
	}
	const known = [amountField, coinField, destinationField, ...fieldsOfAuthor];
	const unknown = keys.find((key) => !known.includes(key));
	if (issues.length === 0 && unknown !== undefined) issues.push(LIMIT.fieldIsUnknown(unknown));
	return issues;
}

/** The keys of an object and of everything inside it. */
export function keysIn(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(keysIn);
	if (!isRecord(value)) return [];
	return Object.entries(value).flatMap(([key, entry]) => [key, ...keysIn(entry)]);
}

function mayBeCurrency(key: string): boolean {
	return isLikelyCurrency(lettersOf(key));
}

/** Letters of other alphabets that look like these count as these. */
function lettersOf(key: string): string {
	return comparable(key).replace(/[^a-z]/g, '');
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
	const label = 'Maximum Total';
	if (currencies.size > 1) return [LIMIT.totalIsMixed(label, [...currencies].join(', '))];
	if (amount === undefined) return [LIMIT.totalIsUnknown(label)];
	return compare(amount, maximumTotal) > 0 ? [LIMIT.totalIsAbove(amount, label, maximumTotal)] : [];
}
