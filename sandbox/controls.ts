/** The sandbox's own controls under `/_sandbox`, with which people and tests make the ledger move. */
import { z } from 'zod/v4';
import { isEventName } from '../api/events.ts';
import type { VerificationSettings } from '../api/signature/settings.ts';
import type { Deliveries } from './deliveries.ts';
import { FAULT } from './faults.ts';
import type { Faults } from './faults.ts';
import { PAYOUT_STATUSES } from './records.ts';
import { notFound } from './refusal.ts';
import type { RequestLog } from './requestLog.ts';
import { anyAmount, check, code, integer, parseBody, text } from './requests.ts';
import { SAMPLES } from './samples.ts';
import type { Timing, TimingSettings } from './timing.ts';
import type { Ledger } from './ledger.ts';

/** What the controls act upon. */
export interface ControlContext {
	ledger: Ledger;
	deliveries: Deliveries;
	faults: Faults;
	requests: RequestLog;
	timing: Timing;
	/** What is not given stays as it is. */
	setTiming: (given: Partial<TimingSettings>) => TimingSettings;
	/** What the credential takes, besides the base URL. */
	secrets: { key: string; secret: string; webhookSecret: string };
	/** A stream of server-sent events, one for each change of anything. */
	changes: () => Response;
	/** Everything back to the start, except what has been set: webhook and timing. */
	reset: () => Promise<void>;
}

/** What came with a call. */
interface Call<Request> {
	request: Request;
	/** The part of the path that stands for `:id`. */
	id: string;
	/** Of the sandbox, as the caller sees it. */
	origin: string;
}

interface Control<S extends z.ZodType = z.ZodType> {
	summary: string;
	/** The body; of a GET, the query. */
	request: S;
	/** The answer is a stream of server-sent events, not JSON. */
	streams?: true;
	/** A Response is the answer, anything else the answer's JSON. Throws a Refusal. */
	run(context: ControlContext, call: Call<z.output<S>>): unknown;
}

/** Ties the type of a request to its schema. */
const define = <S extends z.ZodType>(control: Control<S>): Control => control;

const nothing = z.object({});

/** Of lists that grow: only the last ones. */
const last = z.object({
	last: z
		.string()
		.regex(/^[1-9]\d{0,5}$/, 'must be a whole number above zero')
		.transform(Number)
		.default(Infinity)
		.meta({ description: 'No more than so many of each list that grows, the newest' }),
});

