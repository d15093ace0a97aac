/** Answers the requests to `/_sandbox`. */
import { CONTROLS } from './controls.ts';
import type { ControlContext } from './controls.ts';
import { requireLoopback } from './loopback.ts';
import { notFound, refusalResponse } from './refusal.ts';
import { check, parseBody, readText, requireJson } from './requests.ts';

export async function serveControls(context: ControlContext, request: Request, url: URL): Promise<Response> {
	try {
		requireLoopback(request, url);
		// A page of another local port cannot send this type: browsers ask the sandbox first, and it does not allow it.
		if (request.method !== 'GET') requireJson(request);
		return await runControl(context, request.method, url, await readText(request));
	} catch (error) {
		return refusalResponse(error);
	} finally {
		context.store.commit();
	}
}

async function runControl(
	context: ControlContext,
	method: string,
	url: URL,
	body: string,
): Promise<Response> {
	const path = url.pathname.slice('/_sandbox/'.length);
	// `payouts/po_1` and `deliveries/dlv_1/redeliver` are listed with `:id` as their second part.
	const [name, id, ...rest] = path.split('/');
	const pattern = [name, ...(id === undefined ? [] : [':id']), ...rest].join('/');
	const control = CONTROLS.get(`${method} ${pattern}`);
	if (control === undefined) {
		const known = [...CONTROLS.keys()].join(', ');
		throw notFound(`There is no control ${method} ${path}. The controls are: ${known}`);
	}
	const sent = method === 'GET' ? Object.fromEntries(url.searchParams) : parseBody(body);
	const fields = check(control.request, sent);
	const result = await control.run(context, { request: fields, id: id ?? '', origin: url.origin });
	return result instanceof Response ? result : Response.json(result);
}
