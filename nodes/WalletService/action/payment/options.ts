/** Reads the options of a payment. Their labels, choices and defaults stand in the editor's list of them. */
import { isPlainDecimal } from '../../../../api/decimal.ts';
import {
	choicesOfOption,
	defaultOfOption,
	labelOfOption,
	LIMITS_OF_TOOLS,
	OPTIONS_ARE_TEXT,
} from '../parameters/payments.ts';
import type { AmountFormat } from '../request/readInput.ts';
import { LIMIT } from '../messages.ts';
import type { ValidationIssue } from '../result.ts';
import type { Decision } from './paymentKeys.ts';

/** The options of a payment, read. An option that the user did not add is undefined or has its default. */
export interface PaymentOptions {
	dryRun: boolean;
	/** Whether a dry run shows the HTTP request. */
	showRequest: boolean;
	/** How the amounts of the items are written. Limits are plain decimals. */
	amountFormat: AmountFormat;
	/** What a person says about a payment whose outcome is unknown. */
	ifOutcomeIsUnknown: Decision | undefined;
	maximumAmount: string | undefined;
	maximumTotal: string | undefined;
	/** Payments of the workflow in a day. */
	maximumPerDay: number | undefined;
	allowedAliases: string[] | undefined;
	allowedCurrencies: string[] | undefined;
	/** Statuses that this service uses for refusals only, beside those that always prove one. */
	refusedCodes: number[];
	/** Keys of an undocumented request body. */
	amountField: string;
	coinField: string;
	destinationField: string;
}

/** The options, and what is wrong with them. */
interface ReadOptions {
	options: PaymentOptions;
	issues: ValidationIssue[];
}

/** `written`: as the author wrote them, with expressions; `evaluate` gives their values. */
export function readOptions(written: unknown, evaluate: () => unknown, isTool: boolean): ReadOptions {
	const expressions = Object(written) as Record<string, unknown>;
	const issues: ValidationIssue[] = [];
	if (Object.hasOwn(expressions, OPTIONS_ARE_TEXT.name)) issues.push(LIMIT.optionsAreOneExpression());
	const fromModel = optionsFromModel(expressions, isTool);
	issues.push(...fromModel);
	// n8n drops an option whose expression gives nothing. It is added back as empty, which refuses the item.
	const added = Object.keys(expressions).map((name) => [name, undefined]);
	const evaluated = fromModel.length > 0 ? {} : (Object(evaluate()) as object);
	const read = readValues({ ...Object.fromEntries(added), ...evaluated });
	return { options: read.options, issues: issues.length > 0 ? issues : read.issues };
}

/**
 * A limit must not come from the model that it limits. n8n may keep such an expression although the editor forbids it. On a
 * tool, each expression can read what the model has sent.
 */
function optionsFromModel(expressions: Record<string, unknown>, isTool: boolean): ValidationIssue[] {
	return Object.entries(expressions)
		.filter(([, value]) => typeof value === 'string' && (isTool ? /^=/ : /\$fromai/i).test(value))
		.map(([name]) => LIMIT.isFromModel(labelOfOption(name)));
}

/** An option that is present but empty refuses everything: its expression gave nothing, or nobody filled it in. */
function readValues(values: Record<string, unknown>): ReadOptions {
	const issues: ValidationIssue[] = [];
	const text = (name: keyof PaymentOptions): string | undefined => {
		if (!Object.hasOwn(values, name)) return undefined;
		const value = String(values[name] ?? '').trim();
		if (value === '') issues.push(LIMIT.isEmpty(labelOfOption(name)));
		return value;
	};
	const checked = (
		name: keyof PaymentOptions,
		isUsable: (value: string) => boolean,
		issue: (label: string, value: string) => ValidationIssue,
	): string | undefined => {
		const value = text(name);
		if (value !== undefined && value !== '' && !isUsable(value)) {
			issues.push(issue(labelOfOption(name), value));
		}
		return value;
	};
	const decimal = (name: keyof PaymentOptions) => checked(name, isPlainDecimal, LIMIT.isNotDecimal);
	const boolean = (name: keyof PaymentOptions) =>
		checked(name, (value) => ['true', 'false'].includes(value), LIMIT.isNotBoolean) === 'true';
	const choice = (name: keyof PaymentOptions): string | undefined => {
		const choices = choicesOfOption(name);
		const issue = (label: string, value: string) => LIMIT.isNotChoice(label, value, choices.join(' or '));
		const value = checked(name, (each) => choices.includes(each), issue);
		return choices.find((each) => each === value);
	};
	const list = (
		name: keyof PaymentOptions,
		isEntry: (entry: string) => boolean = () => true,
	): string[] | undefined => {
		const entries = splitList(checked(name, (value) => splitList(value)?.length !== 0, LIMIT.isEmpty));
		const other = entries?.find((entry) => !isEntry(entry));
		if (other !== undefined)
			issues.push(LIMIT.isNotChoice(labelOfOption(name), other, REFUSED_CODES.join(' or ')));
		return entries;
	};
	const count = (name: keyof PaymentOptions): number | undefined => {
		const value = checked(name, (each) => /^\d{1,6}$/.test(each), LIMIT.isNotCount);
		return value === undefined ? undefined : Number(value);
	};
	const field = (name: keyof PaymentOptions) => text(name) ?? defaultOfOption(name);
	const options: PaymentOptions = {
		dryRun: boolean('dryRun'),
		showRequest: boolean('showRequest'),
		ifOutcomeIsUnknown: choice('ifOutcomeIsUnknown') as Decision | undefined,
		// With an issue, nothing is sent in any format.
		amountFormat: (choice('amountFormat') ?? defaultOfOption('amountFormat')) as AmountFormat,
		allowedAliases: list('allowedAliases'),
		allowedCurrencies: list('allowedCurrencies'),
		refusedCodes: (list('refusedCodes', isRefusedCode) ?? []).map(Number),
		maximumPerDay: count('maximumPerDay'),
		maximumAmount: decimal('maximumAmount'),
		maximumTotal: decimal('maximumTotal'),
		amountField: field('amountField'),
		coinField: field('coinField'),
		destinationField: field('destinationField'),
	};
	return { options, issues };
}

/** Statuses that a service may use both for refusals and for others. */
const REFUSED_CODES = ['402', '409'];

function isRefusedCode(entry: string): boolean {
	return REFUSED_CODES.includes(entry);
}

/** The entries of a list that is separated by commas or line breaks. A name with a comma stands in quotes: `"Acme, Inc"`. */
function splitList(text: string | undefined): string[] | undefined {
	if (text === undefined) return undefined;
	const entries = text.matchAll(/\s*(?:"([^"]*)"\s*(?=[,\n]|$)|([^,\n]+))/g);
	return [...entries]
		.map(([, quoted, plain = '']) => (quoted ?? plain).trim())
		.filter((entry) => entry !== '');
}

/** A tool has limits. */
export function checkToolLimits(options: PaymentOptions): ValidationIssue[] {
	const missing = LIMITS_OF_TOOLS.filter((name) => options[name] === undefined).map(labelOfOption);
	return missing.length === 0 ? [] : [LIMIT.toolHasNoLimits(missing.join(', '))];
}
