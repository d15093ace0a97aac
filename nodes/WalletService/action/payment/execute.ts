/** n8n's entry to the operations that change something: a custom operation sees all items, and n8n's table of processed items. */
import { isResourceLocatorValue } from 'n8n-workflow';
import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import type { CatalogEntry } from '../../../../api/catalog.ts';
import type { Endpoint } from '../../../../api/endpoints.ts';
import { rowsOf } from '../../shared/rows.ts';
import { notSent, unknown } from '../call/failure.ts';
import { connectionOf, credentialReader, describeRequest, requestSender } from '../call/send.ts';
import { INPUT, PAYMENT, UNCLEAR } from '../messages.ts';
import { endpointOf, isUsedAsTool, nodeError, toItems } from '../items.ts';
import type { CallResult } from '../result.ts';
import { ExecutionLedger, listed } from './executionLedger.ts';
import { hintsOf } from './hints.ts';
import { payItems } from './payItems.ts';
import type { PaymentRun } from './payItems.ts';
import { PaymentKeys } from './paymentKeys.ts';
import { PaymentsOfDay } from './paymentsOfDay.ts';
import { findStaleness } from './retryGuard.ts';
import { toolCallOf } from '../tool/toolArguments.ts';
import { toolItem } from '../tool/toolItem.ts';

/** Pays or changes what the items say. Throws NodeApiError if the node is to stop at an item. */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	if (this.getInputData().length === 0) return [[]];
	// An expression gives the same number, but n8n evaluates it in an engine of its own, which is slow.
	const runIndex = Number(this.getWorkflowDataProxy(0).$runIndex);
	const ledger = new ExecutionLedger(this.getContext('node'), runIndex, String(this.getExecutionId()));
	const run = runOf(this, endpointOf(this), ledger);
	if (run.isTool === true && this.getWorkflowSettings().executionOrder !== 'v1') {
		run.heldBack = notSent(PAYMENT.resultWouldBeLost());
	}
	const signal = this.getExecutionCancelSignal();
	const showPayments = () => showInCustomData(this, ledger);
	signal?.addEventListener('abort', showPayments, { once: true });
	try {
		const { results, stoppedAt } = await payItems(run);
		if (stoppedAt !== undefined) throw nodeError(this.getNode(), stoppedAt.item, stoppedAt.failure);
		if (run.isTool !== true) this.addExecutionHints(...hintsOf(run.entry.endpoint, results));
		return [results.flatMap((result, item) => outputItemsOf(run, result, item, this.getNode().onError))];
	} finally {
		signal?.removeEventListener('abort', showPayments);
	}
}

/** The output items of an input item; for a model, one short item. */
function outputItemsOf(
	{ isTool, entry }: Pick<PaymentRun, 'isTool' | 'entry'>,
	result: CallResult,
	item: number,
	onError: INode['onError'],
): INodeExecutionData[] {
	return isTool === true
		? [{ json: toolItem(entry.endpoint, result), pairedItem: { item } }]
		: toItems(result, item, onError);
}

/** A run over the items. */
function runOf(context: IExecuteFunctions, entry: CatalogEntry, ledger: ExecutionLedger): PaymentRun {
	const node = context.getNode();
	const parameter = (name: string, item: number, extractValue = false) =>
		context.getNodeParameter(name, item, undefined, { extractValue }) as unknown;
	const connection = readConnection(() => parameter('requestOptions', 0) ?? {});
	const isTool = isUsedAsTool(node);
	const credential = credentialReader(context);
	const send = requestSender(context, connection, credential);
	const rows = async () => await rowsOf(context);
	return {
		entry,
		ledger,
		...(connection === undefined && { heldBack: notSent(INPUT.requestOptionsFail()) }),
		items: context.getInputData().map(({ json }, item) => ({
			value: (name) => parameter(name, item, isResourceLocatorValue(node.parameters[name])),
			expression: (name) => node.parameters[name],
			evaluate: (expression) => context.evaluateExpression(expression, item),
			...(isTool && { call: toolCallOf(node, json, context.getWorkflowDataProxy(item)) }),
		})),
		readAccount: credential,
		isTool,
		keys: {
			claim: async (payment, decision) => await paymentKeys.claim(await rows(), payment, decision),
			takePayment: async (maximum) =>
				await paymentsOfDay.take(await rows(), dayIn(context.getTimezone()), maximum),
		},
		checkRetry: async () => await findStaleness(context, ledger, rows),
		send: async (body, options) =>
			await untilStopped(context.getExecutionCancelSignal(), entry.endpoint, send(entry, body, options)),
		dryRun: async (body, options) => await describeRequest(context, entry, body, options),
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
