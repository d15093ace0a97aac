/** What is said of options, limits and Payment Keys. Parameters of the functions are texts to insert. */
import { askOwner, marked } from '../../shared/wording.ts';
import type { Texts } from '../../shared/wording.ts';

/** Expressions, which only the author can correct. */
export const EXPRESSION = {
	expressionFails: (reason: string) => ({
		message: `An expression cannot be evaluated: ${reason}`,
		description: 'Fix the expression or the data that it reads',
	}),
};

/** Of names that only a program writes. */
const NOT_IN_THE_FORM = 'The form does not show it: add the node anew, or change its JSON';

/** Limits of a payment. A model is told not to get around them. */
export const LIMIT = marked('limit', {
	isEmpty: (label: string) => ({
		message: `'${label}' is empty`,
		description: `Enter a value for '${label}' or remove the option`,
	}),
	isFromModel: (label: string) => ({
		message: `'${label}' must not come from an AI model`,
		description: `Enter a fixed value for '${label}', or remove the option`,
	}),
	isNot: ({ label, what, value }: Texts<'label' | 'what' | 'value'>) => ({
		message: `'${label}' is not ${what}: ${value}`,
		description: `Set '${label}' to ${what}, or remove it`,
	}),
	isUnknown: ({ label, name, known }: Texts<'label' | 'name' | 'known'>) => ({
		message: `'${label}' has '${name}', which is none of its options`,
		description: `Remove it, or write one of these names in its place: ${known}. ${NOT_IN_THE_FORM}`,
	}),
	isBeside: ({ label, name }: Texts<'label' | 'name'>) => ({
		message: `'${name}' stands beside '${label}', where nothing reads it`,
		description: `Move it into '${label}', a key into 'Payment Key', or remove it. ${NOT_IN_THE_FORM}`,
	}),
	areOneExpression: (label: string) => ({
		message: `'${label}' is one expression or one value, so it is not certain which limits it sets`,
		description: 'Add each option by itself. Each of them can be an expression',
	}),
	amountIsAbove: ({ amount, label, maximum }: Texts<'amount' | 'label' | 'maximum'>) => ({
		message: `The amount ${amount} is above '${label}' ${maximum}`,
		description: `Correct the amount, or ${askOwner(label)}`,
	}),
	totalIsAbove: ({ total, label, maximum }: Texts<'total' | 'label' | 'maximum'>) => ({
		message: `The total ${total} of this execution is above '${label}' ${maximum}`,
		description: `Correct the payments, or ${askOwner(label)}`,
	}),
	totalIsMixed: ({ label, units }: Texts<'label' | 'units'>) => ({
		message: `'${label}' cannot add up different currencies: ${units}`,
		description: `Pay each currency with a node of its own, or remove '${label}'`,
	}),
	totalIsUnreadable: (label: string) => ({
		message: `'${label}' is set, but an earlier payment of this execution has no readable amount or currency`,
		description: `Run this node in an execution of its own, or remove '${label}'`,
	}),
	isNotAllowed: ({ label, value }: Texts<'label' | 'value'>) => ({
		message: `'${value}' is not one of '${label}'`,
		description: `Correct the payment, or ${askOwner(label)}`,
	}),
	toolHasNoLimits: (labels: string) => ({
		message: `A tool pays only within limits. These are missing: ${labels}`,
		description: 'Add them under Options of the tool',
	}),
	toolHasNoApproval: (label: string) => ({
		message: `A tool cannot have '${label}': nobody says yes to a single call of a model`,
		description: "Remove the option, or use the example 'Agent asks for payouts', in which a person says yes",
	}),
	partIsMissing: ({ label, part }: Texts<'label' | 'part'>) => ({
		message: `'${label}' is set, but the payment has no readable ${part}`,
		description: `Correct the payment, or ${askOwner(label)}`,
	}),
	fieldIsMissing: ({ label, field, setting }: Texts<'label' | 'field' | 'setting'>) => ({
		message: `'${label}' is set, but the request body has no readable '${field}'`,
		description: `Add '${field}' to the request body, or set '${setting}' to the key that the body uses`,
	}),
	fieldIsUnnamed: (field: string) => ({
		message: `A limit is set, but the request body has '${field}' from an expression, and its meaning is not known`,
		description: `Remove '${field}', or write its name yourself under 'Body Fields'`,
	}),
	fieldIsAmbiguous: ({ label, field, setting }: Texts<'label' | 'field' | 'setting'>) => ({
		message: `'${label}' is set, but the request body has '${field}' twice`,
		description: `Remove one of them, or set '${setting}' to the key that counts`,
	}),
});

/** Conversions whose contract the node chooses. */
export const CONVERSION = {
	cannotReadContracts: (reason: string) => ({
		message: `The contracts cannot be read: ${reason}`,
		description: 'Run this item again later. Nothing was converted for it now',
	}),
	cannotReadRates: (reason: string) => ({
		message: `The published rates cannot be read: ${reason}`,
		description: 'Run this item again later. Nothing was converted for it now',
	}),
	/** The reason is whole sentences that say what to do, too. A message ends without its full stop. */
	hasNoContract: (reason: string) => ({
		message: reason.replace(/\.$/, ''),
		description: 'Then run this item again',
	}),
};

/** The connection of a request. */
export const CONNECTION = {
	cannotBeUsed: () => ({
		message: "'Request Options' cannot be used",
		description: 'Check the proxy and the time-out (at most 300000 ms) in its fields, and their expressions',
	}),
};

/** The parameter Payment Key of an item, and the keys of all items. A model is told to ask for the number of the invoice. */
export const KEY_FIELD = marked('key', {
	isEmpty: () => ({
		message: "'Payment Key' is empty for this item",
		description: "Fix the expression in 'Payment Key', or clear the parameter to pay without a key",
	}),
	isNotText: () => ({
		message: "'Payment Key' is neither text nor a number",
		description: "Change the expression in 'Payment Key' so that it gives text",
	}),
	hasEmptyPart: ({ key, expression }: Texts<'key' | 'expression'>) => ({
		message: `A part of 'Payment Key' is empty: ${expression} in ${key}`,
		description:
			'Fix the expression or the data that it reads. Without this part, other payments have the same key',
	}),
	isUsedTwice: ({ key, items }: Texts<'key' | 'items'>) => ({
		message: `'Payment Key' ${key} stands for different payments in ${items}`,
		description: 'Give each payment a key of its own',
		namesItems: true,
	}),
});
