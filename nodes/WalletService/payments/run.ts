/** One run of the node over its items, or one try of it: what it is given, and what it asks of n8n and of the service. */
import { isResourceLocatorValue } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Operation } from '../../../api/catalog.ts';
import { CONVERT_AT_RATE } from '../input/convertAtRate.ts';
import { rowsOf, rowsToRead } from '../../shared/store/rows.ts';
import { dayIn, minuteIn, timeZoneOf } from '../../shared/timeZone.ts';
import { notSent } from '../../shared/answers/failure.ts';
import { clientOf } from '../../shared/http/client.ts';
import type { ServiceClient } from '../../shared/http/client.ts';
import { isUsedAsTool, operationOf } from './items.ts';
import { writtenIn } from '../input/itemParameters.ts';
import type { Failure } from '../../shared/result.ts';
import { toolCallOf } from '../agent/toolArguments.ts';
import type { PaymentParameters } from '../input/readChange.ts';
import { Market } from './convertAtRate/market.ts';
import type { Payment } from '../input/payment.ts';
import { ExecutionLedger } from './guards/journal.ts';
import { PaymentKeys } from './guards/idempotencyKey.ts';
import type { Claim, Decision, KeyedPayment, KeyState } from './guards/idempotencyKey.ts';
import { takePaymentOf } from './guards/dailyLimit.ts';
import { isRepeat, takeRepeat } from './guards/duplicateRows.ts';
import type { RepeatedPayment, RepeatQuestion } from './guards/duplicateRows.ts';
import { RUN } from './messages.ts';

export interface Run {
	operation: Operation;
	items: PaymentParameters[];
	ledger: ExecutionLedger;
	client: ServiceClient;
	/** Why nothing is sent for any item. */
	obstacle?: Failure;
	/** Each item stands for itself: another one that is wrong does not hold it. */
	isEachAlone?: boolean;
	/** What a dry run would have sent so far, by item. */
	tried: Map<number, Payment>;
	/** Whether a model calls. Such a run pays only within limits. */
	isTool: boolean;
	/** Whether the execution retries another one, of which only what has a key is known for sure. */
	isRetry: boolean;
	/** Whether the run goes on after a failed item. A model reads an item in every version of its agent, but not every thrown message. */
	continueOnFail: boolean;
	isCancelled(): boolean;
	/** What the service offers; only for an operation whose contract the node chooses. */
	market?: Market;
	/** Takes a key for a payment. Throws if n8n cannot keep it. No further key is tried then, because each could become unknown. */
	claim(payment: KeyedPayment, decision: Decision): Promise<Claim | KeyState>;
	/** What is known of a key; undefined: nothing, or n8n keeps no record. Throws if n8n cannot read it. Writes nothing. */
	look(payment: KeyedPayment, decision: Decision): Promise<KeyState | undefined>;
	/** `2026-11-27 14:07 (Europe/Berlin)`: a time, or the next full minute, in the workflow's time zone. */
	timeInWords(time: Date): string;
	/** Takes the right to send a payment. Returns what gives it back; undefined if another one is like it. Throws if n8n cannot keep it. */
	takeRepeat(payment: RepeatedPayment, question: RepeatQuestion): Promise<(() => Promise<void>) | undefined>;
	/** Whether another payment is like it. Writes nothing. */
	isRepeat(payment: RepeatedPayment, lookBack: number): Promise<boolean>;
	/** Takes one of the day's payments. Returns what gives it back; undefined if none is left. Throws if n8n cannot keep it. */
	takePayment(maximumPerDay: number): Promise<(() => Promise<void>) | undefined>;
}

/** All executions of this process share them. */
const paymentKeys = new PaymentKeys();

/** The run that n8n asks for. */
export function runOf(context: IExecuteFunctions): Run {
	const isTool = isUsedAsTool(context.getNode());
	const operation = operationOf(context);
	const client = clientOf(context);
	let lastingFailure: Error | undefined;
	return {
		operation,
		items: context.getInputData().map((_, item) => parametersOf(context, item, isTool)),
		ledger: ledgerOf(context, isTool),
		client,
		obstacle: isTool ? obstacleOfTool(context) : undefined,
		isEachAlone: operation === CONVERT_AT_RATE,
		tried: new Map(),
		isTool,
		isRetry: context.getMode() === 'retry',
		continueOnFail: isTool || context.continueOnFail(),
		market: operation === CONVERT_AT_RATE ? new Market(client) : undefined,
		isCancelled: () => context.getExecutionCancelSignal()?.aborted === true,
		claim: async (payment, decision) => {
			if (lastingFailure !== undefined) throw lastingFailure;
			const claim = rowsOf(context).then(async (rows) => await paymentKeys.claim(rows, payment, decision));
			claim.catch((error: Error) => (lastingFailure = error));
			return await claim;
		},
		look: async (payment, decision) => {
			const rows = await rowsToRead(context);
			return rows && (await paymentKeys.look(rows, payment, decision));
		},
		// An error after the request would hide what may have been paid.
		timeInWords: (time) => minuteIn(timeZoneOf(context), time),
		takeRepeat: async (payment, question) => await takeRepeat(await rowsOf(context), payment, question),
		isRepeat: async (payment, lookBack) => {
			const rows = await rowsToRead(context);
			return rows !== undefined && (await isRepeat(rows, payment, lookBack));
		},
		takePayment: async (maximumPerDay) =>
			await takePaymentOf(dayIn(timeZoneOf(context)), await rowsOf(context), maximumPerDay),
	};
}

function parameterOf(context: IExecuteFunctions, name: string, item: number, extractValue = false): unknown {
	return context.getNodeParameter(name, item, undefined, { extractValue });
}

/** The parameters of one item. */
function parametersOf(context: IExecuteFunctions, item: number, isTool: boolean): PaymentParameters {
	const node = context.getNode();
	const parameters: PaymentParameters = {
		value: (name) => parameterOf(context, name, item, isResourceLocatorValue(node.parameters[name])),
		expression: (name) => writtenIn(node, name),
		evaluate: (expression) => context.evaluateExpression(expression, item),
	};
	if (!isTool) return parameters;
	const sent = context.getInputData()[item]?.json ?? {};
	return { ...parameters, call: toolCallOf(node, sent, context.getWorkflowDataProxy(item)) };
}

function ledgerOf(context: IExecuteFunctions, isTool: boolean): ExecutionLedger {
	// An expression gives the same number, but n8n evaluates it in an engine of its own, which is slow.
	const runIndex = Number(context.getWorkflowDataProxy(0).$runIndex);
	const executionId = String(context.getExecutionId());
	return new ExecutionLedger(context.getContext('node'), { executionId, runIndex, isTool });
}

function obstacleOfTool(context: IExecuteFunctions): Failure | undefined {
	const isOldOrder = context.getWorkflowSettings().executionOrder !== 'v1';
	return isOldOrder ? notSent(RUN.resultWouldBeLost()) : undefined;
}
