/** The run that n8n asks for, from its context. */
import { isResourceLocatorValue } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Operation } from '../../api/catalog.ts';
import { invalid, notSent, nothingDone } from '../shared/answers/failure.ts';
import { leftOutByExecuteOnce } from '../shared/executeOnce.ts';
import { clientOf } from '../shared/http/client.ts';
import type { ServiceClient } from '../shared/http/client.ts';
import type { Failure } from '../shared/result.ts';
import { rowsOf, rowsToRead } from '../shared/store/rows.ts';
import { dayIn, minuteIn, timeZoneOf } from '../shared/timeZone.ts';
import { isUsedAsTool } from '../shared/agent/usedAsTool.ts';
import { toolCallOf } from './agent/toolArguments.ts';
import { CONVERT_AT_RATE } from './input/convertAtRate.ts';
import { writtenIn } from './input/itemParameters.ts';
import { PAY_LIST, PAYOUTS_OF_LIST } from './input/payList.ts';
import { readPayment } from './input/readChange.ts';
import type { PaymentParameters } from './input/readChange.ts';
import { Market } from './payments/convertAtRate/market.ts';
import { readConversion } from './payments/convertAtRate/readConversion.ts';
import { countPaymentsOf, takePaymentOf } from './payments/guards/dailyLimit.ts';
import { addToTotal, readTotal, takeOffTotal } from './payments/guards/dayTotal.ts';
import { isDuplicate, takeUnlessDuplicate } from './payments/guards/duplicateRows.ts';
import { PaymentKeys } from './payments/guards/idempotencyKey.ts';
import { Journal } from './payments/guards/journal.ts';
import { operationOf } from './payments/items.ts';
import { RUN } from './payments/messages.ts';
import { readRow } from './payments/payList/readRow.ts';
import { readRowsOfTool, readSettings } from './payments/payList/readSettings.ts';
import { STOPPED } from './payments/reportMessages.ts';
import type { Run } from './payments/run.ts';

/** All executions of this process share them. */
const paymentKeys = new PaymentKeys();

export function runOf(context: IExecuteFunctions): Run {
	const isTool = isUsedAsTool(context.getNode());
	const operation = operationOf(context);
	const client = clientOf(context);
	const journal = journalOf(context, isTool);
	let lastingFailure: Error | undefined;
	return {
		operation,
		journal,
		client,
		...itemsOf(context, operation, { client, isTool, journal }),
		isTool,
		isRetry: context.getMode() === 'retry',
		continueOnFail: isTool || context.continueOnFail(),
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
		takeUnlessDuplicate: async (payment, question) =>
			await takeUnlessDuplicate(await rowsOf(context), payment, question),
		isDuplicate: async (payment, lookBack) => {
			const rows = await rowsToRead(context);
			return rows !== undefined && (await isDuplicate(rows, payment, lookBack));
		},
		takePayment: async (maximumPerDay) =>
			await takePaymentOf(dayIn(timeZoneOf(context)), await rowsOf(context), maximumPerDay),
		today: () => dayIn(timeZoneOf(context)),
		addToTotal: async (of, amount, maximum) => await addToTotal(await rowsOf(context), of, amount, maximum),
		takeOffTotal: async (of, amount) => await takeOffTotal(await rowsOf(context), of, amount),
		readTotal: async (of) => {
			const rows = await rowsToRead(context);
			return rows === undefined ? '0' : await readTotal(rows, of);
		},
		countPayments: async () => {
			const rows = await rowsToRead(context);
			return rows === undefined ? 0 : await countPaymentsOf(dayIn(timeZoneOf(context)), rows);
		},
	};
}

type Items = Pick<Run, 'operations' | 'items' | 'rows' | 'market' | 'isEachAlone' | 'obstacle'>;

/** What the operation makes of the items of n8n. */
function itemsOf(
	context: IExecuteFunctions,
	operation: Operation,
	{ client, isTool, journal }: { client: ServiceClient; isTool: boolean; journal: Journal },
): Items {
	const obstacle = isTool ? obstacleOfTool(context) : undefined;
	if (operation === PAY_LIST)
		return { ...rowsOfList(context, isTool, journal), ...(obstacle && { obstacle }) };
	const market = operation === CONVERT_AT_RATE ? new Market(client) : undefined;
	const read = (given: PaymentParameters) =>
		market === undefined ? readPayment(operation, given, isTool) : readConversion(given, market, isTool);
	return {
		operations: [operation],
		items: context.getInputData().map((_, item) => () => read(parametersOf(context, item, isTool))),
		market,
		isEachAlone: market !== undefined,
		obstacle,
	};
}

/** The settings are read once. The item of a tool is what the agent itself has got, so its rows come in a field. */
function rowsOfList(context: IExecuteFunctions, isTool: boolean, journal: Journal): Items {
	const given = parametersOf(context, 0, isTool);
	const settings = readSettings(given, isTool);
	const ofModel = isTool ? readRowsOfTool(given) : undefined;
	const rows = ofModel?.rows ?? context.getInputData().map(({ json }) => json);
	const leftOut = isTool ? undefined : leftOutByExecuteOnce(context);
	const issues = [
		...settings.issues,
		...(ofModel?.issues ?? []),
		...(leftOut === undefined ? [] : [leftOut]),
	];
	const consequence = journal.isEmpty ? nothingDone(PAY_LIST) : STOPPED.nothingSent;
	return {
		operations: PAYOUTS_OF_LIST,
		items: rows.map((row) => () => readRow(row, settings)),
		rows,
		isEachAlone: true,
		obstacle: issues.length === 0 ? undefined : invalid(issues, consequence),
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

function journalOf(context: IExecuteFunctions, isTool: boolean): Journal {
	// An expression gives the same number, but n8n evaluates it in an engine of its own, which is slow.
	const runIndex = Number(context.getWorkflowDataProxy(0).$runIndex);
	const executionId = String(context.getExecutionId());
	return new Journal(context.getContext('node'), { executionId, runIndex, isTool });
}

function obstacleOfTool(context: IExecuteFunctions): Failure | undefined {
	const isOldOrder = context.getWorkflowSettings().executionOrder !== 'v1';
	return isOldOrder ? notSent(RUN.resultWouldBeLost()) : undefined;
}
