/** What a model reads of a call that moves no money, in every version of n8n's agents: short items, never a thrown message. */
import type { IDataObject, INode } from 'n8n-workflow';

import { returnsMany } from '../../../../api/catalog.ts';
import type { Endpoint } from '../../../../api/endpoints.ts';
import { isRecord } from '../../../../api/json.ts';
import { camelCase, isList, UNDOCUMENTED } from '../../../../api/shape.ts';
import { DEFAULT_LIMIT } from '../parameters/fixed.ts';
import { LEFT_OUT, READ_FOR_MODEL } from '../messages.ts';
import { isUsedAsTool } from '../items.ts';
import type { CallResult, Failure } from '../result.ts';

/**
 * Fields of undocumented records, in lower case without signs, that a model may read: the usual ones without those that may
 * hold data of customers. What a wrong guess leaves out, the author of the workflow can select.
 */
const HARMLESS_FIELDS: ReadonlySet<string> = new Set([
	...['id', 'alias', 'accountalias', 'walletalias', 'status', 'state', 'response'],
	...['currency', 'coin', 'asset', 'assets', 'assetsupported', 'supportedassets', 'network', 'address'],
	...['balance', 'available', 'availablebalance', 'amount'],
]);

/** What the author wants a model to read. */
export interface ToolOutput {
	isRaw: boolean;
	/** Names as `lettersAndDigits` returns them. */
	selected?: Set<string>;
	limit: number;
}

/** What the author wrote, not its value: a model could fill in an expression. Undefined if the node is no tool. */
export function toolOutputOf(node: INode): ToolOutput | undefined {
	if (!isUsedAsTool(node)) return undefined;
	const { output, fields, limit } = node.parameters;
	const names = typeof fields === 'string' ? fields.split(',').map(lettersAndDigits) : [];
	return {
		isRaw: output === 'raw',
		...(output === 'selected' && { selected: new Set(names) }),
		limit: typeof limit === 'number' && limit >= 1 ? Math.floor(limit) : DEFAULT_LIMIT,
	};
}

/** The items for a model. What does not fit or must not be shown is left out, and a last item says so. */
export function itemsForModel(endpoint: Endpoint, result: CallResult, output: ToolOutput): IDataObject[] {
	if (!result.ok) return [failureForModel(result.failure, output)];
	const { isRaw, limit } = output;
	const records = isRaw ? result.items.flatMap((item) => recordsOf(endpoint, item)) : result.items;
	if (records.length === 0) return [{ note: LEFT_OUT.nothing }];
	const isShown = isShownBy(endpoint, output);
	const hidden = new Set<string>();
	const items = records
		.slice(0, returnsMany(endpoint) ? limit : undefined)
		.map((record) => shortened(isRaw ? record : withoutHidden(record, isShown, hidden)));
	const shown = withinBounds(items);
	const note = noteOf(records.length - shown.length, hidden);
	const filled = shown.filter((item) => Object.keys(item).length > 0);
	return [...filled, ...(note === '' ? [] : [{ note }])];
}

/** The records in a raw answer. */
function recordsOf({ response }: Endpoint, item: IDataObject): IDataObject[] {
	return response !== UNDOCUMENTED && isList(response) ? (item[response.listKey] as IDataObject[]) : [item];
}

function failureForModel({ message, details, ...failure }: Failure, { isRaw }: ToolOutput): IDataObject {
	const word = failure.isInput === true ? 'input' : failure.outcome;
	const item = { error: `${message}.`, whatToDo: READ_FOR_MODEL[word] };
	const [bounded = item] = withinBounds([
		shortened({ ...item, ...(isRaw && { details: details as IDataObject }) }),
	]);
	return bounded;
}

type IsShown = (name: string, value: unknown, record: IDataObject) => boolean;

function isShownBy({ response }: Endpoint, { selected }: ToolOutput): IsShown {
	if (selected !== undefined)
		return (name) => selected.has(lettersAndDigits(name)) || /^(id|alias)$|(Id|Alias)$/.test(camelCase(name));
	if (response === UNDOCUMENTED)
		return (name, value) => HARMLESS_FIELDS.has(lettersAndDigits(name)) && ![value].flat().some(isRecord);
	return (name, _, record) => Object.hasOwn(record, name);
}

/** The fields that are shown. The names of the others are added to `hidden`. */
function withoutHidden(record: IDataObject, isShown: IsShown, hidden: Set<string>): IDataObject {
	const shown = fieldsIn(record).filter(([name, value]) => {
		if (isShown(name, value, record)) return true;
		hidden.add(name);
		return false;
	});
	return Object.fromEntries(shown) as IDataObject;
}

/** The fields of a record and of the objects inside it. */
function fieldsIn(record: object): Array<[string, unknown]> {
	const entries = Object.entries(record);
	const inner = entries.flatMap(([, value]) => (isRecord(value) ? fieldsIn(value) : []));
	const own = entries.filter(([, value]) => !isRecord(value));
	return [...own, ...inner.filter(([name]) => !Object.hasOwn(record, name))];
}

function lettersAndDigits(name: string): string {
	return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Names of hidden fields that a model is told. Any other text may be somebody's words. */
const NAME = /^[\w -]{1,30}$/;
const MAX_NAMES = 10;

function noteOf(missing: number, hidden: Set<string>): string {
	const names = [...hidden].filter((name) => NAME.test(name)).slice(0, MAX_NAMES);
	return [
		...(missing > 0 ? [LEFT_OUT.records(missing)] : []),
		...(hidden.size > 0 ? [LEFT_OUT.fields(names.join(', '))] : []),
	].join(' ');
}

/** Characters of a text that a model reads, and of all items together as JSON. */
const MAX_TEXT = 500;
const MAX_ANSWER = 20_000;
const CUT = ' … [cut]';

/** The item with long texts cut. */
export function shortened(item: IDataObject): IDataObject {
	return withShortTexts(item) as IDataObject;
}

function withShortTexts(value: unknown): unknown {
	if (typeof value === 'string') return cut(value, MAX_TEXT);
	if (Array.isArray(value)) return value.map(withShortTexts);
	if (!isRecord(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withShortTexts(inner)]));
}

function cut(text: string, length: number): string {
	// The cut may leave half of a character that takes two places.
	return text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '') + CUT;
}

/** As many items as fit. If the first is too long, only the beginning of its JSON text. */
function withinBounds(items: IDataObject[]): IDataObject[] {
	let length = 0;
	const end = items.findIndex((item) => (length += JSON.stringify(item).length + 1) > MAX_ANSWER);
	if (end < 0) return items;
	// Quotation marks in a text take two characters.
	return end > 0 ? items.slice(0, end) : [{ text: cut(JSON.stringify(items[0]), MAX_ANSWER / 2) }];
}
