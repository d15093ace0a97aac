/** The routes: the API under `/v1`, the controls under `/_sandbox`, the OpenAPI document, and the page. */
import type { HttpBindings } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { isLoopback } from '../../api/address.ts';
import { Refusal } from '../ledger/refusal.ts';
import type { Service } from '../machine/service.ts';
import { controls } from './controls.ts';
import { openApi } from './openapi.ts';
import { refusalResponse } from './refusalResponse.ts';
import { SAFE_HEADERS } from './safeHeaders.ts';
import { serveApi } from './serveApi.ts';

export function createApp(service: Service) {
	const app = new Hono<{ Bindings: HttpBindings }>();
	app.onError((error, { text }) =>
		error instanceof Refusal ? refusalResponse(error) : text(error.message, 500),
	);
	app.notFound(({ req }) => refusalResponse(new Refusal('not_found', `There is nothing at ${req.path}`)));

	app.all('/v1/*', async ({ req, env }) => {
		const response = await serveApi(service, req.raw, req.path);
		if (response.type !== 'error') return response;
		env.incoming.socket.destroy();
		return RESPONSE_ALREADY_SENT;
	});

	app.use(async ({ req, header }, next) => {
		requireLoopback(req.raw);
		await next();
		for (const [name, value] of Object.entries(SAFE_HEADERS)) header(name, value);
	});
	app.route('/_sandbox', controls(service));
	app.get('/openapi.json', ({ req, json }) => json(openApi(new URL(req.url).origin)));
	app.get('/*', serveStatic({ root: 'sandbox/page' }));
	return app;
}

/** Throws a Refusal for another host name (DNS rebinding) and for a page of another origin. */
function requireLoopback({ url, headers }: Request): void {
	const origin = headers.get('origin');
	const fromLoopback = origin === null || (URL.canParse(origin) && isLoopback(new URL(origin).hostname));
	if (isLoopback(new URL(url).hostname) && fromLoopback) return;
	throw new Refusal('forbidden', 'Only this machine can use the controls of the sandbox');
}
