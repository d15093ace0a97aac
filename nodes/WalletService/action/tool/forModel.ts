/** What a model reads of a call, in every version of n8n's agents: short items, never a thrown message. */
import type { IDataObject, INode } from 'n8n-workflow';

import { movesMoney, returnsMany } from '../../../../api/catalog.ts';
import type { Endpoint } from '../../../../api/endpoints.ts';
import { isRecord } from '../../../../api/json.ts';
import { camelCase, isList, UNDOCUMENTED } from '../../../../api/shape.ts';
import { DEFAULT_LIMIT } from '../parameters/fixed.ts';
import { FOR_MODEL, LEFT_OUT, READ_FOR_MODEL } from './messages.ts';
import { isUsedAsTool } from '../items.ts';
import type { CallResult, Failure, Result } from '../result.ts';

/**
 * Fields that a model may read of any record, in lower case without signs: the usual ones without those that may hold data of
 * customers. What a wrong guess leaves out of a read, the author of the workflow can select.
 */
const HARMLESS_FIELDS: ReadonlySet<string> = new Set([
	...['id', 'alias', 'accountalias', 'walletalias', 'contractid', 'status', 'state'],
	...['currency', 'coin', 'asset', 'assets', 'assetsupported', 'supportedassets', 'network', 'address'],
	...['balance', 'available', 'availablebalance', 'amount', 'fromamount', 'toamount', 'rate'],
	...['paymentkey', 'payoutid', 'transactionid'],
]);

function isHarmless(name: string): boolean {
	return HARMLESS_FIELDS.has(lettersAndDigits(name));
}

type ToolOutput = NonNullable<ReturnType<typeof toolOutputOf>>;

/** What a model is to read, as the author wrote it: a model could fill in an expression. Undefined if the node is no tool. */
export function toolOutputOf(node: INode) {
	if (!isUsedAsTool(node)) return undefined;
	const { output, fields, limit } = node.parameters;
	const names = String(fields ?? '')
		.split(',')
		.map(lettersAndDigits);
	return {
		isRaw: output === 'raw',
		selected: output === 'selected' ? new Set(names) : undefined,
		limit: typeof limit === 'number' && limit >= 1 ? Math.floor(limit) : DEFAULT_LIMIT,
	};
}

/** The items for a model. What does not fit or must not be shown is left out, and a last item says so. */
export function itemsForModel(endpoint: Endpoint, result: CallResult, output: ToolOutput): IDataObject[] {
	if (!result.ok) return withinBounds([failureForModel(result.failure, output)]);
	const all = output.isRaw ? result.items.flatMap((item) => recordsOf(endpoint, item)) : result.items;
	if (all.length === 0) return [{ note: LEFT_OUT.nothing }];
	const records = returnsMany(endpoint) ? all.slice(0, output.limit) : all;
	const fields = output.isRaw ? [] : records.map((record) => fieldsIn(record));
	const isShown = (field: Field) => isForModel(field, endpoint, output);
	const visible = fields.map((each) => Object.fromEntries(each.filter(isShown)) as IDataObject);
	const items = withinBounds(output.isRaw ? records : visible);
	const hidden = new Set(
		fields.flatMap((each) => each.filter((field) => !isShown(field)).map(([name]) => name)),
	);
	const notes = [
		...(all.length > items.length ? [LEFT_OUT.records(all.length - items.length)] : []),
		...(hidden.size > 0 ? [LEFT_OUT.fields(namesIn(hidden))] : []),
	];
	const filled = items.filter((item) => Object.keys(item).length > 0);
	return notes.length > 0 ? [...filled, { note: notes.join(' ') }] : filled;
}

function failureForModel({ message, details, about, outcome }: Failure, { isRaw }: ToolOutput): IDataObject {
	return {
		error: `${message}.`,
		whatToDo: READ_FOR_MODEL[about === 'input' ? 'input' : outcome],
		...(isRaw && { details: details as IDataObject }),
	};
}

