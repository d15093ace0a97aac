/** n8n's entry to the operations of the desk: asks the service what they need, and hands items to pure functions. */
import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import { isPlainDecimal } from '../../api/exact/decimal.ts';
import { givenRows } from './values/givenRows.ts';
import type { Balance, Asset } from './values/asset.ts';
import type {
	Answers,
	DeskInput,
	DeskItem,
	DeskOperation,
	DeskSettings,
	Questions,
	Records,
} from './operation/operation.ts';
import { DeskProblem } from './operation/problem.ts';
import { deskOperationOf } from './operations.ts';
import { readDeskSettings } from './operation/settings.ts';
import { withLink } from '../shared/guide.ts';
import { leftOutByExecuteOnce } from '../shared/executeOnce.ts';
import { timeZoneOf } from '../shared/timeZone.ts';
import { areOneExpression } from '../shared/options/optionProperties.ts';
import { readBalance, readList } from '../shared/http/fetch.ts';
import { clientOf } from '../shared/http/client.ts';
import type { ServiceClient } from '../shared/http/client.ts';
import { Concurrency } from '../shared/http/concurrency.ts';
import { itemsThatFit } from '../shared/agent/itemsThatFit.ts';
import { isUsedAsTool } from '../shared/agent/usedAsTool.ts';
import { idOf } from '../shared/operationId.ts';
import type { Failure } from '../shared/result.ts';
import { DESK } from './messages.ts';

/** Runs the operation that the user chose, over all items at once. Throws NodeOperationError for input that it cannot use. */
export async function runOperation(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const node = context.getNode();
	try {
		const operation = deskOperationOf(idOf(node));
		if (isUsedAsTool(node) && operation.notForModel === undefined) throw DESK.isNoTool(operation.name);
		const { asks = {}, finish } = operation.begin(await inputOf(context, operation));
		const items = finish(await askService(context, asks));
		if (isUsedAsTool(node)) return [forModel(operation, items)];
		const hint = operation.hint?.(items);
		if (hint !== undefined) context.addExecutionHints({ ...hint, location: 'outputPane' });
		const all = context.getInputData().map((_, item) => ({ item }));
		return [await Promise.all(items.map(async (item) => await itemOf(context, item, all)))];
	} catch (error) {
		const isProblem = error instanceof DeskProblem;
		const { message } = error as Error;
		const description = isProblem ? error.description : undefined;
		// n8n hands on the input in place of an error that is thrown, as if it were the result.
		if (context.continueOnFail() || (isProblem && isUsedAsTool(node)))
			return [[{ json: { error: { message, description } }, pairedItem: { item: 0 } }]];
		if (!isProblem) throw new NodeOperationError(node, error as Error);
		throw new NodeOperationError(node, message, {
			description: withLink(error.description, headingOf(idOf(node))),
		});
	}
}

/** The heading of an operation in the guides. */
export function headingOf(id: string): [heading: string, words: string] {
	const { name } = deskOperationOf(id);
	const page = id.startsWith('book.') ? 'book' : 'desk';
	return [`reference/${page}.md#${name.toLowerCase().replaceAll(' ', '-')}`, `How ${name} works`];
}

async function inputOf(
	context: IExecuteFunctions,
	operation: DeskOperation,
): Promise<DeskInput<DeskSettings>> {
	// n8n drops what such an expression gives, and the defaults would count in silence.
	const written = Object(context.getNode().parameters.options) as object;
	const label = areOneExpression(written) ? 'Options' : entriesAsExpression(operation, context.getNode());
	if (label !== undefined) throw DESK.isOneExpression(label);
	const value = (name: string): unknown => context.getNodeParameter(name, 0, '');
	// Read once: an option may hold all rows of a list.
	const added = Object(value('options')) as Record<string, unknown>;
	const settings = readDeskSettings(operation, value, added);
	const isTool = isUsedAsTool(context.getNode());
	// A list in a field is whole, however many items arrive.
	const leftOut = isTool || settings.source === 'list' ? undefined : leftOutByExecuteOnce(context);
	if (leftOut !== undefined) throw new DeskProblem(leftOut.message, leftOut.description);
	const property = operation.readFile?.(settings);
	const timeZone = timeZoneOf(context);
	const now = new Date();
	return {
		items: isTool ? rowsForTool(context) : context.getInputData().map(({ json }) => json),
		file: property === undefined ? undefined : await fileOf(context, property),
		settings,
		others: othersOf(operation, { value, written, added }),
		now: now.toISOString(),
		hour: Number(new Intl.DateTimeFormat('en-GB', { hour: '2-digit', timeZone }).format(now)),
		timeZone,
		workflow: workflowOf(context),
		execution: String(context.getExecutionId()),
		address: context.getInstanceBaseUrl(),
	};
}

