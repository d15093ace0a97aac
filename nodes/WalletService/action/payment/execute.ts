/**
 * n8n's entries to a money operation. As a custom operation the node sees all its items and n8n's record of processed items.
 * As a tool that n8n calls directly (AI Agent before version 3, MCP Server Trigger) it sees one item and no record.
 */
import { isResourceLocatorValue, NodeConnectionTypes } from 'n8n-workflow';
import type {
	IExecuteData,
	IExecuteFunctions,
	IExecuteSingleFunctions,
	INode,
	INodeExecutionData,
} from 'n8n-workflow';

import type { CatalogEntry } from '../../../../api/catalog.ts';
import type { Endpoint } from '../../../../api/endpoints.ts';
import { rowsOf } from '../../shared/rows.ts';
import { notSent, unknown } from '../http/failure.ts';
import { connectionOf, credentialReader, describeRequest, requestSender } from '../http/transport.ts';
import { INPUT, LIMIT, PAYMENT, UNCLEAR } from '../messages.ts';
import { endpointOf, isUsedAsTool, nodeError, toItems } from '../node.ts';
import type { CallResult } from '../result.ts';
import { tracingOfPayments } from '../tracing.ts';
import { ExecutionLedger, listed } from './executionLedger.ts';
import { hintsOf } from './hints.ts';
import { payItems } from './payItems.ts';
import type { PaymentRun } from './payItems.ts';
import { PaymentKeys } from './paymentKeys.ts';
import { PaymentsOfDay } from './paymentsOfDay.ts';
import { findStaleness } from './retryGuard.ts';
import { toolCallOf } from './toolArguments.ts';
import type { ToolCall } from './toolArguments.ts';
import { toolItem } from './toolItem.ts';

/** Pays all items of the node. Throws NodeApiError if the node is to stop at an item. */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const { length } = this.getInputData();
	if (length === 0) return [[]];
	// An expression gives the same number, but n8n evaluates it in an engine of its own, which is slow.
	const runIndex = Number(this.getWorkflowDataProxy(0).$runIndex);
	const ledger = new ExecutionLedger(this.getContext('node'), runIndex, String(this.getExecutionId()));
	const run = runOf(this, endpointOf(this), ledger, {
		count: length,
		...(isUsedAsTool(this.getNode()) && {
			call: (item) =>
				toolCallOf(this.getNode(), this.getInputData()[item]?.json ?? {}, this.getWorkflowDataProxy(item)),
		}),
		parameter: (name, item, options) => this.getNodeParameter(name, item, undefined, options),
		evaluate: (expression, item) => this.evaluateExpression(expression, item),
	});
	if (run.isTool === true && this.getWorkflowSettings().executionOrder !== 'v1') {
		run.heldBack = notSent(PAYMENT.resultWouldBeLost());
	}
	const rows = async () => await rowsOf(this);
	run.checkRetry = async () => await findStaleness(this, ledger, rows);
	run.keys = {
		claim: async (payment, decision) => await paymentKeys.claim(await rows(), payment, decision),
		takePayment: async (maximum) =>
			await paymentsOfDay.take(await rows(), dayIn(this.getTimezone()), maximum),
	};
	const signal = this.getExecutionCancelSignal();
	const showPayments = () => showInCustomData(this, ledger);
	signal?.addEventListener('abort', showPayments, { once: true });
	try {
		const { results, stoppedAt } = await payItems(run);
		this.setMetadata(tracingOfPayments(run.entry, results, stoppedAt?.failure));
		if (stoppedAt !== undefined) throw nodeError(this.getNode(), stoppedAt.item, stoppedAt.failure);
		if (run.isTool !== true) this.addExecutionHints(...hintsOf(run.entry.endpoint, results));
		return [results.flatMap((result, item) => outputItemsOf(run, result, item, this.getNode().onError))];
	} finally {
		signal?.removeEventListener('abort', showPayments);
	}
}

/** Calls of one execution wait for each other, because an agent may call its tools at the same time. */
const toolCalls = new WeakMap<IExecuteData, Promise<unknown>>();

/** Pays the one item of a tool that n8n calls directly. Throws NodeApiError if the call fails. */
export async function executeAsTool(
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
	// Outside of a workflow, n8n's agents run a tool without an execution.
	if (!context.getExecutionId() || context.getExecuteData().node.type.endsWith('.mcpTrigger')) {
		return [{ json: toolItem({ ok: false, failure: notSent(LIMIT.hasNoMemory()) }), pairedItem: { item } }];
	}
	const ledger = new ExecutionLedger(context.getContext('node'), undefined, context.getExecutionId());
	if (ledger.continuedFrom !== undefined && ledger.all().length > 0) {
		throw nodeError(node, item, notSent(PAYMENT.toolWasRetried()));
	}
	const input = context.getInputData(0, NodeConnectionTypes.AiTool)?.json ?? {};
	const run = runOf(context, entry, ledger, {
		count: 1,
		call: () => toolCallOf(node, input, context.getWorkflowDataProxy(item)),
		parameter: (name, _, options) => context.getNodeParameter(name, undefined, options),
		evaluate: (expression) => context.evaluateExpression(expression, item),
	});
	// The arguments of a tool call stay the same when n8n tries it again.
	run.input = JSON.stringify(input);
	delete run.readAccount;
	const { results, stoppedAt } = await payItems(run);
	if (stoppedAt !== undefined) throw nodeError(node, item, stoppedAt.failure);
	return results.flatMap((result) => outputItemsOf(run, result, item, node.onError));
}

