/** What is said of a list and of its rows. Parameters of the functions are texts to insert. */
import { askOwner, marked } from '../../../shared/wording.ts';
import type { Texts } from '../../../shared/wording.ts';

/** Limits under which no row is paid. */
export const LIMITS = marked('limit', {
	areNoList: (label: string) => ({
		message: `'${label}' is no list of entries, so it is not certain which limits it sets`,
		description: `Add each entry under '${label}' by itself`,
	}),
	isExpression: ({ label, field }: Texts<'label' | 'field'>) => ({
		message: `'${field}' under '${label}' is an expression, so it is not certain which limit it sets`,
		description: `Enter a fixed number for '${field}', or leave it empty`,
	}),
	isEmpty: ({ label, field }: Texts<'label' | 'field'>) => ({
		message: `'${field}' under '${label}' is empty`,
		description: `Enter a value for '${field}', or remove the entry`,
	}),
	isStrange: ({ label, field }: Texts<'label' | 'field'>) => ({
		message: `An entry under '${label}' has '${field}', which is none of its fields`,
		description: `Remove '${field}' from the entry, and enter its limit in a field of the form`,
	}),
	isElsewhere: ({ label, option }: Texts<'label' | 'option'>) => ({
		message: `'${option}' is an option of single payments, and bounds no row of a list`,
		description: `Remove '${option}' from Options. Enter limits under '${label}'`,
	}),
	isTwice: ({ label, asset }: Texts<'label' | 'asset'>) => ({
		message: `'${label}' has the ${asset} twice`,
		description: 'Remove one of the two entries',
	}),
	toolHasNone: ({ label, fields }: Texts<'label' | 'fields'>) => ({
		message: `A tool pays only within limits. Each entry under '${label}' needs ${fields}`,
		description: `Add them under '${label}' of the tool`,
	}),
});

/** Rows that go beyond what the author of the workflow has set. */
export const BOUND = marked('limit', {
	hasNoLimit: ({ label, asset }: Texts<'label' | 'asset'>) => ({
		message: `'${label}' has no entry for the ${asset}`,
		description: `Correct the row, or ${askOwner(label)}`,
	}),
	hasTooFewNames: ({ needed, names }: Texts<'needed' | 'names'>) => ({
		message: `The row needs ${needed} different people who have said yes, and 'approvedBy' names ${names}`,
		description:
			"Ask one more person, and write all names into 'approvedBy', with commas between them. Capital letters, spaces and signs make no second name",
	}),
	isOfModel: (column: string) => ({
		message: `A row of a tool must not have '${column}': only a person says that`,
		description: `Remove '${column}' from the row`,
	}),
});

/** Rows that cannot be read. */
export const ROW = marked('input', {
	isNoRow: (columns: string) => ({
		message: `The item is no row of a list: it has none of ${columns}`,
		description:
			"Connect this node to Read, or to a node behind it that hands its rows on. In Edit Fields, turn on 'Include Other Input Fields'. Report gives a page, and no rows",
	}),
	hasNotOneCode: () => ({
		message: "The row has not exactly one of 'currency' and 'coin'",
		description: "Fill in 'currency' for a payout to a bank, or 'coin' for a payout to a wallet",
	}),
	isNot: ({ column, what, value }: Texts<'column' | 'what' | 'value'>) => ({
		message: `'${column}' is not ${what}: ${value}`,
		description: `Set '${column}' to ${what}, or leave it empty`,
	}),
	/** The problems are whole sentences. A message ends without its full stop. */
	hasProblems: (problems: string) => ({
		message: problems.replace(/\.$/, ''),
		description: 'Correct the row in its list, and read the list again',
	}),
	areNoRows: (label: string) => ({
		message: `'${label}' is not a JSON list of objects with at least one row`,
		description:
			'Write it like [{"paymentKey": "INV-1", "amount": "12.50", "currency": "NGN", "destination": "alias"}]',
	}),
	haveNameTwice: (label: string) => ({
		message: `'${label}' has a name twice in one object`,
		description: 'Write each name once in each row',
	}),
});

/** The Payment Key of a row. */
export const ROW_KEY = marked('key', {
	isEmpty: () => ({
		message: "'paymentKey' of the row is empty",
		description:
			'Give each row a text of its own, such as the supplier, and the number and year of the invoice',
	}),
	isNotText: () => ({
		message: "'paymentKey' of the row is neither text nor a number",
		description: 'Write it as text',
	}),
});
