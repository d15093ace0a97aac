/** Dropdowns filled from the user's account. The table of lists is api/lookups.ts. */
import { NodeApiError } from 'n8n-workflow';
import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { getEndpoint } from '../../../api/catalog.ts';
import { isRecord } from '../../../api/json.ts';
import { LOOKUPS } from '../../../api/lookups.ts';
import type { Lookup, LookupName } from '../../../api/lookups.ts';
import { UNDOCUMENTED } from '../../../api/shape.ts';
import type { Failure } from './outcome.ts';
import { sendRequest } from './transport.ts';

type ListSearch = (this: ILoadOptionsFunctions, filter?: string) => Promise<INodeListSearchResult>;

/** One method for each list, under its name. */
export const listSearch = Object.fromEntries(
	Object.keys(LOOKUPS).map((name) => [name, searchOf(LOOKUPS[name as LookupName])]),
) as Record<LookupName, ListSearch>;

function searchOf(lookup: Lookup): ListSearch {
	return async function (filter = '') {
		const entry = getEndpoint(lookup.endpoint);
		// Nobody knows what an undocumented request needs; an empty object asks for least.
		const body = entry.endpoint.request === UNDOCUMENTED ? '{}' : undefined;
		const read = await sendRequest(this, entry, body, { simplify: true });
		// A list that fails says why; an empty one would look like an empty account.
		if (!read.ok) throw listError(this, read.failure);
		const words = filter.toLowerCase();
		const results = choicesOf(lookup, read.items).filter(({ name }) => name.toLowerCase().includes(words));
		return { results };
	};
}

function listError(context: ILoadOptionsFunctions, { message, description }: Failure): NodeApiError {
	return new NodeApiError(context.getNode(), { message }, { message, description });
}

function choicesOf({ values, label = '{value}' }: Lookup, items: IDataObject[]): INodeListSearchItems[] {
	const choices = recordsIn(items).flatMap((record) =>
		values.flatMap((names) => {
			const value = names.map((name) => record[name]).find((candidate) => candidate !== undefined);
			return value === undefined ? [] : [{ name: fillIn(label, { ...record, value }), value: String(value) }];
		}),
	);
	const distinct = new Map(choices.map((choice) => [choice.value, choice]));
	return [...distinct.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

/**
 * The records of a list. An undocumented response comes as one item: its first list of objects holds the records. Their
 * keys become camelCase, whatever the service's style (`Bank Name`, `bank_name`).
 */
function recordsIn(items: IDataObject[]): IDataObject[] {
	const [first, ...others] = items;
	const inner =
		first !== undefined && others.length === 0
			? Object.values(first).find((value) => isListOfRecords(value))
			: undefined;
	return ((inner as IDataObject[] | undefined) ?? items).map((record) =>
		Object.fromEntries(Object.entries(record).map(([key, value]) => [camelCase(key), value])),
	);
}

function isListOfRecords(value: unknown): value is IDataObject[] {
	return Array.isArray(value) && value.length > 0 && value.every(isRecord);
}

function camelCase(key: string): string {
	const words = key.trim().replace(/[\s_-]+(\w)/g, (_, letter: string) => letter.toUpperCase());
	return words.charAt(0).toLowerCase() + words.slice(1);
}

function fillIn(label: string, record: IDataObject): string {
	const text = label.replace(/\{(\w+)(#?)\}/g, (_, name: string, grouped: string) => {
		const value = String(record[name] ?? '');
		return grouped === '' ? value : value.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',');
	});
	return text
		.replace(/(?:, )+(?=, |\))/g, '')
		.replace(/\((?:, )+/g, '(')
		.replace(/ \(\)/g, '');
}
