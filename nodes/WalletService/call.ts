/**
 * One call of the service for one item: build, send, read. n8n's RoutingNode makes the request from the declarations
 * and hands it to its pagination hook, `callService`; that is the one place where a declarative node can stand around
 * a request, and it works for AI tools too.
 */
import { NodeApiError } from 'n8n-workflow';
import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	IN8nHttpFullResponse,
	INodeExecutionData,
} from 'n8n-workflow';

import { ENDPOINTS } from '../../api/endpoints.ts';
import type { Endpoint, Resource } from '../../api/endpoints.ts';
import { inTurn } from './moneyGuard.ts';
import { buildRequest } from './request.ts';
import type { Built } from './request.ts';
import { readAnswer, readThrown } from './response.ts';
import type { Answer, Failure, Read } from './response.ts';

/** Passes the raw answer on to `callService`; n8n would otherwise keep only the body. */
export async function handOver(
	this: IExecuteSingleFunctions,
	_items: INodeExecutionData[],
	{ statusCode, body }: IN8nHttpFullResponse,
): Promise<INodeExecutionData[]> {
	return [{ json: { statusCode, body: String(body ?? '') } }];
}

/** The items that come out of the node for one that went in. Throws NodeApiError where the node is to stop. */
export async function callService(
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
): Promise<INodeExecutionData[]> {
	const endpoint = endpointOf(this);
	const send = async () => await sendAndRead(this, endpoint, requestData);
	const read = endpoint.movesMoney === undefined ? await send() : await inTurn(this, send);
	const item = this.getItemIndex();
	if (read.ok) return read.items.map((json) => ({ json, pairedItem: { item } }));
	if (!this.continueOnFail()) throw stop(this, read.failure);
	// Without an `error` beside `json`, n8n keeps these fields and sends the item to the error output.
	return [{ json: { error: read.failure as unknown as IDataObject }, pairedItem: { item } }];
}

function endpointOf(context: IExecuteSingleFunctions): Endpoint {
	const resource: Resource = ENDPOINTS[context.getNodeParameter('resource') as keyof typeof ENDPOINTS];
	return resource.operations[context.getNodeParameter('operation') as string];
}

async function sendAndRead(
	context: IExecutePaginationFunctions,
	endpoint: Endpoint,
	requestData: DeclarativeRestApiSettings.ResultOptions,
): Promise<Read> {
	const built = buildRequest(endpoint, (name) => context.getNodeParameter(name));
	if (!built.ok) return { ok: false, failure: refusal(built) };
	const { options } = requestData;
	if (built.body === undefined) delete options.body;
	else options.body = built.body;
	try {
		const [{ json }] = await context.makeRoutingRequest(requestData);
		const { statusCode, body } = json as unknown as Answer;
		const simplify = context.getNodeParameter('simplify', false) === true;
		return readAnswer(endpoint, { statusCode, body: withoutSecrets(body, options.headers) }, simplify);
	} catch (error) {
		return { ok: false, failure: readThrown(endpoint, error) };
	}
}

function refusal({ complaints }: Extract<Built, { ok: false }>): Failure {
	return {
		message: complaints.map(({ message }) => message).join('; '),
		description: `${complaints.map(({ description }) => description).join('. ')}. Nothing was sent.`,
		outcome: 'notSent',
	};
}

/** A service may repeat a header that it did not like; neither key nor signature may end in an item or a log. */
function withoutSecrets(body: string, headers: IDataObject = {}): string {
	return Object.entries(headers)
		.filter(
			([name, value]) => /^x-.*-(key|signature)$/.test(name) && typeof value === 'string' && value !== '',
		)
		.reduce((text, [, value]) => text.replaceAll(value as string, '[redacted]'), body);
}

function stop(context: IExecuteSingleFunctions, failure: Failure): NodeApiError {
	const { message, description, httpStatus } = failure;
	const itemIndex = context.getItemIndex();
	const httpCode = httpStatus === undefined ? undefined : String(httpStatus);
	// The second argument is stored with the execution: only what the user may see goes in.
	const error = new NodeApiError(
		context.getNode(),
		{ message },
		{
			message: `${message} [item ${itemIndex}]`,
			description,
			httpCode,
			itemIndex,
		},
	);
	Object.assign(error.context, failure);
	return error;
}
