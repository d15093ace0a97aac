/** Reads the options of a payment. Their labels, choices and defaults stand in the editor's list of them. */
import { isPlainDecimal } from '../../../../../api/decimal.ts';
import {
	choicesOfOption,
	defaultOfOption,
	labelOfOption,
	OPTIONS_ARE_TEXT,
} from '../../parameters/payments.ts';
import type { AmountFormat } from '../../request/readInput.ts';
import { LIMIT } from './messages.ts';
import type { ValidationIssue } from '../../result.ts';
import type { Decision } from '../remember/paymentKeys.ts';
import { MAX_DAYS } from '../remember/repeats.ts';

/** The options of a payment, read. An option that the user did not add is undefined or has its default. */
export type PaymentOptions = ReturnType<typeof readValues>['options'];

/** The options, and what is wrong with them. `written` has the author's expressions, `evaluate` gives values; `limits`: those that a tool needs. */
export function readOptions(written: unknown, evaluate: () => unknown, limits: string[]) {
	const expressions = Object(written) as Record<string, unknown>;
	const missing = limits.filter((name) => !Object.hasOwn(expressions, name));
	const isOneExpression = Object.hasOwn(expressions, OPTIONS_ARE_TEXT.name);
	const fromModel = optionsFromModel(expressions, limits.length > 0);
	const issues = [
		...(isOneExpression ? [LIMIT.optionsAreOneExpression()] : []),
		...(missing.length > 0 ? [LIMIT.toolHasNoLimits(missing.map(labelOfOption).join(', '))] : []),
		...fromModel,
	];
	// n8n drops an option whose expression gives nothing. It is added back as empty, which refuses the item.
	const added = Object.keys(expressions).map((name) => [name, undefined]);
	const evaluated = fromModel.length > 0 ? {} : (Object(evaluate()) as object);
	const read = readValues({ ...Object.fromEntries(added), ...evaluated });
	return { options: read.options, issues: issues.length > 0 ? issues : read.issues };
}

/** No limit comes from the model that it limits. On a tool, each expression can read what the model has sent. */
function optionsFromModel(expressions: Record<string, unknown>, isTool: boolean): ValidationIssue[] {
	return Object.entries(expressions)
		.filter(([, value]) => typeof value === 'string' && (isTool ? /^=/ : /\$fromai/i).test(value))
		.map(([name]) => LIMIT.isFromModel(labelOfOption(name)));
}

/** With the other codes from 400 to 499, no service has only refused: no answer came in time, or the connection was closed. */
const NO_REFUSED_CODES = ['408', '499'];

/** An option that is present but empty refuses everything: its expression gave nothing, or nobody filled it in. */
function readValues(values: Record<string, unknown>) {
	const issues: ValidationIssue[] = [];
	const read = <Value>(name: string, what: string, valueOf: (text: string) => Value | undefined) => {
		if (!Object.hasOwn(values, name)) return undefined;
		const [label, text] = [labelOfOption(name), String(values[name] ?? '').trim()];
		const isEmpty = /^[\s,]*$/.test(text);
		const value = isEmpty ? undefined : valueOf(text);
		if (value === undefined)
			issues.push(isEmpty ? LIMIT.isEmpty(label) : LIMIT.isNot({ label: label, what: what, value: text }));
		return value;
	};
	const choice = (name: string, choices = choicesOfOption(name)) =>
		read(name, choices.join(' or '), (text) => choices.find((each) => each === text));
	const flag = (name: string) => choice(name, ['true', 'false']) === 'true';
	const decimal = (name: string) =>
		read(name, 'a decimal number such as 5000.50', (text) => (isPlainDecimal(text) ? text : undefined));
	const list = (name: string, what: string, isEntry: (entry: string) => boolean = () => true) =>
		read(name, what, (text) => {
			const entries = splitList(text);
			return entries.length > 0 && entries.every(isEntry) ? entries : undefined;
		});
	const field = (name: string) => read(name, 'a name', (text) => text) ?? defaultOfOption(name);
	const isRefusedCode = (code: string) => /^4\d\d$/.test(code) && !NO_REFUSED_CODES.includes(code);
	const options = {
		dryRun: flag('dryRun'),
		/** Whether a dry run shows the HTTP request. */
		showRequest: flag('showRequest'),
		/** What a person says about a payment whose outcome is unknown. */
		ifOutcomeIsUnknown: choice('ifOutcomeIsUnknown') as Decision | undefined,
		/** How the amounts of the items are written. Limits are plain decimals. */
		amountFormat: (choice('amountFormat') ?? defaultOfOption('amountFormat')) as AmountFormat,
		allowedAliases: list('allowedAliases', 'a list of aliases'),
		allowedCurrencies: list('allowedCurrencies', 'a list of currencies'),
		/** Statuses with which this service only refuses. Its refusals with them need no reason that the node knows. */
		refusedCodes: list('refusedCodes', 'a list of codes such as 402, 409', isRefusedCode)?.map(Number) ?? [],
		/** Payments of the workflow in a day. */
		maximumPerDay: read('maximumPerDay', 'a whole number such as 20', (text) =>
			/^\d{1,6}$/.test(text) ? Number(text) : undefined,
		),
		/** Days within which a payment that is like another one is held. */
		holdRepeats: read('holdRepeats', `a number of days from 1 to ${MAX_DAYS}`, (text) =>
			/^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_DAYS ? Number(text) : undefined,
		),
		/** Whether a person says that this payment is meant, although it is like another one. */
		repeatIsMeant: flag('repeatIsMeant'),
		maximumAmount: decimal('maximumAmount'),
		maximumTotal: decimal('maximumTotal'),
		/** Keys of an undocumented request body. */
		amountField: field('amountField'),
		coinField: field('coinField'),
		destinationField: field('destinationField'),
		/** The key of the identifier in an undocumented answer; undefined: any usual one. */
		idField: read('idField', 'a name', (text) => text),
	};
	return { options, issues };
}

/** The entries of a list that is separated by commas or line breaks. A name with a comma stands in quotes: `"Acme, Inc"`. */
function splitList(text: string): string[] {
	return [...text.matchAll(/\s*(?:"([^"]*)"\s*(?=[,\n]|$)|([^,\n]+))/g)]
		.map(([, quoted, plain = '']) => (quoted ?? plain).trim())
		.filter((entry) => entry !== '');
}
