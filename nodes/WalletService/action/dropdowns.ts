/** Dropdowns filled from the user's account. The table of lists is api/lookups.ts. */
import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { getOperation } from '../../../api/catalog.ts';
import { ALIAS_FIELDS, isApproved, LOOKUPS } from '../../../api/lookups.ts';
import type { Lookup, LookupName } from '../../../api/lookups.ts';
import { camelCase, UNDOCUMENTED } from '../../../api/shape.ts';
import { clientOf } from './call/send.ts';
import { nodeError } from './items.ts';
import { WITH_EMPTY_BODY, WITHOUT_BODY } from './serviceRequest.ts';

type ListSearch = (this: ILoadOptionsFunctions, filter?: string) => Promise<INodeListSearchResult>;

/** One method for each list, under its name. */
export const listSearch = Object.fromEntries(
	Object.keys(LOOKUPS).map((name) => [name, searchOf(LOOKUPS[name as LookupName])]),
) as Record<LookupName, ListSearch>;

function searchOf(lookup: Lookup): ListSearch {
	return async function (filter = '') {
		const records = await recordsOf(this, lookup);
		const found = choicesOf(lookup, records.filter(fitting(this, lookup)));
		const words = filter.toLowerCase();
		const distinct = [...new Map(found.map((choice) => [choice.value, choice])).values()];
		const results = distinct
			.filter(({ name }) => name.toLowerCase().includes(words))
			.sort((a, b) => Number(b.isUsable) - Number(a.isUsable) || a.name.localeCompare(b.name, 'en'))
			.map(({ name, value, isUsable }) => ({ name: isUsable ? name : `Not approved: ${name}`, value }));
		return { results };
	};
}

/** The records with their keys in camelCase: the service may write `Bank Name` or `bank_name`. */
async function recordsOf(context: ILoadOptionsFunctions, { endpoint }: Lookup): Promise<IDataObject[]> {
	const operation = getOperation(endpoint);
	// The fields of an undocumented request are unknown, so an empty object is sent.
	const request = operation.request === UNDOCUMENTED ? WITH_EMPTY_BODY : WITHOUT_BODY;
	const answer = await clientOf(context).send(operation, request, { simplify: true });
	if (answer.ok) {
		return answer.items.map((record) =>
			Object.fromEntries(Object.entries(record).map(([key, value]) => [camelCase(key), value])),
		);
	}
	// A list that fails says why; an empty one would look like an empty account.
	throw nodeError(context.getNode(), 0, answer.failure);
}

/** Whether a record agrees with what the user has chosen in another parameter. An expression is not known yet. */
function fitting(context: ILoadOptionsFunctions, { sameAs = '' }: Lookup): (record: IDataObject) => boolean {
	const chosen = sameAs && context.getCurrentNodeParameter(sameAs, { extractValue: true });
	if (typeof chosen !== 'string' || chosen === '' || chosen.startsWith('=')) return () => true;
	return ({ [sameAs]: value }) => typeof value !== 'string' || value.toLowerCase() === chosen.toLowerCase();
}

/** `isUsable`: false for a payout destination that the service has not approved. */
function choicesOf({ label = '{value}', value: field, reviewed }: Lookup, records: IDataObject[]) {
	const now = `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`;
	const fields = field === undefined ? ALIAS_FIELDS : [field];
	return records.flatMap((record) => {
		const value = fields.map((name) => record[name]).find((candidate) => candidate !== undefined);
		if (value === undefined) return [];
		const name = fillIn(label, { ...record, value, now });
		return [{ name, value: String(value), isUsable: reviewed !== true || isApproved(record.status) }];
	});
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
