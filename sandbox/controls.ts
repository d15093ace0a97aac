/** The sandbox's own controls under `/_sandbox`: people and tests make deposits arrive, reviews happen and requests fail. */
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { z } from 'zod/v4';
import { isEventName } from '../api/events.ts';
import { FAULT } from './faults.ts';
import { createSettlementAccount, issueVirtualAccount, reviewDestination } from './ledger/accounts.ts';
import { adminFunding, depositCrypto, depositFiat } from './ledger/funding.ts';
import { snapshotLedger } from './ledger/ledger.ts';
import { setPayoutStatus } from './ledger/payouts.ts';
import { SENDER } from './ledger/seed.ts';
import { checkHeader } from './paymentKeys.ts';
import { PAYOUT_STATUSES } from './records.ts';
import { anyAmount, check, code, integer, parseBody, readText, requireJson, text } from './requests.ts';
import { SAMPLES } from './samples.ts';
import type { Service } from './service.ts';
import { PRINTED } from './settings.ts';

/** Limits the lists that grow to so many of the newest entries. */
const last = z.object({
	last: z
		.string()
		.regex(/^[1-9]\d{0,5}$/, 'must be a whole number above zero')
		.transform(Number)
		.optional(),
});

/** Accepts any case: `whitelisted` becomes `Whitelisted`. */
const decision = text
	.transform((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
	.pipe(z.enum(['Whitelisted', 'Rejected', 'Pending']));

const fiatDeposit = z.object({
	alias: text,
	amount: anyAmount,
	sender_bank: text.default(SENDER.sender_bank),
	sender_account_name: text.default(SENDER.sender_account_name),
	sender_account_number: text.default(SENDER.sender_account_number),
});
const cryptoDeposit = z.object({ wallet_alias: text, coin: code, amount: anyAmount });

const virtualAccount = z.object({
	alias: text,
	currency: code.default('NGN'),
	bank: text.default('Sandbox Bank'),
	account_name: text.default('Acme Trading / New Customer'),
	merchant: text.default('Acme Checkout'),
});

const settlementAccount = z.object({
	alias: text,
	bank_name: text.default('First Example Bank'),
	account_number: text.default('0123456789'),
	account_name: text.default('New Supplier Ltd'),
	currency: code.default('NGN'),
	other_details: text.default('Branch: Lagos'),
});

const funding = z.object({
	asset: code,
	amount: anyAmount,
	direction: text.transform((word) => word.toLowerCase()).pipe(z.enum(['credit', 'debit'])),
	/** Id of a proof of payment. */
	funding_request: text.optional(),
});

const milliseconds = integer(0, 86_400_000).optional();
const delays = z.strictObject({
	settleAfterMs: milliseconds.nullable(),
	retryDelayMs: milliseconds,
	deliveryTimeoutMs: milliseconds,
});

export function controls({ ledger, deliveries, ...service }: Service): Hono {
	const { settings, store, faults, requests } = service;
	const app = new Hono();
	app.use(async ({ req }, next) => {
		// A page of another local port cannot send this type: browsers ask the sandbox first, and it does not allow it.
		if (req.method !== 'GET') requireJson(req.raw);
		await next();
	});

	/** `run` gets the validated body (of a GET: query) and the ID in the path, and returns the answer. */
	const control = <Schema extends z.ZodType>(
		route: string,
		schema: Schema,
		run: (fields: z.output<Schema>, id: string) => unknown,
	) => {
		const [method = '', path = ''] = route.split(' ');
		app.on(method, path, async ({ req, json }) => {
			const sent = method === 'GET' ? req.query() : parseBody(await readText(req.raw));
			const fields = check(schema, sent);
			return json(store.transaction(() => run(fields, req.param('id') ?? '')) as object);
		});
	};

	control('GET /state', last, ({ last: newest }) => {
		const { webhookUrl, paymentKeyHeader } = settings.current;
		return {
			webhook: { url: webhookUrl || null, earlier: deliveries.earlierUrls() },
			webhook_names: deliveries.names,
			settings: settings.delays,
			payment_key_header: paymentKeyHeader || null,
			...snapshotLedger(ledger, newest),
			faults: faults.all(),
		};
	});
	control('GET /deliveries', last, ({ last: newest }) => ({ results: deliveries.all(newest) }));
	control('GET /movements', last, ({ last: newest }) => ({ results: ledger.movements.all(newest) }));
	control('GET /requests', last, ({ last: newest = 0 }) => ({ results: requests.all().slice(-newest) }));
	app.get('/credential', ({ req, json }) => {
		const values: Record<string, unknown> = { url: new URL(req.url).origin, ...settings.current };
		return json(Object.fromEntries(Object.entries(PRINTED).map(([name, label]) => [label, values[name]])));
	});
	app.get('/changes', (context) =>
		streamSSE(context, async (stream) => {
			for (let shown: number | undefined; !stream.aborted; await stream.sleep(100)) {
				const changes = store.changes + faults.changes;
				if (changes !== shown) await stream.writeSSE({ data: 'changed' });
				shown = changes;
			}
		}),
	);

	control('PUT /settings', delays, (changes) => {
		settings.change(changes);
		if (changes.settleAfterMs !== undefined) service.settlePending();
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

	control('POST /deposits', z.looseObject({}), (sent) =>
		'wallet_alias' in sent
			? depositCrypto(ledger, check(cryptoDeposit, sent))
			: depositFiat(ledger, check(fiatDeposit, sent)),
	);
	control('POST /reviews', z.object({ alias: text, decision }), (review) =>
		reviewDestination(ledger, review),
	);
	control('POST /virtual_accounts', virtualAccount, (account) => issueVirtualAccount(ledger, account));
	// The API has no endpoint for this.
	control('POST /settlement_accounts', settlementAccount, (account) =>
		createSettlementAccount(ledger, account),
	);
	control('POST /admin_funding', funding, (given) => adminFunding(ledger, given));
	control('POST /payouts/:id', z.object({ status: z.enum(PAYOUT_STATUSES) }), ({ status }, id) =>
		setPayoutStatus(ledger, id, status),
	);
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
	app.post('/reset', async ({ json }) => {
		await service.reset();
		return json({ status: 'reset' });
	});
	return app;
}
