/** Sends requests of the service through n8n, signed by the credential. */
import type {
	ICredentialsDecrypted,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { serviceUrl } from '../../../api/address.ts';
import type { Operation } from '../../../api/catalog.ts';
import { requireInTime, Stopwatch } from '../../../api/deadline.ts';
import type { TimeLimit } from '../../../api/deadline.ts';
import type { OwnOptions } from '../../../api/ownOptions.ts';
import { parseExact, toPlain } from '../../../api/exact/json.ts';
import { requireText } from '../../../api/settingError.ts';
import type { SigningSettings } from '../../../api/signature/settings.ts';
import { paymentKeyHeaderOf, signRequest } from '../../../api/signature/signRequest.ts';
import { isSecretHeader, secretsIn } from '../redact.ts';
import { UNSENT } from '../answers/messages.ts';
import type { CallResult, Failure } from '../result.ts';
import { bodyOf } from '../serviceRequest.ts';
import type { ServiceRequest } from '../serviceRequest.ts';
import { notSent, unusableCredential } from '../answers/failure.ts';
import { answerInTime } from './inTime.ts';
import { transportError } from './transportError.ts';
import { readResponse } from '../answers/interpret.ts';
import type { RawResponse } from '../answers/answer.ts';
import type { ReadingOptions } from '../answers/interpret.ts';

/** Settings of every request: the answer as text, with any status, and only from the address of the credential. */
export const REQUEST_DEFAULTS = {
	headers: { Accept: '*/*' },
	// Text lets numbers be read exactly; n8n would parse them into doubles.
	encoding: 'text',
	// Otherwise n8n repeats a request after a 401, drops the service's words and takes a web page for success.
	ignoreHttpStatusErrors: true,
	// A signed request that moves money goes nowhere else.
	disableFollowRedirect: true,
} as const;

/** The type of the credential. */
const TYPE = 'walletServiceApi';

/** n8n's own default for declarative nodes, in milliseconds. */
export const TIMEOUT = 300_000;

/** n8n repeats a request after an answer with this status. No answer has the status 0, so n8n repeats none. */
const NO_SECOND_TRY = { preAuthenticationRetryStatusCode: 0 };

/** How a request is sent and its answer is read. */
export interface SendingOptions extends Omit<ReadingOptions, 'secrets' | 'request'> {
	/** From "Request Options". */
	connection?: Partial<IHttpRequestOptions>;
	/** For the header that the credential names. */
	paymentKey?: string;
	/** When the request must begin and be over; by default, within the time-out. */
	within?: TimeLimit;
}

/** The service, as one run of a node calls it. */
export interface ServiceClient {
	/** Ends when the execution is stopped. */
	stop?: AbortSignal;
	/** Who pays: Base URL and n8n's id of the credential. A rotated key is the same account. Throws if there is no usable credential. */
	account(): Promise<string>;
	/** Sends one request and reads the answer. The key goes out in a header, if the credential names one. Never throws. */
	send(operation: Operation, request: ServiceRequest, sending: SendingOptions): Promise<CallResult>;
	/** Signs the request to show that it can be sent. Gives it without key, signature and log-in. Never throws. */
	describe(operation: Operation, request: ServiceRequest, paymentKey?: string): Promise<CallResult>;
}

export function clientOf(context: IExecuteFunctions | ILoadOptionsFunctions): ServiceClient {
	const stop = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	// Once for a run: n8n reads its database and decrypts the credential each time it is asked.
	let reading: Promise<ReadCredential> | undefined;
	const credential = async () => {
		reading ??= readCredential(context);
		reading.catch(() => (reading = undefined));
		return await reading;
	};
	return {
		stop,
		account: async () => (await credential()).account,
		send: async (operation, request, { paymentKey, connection, within, ...readingOptions }) => {
			const written = writeBody(request);
			if ('failure' in written) return { ok: false, ...written };
			const options: IHttpRequestOptions & OwnOptions = {
				timeout: TIMEOUT,
				...connection,
				...REQUEST_DEFAULTS,
				method: operation.method,
				url: operation.path,
				...written,
				returnFullResponse: true,
			};
			let keyHeader: string | undefined;
			const secrets: string[] = [];
			const headerNames: string[] = [];
			options.onSigned = (headers) => {
				secrets.push(...secretsIn(headers, keyHeader));
				headerNames.push(...Object.keys(headers).filter((name) => name !== keyHeader));
			};
			let credentialsDecrypted: ICredentialsDecrypted;
			try {
				const { allowedDomains, paymentKeyHeader, decrypted } = await credential();
				credentialsDecrypted = decrypted;
				keyHeader = paymentKeyHeader;
				options.allowedDomains = allowedDomains;
				options.headers = { ...options.headers, ...headerOf(keyHeader, paymentKey) };
			} catch (error) {
				return { ok: false, failure: unusableCredential(error) };
			}
			if (stop?.aborted === true) return { ok: false, failure: notSent(UNSENT.runStopped()) };
			const limit = timeLimitOf(options.timeout ?? TIMEOUT, within);
			options.limit = limit;
			options.timeout = limit.endWithin - limit.since.most;
			const ask = async (deadline: AbortSignal) =>
				(await context.helpers.httpRequestWithAuthentication.call(
					context,
					TYPE,
					{ ...options, deadline } as IHttpRequestOptions,
					{ ...NO_SECOND_TRY, credentialsDecrypted },
				)) as IN8nHttpFullResponse;
			try {
				requireInTime(limit);
				const raw = rawResponseOf(await answerInTime(limit, stop, ask));
				return readResponse(operation, raw, { ...readingOptions, request, headerNames, secrets });
			} catch (error) {
				return { ok: false, failure: transportError(operation, error) };
			}
		},
		describe: async ({ method, path }, request, paymentKey) => {
			const written = writeBody(request);
			if ('failure' in written) return { ok: false, ...written };
			const { body = '' } = written;
			try {
				const { settings, paymentKeyHeader } = await credential();
				const url = serviceUrl(settings.baseUrl, path);
				const signed = signRequest(settings, { method, url, body }, Date.now());
				const hidden = Object.keys(signed).filter(isSecretHeader);
				const headers = {
					...REQUEST_DEFAULTS.headers,
					'Content-Type': 'application/json',
					...headerOf(paymentKeyHeader, paymentKey),
					...signed,
					...Object.fromEntries(hidden.map((name) => [name, '[redacted]'])),
				};
				[url.username, url.password] = ['', ''];
				const shown = { method, url: url.href, headers, body: toPlain(parseExact(body)) };
				return { ok: true, items: [shown as IDataObject] };
			} catch (error) {
				return { ok: false, failure: unusableCredential(error) };
			}
		},
	};
}

/** The body of a request. It is whole before anything is sent. */
function writeBody(request: ServiceRequest): { body?: string } | { failure: Failure } {
	try {
		return { body: bodyOf(request) };
	} catch (error) {
		return { failure: notSent(UNSENT.nodeFailed((error as Error).message)) };
	}
}

/** The time of a request: what is left of that of its payment, and no more than the user allows. */
export function timeLimitOf(timeout: number, within?: TimeLimit): TimeLimit {
	if (within === undefined) return { since: new Stopwatch(), beginWithin: timeout, endWithin: timeout };
	return { ...within, endWithin: Math.min(within.endWithin, within.since.most + timeout) };
}

type Settings = SigningSettings & {
	baseUrl: string;
	allowedHttpRequestDomains?: string;
	allowedDomains?: string;
};

/** What the node itself reads of the credential. */
interface ReadCredential {
	settings: Settings;
	/** For n8n, which would read it again for each request: another account perhaps than the one whose keys are taken. */
	decrypted: ICredentialsDecrypted;
	account: string;
	/** The domains that the credential is limited to; undefined: no limit. n8n itself checks them for declarative requests only. */
	allowedDomains?: string;
	/** The header that carries Payment Key to the service; undefined: none. */
	paymentKeyHeader?: string;
}

async function readCredential(context: IExecuteFunctions | ILoadOptionsFunctions): Promise<ReadCredential> {
	const settings = await context.getCredentials<Settings>(TYPE);
	const { baseUrl, allowedHttpRequestDomains, allowedDomains } = settings;
	const { origin, pathname } = serviceUrl(baseUrl, '/v1/');
	const { id, name = '' } = context.getNode().credentials?.[TYPE] ?? {};
	return {
		settings,
		decrypted: { id: id ?? '', name, type: TYPE, data: settings },
		account: JSON.stringify([origin, pathname, id]),
		allowedDomains:
			allowedHttpRequestDomains === 'domains'
				? requireText(allowedDomains?.trim(), 'Allowed Domains')
				: undefined,
		paymentKeyHeader: paymentKeyHeaderOf(settings),
	};
}

function headerOf(name?: string, value?: string): Record<string, string> {
	return name === undefined || value === undefined ? {} : { [name]: value };
}

/** What the node reads of an HTTP response. */
export function rawResponseOf({ statusCode, body, headers }: IN8nHttpFullResponse): RawResponse {
	const text = typeof body === 'string' ? body : '';
	const [retryAfter, requestId] = [headers['retry-after'], requestIdIn(headers)];
	return {
		statusCode,
		body: text,
		...(typeof retryAfter === 'string' && { retryAfter }),
		...(requestId !== undefined && { requestId }),
	};
}

/** Headers under which services and gateways name a request, for their support. */
const REQUEST_ID_HEADERS = [
	'x-request-id',
	'request-id',
	'x-correlation-id',
	'correlation-id',
	'x-trace-id',
	'x-amzn-requestid',
	'x-amzn-trace-id',
	'x-cloud-trace-context',
	'cf-ray',
];

/** The first of them that can be shown: a short text of visible ASCII characters. */
function requestIdIn(headers: Record<string, unknown>): string | undefined {
	const values = REQUEST_ID_HEADERS.map((name) => headers[name]);
	return values.find((value): value is string => typeof value === 'string' && /^[!-~]{1,200}$/.test(value));
}

/** "Request Options", which n8n adds to every declarative node. Undefined if they cannot be used. */
export function connectionOf(read: () => unknown): Partial<IHttpRequestOptions> | undefined {
	try {
		const given = Object(read()) as { timeout?: number; allowUnauthorizedCerts?: boolean; proxy?: string };
		const { timeout = TIMEOUT, proxy = '' } = given;
		// While a longer request is under way, a person could say that it was not paid.
		if (!(typeof timeout === 'number' && timeout > 0 && timeout <= TIMEOUT)) return undefined;
		// n8n's HTTP client passes over other proxies, and the payment would go out without one.
		if ('proxy' in given && !/^https?:\/\/[^/]/i.test(proxy)) return undefined;
		return {
			timeout,
			...(given.allowUnauthorizedCerts ? { skipSslCertificateValidation: true } : {}),
			...(proxy ? { proxy: proxyOf(new URL(proxy)) } : {}),
		};
	} catch {
		return undefined;
	}
}

function proxyOf({ protocol, hostname, port, username, password }: URL): IHttpRequestOptions['proxy'] {
	const auth = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
	return {
		protocol: protocol.replace(/:$/, ''),
		host: hostname,
		port: Number(port || (protocol === 'https:' ? 443 : 80)),
		...(username ? { auth } : {}),
	};
}
