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
import { guard } from './moneyGuard.ts';
import { buildRequest } from './request.ts';
import type { Request } from './request.ts';
import { readAnswer, readThrown, refusal } from './response.ts';
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
	const send = async (request: Request) => await sendAndRead(this, endpoint, requestData, request);
	const read =
		endpoint.movesMoney === undefined ? await build(this, endpoint, send) : await guard(this, endpoint, send);
	const item = this.getItemIndex();
	if (read.ok) return read.items.map((json) => ({ json, pairedItem: { item } }));
	const { failure } = read;
	if (this.continueOnFail()) {
		const { message, description, outcome, httpStatus, details } = failure;
		const error = { message, description, outcome, httpStatus, details } as IDataObject;
		// Without an `error` beside `json`, n8n keeps these fields and sends the item to the error output.
		return [{ json: { error }, pairedItem: { item } }];
	}
	// Another item stops the node, and n8n shows the first failure that it meets: this one has nothing to say.
	if (failure.heldBack) return [];
	throw nodeError(this, failure);
}

function endpointOf(context: IExecuteSingleFunctions): Endpoint {
	const resource: Resource = ENDPOINTS[context.getNodeParameter('resource') as keyof typeof ENDPOINTS];
	return resource.operations[context.getNodeParameter('operation') as string];
}

async function build(
	context: IExecuteSingleFunctions,
	endpoint: Endpoint,
	send: (request: Request) => Promise<Read>,
): Promise<Read> {
	const built = buildRequest(endpoint, (name) => context.getNodeParameter(name));
	return built.ok ? await send(built.request) : { ok: false, failure: refusal(built.complaints) };
}

async function sendAndRead(
	context: IExecutePaginationFunctions,
	endpoint: Endpoint,
	requestData: DeclarativeRestApiSettings.ResultOptions,
	{ body: text }: Request,
): Promise<Read> {
	const { options } = requestData;
	if (text === undefined) delete options.body;
	else options.body = text;
	try {
		const [{ json }] = await context.makeRoutingRequest(requestData);
		const { statusCode, body } = json as unknown as Answer;
		const simplify = context.getNodeParameter('simplify', false) === true;
		return readAnswer(endpoint, { statusCode, body: withoutSecrets(body, options.headers) }, simplify);
	} catch (error) {
		return { ok: false, failure: readThrown(endpoint, error) };
	}
}

/** A service may repeat a header that it did not like; neither key nor signature may end in an item or a log. */
function withoutSecrets(body: string, headers: IDataObject = {}): string {
	return Object.entries(headers)
		.filter(([name, value]) => /^x-.*-(key|signature)$/.test(name) && String(value).length >= SHORTEST_SECRET)
		.reduce((text, [, value]) => text.replaceAll(String(value), '[redacted]'), body);
}

/** Characters; what is shorter stands in ordinary words too. */
const SHORTEST_SECRET = 6;

function nodeError(
	context: IExecuteSingleFunctions,
	{ message, description, also = [], ...known }: Failure,
): NodeApiError {
	const itemIndex = context.getItemIndex();
	const { httpStatus } = known;
	// The second argument is stored with the execution: only what the user may see goes in.
	const error = new NodeApiError(
		context.getNode(),
		{ message },
		{
			message: [`${message} [item ${itemIndex}]`, ...also].join('; '),
			description,
			httpCode: httpStatus === undefined ? undefined : String(httpStatus),
			itemIndex,
		},
	);
	Object.assign(error.context, known);
	return error;
}