/** Turns `whitelisted` into `Whitelisted`. */
const decision = text
	.transform((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
	.pipe(z.enum(['Whitelisted', 'Rejected', 'Pending']))
	.meta({ description: 'Whitelisted, Rejected or Pending' });

const fiatDeposit = z.object({
	alias: text.meta({ description: 'Of the virtual account that receives it' }),
	amount: anyAmount,
	sender_bank: text.default('First Example Bank'),
	sender_account_name: text.default('Ada Obi'),
	sender_account_number: text.default('0011223344'),
});

const cryptoDeposit = z.object({
	wallet_alias: text.meta({ description: 'Of the crypto wallet that receives it' }),
	coin: code,
	amount: anyAmount,
});

const milliseconds = integer(0, 86_400_000).optional();

const encoding = z.enum(['utf8', 'hex', 'base64']);

/** The names and values of the credential. */
const signing: z.ZodType<VerificationSettings> = z.strictObject({
	webhookVerification: z.enum(['none', 'token', 'hmac']),
	webhookHeader: text.optional(),
	webhookSecret: text.optional(),
	webhookPreviousSecret: z.string().optional(),
	webhookSecretEncoding: encoding.optional(),
	webhookAlgorithm: z.enum(['sha256', 'sha384', 'sha512']).optional(),
	webhookSignatureEncoding: z.enum(['hex', 'hexUpper', 'base64', 'base64url']).optional(),
	webhookPayload: z.string().optional(),
	webhookSignatureFormat: z.string().optional(),
	webhookTimestampHeader: z.string().optional(),
	webhookIdHeader: z.string().optional(),
	webhookTolerance: integer(0, 86_400).optional(),
});

export const CONTROLS: Record<string, Control> = {
	'GET state': define({
		summary: 'Balances, accounts, wallets, payouts and what has been set',
		request: last,
		run: ({ ledger, deliveries, timing, faults }, { request }) => ({
			webhook: { url: deliveries.url || null },
			settings: timing.current,
			...ledger.snapshot(request.last),
			faults: faults.all(),
		}),
	}),
	'GET credential': define({
		summary: 'What the credential takes to call this sandbox and to check its deliveries',
		request: nothing,
		run: ({ secrets, deliveries }, { origin }) => ({
			baseUrl: origin,
			apiKey: secrets.key,
			signatureSecret: secrets.secret,
			...deliveries.signing,
		}),
	}),
	'GET changes': define({
		summary: 'Server-sent events: one after each change of anything',
		request: nothing,
		streams: true,
		run: ({ changes }) => changes(),
	}),
	'PUT settings': define({
		summary: 'Set after how many milliseconds things happen by themselves',
		request: z
			.strictObject({
				settleAfterMs: integer(0, 86_400_000)
					.nullable()
					.optional()
					.meta({ description: 'Until a pending payout is successful; null: never' }),
				retryDelayMs: milliseconds.meta({ description: 'Between two attempts at a delivery' }),
				deliveryTimeoutMs: milliseconds.meta({ description: 'Until no answer of a receiver counts as none' }),
			})
			.meta({ examples: [{ settleAfterMs: 500, retryDelayMs: 200 }] }),
		run: ({ setTiming }, { request }) => setTiming(request),
	}),
	'PUT webhook': define({
		summary: 'Set where events are delivered, and how deliveries are signed',
		request: z
			.strictObject({
				url: text
					.nullable()
					.optional()
					.meta({ description: 'https, or http for a loopback host; null: no deliveries' }),
				signing: signing.optional().meta({
					description:
						'The webhook settings of the credential; the header and the secret of the start where they are left out',
				}),
			})
			.meta({ examples: [{ url: 'http://127.0.0.1:5678/webhook' }] }),
		run: ({ deliveries }, { request: { url, signing } }) => {
			deliveries.register({
				url: url === null ? '' : url,
				signing,
			});
			return { url: deliveries.url || null };
		},
	}),
	'POST deposits': define({
		summary: 'A deposit arrives in a virtual account or on a crypto wallet',
		request: z.union([fiatDeposit, cryptoDeposit]).meta({
			examples: [
				{ alias: 'customer-0042', amount: '150000.50' },
				{ wallet_alias: 'deposits-usdt', coin: 'USDT', amount: '250.75' },
			],
		}),
		run: ({ ledger }, { request }) =>
			'wallet_alias' in request
				? ledger.depositCrypto(request.wallet_alias, request.coin, request.amount)
				: ledger.depositFiat(request.alias, request.amount, {
						bank: request.sender_bank,
						account_name: request.sender_account_name,
						account_number: request.sender_account_number,
					}),
	}),
	'POST reviews': define({
		summary: 'A settlement wallet or settlement account is reviewed',
		request: z.object({ alias: text, decision }).meta({
			examples: [
				{ alias: 'supplier-new', decision: 'Whitelisted' },
				{ alias: 'cold-storage', decision: 'Rejected' },
			],
		}),
		run: ({ ledger }, { request }) => ledger.review(request.alias, request.decision),
	}),
	'POST virtual_accounts': define({
		summary: 'A virtual account is issued',
		request: z
			.object({
				alias: text,
				currency: code.default('NGN'),
				bank: text.default('Sandbox Bank'),
				account_name: text.default('Acme Trading / New Customer'),
				merchant: text.default('Acme Checkout'),
			})
			.meta({ examples: [{ alias: 'customer-0099' }] }),
		run: ({ ledger }, { request }) => {
			ledger.balance('fiat', request.currency, 'currency');
			return ledger.issueVirtualAccount(request);
		},
	}),
	'POST settlement_accounts': define({
		summary: 'A settlement account is submitted for review, for which the API has no endpoint',
		request: z
			.object({
				alias: text,
				bank_name: text.default('First Example Bank'),
				account_number: text.default('0123456789'),
				account_name: text.default('New Supplier Ltd'),
				currency: code.default('NGN'),
				other_details: text.default('Branch: Lagos'),
			})
			.meta({ examples: [{ alias: 'supplier-0099' }] }),
		run: ({ ledger }, { request }) => {
			ledger.balance('fiat', request.currency, 'currency');
			return ledger.submitSettlementAccount(request);
		},
	}),
	'POST admin_funding': define({
		summary: 'An administrator credits or debits a balance, possibly for a proof of payment',
		request: z
			.object({
				asset: code,
				amount: anyAmount,
				direction: text
					.transform((word) => word.toLowerCase())
					.pipe(z.enum(['credit', 'debit']))
					.meta({ description: 'credit or debit' }),
				funding_request: text.optional().meta({ description: 'Id of the proof of payment' }),
			})
			.meta({ examples: [{ asset: 'NGN', amount: 75000, direction: 'credit' }] }),
		run: ({ ledger }, { request: { asset, amount, direction, funding_request } }) =>
			ledger.adminFunding(asset, amount, direction, funding_request),
	}),
	'POST payouts/:id': define({
		summary: 'A payout goes on, succeeds or fails',
		request: z
			.object({ status: z.enum(PAYOUT_STATUSES) })
			.meta({ examples: [{ status: 'processing' }, { status: 'failed' }] }),
		run: ({ ledger }, { request, id }) => ledger.setPayoutStatus(id, request.status),
	}),
	// Whatever is asked for is sent, also what the service never would: wrong types, unknown kinds, missing fields.
	'POST events': define({
		summary: 'Send a sample of an event, with any field replaced, of any kind',
		request: z
			.looseObject({ event: text })
			.meta({ examples: Object.keys(SAMPLES).map((event) => ({ event })) }),
		run: ({ deliveries }, { request: { event, ...fields } }) => {
			const sample: object = isEventName(event) ? SAMPLES[event] : {};
			return deliveries.add({ event, ...sample, ...fields });
		},
	}),
	'GET deliveries': define({
		summary: 'Every webhook with every attempt at its delivery',
		request: last,
		run: ({ deliveries }, { request }) => ({ results: deliveries.all().slice(-request.last) }),
	}),
	'POST deliveries/:id/redeliver': define({
		summary: 'The same delivery again',
		request: nothing,
		run: ({ deliveries }, { id }) => deliveries.redeliver(id),
	}),
	'GET movements': define({
		summary: 'Every change of a balance; those of a code add up to its balance',
		request: last,
		run: ({ ledger }, { request }) => ({ results: ledger.movements.all().slice(-request.last) }),
	}),
	'GET requests': define({
		summary: 'The last API requests, with key and signature redacted',
		request: last,
		run: ({ requests }, { request }) => ({ results: requests.all().slice(-request.last) }),
	}),
	'POST faults': define({
		summary: 'Make the next requests for a route fail',
		request: FAULT,
		run: ({ faults }, { request }) => {
			faults.add(request);
			return request;
		},
	}),
	'POST reset': define({
		summary: 'Everything back to the start; webhook and settings stay',
		request: nothing,
		run: async ({ reset }) => {
			await reset();
			return { status: 'reset' };
		},
	}),
};

/** Runs the control that follows `/_sandbox/` in the URL. Throws a Refusal. */
export async function control(
	context: ControlContext,
	method: string,
	url: URL,
	body: string,
): Promise<Response> {
	const path = url.pathname.slice('/_sandbox/'.length);
	const [name, id, ...verb] = path.split('/');
	const key = `${method} ${[name, ...(id === undefined ? [] : [':id']), ...verb].join('/')}`;
	if (!Object.hasOwn(CONTROLS, key)) {
		throw notFound(`There is no control ${method} ${path}, but these: ${Object.keys(CONTROLS).join(', ')}`);
	}
	const { request, run } = CONTROLS[key];
	const given = method === 'GET' ? Object.fromEntries(url.searchParams) : parseBody(body);
	const call = { request: check(request, given), id: id ?? '', origin: url.origin };
	const result = await run(context, call);
	return result instanceof Response ? result : Response.json(result);
}
