import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'undici';

/** Parsed JSON of any shape, for tests that read it freely. */
export type AnyJson = ReturnType<typeof JSON.parse>;

export interface HttpResponse {
	status: number;
	headers: IncomingHttpHeaders;
	text: string;
	/** undefined if the content type is not JSON. */
	json: AnyJson;
}

/** n8n closes an idle connection after five seconds. On a busy machine, a request may use it at that instant. */
const dispatcher = new Agent({ pipelining: 0 });

/** The one HTTP client of everything that is not published: sends a request with exactly these headers, over a connection of its own. */
export async function send(
	url: string,
	method: string,
	body?: string | Uint8Array,
	headers: IncomingHttpHeaders = {},
	signal?: AbortSignal,
): Promise<HttpResponse> {
	const response = await request(url, { method: method as 'GET', body, headers, signal, dispatcher });
	const text = await response.body.text();
	const isJson = String(response.headers['content-type']).startsWith('application/json');
	const json: unknown = isJson ? JSON.parse(text) : undefined;
	return { status: response.statusCode, headers: response.headers, text, json };
}
