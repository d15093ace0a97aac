/** Dropdowns filled from the user's account. The table of lists is api/lookups.ts. */
import { NodeApiError } from 'n8n-workflow';
import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { getOperation } from '../../../api/catalog.ts';
import { ALIAS_FIELDS, isApproved, LOOKUPS } from '../../../api/lookups.ts';
import type { Lookup, LookupName } from '../../../api/lookups.ts';
import { camelCase, UNDOCUMENTED } from '../../../api/shape.ts';
import { clientOf } from './call/send.ts';
import type { Failure } from './result.ts';

type ListSearch = (this: ILoadOptionsFunctions, filter?: string) => Promise<INodeListSearchResult>;

interface Choice {
	name: string;
	value: string;
	/** False for a payout destination that the service has not approved. */
	isApproved: boolean;
}

/** One method for each list, under its name. */
export const listSearch = Object.fromEntries(
	Object.keys(LOOKUPS).map((name) => [name, searchOf(LOOKUPS[name as LookupName])]),
) as Record<LookupName, ListSearch>;

function searchOf(lookup: Lookup): ListSearch {
	return async function (filter = '') {
		const answer = await readSource(this, lookup);
		// A list that fails says why; an empty one would look like an empty account.
		if (!answer.ok) throw listError(this, answer.failure);
		const found = choicesOf(lookup, answer.items.map(withCamelCaseKeys).filter(fitting(this, lookup)));
		const words = filter.toLowerCase();
		const distinct = [...new Map(found.map((choice) => [choice.value, choice])).values()];
		const matching = distinct.filter(({ name }) => name.toLowerCase().includes(words));
		return { results: matching.sort(byApprovalAndName).map(entryOf) };
	};
}

/** Whether a record agrees with what the user has chosen in another parameter. An expression is not known yet. */
function fitting(context: ILoadOptionsFunctions, { sameAs }: Lookup): (record: IDataObject) => boolean {
	const chosen = sameAs && context.getCurrentNodeParameter(sameAs, { extractValue: true });
	if (typeof chosen !== 'string' || chosen === '' || chosen.startsWith('=')) return () => true;
	return (record) => {
		const value = record[sameAs ?? ''];
		return typeof value !== 'string' || value.toLowerCase() === chosen.toLowerCase();
	};
}

type SourceAnswer = { ok: true; items: IDataObject[] } | { ok: false; failure: Failure };

async function readSource(context: ILoadOptionsFunctions, { endpoint }: Lookup): Promise<SourceAnswer> {
	const operation = getOperation(endpoint);
	// The fields of an undocumented request are unknown, so an empty object is sent.
	const body = operation.request === UNDOCUMENTED ? '{}' : undefined;
	return await clientOf(context).send(operation, body, { simplify: true });
}

function listError(context: ILoadOptionsFunctions, { message, description }: Failure): NodeApiError {
	return new NodeApiError(context.getNode(), { message }, { message, description });
}

function choicesOf({ label = '{value}', value: field, reviewed }: Lookup, records: IDataObject[]): Choice[] {
	const now = `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`;
	const fields = field === undefined ? ALIAS_FIELDS : [field];
	return records.flatMap((record) => {
		const value = fields.map((name) => record[name]).find((candidate) => candidate !== undefined);
		if (value === undefined) return [];
		const name = fillIn(label, { ...record, value, now });
		return [{ name, value: String(value), isApproved: !reviewed || isApproved(record.status) }];
	});
}

function byApprovalAndName(one: Choice, other: Choice): number {
	const approval = Number(other.isApproved) - Number(one.isApproved);
	return approval === 0 ? one.name.localeCompare(other.name, 'en') : approval;
}

function entryOf({ name, value, isApproved }: Choice): INodeListSearchItems {
	return { name: isApproved ? name : `Not approved: ${name}`, value };
}

/** The record with its keys in camelCase. The service may write `Bank Name` or `bank_name`. */
function withCamelCaseKeys(record: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(record).map(([key, value]) => [camelCase(key), value]));
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
