/** The sandbox's own controls under `/_sandbox`: people and tests make deposits arrive, reviews happen and requests fail. */
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { z } from 'zod/v4';
import { isEventName } from '../../api/events.ts';
import type { Service } from '../machine/service.ts';
import { PRINTED } from '../machine/settings.ts';
import { controlsOn } from './control.ts';
import type { AddControl } from './control.ts';
import { FAULT } from './faults.ts';
import { addLooks } from './lookControls.ts';
import { addMoney } from './moneyControls.ts';
import { requireJson, text } from './requests.ts';
import { SAMPLES } from './samples.ts';
import { addSettings } from './settingControls.ts';

export function controls(service: Service): Hono {
	const app = new Hono();
	app.use(async ({ req }, next) => {
		// A page of another local port cannot send this type: browsers ask the sandbox first, and it does not allow it.
		if (req.method !== 'GET') requireJson(req.raw);
		await next();
	});
	const control = controlsOn(app, service.store);
	addLooks(control, service);
	addSettings(control, service);
	addMoney(control, service.ledger);
	addTraffic(control, service);
	addChanges(app, service);
	app.get('/credential', ({ req, json }) => {
		const values: Record<string, unknown> = { url: new URL(req.url).origin, ...service.settings.current };
		return json(Object.fromEntries(Object.entries(PRINTED).map(([name, label]) => [label, values[name]])));
	});
	app.post('/reset', async ({ json }) => {
		await service.reset();
		return json({ status: 'reset' });
	});
	return app;
}

/** Deliveries that nothing caused, and requests that fail. */
function addTraffic(control: AddControl, { deliveries, faults }: Service): void {
	// Not validated, so that receivers can be tested with bodies that the service never sends.
	control('POST /events', z.looseObject({ event: text }), ({ event, ...fields }) => {
		const sample: object = isEventName(event) ? SAMPLES[event] : {};
		return deliveries.add({ event, ...sample, ...fields });
	});
	control('POST /deliveries/:id/redeliver', z.object({}), (_, id) => deliveries.redeliver(id));
	control('POST /faults', FAULT, (fault) => {
		faults.add(fault);
		return fault;
	});
}

/** Tells the page that something is another one now. */
function addChanges(app: Hono, { store, faults, requests }: Service): void {
	app.get('/changes', (context) =>
		streamSSE(context, async (stream) => {
			for (let shown: number | undefined; !stream.aborted; await stream.sleep(100)) {
				const changes = store.changes + faults.changes + requests.changes;
				if (changes !== shown) await stream.writeSSE({ data: 'changed' });
				shown = changes;
			}
		}),
	);
}
