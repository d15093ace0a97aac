/** Dropdowns filled from the user's account. The table of lists is api/lookups.ts. */
import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { Stopwatch } from '../../../api/deadline.ts';
import { textsUnder } from '../../../api/listedRecord.ts';
import { ALIAS_FIELDS, isApproved, LOOKUPS } from '../../../api/lookups.ts';
import type { Lookup, LookupName, LookupSource } from '../../../api/lookups.ts';
import { readBalance, readList } from '../../shared/http/fetch.ts';
import { clientOf } from '../../shared/http/client.ts';
import { nodeError } from '../../shared/nodeError.ts';
import type { Failure } from '../../shared/result.ts';
import { EMPTY_LIST } from './messages.ts';

type ListSearch = (this: ILoadOptionsFunctions, filter?: string) => Promise<INodeListSearchResult>;

/** One method for each list, under its name. */
export const listSearch = Object.fromEntries(
	Object.keys(LOOKUPS).map((name) => [name, searchOf(LOOKUPS[name as LookupName])]),
) as Record<LookupName, ListSearch>;

function searchOf(lookup: Lookup): ListSearch {
	return async function (filter = '') {
		const chosen = chosenIn(this, lookup);
		const { records, failure } = await recordsOf(this, lookup);
		const found = records
			.filter(({ record }) => isFitting(record, lookup, chosen))
			.flatMap((each) => choicesOf(lookup, each));
		const words = filter.toLowerCase();
		const distinct = [...new Map(found.map((choice) => [choice.value, choice])).values()];
		const results = distinct
			.filter(({ name }) => name.toLowerCase().includes(words))
			.sort((a, b) => Number(b.isUsable) - Number(a.isUsable) || a.name.localeCompare(b.name, 'en'))
			.map(({ name, value, isUsable }) => ({ name: isUsable ? name : `Not approved: ${name}`, value }));
		const typed = filter.trim().toUpperCase();
		if (results.length === 0 && lookup.isFiat === true && (await hasBalance(this, typed)))
			return { results: [{ name: typed, value: typed }] };
		if (found.length === 0 && (words === '' || failure !== undefined))
			throw nodeError(this.getNode(), 0, failure ?? whyEmpty(lookup, chosen));
		return { results };
	};
}

/** Whether a person has typed the code of a currency of which the account has a balance, even of zero. */
async function hasBalance(context: ILoadOptionsFunctions, typed: string): Promise<boolean> {
	if (!isCurrencyCode(typed)) return false;
	const answer = await readBalance(clientOf(context), { code: typed, isFiat: true });
	return answer.ok && answer.items[0]?.balance !== undefined;
}

/** Of ISO 4217. No coin has such a code. */
const isCurrencyCode = (code: string) => Intl.supportedValuesOf('currency').includes(code.toUpperCase());

function whyEmpty({ what, typed }: Lookup, chosen: string): Failure {
	const of = chosen === '' ? '' : ` in ${chosen.toUpperCase()}`;
	return { ...EMPTY_LIST.hasNothing({ what, of, mode: `By ${typed}` }), outcome: 'notSent' };
}

interface ListedRecord {
	source: LookupSource;
	record: IDataObject;
}

/** A person waits for a list so long at most. Milliseconds. */
const LONGEST_WAIT = 30_000;

/** The records of all sources that answer, and why the first one does not. */
async function recordsOf(
	context: ILoadOptionsFunctions,
	{ sources }: Lookup,
): Promise<{ records: ListedRecord[]; failure?: Failure }> {
	const client = clientOf(context);
	const within = { since: new Stopwatch(), beginWithin: LONGEST_WAIT, endWithin: LONGEST_WAIT };
	const answers = await Promise.all(
		sources.map(async (source) => ({ source, answer: await readList(client, source.endpoint, within) })),
	);
	const [failure] = answers.flatMap(({ answer }) => (answer.ok ? [] : [answer.failure]));
	const records = answers.flatMap(({ source, answer }) =>
		answer.ok ? answer.items.map((record) => ({ source, record })) : [],
	);
	return { records, failure };
}

/** What the user has chosen in the parameter with which the records must agree. An expression is not known yet. */
function chosenIn(context: ILoadOptionsFunctions, { sameAs = '' }: Lookup): string {
	const chosen = sameAs && context.getCurrentNodeParameter(sameAs, { extractValue: true });
	return typeof chosen !== 'string' || chosen.startsWith('=') ? '' : chosen;
}

function isFitting(record: IDataObject, { sameAs = '' }: Lookup, chosen: string): boolean {
	const value = record[sameAs];
	return chosen === '' || typeof value !== 'string' || value.toLowerCase() === chosen.toLowerCase();
}

interface Choice {
	name: string;
	value: string;
	/** False for a payout destination that the service has not approved. */
	isUsable: boolean;
}

function choicesOf(
	{ label = '{value}', reviewed, isFiat }: Lookup,
	{ source: { values, ofBanks }, record }: ListedRecord,
): Choice[] {
	const now = `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`;
	const isUsable = reviewed !== true || isApproved(record.status);
	const isOffered = (value: string) => isFiat !== true || ofBanks === true || isCurrencyCode(value);
	return valuesOf(record, values)
		.filter(isOffered)
		.map((value) => ({
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
