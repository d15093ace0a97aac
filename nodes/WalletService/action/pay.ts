/**
 * The two ways in which n8n calls a money operation. As a custom operation the node sees all its items and n8n's record of
 * processed items. As a tool that n8n calls directly (AI Agent before version 3, MCP Server Trigger) it sees one item and no record.
 */
import { isResourceLocatorValue, NodeConnectionTypes, sleep } from 'n8n-workflow';
import type {
	IDataObject,
	IExecuteData,
	IExecuteFunctions,
	IExecuteSingleFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import type { CatalogEntry } from '../../../api/catalog.ts';
import { CallLedger, listed } from './callLedger.ts';
import { notSent } from './failure.ts';
import { INPUT, PAYMENT } from './messages.ts';
import { endpointOf, nodeError, toItems } from './node.ts';
import type { Failure } from './outcome.ts';
import { payItems } from './payments.ts';
import type { PaymentRun } from './payments.ts';
import { PaymentRecord } from './paymentRecord.ts';
import type { ItemParameters } from './request.ts';
import { connectionOf, describeRequest, requestSender } from './transport.ts';

/** Pays all items of the node. Throws NodeApiError if the node is to stop at an item. */
export async function pay(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const entry = endpointOf(this);
	const node = this.getNode();
	const items = this.getInputData().map(
		(_, item): ItemParameters => ({
			value: (name) => this.getNodeParameter(name, item, undefined, { extractValue: isLocator(node, name) }),
			entered: (name) => node.parameters[name],
		}),
	);
	if (items.length === 0) return [[]];

	// An expression gives the same number, but n8n evaluates it in an isolate, which is slow.
	const runIndex = Number(this.getWorkflowDataProxy(0).$runIndex);
	const ledger = new CallLedger(this.getContext('node'), runIndex, String(this.getExecutionId()));
	const record = recordOf(this);
	const stale = await staleness(this, ledger, record);
	if (stale !== undefined) {
		return failAll(this, items.length, stale);
	}
	ledger.takeOver();

	const connection = readConnection(() => this.getNodeParameter('requestOptions', 0, {}));
	if (connection === undefined) return failAll(this, items.length, notSent(INPUT.requestOptionsFail()));
	const send = requestSender(this, connection);
	const signal = this.getExecutionCancelSignal();
	const showPayments = () => showInCustomData(this, ledger);
	signal?.addEventListener('abort', showPayments, { once: true });
	try {
		const { results, stoppedAt } = await payItems({
			endpoint: entry.endpoint,
			items,
			ledger,
			record,
			send: async (body, simplify) => await send(entry, body, { simplify }),
			rehearse: async (body) => await describeRequest(this, entry, body),
			continueOnFail: this.continueOnFail(),
			isCancelled: () => signal?.aborted === true,
		});
		if (stoppedAt !== undefined) throw nodeError(node, stoppedAt.item, stoppedAt.failure);
		return [results.flatMap(toItems)];
	} finally {
		signal?.removeEventListener('abort', showPayments);
	}
}

/** Calls of one execution wait for each other, because an agent may call its tools at the same time. */
const toolCalls = new WeakMap<IExecuteData, Promise<unknown>>();

/** Pays the one item of a tool that n8n calls directly. Throws NodeApiError if the call fails. */
export async function payAsTool(
	context: IExecuteSingleFunctions,
	entry: CatalogEntry,
): Promise<INodeExecutionData[]> {
	const execution = context.getExecuteData();
	const call = (toolCalls.get(execution) ?? Promise.resolve()).then(
		async () => await payToolCall(context, entry),
	);
	toolCalls.set(
		execution,
		call.catch(() => undefined),
	);
	return await call;
}

async function payToolCall(
	context: IExecuteSingleFunctions,
	entry: CatalogEntry,
): Promise<INodeExecutionData[]> {
	const item = context.getItemIndex();
	const node = context.getNode();
	const ledger = new CallLedger(context.getContext('node'), undefined, String(context.getExecutionId()));
	if (ledger.continuedFrom !== undefined && ledger.all().length > 0) {
		throw nodeError(node, item, notSent(PAYMENT.toolWasRetried()));
	}
	ledger.takeOver();
	const connection = readConnection(() => context.getNodeParameter('requestOptions', {}));
	if (connection === undefined) throw nodeError(node, item, notSent(INPUT.requestOptionsFail()));
	const send = requestSender(context, connection);
	const run: PaymentRun = {
		endpoint: entry.endpoint,
		items: [
			{
				value: (name) => context.getNodeParameter(name, undefined, { extractValue: isLocator(node, name) }),
				entered: (name) => node.parameters[name],
			},
		],
		ledger,
		input: toolInput(context),
		send: async (body, simplify) => await send(entry, body, { simplify }),
		rehearse: async (body) => await describeRequest(context, entry, body),
		continueOnFail: context.continueOnFail(),
		isCancelled: () => context.getExecutionCancelSignal()?.aborted === true,
	};
	const { results, stoppedAt } = await payItems(run);
	if (stoppedAt !== undefined) throw nodeError(node, item, stoppedAt.failure);
	return results.flatMap((result) => toItems(result, item));
}

/** Fails all items for the same reason. Throws NodeApiError if the node is to stop. */
function failAll(context: IExecuteFunctions, count: number, failure: Failure): INodeExecutionData[][] {
	if (!context.continueOnFail()) throw nodeError(context.getNode(), 0, failure);
	return [Array.from({ length: count }, (_, item) => toItems({ ok: false, failure }, item)).flat()];
}

/** Undefined if "Request Options" cannot be used: an expression fails, or a value is wrong. */
function readConnection(read: () => unknown): ReturnType<typeof connectionOf> {
	try {
		return connectionOf(read());
	} catch {
		return undefined;
	}
}

/** The arguments of a tool call, which stay the same when n8n tries it again. */
function toolInput(context: IExecuteSingleFunctions): string {
	return JSON.stringify(context.getInputData(0, NodeConnectionTypes.AiTool)?.json ?? {});
}

function isLocator(node: { parameters: IDataObject }, name: string): boolean {
	return isResourceLocatorValue(node.parameters[name]);
}

function recordOf(context: IExecuteFunctions): PaymentRecord {
	const { checkProcessedAndRecord, removeProcessed } = context.helpers;
	const { id } = context.getWorkflow();
	const known = () => {
		if (!id) throw new Error('the workflow was never saved');
	};
	return new PaymentRecord(
		`${id}/${context.getNode().id}`,
		{
			add: async (entries, maxEntries) => {
				known();
				return await checkProcessedAndRecord(entries, 'node', { mode: 'entries', maxEntries });
			},
			remove: async (entries) => await removeProcessed(entries, 'node', { mode: 'entries' }),
		},
		sleep,
	);
}

/**
 * "Retry execution" starts from the state stored with the chosen execution. n8n offers it again while a retry runs and after
 * one has failed, but the money may have moved since: only the first retry of a state goes on.
 */
async function staleness(
	context: IExecuteFunctions,
	ledger: CallLedger,
	record: PaymentRecord,
): Promise<Failure | undefined> {
	if (context.getMode() !== 'retry') return undefined;
	const { continuedFrom } = ledger;
	// An agent calls its tools in its own order, so no entry can be matched with a call.
	const isTool = context.getNode().type.endsWith('Tool');
	if (isTool && continuedFrom !== undefined && ledger.all().length > 0) {
		return notSent(PAYMENT.toolWasRetried());
	}
	const state = ledger.isNew ? await originOf(context) : continuedFrom;
	if (state === undefined) return undefined;
	try {
		if (await record.isFirst(`retry of ${state}`)) return undefined;
	} catch {
		// Without a record, an earlier retry cannot be excluded, so this one is refused.
	}
	return notSent(
		continuedFrom === undefined
			? PAYMENT.wasRetriedBeforeItCameHere()
			: PAYMENT.wasRetriedBefore(continuedFrom),
	);
}

/**
 * What all retries share of an execution that failed before it came to this node: when it began, and its first output.
 * n8n keeps the execution context of an execution through its retries.
 */
async function originOf(context: IExecuteFunctions): Promise<string | undefined> {
	const { establishedAt } = context.getExecutionContext() ?? {};
	if (establishedAt === undefined) return undefined;
	const stored = await context.getExecutionDataById(context.getExecutionId()).catch(() => undefined);
	const [first] = Object.values(stored?.resultData.runData ?? {})
		.flat()
		.sort((one, other) => one.startTime - other.startTime);
	// Many executions may begin in one millisecond, but not with the same data.
	return JSON.stringify([establishedAt, first?.startTime, first?.data]);
}

/** n8n drops the output of a stopped node but keeps its custom data, which every view of the execution shows. */
function showInCustomData(context: IExecuteFunctions, ledger: CallLedger): void {
	const accepted = ledger.ofThisRun('accepted');
	const unknown = ledger.ofThisRun('unknown');
	context.customData.setAll({
		...(accepted.length > 0 && { payments_accepted: shortened(listed(accepted)) }),
		...(unknown.length > 0 && { payments_unknown: shortened(listed(unknown)) }),
	});
}

/** n8n's limit for a value of custom data, in characters. */
const MAX_CUSTOM_DATA = 512;

function shortened(text: string): string {
	return text.length <= MAX_CUSTOM_DATA ? text : `${text.slice(0, MAX_CUSTOM_DATA - 1)}…`;
}
