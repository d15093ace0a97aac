/** Amounts that a person sets for currencies and coins, in a collection of fields of the node. */
import type { INodeProperties } from 'n8n-workflow';

import { isPlainDecimal } from '../../../api/exact/decimal.ts';
import { isRecord } from '../../../api/exact/json.ts';
import type { Asset } from '../values/asset.ts';
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
	/** Without `amount`, an entry has only its code. */
	entry: { displayName: string; name: string; amount?: { name: string; label: string; example: string } };
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
	const amount = ({ name, label, example }: NonNullable<typeof entry.amount>): INodeProperties => ({
		displayName: label,
		name,
		type: 'string',
		default: '',
		placeholder: `e.g. ${example}`,
		description: 'As decimal text',
	});
	const values = [code, ...more, ...(entry.amount === undefined ? [] : [amount(entry.amount)])];
	const { displayName, name } = entry;
	return {
		...words,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: `Add ${displayName}`,
		default: {},
		options: [{ displayName, name, values }],
	};
}

/** What is said of an amount that would count for nothing. */
export interface AmountProblems {
	cannotBeRead(texts: { name: string; amount: string }): DeskProblem;
	isThereTwice(code: string): DeskProblem;
}

/**
 * The amounts in a collection whose entries stand under `name`, each in its `field`. Throws DeskProblem for one that cannot be read, and
 * for a code that is there twice.
 */
export function amountsByCode(
	collection: unknown,
	name: string,
	problems: AmountProblems,
	field = 'amount',
): AmountOfCode[] {
	const amounts = readEntries(collection, name, problems).map((fields): AmountOfCode => {
		const [code, amount] = [codeOf(fields.code), textOf(fields[field])];
		if (code === '' || !isPlainDecimal(amount)) throw problems.cannotBeRead({ name: code, amount });
		return { code, amount, fields };
	});
	refuseTwice(amounts, problems);
	return amounts;
}

/** The currencies and coins in a collection without amounts. Throws DeskProblem as `amountsByCode` does. */
export function codesIn(collection: unknown, name: string, problems: AmountProblems): Asset[] {
	const assets = readEntries(collection, name, problems).map((fields) => {
		const code = codeOf(fields.code);
		if (code === '') throw problems.cannotBeRead({ name: code, amount: '' });
		return { code, isFiat: fields.isCoin !== true };
	});
	refuseTwice(assets, problems);
	return assets;
}

function readEntries(collection: unknown, name: string, problems: AmountProblems) {
	const entries = entriesOf(collection, name);
	if (entries === undefined)
		throw problems.cannotBeRead({ name: '', amount: JSON.stringify(collection) ?? '' });
	return entries.map((entry): Readonly<Record<string, unknown>> => (isRecord(entry) ? entry : {}));
}

function refuseTwice(entries: ReadonlyArray<{ code: string }>, problems: AmountProblems): void {
	const codes = entries.map(({ code }) => code);
	const twice = codes.find((code, place) => codes.indexOf(code) !== place);
	if (twice !== undefined) throw problems.isThereTwice(twice);
}

/** Undefined for what is no collection. n8n gives an empty text for one that is not shown. */
function entriesOf(collection: unknown, name: string): unknown[] | undefined {
	if (collection === undefined || collection === '') return [];
	if (!isRecord(collection)) return undefined;
	const entries = collection[name] ?? [];
	return Array.isArray(entries) ? entries : undefined;
}
