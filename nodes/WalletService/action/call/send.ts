/** Sends requests of the service through n8n, signed by the credential. */
import { OperationalError, sleep } from 'n8n-workflow';
import type {
	IDataObject,
	IExecuteFunctions,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { serviceUrl } from '../../../../api/address.ts';
import type { CatalogEntry } from '../../../../api/catalog.ts';
import { parseExact, toPlain } from '../../../../api/json.ts';
import { requireText } from '../../../../api/settingError.ts';
import { paymentKeyHeaderOf } from '../../../../api/signature/paymentKeyHeader.ts';
import type { SigningSettings } from '../../../../api/signature/settings.ts';
import { signRequest } from '../../../../api/signature/signRequest.ts';
import type { CallResult } from '../result.ts';
import { thrown, unusableCredential } from './failure.ts';
import { readResponse } from './readResponse.ts';
import type { RawResponse } from './readResponse.ts';

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

/** n8n's own default for declarative nodes, in milliseconds. */
const TIMEOUT = 300_000;

/** n8n repeats a request after an answer with this status. No answer has the status 0, so n8n repeats none. */
const NO_SECOND_TRY = { preAuthenticationRetryStatusCode: 0 };

/** A socket that stays busy never times out by itself. */
async function withDeadline<T>(milliseconds: number, send: () => Promise<T>): Promise<T> {
	const answered = new AbortController();
	const deadline = sleep(milliseconds, answered.signal).then(() => {
		throw Object.assign(new OperationalError('No answer in time'), { code: 'ETIMEDOUT' });
	});
	try {
		return await Promise.race([send(), deadline]);
	} finally {
		answered.abort();
		deadline.catch(() => {});
	}
}

type Sender = IExecuteFunctions | IExecuteSingleFunctions | ILoadOptionsFunctions;

/** Sends one request and reads the answer. `body` is the exact text; undefined: no body. Never throws. */
type Send = (
	entry: CatalogEntry,
	body: string | undefined,
	options: SendOptions & { simplify: boolean },
) => Promise<CallResult>;

export interface SendOptions {
	/** Goes out in a header, if the credential names one. */
	paymentKey?: string;
	/** Payments: the fields of the request that the answer may repeat. */
	asked?: Record<string, string>;
	/** Payments: further statuses that this service uses for refusals only. */
	refusedCodes?: number[];
}

/** Makes the function that sends the requests of one run of a node. `connection`: from "Request Options". */
export function requestSender(
	context: Sender,
	connection: Partial<IHttpRequestOptions> = {},
	credential = credentialReader(context),
): Send {
	return async ({ endpoint, method, path }, body, { paymentKey, ...reading }) => {
		const options: IHttpRequestOptions = {
			timeout: TIMEOUT,
			...connection,
			...REQUEST_DEFAULTS,
			method,
			url: path,
			body,
			returnFullResponse: true,
		};
		let keyHeader: string | undefined;
		try {
			const { allowedDomains, paymentKeyHeader } = await credential();
			options.allowedDomains = allowedDomains;
			keyHeader = paymentKeyHeader;
			if (keyHeader !== undefined && paymentKey !== undefined)
				options.headers = { ...options.headers, [keyHeader]: paymentKey };
		} catch (error) {
			return { ok: false, failure: unusableCredential(error) };
		}
		try {
			const send = async () =>
				(await context.helpers.httpRequestWithAuthentication.call(
					context,
					'walletServiceApi',
					options,
					NO_SECOND_TRY,
				)) as IN8nHttpFullResponse;
			const answer = await withDeadline(options.timeout ?? TIMEOUT, send);
			return readResponse(endpoint, rawResponseOf(answer), {
				...reading,
				secrets: secretsIn(options.headers, keyHeader),
			});
		} catch (error) {
			return { ok: false, failure: thrown(endpoint, error) };
		}
	};
}

/** What the node itself reads of the credential. */
export interface Credential {
	/** The account that pays: Base URL and n8n's id of the credential. A rotated key is the same account. */
	account: string;
	/** The domains that the credential is limited to; undefined: no limit. n8n itself checks them for declarative requests only. */
	allowedDomains?: string;
	/** The header that carries Payment Key to the service; undefined: none. */
	paymentKeyHeader?: string;
}

/** Reads the credential once for a run: n8n reads its database and decrypts the credential each time it is asked. */
export function credentialReader(context: Sender): () => Promise<Credential> {
	let credential: Promise<Credential> | undefined;
	return async () => {
		credential ??= readCredential(context);
		credential.catch(() => (credential = undefined));
		return await credential;
	};
}

async function readCredential(context: Sender): Promise<Credential> {
	const settings = await context.getCredentials<
		SigningSettings & { baseUrl: string; allowedHttpRequestDomains?: string; allowedDomains?: string }
	>('walletServiceApi');
	const { baseUrl, allowedHttpRequestDomains, allowedDomains = '' } = settings;
	const { origin, pathname } = serviceUrl(baseUrl, '/v1/');
	const { id } = context.getNode().credentials?.walletServiceApi ?? {};
	return {
		account: JSON.stringify([origin, pathname, id]),
		...(allowedHttpRequestDomains === 'domains' && {
			allowedDomains: requireText(allowedDomains.trim(), 'Allowed Domains'),
		}),
		paymentKeyHeader: paymentKeyHeaderOf(settings),
	};
}

/** What the node reads of an HTTP response. */
export function rawResponseOf({ statusCode, body, headers }: IN8nHttpFullResponse): RawResponse {
	const text = typeof body === 'string' ? body : '';
	const retryAfter = headers['retry-after'];
	return { statusCode, body: text, ...(typeof retryAfter === 'string' ? { retryAfter } : {}) };
}

/** Values of the headers that hold the key and the signature: a service may repeat them in its answer. A payment key is no secret. */
export function secretsIn(headers: IDataObject = {}, keyHeader?: string): string[] {
	return Object.entries(headers)
		.filter(([name]) => isSecretHeader(name) && name !== keyHeader)
		.map(([, value]) => String(value));
}

function isSecretHeader(header: string): boolean {
	return /^x-.*-(key|signature)$/.test(header);
}

/**
 * Signs the request to show that it can be sent. Returns an item with the request, without key, signature and log-in, if it is
 * to be shown, otherwise an empty one.
 */
export async function describeRequest(
	context: IExecuteFunctions | IExecuteSingleFunctions,
	{ endpoint, method, path }: CatalogEntry,
	body: string | undefined,
	{ showRequest, paymentKey }: { showRequest: boolean; paymentKey?: string },
): Promise<CallResult> {
	try {
		const credentials = await context.getCredentials<SigningSettings & { baseUrl: string }>(
			'walletServiceApi',
		);
		const url = serviceUrl(credentials.baseUrl, path);
		const signed = signRequest(credentials, { method, url, body: body ?? '' }, Date.now());
		const keyHeader = paymentKeyHeaderOf(credentials);
		const headers = {
			...REQUEST_DEFAULTS.headers,
			'Content-Type': 'application/json',
			...(keyHeader !== undefined && paymentKey !== undefined && { [keyHeader]: paymentKey }),
			...signed,
		};
		const shown = Object.entries(headers).map(([name, value]) => [
			name,
			name !== keyHeader && isSecretHeader(name) ? '[redacted]' : value,
		]);
		url.username = '';
		url.password = '';
		const request = {
			method,
			url: url.href,
			headers: Object.fromEntries(shown) as IDataObject,
			body: toPlain(parseExact(body ?? 'null')) as IDataObject,
		};
		return { ok: true, items: [showRequest ? { request } : {}] };
	} catch (error) {
		return { ok: false, failure: thrown(endpoint, error) };
	}
}

/**
 * "Request Options", which n8n adds to every declarative node, as settings of a request. Undefined if they cannot be used.
 */
export function connectionOf(requestOptions: unknown): Partial<IHttpRequestOptions> | undefined {
	const { timeout, allowUnauthorizedCerts, proxy } = (requestOptions ?? {}) as {
		timeout?: unknown;
		allowUnauthorizedCerts?: boolean;
		proxy?: string;
	};
	// Above this number a timer of Node.js ends at once.
	if (timeout && !(typeof timeout === 'number' && timeout > 0 && timeout < 2 ** 31)) return undefined;
	// n8n's HTTP client passes over other proxies, and the payment would go out without one.
	if (proxy && !/^https?:\/\/[^/]/i.test(proxy)) return undefined;
	if (proxy && !URL.canParse(proxy)) return undefined;
	return {
		...(timeout ? { timeout: timeout as number } : {}),
		...(allowUnauthorizedCerts ? { skipSslCertificateValidation: true } : {}),
		...(proxy ? { proxy: proxyOf(proxy) } : {}),
	};
}

function proxyOf(address: string): IHttpRequestOptions['proxy'] {
	const { protocol, hostname, port, username, password } = new URL(address);
	return {
		protocol: protocol.replace(/:$/, ''),
		host: hostname,
		port: Number(port || (protocol === 'https:' ? 443 : 80)),
		...(username
			? { auth: { username: decodeURIComponent(username), password: decodeURIComponent(password) } }
			: {}),
	};
}
