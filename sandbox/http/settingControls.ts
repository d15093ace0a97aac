/** The controls of what stays after a reset: delays, the webhook and the header of payment keys. */
import { z } from 'zod/v4';
import { checkHeader } from '../machine/paymentKeys.ts';
import type { Service } from '../machine/service.ts';
import type { AddControl } from './control.ts';
import { integer, text } from './requests.ts';

const milliseconds = integer(0, 86_400_000).optional();
const delays = z.strictObject({
	settleAfterMs: milliseconds.nullable(),
	retryDelayMs: milliseconds,
	deliveryTimeoutMs: milliseconds,
});

export function addSettings(control: AddControl, { settings, deliveries, settlePending }: Service): void {
	control('PUT /settings', delays, (changes) => {
		settings.change(changes);
		if (changes.settleAfterMs !== undefined) settlePending();
		return settings.delays;
	});
	control('PUT /webhook', z.strictObject({ url: text.nullable() }), ({ url }) => {
		deliveries.register(url ?? '');
		return { url };
	});
	control('PUT /webhook_names', z.strictObject({ names: z.record(text, text) }), ({ names }) => ({
		webhook_names: Object.assign(deliveries.names, names),
	}));
	const header = z.strictObject({ header: text.nullable() });
	control('PUT /payment_key_header', header, (sent) => {
		settings.change({ paymentKeyHeader: checkHeader(sent.header ?? '') });
		return { header: settings.current.paymentKeyHeader || null };
	});
}
