/** Checks payments against the limits that the user sets, in exact decimals. */
import { add, compare } from '../../../api/exact/decimal.ts';
import { isRecord } from '../../../api/exact/json.ts';
import { MONEY_ROLES } from '../../../api/shape.ts';
import type { MoneyRole } from '../../../api/shape.ts';
import { isSameAlias } from '../../shared/alias.ts';
import { labelOfOption } from './paymentOptions.ts';
import { isCountedInDestination, moneySent, otherFieldsOf } from '../../shared/serviceRequest.ts';
import type { Money, ServiceRequest } from '../../shared/serviceRequest.ts';
import { LIMIT } from './paymentMessages.ts';
import type { ValidationIssue } from '../../shared/result.ts';
import type { PaymentOptions } from './options.ts';

type Limit = 'maximumAmount' | 'maximumTotal' | 'allowedAliases' | 'allowedCurrencies' | 'duplicateCheck';
type NameOfField = 'amountField' | 'coinField' | 'destinationField';

/** The limits that need a part of the money. Without it, they refuse. */
const NEEDED_BY: Record<MoneyRole, readonly Limit[]> = {
	amount: ['maximumAmount', 'maximumTotal', 'duplicateCheck'],
	currency: ['maximumTotal', 'allowedCurrencies', 'duplicateCheck'],
	destination: ['allowedAliases', 'duplicateCheck'],
};

/** The options that say which field of an undocumented body holds a part of the money. */
const NAMED_BY: Record<MoneyRole, NameOfField> = {
	amount: 'amountField',
	currency: 'coinField',
	destination: 'destinationField',
};

/** The limits that a documented payment exceeds, or that cannot be checked. */
export function checkLimits(options: PaymentOptions, request: ServiceRequest): ValidationIssue[] {
	const missing = neededParts(options)
		.filter(({ part }) => request.money[part] === undefined)
		.map(({ limit, part }) => LIMIT.partIsMissing({ label: labelOfOption(limit), part }));
	return [...missing, ...exceededLimits(options, request)];
}

/** The same where the document does not show the body. The author must have written its other fields: their meaning is not known. */
export function checkLimitsOfOpenBody(
	options: PaymentOptions,
	request: ServiceRequest,
	fieldsOfAuthor: string[],
): ValidationIssue[] {
	const keys = keysOf(request);
	const issues = exceededLimits(options, request);
	for (const { limit, part } of neededParts(options)) {
		const setting = NAMED_BY[part];
		const field = options[setting];
		const words = { label: labelOfOption(limit), field, setting: labelOfOption(setting) };
		if (request.money[part] === undefined) issues.push(LIMIT.fieldIsMissing(words));
		if (keys.filter((key) => key === field).length > 1) issues.push(LIMIT.fieldIsAmbiguous(words));
	}
	if (issues.length > 0 || neededParts(options).length === 0) return issues;
	const named = [...Object.values(NAMED_BY).map((setting) => options[setting]), ...fieldsOfAuthor];
	const unnamed = keys.find((key) => !named.includes(key));
	return unnamed === undefined ? [] : [LIMIT.fieldIsUnnamed(unnamed)];
}

/** The parts of the money that limits need, each with the first of these limits. */
function neededParts(options: PaymentOptions): Array<{ part: MoneyRole; limit: Limit }> {
	const needed = [];
	for (const part of MONEY_ROLES) {
		const limit = NEEDED_BY[part].find((each) => options[each] !== undefined);
		if (limit !== undefined) needed.push({ part, limit });
	}
	return needed;
}

/** The limits of one item that its money exceeds. */
function exceededLimits(
	{ maximumAmount, allowedAliases, allowedCurrencies }: PaymentOptions,
	request: ServiceRequest,
): ValidationIssue[] {
	const { amount, currency, destination } = request.money;
	const issues: ValidationIssue[] = [];
	if (maximumAmount !== undefined && amount !== undefined && compare(amount, maximumAmount) > 0) {
		issues.push(
			LIMIT.amountIsAbove({ amount, label: labelOfOption('maximumAmount'), maximum: maximumAmount }),
		);
	}
	const isContract = isCountedInDestination(request);
	const isDestination = (entry: string) =>
		isContract ? entry === destination : isSameAlias(entry, destination ?? '');
	if (destination !== undefined && allowedAliases?.some(isDestination) === false) {
		issues.push(LIMIT.isNotAllowed({ label: labelOfOption('allowedAliases'), value: destination }));
	}
	// Codes have no case. A conversion has a contract in place of a currency, and its ID has.
	const isSame = (entry: string) =>
		isContract ? entry === currency : entry.toUpperCase() === currency?.toUpperCase();
	if (currency !== undefined && allowedCurrencies?.some(isSame) === false) {
		issues.push(LIMIT.isNotAllowed({ label: labelOfOption('allowedCurrencies'), value: currency }));
	}
	return issues;
}

/** The names of all fields of a body, also of those inside others. */
function keysOf(request: ServiceRequest): string[] {
	return [...moneySent(request).keys(), ...keysIn(Object.fromEntries(otherFieldsOf(request)))];
}

/** The keys of an object and of everything inside it. */
export function keysIn(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(keysIn);
	if (!isRecord(value)) return [];
	return Object.entries(value).flatMap(([key, entry]) => [key, ...keysIn(entry)]);
}

/** What payments add up to. */
export interface Total {
	/** Decimal text. Undefined if the amount, or what it is counted in, is not readable in one of them. */
	amount: string | undefined;
	/** The currencies, coins or contracts that the amounts are counted in. */
	units: Set<string>;
}

export function totalOf(payments: readonly Money[]): Total {
	const units = new Set<string>();
	let total: string | undefined = '0';
	for (const { amount, currency } of payments) {
		if (currency !== undefined) units.add(currency.toUpperCase());
		const isReadable = amount !== undefined && currency !== undefined;
		total = isReadable && total !== undefined ? add(total, amount) : undefined;
	}
	return { amount: total, units };
}

/** Whether the payments of an execution together stay within the limit. */
export function checkTotal(maximumTotal: string | undefined, { amount, units }: Total): ValidationIssue[] {
	if (maximumTotal === undefined) return [];
	const label = labelOfOption('maximumTotal');
	if (units.size > 1) return [LIMIT.totalIsMixed({ label, units: [...units].join(', ') })];
	if (amount === undefined) return [LIMIT.totalIsUnreadable(label)];
	if (compare(amount, maximumTotal) <= 0) return [];
	return [LIMIT.totalIsAbove({ total: amount, label, maximum: maximumTotal })];
}
