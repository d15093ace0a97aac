/** Dropdowns filled from the user's account. The table of lists is api/lookups.ts. */
import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { Stopwatch } from '../../../api/deadline.ts';
import { textsUnder } from '../../../api/listedRecord.ts';
import { ALIAS_FIELDS, isApproved, LOOKUPS } from '../../../api/lookups.ts';
import type { Lookup, LookupName, LookupSource } from '../../../api/lookups.ts';
import { readList } from '../../shared/http/fetch.ts';
import { clientOf } from '../../shared/http/client.ts';
import { nodeError } from '../../shared/nodeError.ts';

type ListSearch = (this: ILoadOptionsFunctions, filter?: string) => Promise<INodeListSearchResult>;

/** One method for each list, under its name. */
export const listSearch = Object.fromEntries(
	Object.keys(LOOKUPS).map((name) => [name, searchOf(LOOKUPS[name as LookupName])]),
) as Record<LookupName, ListSearch>;

function searchOf(lookup: Lookup): ListSearch {
	return async function (filter = '') {
		const isFitting = fitting(this, lookup);
		const records = await recordsOf(this, lookup);
		const found = records
			.filter(({ record }) => isFitting(record))
			.flatMap((each) => choicesOf(lookup, each));
		const words = filter.toLowerCase();
		const distinct = [...new Map(found.map((choice) => [choice.value, choice])).values()];
		const results = distinct
			.filter(({ name }) => name.toLowerCase().includes(words))
			.sort((a, b) => Number(b.isUsable) - Number(a.isUsable) || a.name.localeCompare(b.name, 'en'))
			.map(({ name, value, isUsable }) => ({ name: isUsable ? name : `Not approved: ${name}`, value }));
		return { results };
	};
}

interface ListedRecord {
	source: LookupSource;
	record: IDataObject;
}

/** A person waits for a list so long at most. Milliseconds. */
const LONGEST_WAIT = 30_000;

/** The records of all sources that answer. Throws NodeApiError if none does: an empty list would look like an empty account. */
async function recordsOf(context: ILoadOptionsFunctions, { sources }: Lookup): Promise<ListedRecord[]> {
	const client = clientOf(context);
	const within = { since: new Stopwatch(), beginWithin: LONGEST_WAIT, endWithin: LONGEST_WAIT };
	const answers = await Promise.all(
		sources.map(async (source) => ({ source, answer: await readList(client, source.endpoint, within) })),
	);
	const [firstFailure] = answers.flatMap(({ answer }) => (answer.ok ? [] : [answer.failure]));
	if (firstFailure !== undefined && answers.every(({ answer }) => !answer.ok))
		throw nodeError(context.getNode(), 0, firstFailure);
	return answers.flatMap(({ source, answer }) =>
		answer.ok ? answer.items.map((record) => ({ source, record })) : [],
	);
}

/** Whether a record agrees with what the user has chosen in another parameter. An expression is not known yet. */
function fitting(context: ILoadOptionsFunctions, { sameAs = '' }: Lookup): (record: IDataObject) => boolean {
	const chosen = sameAs && context.getCurrentNodeParameter(sameAs, { extractValue: true });
	if (typeof chosen !== 'string' || chosen === '' || chosen.startsWith('=')) return () => true;
	return ({ [sameAs]: value }) => typeof value !== 'string' || value.toLowerCase() === chosen.toLowerCase();
}

interface Choice {
	name: string;
	value: string;
	/** False for a payout destination that the service has not approved. */
	isUsable: boolean;
}

function choicesOf(
	{ label = '{value}', reviewed }: Lookup,
	{ source: { values }, record }: ListedRecord,
): Choice[] {
	const now = `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`;
	const isUsable = reviewed !== true || isApproved(record.status);
	return valuesOf(record, values).map((value) => ({
		name: fillIn(label, { ...record, value, now }),
		value,
		isUsable,
	}));
}

/** The values of a record that can be chosen. Of the fields that may hold its alias, the first that does counts. */
function valuesOf(record: IDataObject, fields: readonly string[] | undefined): string[] {
	return fields === undefined ? textsUnder(ALIAS_FIELDS, record).slice(0, 1) : textsUnder(fields, record);
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