/** The output items of an input item; for a model, one short item. */
function outputItemsOf(
	{ isTool }: Pick<PaymentRun, 'isTool'>,
	result: CallResult,
	item: number,
	onError: INode['onError'],
): INodeExecutionData[] {
	return isTool === true
		? [{ json: toolItem(result), pairedItem: { item } }]
		: toItems(result, item, onError);
}

/** How n8n hands over the parameters of the items. */
interface Items {
	count: number;
	/** For a tool: what the model has sent. */
	call?: (item: number) => ToolCall;
	parameter(name: string, item: number, options?: { extractValue: boolean }): unknown;
	evaluate(expression: string, item: number): unknown;
}

/** A run over the items. */
function runOf(
	context: IExecuteFunctions | IExecuteSingleFunctions,
	entry: CatalogEntry,
	ledger: ExecutionLedger,
	{ count, call, parameter, evaluate }: Items,
): PaymentRun {
	const { parameters } = context.getNode();
	const connection = readConnection(() => parameter('requestOptions', 0) ?? {});
	const isTool = call !== undefined;
	const credential = credentialReader(context);
	const send = requestSender(context, connection, credential);
	return {
		entry,
		ledger,
		...(connection === undefined && { heldBack: notSent(INPUT.requestOptionsFail()) }),
		items: Array.from({ length: count }, (_, item) => ({
			value: (name) => parameter(name, item, { extractValue: isResourceLocatorValue(parameters[name]) }),
			expression: (name) => parameters[name],
			evaluate: (expression) => evaluate(expression, item),
			...(isTool && { call: call(item) }),
		})),
		readAccount: credential,
		isTool,
		send: async (body, options) =>
			await untilStopped(context.getExecutionCancelSignal(), entry.endpoint, send(entry, body, options)),
		dryRun: async (body, showRequest) => await describeRequest(context, entry, body, showRequest),
		// A model reads an item in every version of its agent, but not every thrown message.
		continueOnFail: isTool || context.continueOnFail(),
		isCancelled: () => context.getExecutionCancelSignal()?.aborted === true,
	};
}

/**
 * The answer, or at once an unknown outcome when the execution is stopped. n8n stores a stopped execution without the error of
 * a node that ends later.
 */
async function untilStopped(
	signal: AbortSignal | undefined,
	endpoint: Endpoint,
	answer: Promise<CallResult>,
): Promise<CallResult> {
	return await new Promise((resolve) => {
		const stop = () => {
			const failure = unknown(endpoint, UNCLEAR.noAnswer('the execution was stopped'));
			resolve({ ok: false, failure });
		};
		signal?.addEventListener('abort', stop, { once: true });
		void answer.then((result) => {
			signal?.removeEventListener('abort', stop);
			resolve(result);
		});
	});
}

/** Undefined if "Request Options" cannot be used: an expression fails, or a value is wrong. */
function readConnection(read: () => unknown): ReturnType<typeof connectionOf> {
	try {
		return connectionOf(read());
	} catch {
		return undefined;
	}
}

/** `2026-11-22`, the day in a time zone. */
function dayIn(timeZone: string): string {
	return new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date());
}

/** All executions of this process share them. */
const paymentKeys = new PaymentKeys();
const paymentsOfDay = new PaymentsOfDay();

/** n8n drops the output of a stopped node but keeps its custom data. */
function showInCustomData(context: IExecuteFunctions, ledger: ExecutionLedger): void {
	const accepted = ledger.ofThisRun('accepted');
	const unknown = ledger.ofThisRun('unknown');
	context.customData.setAll({
		...(accepted.length > 0 && { payments_accepted: cutToLimit(listed(accepted)) }),
		...(unknown.length > 0 && { payments_unknown: cutToLimit(listed(unknown)) }),
	});
}

/** n8n's limit for a value of custom data, in characters. */
const MAX_CUSTOM_DATA = 512;

function cutToLimit(text: string): string {
	return text.length <= MAX_CUSTOM_DATA ? text : `${text.slice(0, MAX_CUSTOM_DATA - 1)}…`;
}
