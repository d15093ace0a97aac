/** The controls of the sandbox over HTTP. */
import { request } from 'undici';

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

/** Calls a control of the sandbox, such as `GET state`. */
export function control({ url }: { url: string }, route: string, body?: unknown): Promise<HttpResponse> {
	const [method = '', path = ''] = route.split(' ');
	const text = body === undefined ? undefined : JSON.stringify(body);
	return send(`${url}/_sandbox/${path}`, method, text, { 'content-type': 'application/json' });
}

/** Calls a control and returns the JSON of its response. Throws if the sandbox refuses. */
export async function requireControl(
	sandbox: { url: string },
	route: string,
	body?: unknown,
): Promise<Record<string, unknown>> {
	const response = await control(sandbox, route, body);
	if (response.status < 400) return response.json as Record<string, unknown>;
	throw new Error(`The sandbox refused ${route}: ${response.status} ${response.text}`);
}
