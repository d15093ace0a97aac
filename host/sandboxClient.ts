/** An HTTP client of the sandbox for tests and benches. */
import { createHmac } from 'node:crypto';
import { request } from 'undici';
import type { SandboxConnection } from './sandboxProgram.ts';

/** Parsed JSON of any shape, for tests that read it freely. */
export type AnyJson = ReturnType<typeof JSON.parse>;

export interface HttpResponse {
	status: number;
	headers: Record<string, unknown>;
	text: string;
	/** undefined if the content type is not JSON. */
	json: AnyJson;
}

/** Sends one HTTP request with exactly these headers. */
export async function send(
	url: string,
	method: string,
	body?: string | Uint8Array,
	headers: Record<string, string> = {},
): Promise<HttpResponse> {
	const response = await request(url, { method: method as 'GET', body, headers });
	const text = await response.body.text();
	const isJson = String(response.headers['content-type']).startsWith('application/json');
	const json: unknown = isJson ? JSON.parse(text) : undefined;
	return { status: response.statusCode, headers: response.headers, text, json };
}

/** The three headers by the credential's defaults. Computed here, so that the code under test does not check itself. */
export function signed(
	{ key, secret }: Pick<SandboxConnection, 'key' | 'secret'>,
	method: string,
	path: string,
	body: string,
	timestamp: number,
) {
	const signature = createHmac('sha256', secret).update(`${timestamp}${method}${path}${body}`).digest('hex');
	return { 'x-svc-key': key, 'x-svc-signature': signature, 'x-svc-timestamp': String(timestamp) };
}

/** A signed API call to a route such as `POST /v1/fiat_balance`. Sends the body unchanged. */
export function call(
	sandbox: Pick<SandboxConnection, 'url' | 'key' | 'secret'>,
	route: string,
	body = '',
	now = Date.now(),
): Promise<HttpResponse> {
	const [method, path] = splitRoute(route);
	const headers: Record<string, string> = { accept: '*/*', ...signed(sandbox, method, path, body, now) };
	if (body !== '') headers['content-type'] = 'application/json';
	return send(sandbox.url + path, method, body === '' ? undefined : body, headers);
}

/** Calls a control of the sandbox, such as `GET state`. */
export function control(
	{ url }: Pick<SandboxConnection, 'url'>,
	route: string,
	body?: unknown,
): Promise<HttpResponse> {
	const [method, path] = splitRoute(route);
	const text = body === undefined ? undefined : JSON.stringify(body);
	return send(`${url}/_sandbox/${path}`, method, text, { 'content-type': 'application/json' });
}

/** Calls a control and returns the JSON of its response. Throws if the sandbox refuses. */
export async function requireControl(
	sandbox: Pick<SandboxConnection, 'url'>,
	route: string,
	body?: unknown,
): Promise<Record<string, unknown>> {
	const response = await control(sandbox, route, body);
	if (response.status < 400) return response.json as Record<string, unknown>;
	throw new Error(`The sandbox refused ${route}: ${response.status} ${response.text}`);
}

/** The balance of a currency or coin as plain decimal text. */
export async function balanceOf(sandbox: SandboxConnection, code: string): Promise<string> {
	const { balances } = (await requireControl(sandbox, 'GET state')) as { balances: Record<string, string> };
	const balance = balances[code];
	if (balance === undefined) throw new Error(`The sandbox has no ${code} balance`);
	return balance;
}

function splitRoute(route: string): [method: string, path: string] {
	const [method = '', path = ''] = route.split(' ');
	return [method, path];
}
