/** Answers the requests to `/v1`: fault, route, authentication, validation and handler, in this order. */
import type { EndpointId } from '../api/endpoints.ts';
import { authenticate } from './authentication.ts';
import { applyFault } from './faults.ts';
import type { Faults } from './faults.ts';
import { HANDLERS } from './handlers.ts';
import type { Handler } from './handlers.ts';
import { timestamp } from './ledger/ledger.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { PaymentKeys } from './paymentKeys.ts';
import { notFound, Refusal, refusalResponse } from './refusal.ts';
import type { ErrorShape } from './refusal.ts';
import type { RequestLog } from './requestLog.ts';
import { check, parseBody, readText, requireJson } from './requests.ts';
import { ROUTES } from './routes.ts';
import type { Route } from './routes.ts';
import type { Store } from './store.ts';
import type { Tasks } from './tasks.ts';
import { UNDOCUMENTED_NOTE } from './undocumented.ts';

export interface ApiContext {
	ledger: Ledger;
	store: Store;
	tasks: Tasks;
	faults: Faults;
	paymentKeys: PaymentKeys;
	requests: RequestLog;
	/** What the credential needs. */
	secrets: { key: string; secret: string; webhookSecret: string };
	errorShape?: ErrorShape;
}

export async function serveApi(context: ApiContext, request: Request, url: URL): Promise<Response> {
	const { ledger, store, tasks, faults, paymentKeys, requests, secrets, errorShape } = context;
	const body = await readText(request);
	const logged = requests.add(request, body, timestamp(ledger));
	const execute = () => {
		const response = respond(() => {
			const route = findRoute(request.method, url.pathname);
			authenticate(secrets, request, body, ledger.now());
			const answer = () => JSON.stringify(callHandler(route, request, body, ledger));
			const { route: name, movesMoney } = route.endpoint;
			return movesMoney ? paymentKeys.once(request, secrets.key, { route: name, body }, answer) : answer();
		}, errorShape);
		store.commit();
		return response;
	};
	const fault = faults.take(`${request.method} ${url.pathname}`);
	try {
		const response = fault === undefined ? execute() : await applyFault(fault, execute, tasks);
		logged.status = response.status;
		return response;
	} finally {
		paymentKeys.answered(request);
	}
}

/** `run` returns the JSON of the response. */
function respond(run: () => string, shape?: ErrorShape): Response {
	try {
		return new Response(run(), { headers: { 'content-type': 'application/json' } });
	} catch (error) {
		return refusalResponse(error, { shape });
	}
}

/** Throws a Refusal (404, or 405 if the path takes another method). */
function findRoute(method: string, path: string): Route {
	const route = ROUTES.get(`${method} ${path}`);
	if (route !== undefined) return route;
	const allowed = ['GET', 'POST'].find((each) => ROUTES.has(`${each} ${path}`));
	if (allowed === undefined) throw notFound(`There is no endpoint ${path}`);
	throw new Refusal(405, 'method_not_allowed', `${path} takes ${allowed} only`);
}

function callHandler(route: Route, request: Request, body: string, ledger: Ledger): unknown {
	if (body !== '') requireJson(request);
	const fields = check(route.request, parseBody(body));
	// Schema and handler belong to the same id, which the types cannot follow through a map.
	const handler = HANDLERS[route.id] as Handler<EndpointId>;
	const result = handler(fields as never, ledger) as object;
	return route.undocumented ? { ...result, sandbox_note: UNDOCUMENTED_NOTE } : result;
}