/** The records in a raw answer. */
function recordsOf({ response }: Endpoint, item: IDataObject): IDataObject[] {
	return response !== UNDOCUMENTED && isList(response) ? (item[response.listKey] as IDataObject[]) : [item];
}

type Field = [name: string, value: unknown, isInner: boolean];

/** The fields of a record and of the objects inside it. */
function fieldsIn(record: object, isInner = false): Field[] {
	const fields = Object.entries(record).map(([name, value]): Field => [name, value, isInner]);
	const inner = fields.flatMap(([, value]) => (isRecord(value) ? fieldsIn(value, true) : []));
	return [
		...fields.filter(([, value]) => !isRecord(value)),
		...inner.filter(([name]) => !Object.hasOwn(record, name)),
	];
}

function isForModel([name, value, isInner]: Field, endpoint: Endpoint, { selected }: ToolOutput): boolean {
	if (selected !== undefined)
		return selected.has(lettersAndDigits(name)) || /^(id|alias)$|(Id|Alias)$/.test(camelCase(name));
	if (endpoint.response !== UNDOCUMENTED) return !isInner;
	// An answer that is no object has the name `response`.
	return (isHarmless(name) || name === 'response') && ![value].flat().some(isRecord);
}

/** Names of hidden fields that a model is told. Any other text may be somebody's words. */
const NAME = /^[\w -]{1,30}$/;
const MAX_NAMES = 10;

function namesIn(hidden: Set<string>): string {
	return [...hidden]
		.filter((name) => NAME.test(name))
		.slice(0, MAX_NAMES)
		.join(', ');
}

function lettersAndDigits(name: string): string {
	return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Characters of a text that a model reads, and of all items together as JSON. */
const MAX_TEXT = 500;
const MAX_ANSWER = 20_000;

function cut(text: string, length: number): string {
	// The cut may leave half of a character that takes two places.
	return text.length <= length ? text : `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')} … [cut]`;
}

/** The item with long texts cut. */
function shortened(item: IDataObject): IDataObject {
	const text = JSON.stringify(item, (_, value: unknown) =>
		typeof value === 'string' ? cut(value, MAX_TEXT) : value,
	);
	return JSON.parse(text) as IDataObject;
}

/** As many items as fit, shortened. If the first is too long, only the beginning of its JSON text. */
function withinBounds(items: IDataObject[]): IDataObject[] {
	let length = 0;
	const short = items.map(shortened);
	const end = short.findIndex((item) => (length += JSON.stringify(item).length + 1) > MAX_ANSWER);
	if (end < 0) return short;
	// Quotation marks in a text take two characters.
	return end > 0 ? short.slice(0, end) : [{ text: cut(JSON.stringify(short[0]), MAX_ANSWER / 2) }];
}

/** Fields of an answer that a model reads. They have no lists and no objects. */
const MAX_FIELDS = 20;

/** The item about a call that changes something: `result`, what happened, what to do, and the payment. */
export function toolItem(endpoint: Endpoint, result: CallResult): IDataObject {
	const json: IDataObject = (result.ok ? result.items[0] : result.row) ?? {};
	const word = result.ok ? (json.result as Result) : result.failure.outcome;
	const [happened, whatToDo] =
		FOR_MODEL[result.ok ? (json.result as Result) : adviceOf(endpoint, result.failure)];
	const message = result.ok ? happened : `${happened} ${result.failure.message}.`.trim();
	const shown = Object.entries(json)
		.filter(([name, value]) => isHarmless(name) && !(value instanceof Object))
		.slice(0, MAX_FIELDS);
	return shortened({ result: word, message, whatToDo, ...Object.fromEntries(shown) });
}

function adviceOf(endpoint: Endpoint, { about, outcome }: Failure): keyof typeof FOR_MODEL {
	if (about !== undefined) return about;
	return !movesMoney(endpoint) && outcome !== 'notSent' ? `${outcome}Change` : outcome;
}
