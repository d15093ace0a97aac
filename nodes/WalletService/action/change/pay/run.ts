/** One run of the node over its items, or one try of it: what it is given, and what it asks of n8n and of the service. */
import { isResourceLocatorValue } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

import { rowsOf, rowsToRead } from '../../../shared/rows.ts';
import { notSent } from '../../call/failure.ts';
import { clientOf } from '../../call/send.ts';
import { isUsedAsTool, operationOf } from '../../items.ts';
import { RUN } from './messages.ts';
import { writtenIn } from '../../request/itemParameters.ts';
import { toolCallOf } from '../../tool/toolArguments.ts';
import { ExecutionLedger } from '../remember/ledger.ts';
import { PaymentKeys } from '../remember/paymentKeys.ts';
import type { Decision, KeyedPayment } from '../remember/paymentKeys.ts';
import { takePaymentOf } from '../remember/paymentsOfDay.ts';
import { isRepeat, takeRepeat } from '../remember/repeats.ts';
import type { RepeatedPayment, RepeatQuestion } from '../remember/repeats.ts';
import type { PaymentParameters } from '../read/readChange.ts';
import { findStaleness } from './retryGuard.ts';

export type Run = ReturnType<typeof runOf>;

/** All executions of this process share them. */
const paymentKeys = new PaymentKeys();

/** The run that n8n asks for. */
export function runOf(context: IExecuteFunctions) {
	const node = context.getNode();
	const parameter = (name: string, item: number, extractValue = false) =>
		context.getNodeParameter(name, item, undefined, { extractValue }) as unknown;
	const isTool = isUsedAsTool(node);
	const isOldOrder = isTool && context.getWorkflowSettings().executionOrder !== 'v1';
	const rows = async () => await rowsOf(context);
	// An expression gives the same number, but n8n evaluates it in an engine of its own, which is slow.
	const runIndex = Number(context.getWorkflowDataProxy(0).$runIndex);
	const ledger = new ExecutionLedger(context.getContext('node'), runIndex, String(context.getExecutionId()));
	const heldBack = isOldOrder ? RUN.resultWouldBeLost() : undefined;
	let failed: Promise<unknown> | undefined;
	return {
		operation: operationOf(context),
		ledger,
		client: clientOf(context),
		/** Why nothing is sent for any item. */
		...(heldBack !== undefined && { heldBack: notSent(heldBack) }),
		items: context.getInputData().map(
			({ json }, item): PaymentParameters => ({
				value: (name) => parameter(name, item, isResourceLocatorValue(node.parameters[name])),
				expression: (name) => writtenIn(node, name),
				evaluate: (expression) => context.evaluateExpression(expression, item),
				...(isTool && { call: toolCallOf(node, json, context.getWorkflowDataProxy(item)) }),
			}),
		),
		/** Whether a model calls. Such a run pays only within limits. */
		isTool,
		/** Whether the run goes on after a failed item. A model reads an item in every version of its agent, but not every thrown message. */
		continueOnFail: isTool || context.continueOnFail(),
		isCancelled: () => context.getExecutionCancelSignal()?.aborted === true,
		/** Why payments are not sent, if this execution retries another one. `hasOnlyKeys`: each item has a Payment Key. */
		checkRetry: async (hasOnlyKeys: boolean) => await findStaleness(context, ledger, rows, hasOnlyKeys),
		/** Takes a key for a payment. Throws if n8n cannot keep it. No further key is tried then, because each could become unknown. */
		claim: async (payment: KeyedPayment, decision: Decision) => {
			await failed;
			const claim = rows().then(async (own) => await paymentKeys.claim(own, payment, decision));
			claim.catch(() => void (failed = claim));
			return await claim;
		},
		/** Takes the right to send a payment. Returns what gives it back; undefined if another one is like it. Throws if n8n cannot keep it. */
		takeRepeat: async (payment: RepeatedPayment, question: RepeatQuestion) =>
			await takeRepeat(await rows(), payment, question),
		/** Whether another payment is like it. Writes nothing. */
		isRepeat: async (payment: RepeatedPayment, lookBack: number) => {
			const toRead = await rowsToRead(context);
			return toRead !== undefined && (await isRepeat(toRead, payment, lookBack));
		},
		/** Takes one of the day's payments. Returns what gives it back; undefined if none is left. Throws if n8n cannot keep it. */
		takePayment: async (maximumPerDay: number) =>
			await takePaymentOf(dayIn(context.getTimezone()), await rows(), maximumPerDay),
	};
}

/** `2026-11-22`, the day in a time zone. */
function dayIn(timeZone: string): string {
	return new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date());
}
