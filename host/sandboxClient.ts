/** The controls of the sandbox over HTTP. */
import { send, type HttpResponse } from './http.ts';

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
