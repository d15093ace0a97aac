/** What a model reads of a call that changes nothing, in every version of n8n's agents: short items, never a thrown message. */
import type { IDataObject, INode } from 'n8n-workflow';

import { returnsMany } from '../../../api/catalog.ts';
import type { Endpoint } from '../../../api/endpoints.ts';
import { isRecord } from '../../../api/exact/json.ts';
import { isList, UNDOCUMENTED } from '../../../api/shape.ts';
import { cut, MAX_ANSWER, shortened } from '../../shared/agent/itemsThatFit.ts';
import { isUsedAsTool } from '../../shared/agent/usedAsTool.ts';
import type { CallResult, Failure } from '../../shared/result.ts';
import { LEFT_OUT, UNCLEAR_ANSWER } from '../../shared/agent/messages.ts';
import { READ_FOR_MODEL, RECORDS } from './messages.ts';
import { isHarmless } from './harmlessFields.ts';

/** Records of a list, unless the author sets another number. */
export const DEFAULT_LIMIT = 50;

/** What a model is to read of an answer. */
export interface ToolOutput {
	isRaw: boolean;
	/** Records of a list. */
	limit: number;
}

/** As the author wrote it: a model could fill in an expression. Undefined if the node is no tool. */
export function toolOutputOf(node: INode): ToolOutput | undefined {
	if (!isUsedAsTool(node)) return undefined;
	const { output, limit } = node.parameters;
	return {
		isRaw: output === 'raw',
		limit: typeof limit === 'number' && limit >= 1 ? Math.floor(limit) : DEFAULT_LIMIT,
	};
}

/** The items for a model. What does not fit or must not be shown is left out, and a last item says so. */
export function itemsForModel(endpoint: Endpoint, result: CallResult, output: ToolOutput): IDataObject[] {
	if (!result.ok) return withinBounds([failureForModel(result.failure, output)]);
	const all = output.isRaw ? result.items.flatMap((item) => recordsOf(endpoint, item)) : result.items;
	if (all.length === 0) return [{ note: RECORDS.areNone }];
	const records = returnsMany(endpoint) ? all.slice(0, output.limit) : all;
	const read = output.isRaw ? records.map(wholly) : records.map((record) => visibleOf(record, endpoint));
	const items = withinBounds(read.map(({ item }) => item));
	const notes: string[] = [];
	if (all.length > items.length) notes.push(LEFT_OUT.records(all.length - items.length));
	if (read.some(({ hasHidden }) => hasHidden)) notes.push(RECORDS.fieldsLeftOut);
	const filled = items.filter((item) => Object.keys(item).length > 0);
	return notes.length > 0 ? [...filled, { note: notes.join(' ') }] : filled;
}

function failureForModel(
	{ message, details, about, outcome, httpStatus }: Failure,
	{ isRaw }: ToolOutput,
): IDataObject {
	const isUnclear = outcome === 'unknown' && httpStatus !== undefined;
	return {
		error: isUnclear ? UNCLEAR_ANSWER(httpStatus) : `${message}.`,
		whatToDo: READ_FOR_MODEL[about === 'input' ? 'input' : outcome],
		...(isRaw && { details: details as IDataObject }),
	};
}

/** The records in a raw answer. */
function recordsOf({ response }: Endpoint, item: IDataObject): IDataObject[] {
	return response !== UNDOCUMENTED && isList(response) ? (item[response.listKey] as IDataObject[]) : [item];
}

interface VisibleRecord {
	item: IDataObject;
	/** Whether a field of the record is left out. */
	hasHidden: boolean;
}

function wholly(item: IDataObject): VisibleRecord {
	return { item, hasHidden: false };
}

/** The fields of a record that a model may read. */
function visibleOf(record: IDataObject, endpoint: Endpoint): VisibleRecord {
	const fields = fieldsIn(record);
	const visible = fields.filter((field) => isForModel(field, endpoint));
	const item = Object.fromEntries(visible.map(({ name, value }) => [name, value])) as IDataObject;
	return { item, hasHidden: visible.length < fields.length };
}

interface Field {
	name: string;
	value: unknown;
	/** Whether it stands in an object inside the record. */
	isInner: boolean;
}

/** The fields of a record and of the objects inside it. */
function fieldsIn(record: object, isInner = false): Field[] {
	const fields = Object.entries(record).map(([name, value]): Field => ({ name, value, isInner }));
	const inner = fields.flatMap(({ value }) => (isRecord(value) ? fieldsIn(value, true) : []));
	return [
		...fields.filter(({ value }) => !isRecord(value)),
		...inner.filter(({ name }) => !Object.hasOwn(record, name)),
	];
}

function isForModel({ name, value, isInner }: Field, endpoint: Endpoint): boolean {
	if (endpoint.response !== UNDOCUMENTED) return !isInner;
	// An answer that is no object has the name `response`.
	const isUsual = isHarmless(name) || name === 'response';
	const holdsRecords = Array.isArray(value) ? value.some(isRecord) : isRecord(value);
	return isUsual && !holdsRecords;
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
