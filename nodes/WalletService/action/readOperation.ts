/**
 * The pagination hook of the declarative node: n8n's RoutingNode builds a request from the declarations and hands it over
 * here. Calls that change nothing go out through it. Others come here only where n8n calls a tool directly, and are refused.
 */
import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	IN8nHttpFullResponse,
	INodeExecutionData,
} from 'n8n-workflow';

import { isChange, returnsMany } from '../../../api/catalog.ts';
import type { Endpoint } from '../../../api/endpoints.ts';
import { itemsForModel, toolOutputOf } from './tool/forModel.ts';
import { buildRequest } from './request/buildRequest.ts';
import type { ServiceRequest } from './request/buildRequest.ts';
import { invalid, notSent, thrown } from './call/failure.ts';
import { readResponse } from './call/readResponse.ts';
import type { RawResponse } from './call/readResponse.ts';
import { rawResponseOf, secretsIn } from './call/send.ts';
import { LIMIT } from './messages.ts';
import { endpointOf, nodeError, toItems } from './items.ts';
import { atItem } from './numbering.ts';
import { toolItem } from './tool/toolItem.ts';
import type { CallResult } from './result.ts';
import { throttled } from './throttle.ts';

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
	const { endpoint } = endpointOf(this);
	const item = this.getItemIndex();
	if (isChange(endpoint)) {
		return [
			{
				json: toolItem(endpoint, { ok: false, failure: notSent(LIMIT.hasNoMemory()) }),
				pairedItem: { item },
			},
		];
	}
	const result = await read(this, endpoint, requestData);
	const output = toolOutputOf(this.getNode());
	if (output !== undefined) {
		return itemsForModel(endpoint, result, output).map((json) => ({ json, pairedItem: { item } }));
	}
	if (!result.ok && !this.continueOnFail()) {
		const count = this.getExecuteData().data.main?.[0]?.length ?? 1;
		const message = atItem(result.failure.message, item, count);
		throw nodeError(this.getNode(), item, { ...result.failure, message });
	}
	return toItems(result, item, this.getNode().onError);
}

/** A call that changes nothing: each item on its own. */
async function read(
	context: IExecutePaginationFunctions,
	endpoint: Endpoint,
	requestData: DeclarativeRestApiSettings.ResultOptions,
): Promise<CallResult> {
	const { parameters } = context.getNode();
	const built = buildRequest(endpoint, {
		value: (name) => context.getNodeParameter(name, undefined, { extractValue: true }),
		expression: (name) => parameters[name],
	});
	if (!built.ok) return { ok: false, failure: invalid(built.issues) };
	return await throttled(context, async () => await send(context, endpoint, requestData, built.request));
}

async function send(
	context: IExecutePaginationFunctions,
	endpoint: Endpoint,
	requestData: DeclarativeRestApiSettings.ResultOptions,
	{ body }: ServiceRequest,
): Promise<CallResult> {
	// A copy, since the credential signs in place and a read may go out again.
	const options = { ...requestData.options, body };
	try {
		const [response] = await context.makeRoutingRequest({ ...requestData, options });
		const output = toolOutputOf(context.getNode());
		const simplify =
			output === undefined ? context.getNodeParameter('simplify', false) === true : !output.isRaw;
		const raw = response?.json as unknown as RawResponse;
		const answer = readResponse(endpoint, raw, { simplify, secrets: secretsIn(options.headers) });
		return answer.ok && returnsMany(endpoint) && output === undefined
			? { ...answer, items: limited(context, answer.items) }
			: answer;
	} catch (error) {
		return { ok: false, failure: thrown(endpoint, error) };
	}
}

/** As many records as the user asks for. */
function limited(context: IExecutePaginationFunctions, items: IDataObject[]): IDataObject[] {
	if (context.getNodeParameter('returnAll', false) === true) return items;
	return items.slice(0, Math.max(1, Number(context.getNodeParameter('limit', 50)) || 50));
}
