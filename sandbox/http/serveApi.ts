/** Answers the requests to `/v1`: fault, route, authentication, validation and handler, in this order. */
import { movesMoney } from '../../api/catalog.ts';
import type { EndpointId } from '../../api/endpoints.ts';
import { UNDOCUMENTED } from '../../api/shape.ts';
import { timestamp } from '../ledger/ledger.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { Refusal } from '../ledger/refusal.ts';
import type { Service } from '../machine/service.ts';
import { authenticate } from './authentication.ts';
import { applyFault } from './faults.ts';
import { HANDLERS } from './handlers.ts';
import type { Handler } from './handlers.ts';
import { refusalResponse } from './refusalResponse.ts';
import { check, parseBody, readText, requireJson } from './requests.ts';
import { ROUTES } from './routes.ts';
import type { Route } from './routes.ts';
import { UNDOCUMENTED_NOTE } from './undocumented.ts';

/** `Response.error()` means: close the connection without a response. */
export async function serveApi(service: Service, request: Request, path: string): Promise<Response> {
	const { ledger, store, tasks, faults, paymentKeys, requests, settings } = service;
	const body = await readText(request);
	const logged = requests.add(request, body, timestamp(ledger));
	const name = `${request.method} ${path}`;
	const fault = faults.take(name);
	const answer = () => {
		const route = ROUTES.get(name);
		if (route === undefined) throw new Refusal('not_found', `There is no endpoint ${name}`);
		authenticate(settings.current, request, body, ledger.now());
		const { appliedRate } = fault ?? {};
		const call = () => JSON.stringify(callHandler(route, request, body, { ...ledger, appliedRate }));
		if (!movesMoney(route.operation)) return call();
		const paid = paymentKeys.once(request, name, body, call);
		const { payout_id, transaction_id } = JSON.parse(paid) as Record<string, string>;
		logged.made = payout_id ?? transaction_id;
		return paid;
	};
	const execute = () => {
		try {
			const headers = new Headers({ 'content-type': 'application/json' });
			if (ROUTES.get(name)?.operation.response === UNDOCUMENTED)
				headers.set('x-sandbox-note', UNDOCUMENTED_NOTE);
			return new Response(store.transaction(answer), { headers });
		} catch (error) {
			return refusalResponse(error);
		}
	};
	try {
		const response = fault === undefined ? execute() : await applyFault(fault, execute, tasks);
		await requests.answered(logged, response, () => timestamp(ledger));
		return response;
	} finally {
		paymentKeys.answered(request);
	}
}

function callHandler({ operation, schema }: Route, request: Request, body: string, ledger: Ledger): object {
	if (body !== '') requireJson(request);
	const fields = check(schema, parseBody(body));
	// Schema and handler belong to the same id, which the types cannot follow through a map.
	const handler = HANDLERS[operation.id] as Handler<EndpointId>;
	return handler(fields as never, ledger);
}
