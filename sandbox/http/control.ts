/** One control of the sandbox: a route under `/_sandbox` whose fields are checked, and which runs in a transaction. */
import type { Hono } from 'hono';
import type { z } from 'zod/v4';
import type { Store } from '../machine/store.ts';
import { check, parseBody, readText } from './requests.ts';

/** `run` gets the validated body (of a GET: query) and the ID in the path, and returns the answer. */
export type AddControl = <Schema extends z.ZodType>(
	route: string,
	schema: Schema,
	run: (fields: z.output<Schema>, id: string) => unknown,
) => void;

export function controlsOn(app: Hono, store: Store): AddControl {
	return (route, schema, run) => {
		const [method = '', path = ''] = route.split(' ');
		app.on(method, path, async ({ req, json }) => {
			const sent = method === 'GET' ? req.query() : parseBody(await readText(req.raw));
			const fields = check(schema, sent);
			return json(store.transaction(() => run(fields, req.param('id') ?? '')) as object);
		});
	};
}
