/** Amounts that a person sets for currencies and coins, in a collection of fields of the node. */
import type { INodeProperties } from 'n8n-workflow';

import { isPlainDecimal } from '../../../api/exact/decimal.ts';
import { isRecord } from '../../../api/exact/json.ts';
import { codeOf, textOf } from '../values/itemValues.ts';
import type { DeskProblem } from './problem.ts';

export interface AmountOfCode {
	/** In capitals. */
	code: string;
	/** Decimal text. */
	amount: string;
	/** All its fields. */
	fields: Readonly<Record<string, unknown>>;
}

/** What the editor says of such a collection, and of one entry in it. */
export interface AmountWords {
	displayName: string;
	name: string;
	description: string;
	entry: { displayName: string; name: string; example: string };
}

/** The collection in the editor. `more`: fields of an entry between its code and its amount. */
export function amountsByCodeProperty(
	{ entry, ...words }: AmountWords,
	more: INodeProperties[] = [],
): INodeProperties {
	const code: INodeProperties = {
		displayName: 'Currency or Coin',
		name: 'code',
		type: 'string',
		default: '',
		placeholder: 'e.g. NGN',
		description: 'Code of the currency or coin',
	};
	const amount: INodeProperties = {
		displayName: entry.displayName,
		name: 'amount',
		type: 'string',
		default: '',
		placeholder: `e.g. ${entry.example}`,
		description: 'As decimal text',
	};
	const { displayName, name } = entry;
	return {
		...words,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: `Add ${displayName}`,
		default: {},
		options: [{ displayName, name, values: [code, ...more, amount] }],
	};
}

/** What is said of an amount that would count for nothing. */
export interface AmountProblems {
	cannotBeRead(texts: { name: string; amount: string }): DeskProblem;
	isThereTwice(code: string): DeskProblem;
}

/**
 * The amounts in a collection whose entries stand under `name`. Throws DeskProblem for one that cannot be read, and for a code that
 * is there twice.
 */
export function amountsByCode(collection: unknown, name: string, problems: AmountProblems): AmountOfCode[] {
	const entries = entriesOf(collection, name);
	if (entries === undefined)
		throw problems.cannotBeRead({ name: '', amount: JSON.stringify(collection) ?? '' });
	const amounts = entries.map((entry): AmountOfCode => {
		const fields = isRecord(entry) ? entry : {};
		const [code, amount] = [codeOf(fields.code), textOf(fields.amount)];
		if (code === '' || !isPlainDecimal(amount)) throw problems.cannotBeRead({ name: code, amount });
		return { code, amount, fields };
	});
	const codes = amounts.map(({ code }) => code);
	const twice = codes.find((code, place) => codes.indexOf(code) !== place);
	if (twice !== undefined) throw problems.isThereTwice(twice);
	return amounts;
}

/** Undefined for what is no collection. n8n gives an empty text for one that is not shown. */
function entriesOf(collection: unknown, name: string): unknown[] | undefined {
	if (collection === undefined || collection === '') return [];
	if (!isRecord(collection)) return undefined;
	const entries = collection[name] ?? [];
	return Array.isArray(entries) ? entries : undefined;
}
