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

import { serviceUrl } from '../../../api/address.ts';
import { getEndpoint } from '../../../api/catalog.ts';
import type { Endpoint } from '../../../api/endpoints.ts';
import { parseExact, toPlain } from '../../../api/json.ts';
import { signRequest } from '../../../api/signature/requestSigning.ts';
import type { SigningSettings } from '../../../api/signature/settings.ts';
import { callOnce } from './moneyGuard.ts';
import { throttled } from './throttle.ts';
import { buildRequest } from './request.ts';
import type { Request } from './request.ts';
import { isSecret, readAnswer, readThrown, refusal, redactSecrets } from './response.ts';
import type { Answer, Failure, Read } from './response.ts';

/** Passes the raw answer on to `callService`; n8n would otherwise keep only the body. */
export async function passRawResponse(
	this: IExecuteSingleFunctions,
	_items: INodeExecutionData[],
	{ statusCode, body, headers }: IN8nHttpFullResponse,
): Promise<INodeExecutionData[]> {
	return [{ json: { statusCode, body: String(body ?? ''), retryAfter: headers['retry-after'] as string } }];
}

/** The items that come out of the node for one that went in. Throws NodeApiError where the node is to stop. */
export async function callService(
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
): Promise<INodeExecutionData[]> {
	const endpoint = endpointOf(this);
	const send = async (request: Request) => await sendAndRead(this, endpoint, requestData, request);
	const rehearse = async (request: Request) => await describeRequest(this, requestData, request);
	const result =
		endpoint.movesMoney === undefined
			? await callReadOnly(this, endpoint, send)
			: await callOnce(this, endpoint, { send, rehearse });
	const item = this.getItemIndex();
	if (result.ok) return result.items.map((json) => ({ json, pairedItem: { item } }));
	const { failure } = result;
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
	const resource = context.getNodeParameter('resource') as string;
	const operation = context.getNodeParameter('operation') as string;
	return getEndpoint(`${resource}.${operation}`).endpoint;
}

/** A call that moves nothing: each item for itself. */
async function callReadOnly(
	context: IExecuteSingleFunctions,
	endpoint: Endpoint,
	send: (request: Request) => Promise<Read>,
): Promise<Read> {
	const built = buildRequest(endpoint, (name) =>
		context.getNodeParameter(name, undefined, { extractValue: true }),
	);
	if (!built.ok) return { ok: false, failure: refusal(built.issues) };
	return await throttled(context, async () => await send(built.request));
}

async function sendAndRead(
	context: IExecutePaginationFunctions,
	endpoint: Endpoint,
	requestData: DeclarativeRestApiSettings.ResultOptions,
	{ body: text }: Request,
): Promise<Read> {
	// A copy, since the credential signs in place and a read may go out again.
	const options = { ...requestData.options, body: text };
	try {
		const [{ json }] = await context.makeRoutingRequest({ ...requestData, options });
		const answer = json as unknown as Answer;
		const body = redactSecrets(answer.body, options.headers);
		const simplify = context.getNodeParameter('simplify', false) === true;
		return readAnswer(endpoint, { ...answer, body }, simplify);
	} catch (error) {
		return { ok: false, failure: readThrown(endpoint, error) };
	}
}

/** What would be sent, signed to see that the credential can, with key and signature left out. */
async function describeRequest(
	context: IExecuteSingleFunctions,
	{ options }: DeclarativeRestApiSettings.ResultOptions,
	{ body }: Request,
): Promise<Read> {
	try {
		const method = options.method ?? 'GET';
		const credentials = await context.getCredentials<SigningSettings & { baseUrl: string }>(
			'walletServiceApi',
		);
		const url = serviceUrl(credentials.baseUrl, options.url ?? '');
		const signed = signRequest(credentials, { method, url, body: body ?? '' }, Date.now());
		const headers = Object.entries({ ...options.headers, 'Content-Type': 'application/json', ...signed }).map(
			([name, value]) => [name, isSecret(name) ? '[redacted]' : value],
		);
		const request = {
			method,
			url: url.href,
			headers: Object.fromEntries(headers),
			body: toPlain(parseExact(body ?? 'null')),
		};
		return { ok: true, items: [{ dryRun: true, request: request as unknown as IDataObject }] };
	} catch (error) {
		return { ok: false, failure: readThrown(endpointOf(context), error) };
	}
}

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
	// n8n shows `data` in the details of the failure.
	Object.assign(error.context, known, { data: known.details });
	return error;
}
