/**
 * The pagination hook of the declarative node: n8n's RoutingNode builds a request from the declarations and hands it over
 * here. Calls that change nothing go out through it. Others come here only where n8n calls a tool directly, and are refused.
 */
import type {
	DeclarativeRestApiSettings,
	IExecuteData,
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	IN8nHttpFullResponse,
	INodeExecutionData,
} from 'n8n-workflow';

import { isChange, returnsMany } from '../../api/catalog.ts';
import type { Endpoint } from '../../api/endpoints.ts';
import type { OwnOptions } from '../../api/ownOptions.ts';
import { toolItem } from './agent/toolItem.ts';
import { DEFAULT_LIMIT, itemsForModel, toolOutputOf } from './agent/readForModel.ts';
import { buildRequest } from './input/buildRequest.ts';
import { writtenIn } from './input/itemParameters.ts';
import { invalid, notSent } from '../shared/answers/failure.ts';
import { transportError } from '../shared/http/transportError.ts';
import { readResponse } from '../shared/answers/interpret.ts';
import type { RawResponse } from '../shared/answers/answer.ts';
import { rawResponseOf, timeLimitOf, TIMEOUT } from '../shared/http/client.ts';
import { answerInTime } from '../shared/http/inTime.ts';
import { CALL } from './agent/messages.ts';
import { explained } from '../shared/guide.ts';
import { nodeError } from '../shared/nodeError.ts';
import { operationOf, toItems } from './payments/items.ts';
import { atItem } from './payments/itemNumbers.ts';
import { sendWithRetry } from '../shared/http/retry.ts';
import { Concurrency } from '../shared/http/concurrency.ts';
import { secretsIn } from '../shared/redact.ts';
import type { CallResult } from '../shared/result.ts';
import { bodyOf } from '../shared/serviceRequest.ts';

/** Passes the whole response on to `callService`; n8n would keep only the body. */
export async function passRawResponse(
	this: IExecuteSingleFunctions,
	_items: INodeExecutionData[],
	response: IN8nHttpFullResponse,
): Promise<INodeExecutionData[]> {
	return [{ json: { ...rawResponseOf(response) } }];
}

/** The output items of one input item. Throws NodeApiError if the node is to stop. */
export async function callService(
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
): Promise<INodeExecutionData[]> {
	const node = this.getNode();
	const item = this.getItemIndex();
	const pairedItem = { item };
	const operation = operationOf(this);
	if (isChange(operation)) {
		const failure = notSent(CALL.hasNoMemory());
		return [{ json: toolItem(operation, { ok: false, failure }), pairedItem }];
	}
	const output = toolOutputOf(node);
	const simplify = output === undefined ? this.getNodeParameter('simplify', false) === true : !output.isRaw;
	const { request, issues } = buildRequest(operation, {
		value: (name) => this.getNodeParameter(name, undefined, { extractValue: true }),
		expression: (name) => writtenIn(node, name),
	});
	const sendRead = async () => await send(this, operation, requestData, { body: bodyOf(request), simplify });
	const result: CallResult =
		issues.length > 0
			? { ok: false, failure: invalid(issues) }
			: await concurrencyOf(this).use(
					async () => await sendWithRetry(sendRead, this.getExecutionCancelSignal()),
				);
	if (output !== undefined) {
		return itemsForModel(operation, result, output).map((json) => ({ json, pairedItem }));
	}
	if (!result.ok && !this.continueOnFail()) {
		const count = this.getExecuteData().data.main?.[0]?.length ?? 1;
		const message = atItem(result.failure.message, item, count);
		throw nodeError(node, item, explained({ ...result.failure, message }, false));
	}
	const items = toItems(result, item, node.onError);
	const isLimited = result.ok && returnsMany(operation) && this.getNodeParameter('returnAll', false) !== true;
	return isLimited ? items.slice(0, limitOf(this)) : items;
}

/** As many records as the user asks for, one at least. */
function limitOf(context: IExecutePaginationFunctions): number {
	const limit = Number(context.getNodeParameter('limit', DEFAULT_LIMIT)) || DEFAULT_LIMIT;
	return Math.max(1, limit);
}

async function send(
	context: IExecutePaginationFunctions,
	endpoint: Endpoint,
	requestData: DeclarativeRestApiSettings.ResultOptions,
	{ body, simplify }: { body: string | undefined; simplify: boolean },
): Promise<CallResult> {
	const secrets: string[] = [];
	const onSigned = (headers: Record<string, string>) => secrets.push(...secretsIn(headers));
	// A copy, since the credential signs in place and a read may go out again.
	const options = { ...requestData.options, body, onSigned };
	try {
		const ask = async (deadline: AbortSignal) =>
			await context.makeRoutingRequest({
				...requestData,
				options: { ...options, deadline } as typeof options & OwnOptions,
			});
		const limit = timeLimitOf(options.timeout ?? TIMEOUT);
		const [response] = await answerInTime(limit, undefined, ask);
		const raw = response?.json as unknown as RawResponse;
		return readResponse(endpoint, raw, { simplify, secrets });
	} catch (error) {
		return { ok: false, failure: transportError(endpoint, error) };
	}
}

/** Calls of one run of a node that are under way at the same time. */
const IN_FLIGHT = 10;

/** n8n calls this file for each item. The items of a run share their execution data. */
const concurrencyOfRuns = new WeakMap<IExecuteData, Concurrency>();

function concurrencyOf(context: IExecuteSingleFunctions): Concurrency {
	const run = context.getExecuteData();
	const slots = concurrencyOfRuns.get(run) ?? new Concurrency(IN_FLIGHT);
	concurrencyOfRuns.set(run, slots);
	return slots;
}
