/** The sandbox's own controls under `/_sandbox`, with which people and tests make the world move. */
import { z } from 'zod';
import { isEventName } from '../api/events.ts';
import type { Deliveries } from './deliveries.ts';
import { FAULT } from './faults.ts';
import type { Faults } from './faults.ts';
import { PAYOUT_STATUSES } from './records.ts';
import { notFound } from './refusal.ts';
import type { RequestLog } from './requestLog.ts';
import { anyAmount, code, readRequest, text } from './requests.ts';
import { SAMPLES } from './samples.ts';
import type { World } from './world.ts';

/** What the controls act upon. */
export interface Machinery {
	world: World;
	deliveries: Deliveries;
	faults: Faults;
	requests: RequestLog;
	/** Everything back to the start, except the webhook URL. */
	reset: () => Promise<void>;
}

type Control = (machinery: Machinery, body: string, id: string) => unknown;

/** Turns `whitelisted` into `Whitelisted`. */
const decision = text
	.transform((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
	.pipe(z.enum(['Whitelisted', 'Rejected', 'Pending']));

const fiatDeposit = z.object({
	alias: text,
	amount: anyAmount,
	sender_bank: text.default('First Example Bank'),
	sender_account_name: text.default('Ada Obi'),
	sender_account_number: text.default('0011223344'),
});

const cryptoDeposit = z.object({ wallet_alias: text, coin: code, amount: anyAmount });

const virtualAccount = z.object({
	alias: text,
	currency: code.default('NGN'),
	bank: text.default('Sandbox Bank'),
	account_name: text.default('Acme Trading / New Customer'),
	merchant: text.default('Acme Checkout'),
});

const adminFunding = z.object({
	asset: code,
	amount: anyAmount,
	direction: text.transform((word) => word.toLowerCase()).pipe(z.enum(['credit', 'debit'])),
	funding_request: text.optional(),
});

const CONTROLS: Record<string, Control> = {
	'GET state': ({ world, deliveries, faults }) => ({
		webhook: { url: deliveries.url || null },
		...world.snapshot(),
		faults: faults.all(),
	}),
	'PUT webhook': ({ deliveries }, body) => {
		const { url } = readRequest(z.object({ url: text.nullable() }), body);
		deliveries.url = url ?? '';
		return { url };
	},
	'POST deposits': ({ world }, body) => {
		const { wallet_alias } = readRequest(z.object({ wallet_alias: text.optional() }), body);
		if (wallet_alias !== undefined) {
			const { coin, amount } = readRequest(cryptoDeposit, body);
			return world.depositCrypto(wallet_alias, coin, amount);
		}
		const deposit = readRequest(fiatDeposit, body);
		return world.depositFiat(deposit.alias, deposit.amount, {
			bank: deposit.sender_bank,
			account_name: deposit.sender_account_name,
			account_number: deposit.sender_account_number,
		});
	},
	'POST reviews': ({ world }, body) => {
		const review = readRequest(z.object({ alias: text, decision }), body);
		return world.review(review.alias, review.decision);
	},
	'POST virtual_accounts': ({ world }, body) => {
		const account = readRequest(virtualAccount, body);
		world.balance('fiat', account.currency, 'currency');
		return world.issueVirtualAccount(account);
	},
	'POST admin_funding': ({ world }, body) => {
		const { asset, amount, direction, funding_request } = readRequest(adminFunding, body);
		return world.adminFunding(asset, amount, direction, funding_request);
	},
	'POST payouts/:id': ({ world }, body, id) => {
		const { status } = readRequest(z.object({ status: z.enum(PAYOUT_STATUSES) }), body);
		return world.setPayoutStatus(id, status);
	},
	// Whatever is asked for is sent, also what the service never would: wrong types, unknown kinds, missing fields.
	'POST events': ({ deliveries }, body) => {
		const { event, ...fields } = readRequest(z.object({ event: text }).passthrough(), body);
		const sample: object = isEventName(event) ? SAMPLES[event] : {};
		return deliveries.add({ event, ...sample, ...fields });
	},
	'GET deliveries': ({ deliveries }) => ({ results: deliveries.all() }),
	'POST deliveries/:id/redeliver': ({ deliveries }, _, id) => deliveries.redeliver(id),
	'GET requests': ({ requests }) => ({ results: requests.all() }),
	'POST faults': ({ faults }, body) => {
		const fault = readRequest(FAULT, body);
		faults.add(fault);
		return fault;
	},
	'POST reset': async ({ reset }) => {
		await reset();
		return { status: 'reset' };
	},
};

/** Runs a control; `path` is what follows `/_sandbox/`. Throws a Refusal. */
export async function control(
	machinery: Machinery,
	method: string,
	path: string,
	body: string,
): Promise<unknown> {
	const [name, id, ...verb] = path.split('/');
	const key = `${method} ${[name, ...(id === undefined ? [] : [':id']), ...verb].join('/')}`;
	if (!Object.hasOwn(CONTROLS, key)) {
		throw notFound(`There is no control ${method} ${path}, but these: ${Object.keys(CONTROLS).join(', ')}`);
	}
	return await CONTROLS[key](machinery, body, id ?? '');
}
