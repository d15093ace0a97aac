/** The controls that show what the sandbox keeps and was asked. */
import { z } from 'zod/v4';
import { EVENTS } from '../../api/events.ts';
import { snapshotLedger } from '../ledger/ledger.ts';
import { requireRecord } from '../ledger/table.ts';
import type { Service } from '../machine/service.ts';
import type { AddControl } from './control.ts';

/** Limits the lists that grow to so many of the newest entries. */
const last = z.object({
	last: z
		.string()
		.regex(/^[1-9]\d{0,5}$/, 'must be a whole number above zero')
		.transform(Number)
		.optional(),
});

export function addLooks(control: AddControl, { ledger, deliveries, settings, faults, requests }: Service) {
	control('GET /state', last, ({ last: newest }) => {
		const { webhookUrl, paymentKeyHeader } = settings.current;
		return {
			events: Object.keys(EVENTS),
			webhook: { url: webhookUrl || null, earlier: deliveries.earlierUrls() },
			webhook_names: deliveries.names,
			settings: settings.delays,
			payment_key_header: paymentKeyHeader || null,
			...snapshotLedger(ledger, newest),
			faults: faults.all(),
		};
	});
	control('GET /payouts/:id', z.object({}), (_, id) => ({
		payout: requireRecord(ledger.payouts, id, 'payout', 'id'),
		requests: requests.all().filter(({ made }) => made === id),
		movements: ledger.movements.all().filter(({ reference }) => reference === id),
		deliveries: deliveries.all().filter(({ body }) => (JSON.parse(body) as { id?: unknown }).id === id),
	}));
	control('GET /deliveries', last, ({ last: newest }) => ({ results: deliveries.all(newest) }));
	control('GET /movements', last, ({ last: newest }) => ({ results: ledger.movements.all(newest) }));
	control('GET /requests', last, ({ last: newest = 0 }) => ({ results: requests.all().slice(-newest) }));
}