/** The label of a collection of entries that is one expression in their place. Its hidden twin keeps what was written. */
function entriesAsExpression({ others = [] }: DeskOperation, { parameters }: INode): string | undefined {
	return others.find(({ type, name }) => type === 'fixedCollection' && typeof parameters[name] === 'string')
		?.displayName;
}

/** Its ID first: a name changes, and a copy has the same one. */
function workflowOf(context: IExecuteFunctions): string {
	const { id, name } = context.getWorkflow();
	return [id, name].filter(Boolean).join(' ');
}

/** Values that no table of options describes. n8n drops an option whose expression gives nothing, although its author wants something. */
function othersOf(
	{ others = [], otherOptions = [] }: DeskOperation,
	given: { value: (name: string) => unknown; written: object; added: Record<string, unknown> },
): IDataObject {
	const options = otherOptions.filter(({ name }) => Object.hasOwn(given.written, name));
	return Object.fromEntries([
		...others.map(({ name }) => [name, given.value(name)] as const),
		...options.map(({ name }) => [name, given.added[name] ?? null] as const),
	]) as IDataObject;
}

/** A model hands over rows as JSON, because the item of a tool is what the agent itself has got. */
function rowsForTool(context: IExecuteFunctions): IDataObject[] {
	const given: unknown = context.getNodeParameter('toolRows', 0, '[]');
	const list = givenRows(given);
	if ('rows' in list) return list.rows;
	throw list.is === 'nameTwice' ? DESK.toolRowsHaveNameTwice() : DESK.toolRowsAreNoList();
}

async function fileOf(context: IExecuteFunctions, property: string): Promise<Uint8Array> {
	const items = context.getInputData();
	if (items.length !== 1) throw DESK.needsOneFile(items.length);
	const [{ binary = {} } = {}] = items;
	if (binary[property] === undefined) throw DESK.hasNoFile({ property, others: Object.keys(binary) });
	return await context.helpers.getBinaryDataBuffer(0, property);
}

/** Questions that are under way at the same time. */
const IN_FLIGHT = 10;

async function askService(
	context: IExecuteFunctions,
	{ balances = [], lists = [] }: Questions,
): Promise<Answers> {
	const client = clientOf(context);
	const slots = new Concurrency(IN_FLIGHT);
	const [read, records] = await Promise.all([
		Promise.all(balances.map(async (asset) => await slots.use(async () => await balanceOf(client, asset)))),
		Promise.all(
			lists.map(async (endpoint): Promise<Records> => {
				const answer = await slots.use(async () => await readList(client, endpoint));
				return answer.ok ? { records: answer.items } : { problem: whyNotRead(answer.failure) };
			}),
		),
	]);
	const byEndpoint = new Map(lists.map((endpoint, index) => [endpoint, records[index]]));
	return { balances: read, list: (endpoint) => byEndpoint.get(endpoint) ?? { records: [] } };
}

/** Without words of the service: models read this, and whoever has typed an address. */
function whyNotRead({ message, httpStatus }: Failure): string {
	return httpStatus === undefined ? `${message}.` : DESK.hasAnswered(httpStatus);
}

async function balanceOf(client: ServiceClient, asset: Asset): Promise<Balance> {
	const answer = await readBalance(client, asset);
	if (!answer.ok) return { ...asset, problem: whyNotRead(answer.failure) };
	const [{ balance } = {}] = answer.items;
	if (typeof balance !== 'string' || !isPlainDecimal(balance))
		return { ...asset, problem: DESK.hasNoBalance(asset.code) };
	return { ...asset, balance };
}

/** Without pages and files, and as many items as a model reads. */
function forModel({ notForModel = [] }: DeskOperation, items: DeskItem[]): INodeExecutionData[] {
	const read = items.map(({ json }) => {
		const fields = Object.entries(json).filter(([name]) => !notForModel.includes(name));
		return Object.fromEntries(fields);
	});
	return itemsThatFit(read).map((json) => ({ json, pairedItem: { item: 0 } }));
}

async function itemOf(
	context: IExecuteFunctions,
	{ json, files, from }: DeskItem,
	all: Array<{ item: number }>,
): Promise<INodeExecutionData> {
	const pairedItem = from === undefined ? all : { item: from };
	if (files === undefined) return { json, pairedItem };
	const prepared = Object.entries(files).map(async ([property, { name, type, text }]) => {
		const data = await context.helpers.prepareBinaryData(Buffer.from(text, 'utf8'), name, type);
		return [property, data] as const;
	});
	return { json, binary: Object.fromEntries(await Promise.all(prepared)), pairedItem };
}
