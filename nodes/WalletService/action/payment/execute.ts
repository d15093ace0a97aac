/** n8n's entry to the operations that change something: a custom operation sees all items, and n8n's table of processed items. */
import { isResourceLocatorValue } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { rowsOf } from '../../shared/rows.ts';
import { notSent } from '../call/failure.ts';
import { clientOf, connectionOf } from '../call/send.ts';
import { isUsedAsTool, nodeError, operationOf, toItems } from '../items.ts';
import { INPUT, PAYMENT } from '../messages.ts';
import { toolCallOf } from '../tool/toolArguments.ts';
import { toolItem } from '../tool/toolItem.ts';
import { ExecutionLedger, listed } from './executionLedger.ts';
import { hintsOf } from './hints.ts';
import { payItems } from './payItems.ts';
import type { Run } from './payItems.ts';
import { PaymentKeys } from './paymentKeys.ts';
import { PaymentsOfDay } from './paymentsOfDay.ts';
import { findStaleness } from './retryGuard.ts';

/** Pays or changes what the items say. Throws NodeApiError if the node is to stop at an item. */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	if (this.getInputData().length === 0) return [[]];
	// An expression gives the same number, but n8n evaluates it in an engine of its own, which is slow.
	const runIndex = Number(this.getWorkflowDataProxy(0).$runIndex);
	const ledger = new ExecutionLedger(this.getContext('node'), runIndex, String(this.getExecutionId()));
	const run = runOf(this, ledger);
	const node = this.getNode();
	const signal = this.getExecutionCancelSignal();
	const showPayments = () => showInCustomData(this, ledger);
	signal?.addEventListener('abort', showPayments, { once: true });
	try {
		const { results, payments, stoppedAt } = await payItems(run);
		if (stoppedAt !== undefined) throw nodeError(node, stoppedAt.item, stoppedAt.failure);
		if (run.isTool) {
			const items = results.map((result) => toolItem(run.operation, result));
			return [items.map((json, item) => ({ json, pairedItem: { item } }))];
		}
		this.addExecutionHints(...hintsOf(results, payments));
		return [results.flatMap((result, item) => toItems(result, item, node.onError))];
	} finally {
		signal?.removeEventListener('abort', showPayments);
	}
}

/** A run over the items. */
function runOf(context: IExecuteFunctions, ledger: ExecutionLedger): Run {
	const node = context.getNode();
	const parameter = (name: string, item: number, extractValue = false) =>
		context.getNodeParameter(name, item, undefined, { extractValue }) as unknown;
	const connection = connectionOf(() => parameter('requestOptions', 0) ?? {});
	const isTool = isUsedAsTool(node);
	const isOldOrder = isTool && context.getWorkflowSettings().executionOrder !== 'v1';
	const rows = async () => await rowsOf(context);
	return {
		operation: operationOf(context),
		ledger,
		client: clientOf(context, connection),
		...(connection === undefined && { heldBack: notSent(INPUT.requestOptionsFail()) }),
		...(isOldOrder && { heldBack: notSent(PAYMENT.resultWouldBeLost()) }),
		items: context.getInputData().map(({ json }, item) => ({
			value: (name) => parameter(name, item, isResourceLocatorValue(node.parameters[name])),
			expression: (name) => node.parameters[name],
			evaluate: (expression) => context.evaluateExpression(expression, item),
			...(isTool && { call: toolCallOf(node, json, context.getWorkflowDataProxy(item)) }),
		})),
		isTool,
		// A model reads an item in every version of its agent, but not every thrown message.
		continueOnFail: isTool || context.continueOnFail(),
		isCancelled: () => context.getExecutionCancelSignal()?.aborted === true,
		checkRetry: async () => await findStaleness(context, ledger, rows),
		claim: async (payment, decision) => await paymentKeys.claim(await rows(), payment, decision),
		takePayment: async (maximum) =>
			await paymentsOfDay.take(await rows(), dayIn(context.getTimezone()), maximum),
	};
}

/** `2026-11-22`, the day in a time zone. */
function dayIn(timeZone: string): string {
	return new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date());
}

/** All executions of this process share them. */
const paymentKeys = new PaymentKeys();
const paymentsOfDay = new PaymentsOfDay();

/** n8n's limit for a value of custom data, in characters. */
const MAX_CUSTOM_DATA = 512;

/** n8n drops the output of a stopped node but keeps its custom data. */
function showInCustomData(context: IExecuteFunctions, ledger: ExecutionLedger): void {
	for (const outcome of ['accepted', 'unknown'] as const) {
		const text = listed(ledger.ofThisRun(outcome));
		const shown = text.length <= MAX_CUSTOM_DATA ? text : `${text.slice(0, MAX_CUSTOM_DATA - 1)}…`;
		if (text !== '') context.customData.set(`payments_${outcome}`, shown);
	}
}
