/** The sandbox's own controls under `/_sandbox`: people and tests make deposits arrive, reviews happen and requests fail. */
import { z } from 'zod/v4';
import { isEventName } from '../api/events.ts';
import { SETTINGS } from '../api/signature/settings.ts';
import type { SettingName, SigningSettings, VerificationSettings } from '../api/signature/settings.ts';
import {
	adminFundingRequest,
	cryptoDeposit,
	decision,
	empty,
	fiatDeposit,
	last,
	signingSettings,
	timingSettings,
} from './controlRequests.ts';
import { changeStream } from './changeStream.ts';
import type { Deliveries } from './deliveries.ts';
import { FAULT } from './faults.ts';
import { issueVirtualAccount } from './ledger/accounts.ts';
import { requireBalance } from './ledger/balances.ts';
import { reviewDestination, submitDestination } from './ledger/destinations.ts';
import { adminFunding, depositCrypto, depositFiat } from './ledger/funding.ts';
import { setPayoutStatus } from './ledger/payouts.ts';
import { snapshotLedger } from './ledger/state.ts';
import { PAYOUT_STATUSES } from './records.ts';
import { anyText, code, text } from './requests.ts';
import { SAMPLES } from './samples.ts';
import type { ApiContext } from './serveApi.ts';
import type { Timing, TimingSettings } from './timing.ts';

/** What the controls work on. */
export interface ControlContext extends ApiContext {
	deliveries: Deliveries;
	timing: Timing;
	/** Settings that are left out do not change. */
	setTiming: (changes: Partial<TimingSettings>) => TimingSettings;
	/** Restores the initial records. Webhook, timing and payment key header do not change. */
	reset: () => Promise<void>;
}

interface ControlCall<Fields> {
	/** The validated body; of a GET, the validated query. */
	request: Fields;
	/** The part of the path that `:id` stands for. */
	id: string;
	/** Origin of the sandbox as the caller sees it. */
	origin: string;
}

export interface Control<Schema extends z.ZodType = z.ZodType> {
	summary: string;
	/** Schema of the body; of a GET, of the query. */
	request: Schema;
	/** Bodies that /openapi.json shows; each of them works after a reset. */
	examples?: object[];
	/** The response is a stream of server-sent events, not JSON. */
	streams?: true;
	/** Returns a Response, or the JSON of one. Throws a Refusal. */
	run(context: ControlContext, call: ControlCall<z.output<Schema>>): unknown;
}

/** Derives the type of `run` from the schema of the request. */
const define = <Schema extends z.ZodType>(control: Control<Schema>): Control => control;

/** `GET state` -> control: the key is the method and the path below `/_sandbox/`. */
export const CONTROLS = new Map(
	Object.entries<Control>({
		'GET state': define({
			summary: 'Show balances, accounts, wallets, payouts and settings',
			request: last,
			run: ({ ledger, deliveries, timing, faults, paymentKeys }, { request }) => ({
				webhook: { url: deliveries.url || null, earlier: deliveries.earlierUrls },
				webhook_names: deliveries.names,
				settings: timing.current,
				payment_key_header: paymentKeys.header || null,
				...snapshotLedger(ledger, request.last),
				faults: faults.all(),
			}),
		}),
		'GET credential': define({
			summary: 'Show what to enter in the credential, by the labels of its form',
			request: empty,
			run: ({ secrets, deliveries }, { origin }) =>
				byLabel({
					baseUrl: origin,
					apiKey: secrets.key,
					signatureSecret: secrets.secret,
					...deliveries.credential,
				}),
		}),
		'GET changes': define({
			summary: 'Stream a server-sent event after each change',
			request: empty,
			streams: true,
			run: ({ store }) => changeStream(store),
		}),
		'PUT settings': define({
			summary: 'Set the delays of settlements and deliveries, in milliseconds',
			request: timingSettings,
			examples: [{ settleAfterMs: 500, retryDelayMs: 200 }],
			run: ({ setTiming }, { request }) => setTiming(request),
		}),
		'PUT webhook': define({
			summary: 'Set the webhook URL and how deliveries are signed',
			request: z.strictObject({
				url: text
					.nullable()
					.optional()
					.meta({ description: 'https, or http for a loopback host; null: send no webhooks' }),
				signing: signingSettings.optional().meta({
					description: 'Webhook settings with the names of the credential; header and secret have defaults',
				}),
			}),
			examples: [{ url: 'http://127.0.0.1:5678/webhook' }],
			run: ({ deliveries }, { request: { url, signing } }) => {
				deliveries.register({ url: url === null ? '' : url, signing });
				return { url: deliveries.url || null };
			},
		}),
		'PUT webhook_names': define({
			summary: 'Name the workflows behind webhook URLs, for the page',
			request: z.strictObject({
				names: z.record(text, text).meta({ description: 'Name of the workflow by URL' }),
			}),
			examples: [{ names: { 'http://127.0.0.1:5678/webhook': 'Deposits' } }],
			run: ({ deliveries }, { request: { names } }) => {
				Object.assign(deliveries.names, names);
				return { webhook_names: deliveries.names };
			},
		}),
		'PUT payment_key_header': define({
			summary: 'Set the header that carries a payment key: a payment is then made once for its key',
			request: z.strictObject({
				header: anyText.nullable().meta({ description: 'Name of the header; null: none is honoured' }),
			}),
			examples: [{ header: 'Idempotency-Key' }],
			run: ({ paymentKeys }, { request: { header } }) => {
				paymentKeys.header = header ?? '';
				return { header: paymentKeys.header || null };
			},
		}),
		'POST deposits': define({
			summary: 'Deposit to a virtual account or a crypto wallet',
			request: z.union([fiatDeposit, cryptoDeposit]),
			examples: [
				{ alias: 'customer-0042', amount: '150000.50' },
				{ wallet_alias: 'deposits-usdt', coin: 'USDT', amount: '250.75' },
			],
			run: ({ ledger }, { request }) =>
				'wallet_alias' in request ? depositCrypto(ledger, request) : depositFiat(ledger, request),
		}),
		'POST reviews': define({
			summary: 'Review a settlement wallet or settlement account',
			request: z.object({ alias: text, decision }),
			examples: [
				{ alias: 'supplier-new', decision: 'Whitelisted' },
				{ alias: 'cold-storage', decision: 'Rejected' },
			],
			run: ({ ledger }, { request }) => reviewDestination(ledger, request.alias, request.decision),
		}),
		'POST virtual_accounts': define({
			summary: 'Issue a virtual account',
			request: z.object({
				alias: text,
				currency: code.default('NGN'),
				bank: text.default('Sandbox Bank'),
				account_name: text.default('Acme Trading / New Customer'),
				merchant: text.default('Acme Checkout'),
			}),
			examples: [{ alias: 'customer-0099' }],
			run: ({ ledger }, { request }) => issueVirtualAccount(ledger, request),
		}),
		'POST settlement_accounts': define({
			summary: 'Submit a settlement account for review (the API has no endpoint for this)',
			request: z.object({
				alias: text,
				bank_name: text.default('First Example Bank'),
				account_number: text.default('0123456789'),
				account_name: text.default('New Supplier Ltd'),
				currency: code.default('NGN'),
				other_details: text.default('Branch: Lagos'),
			}),
			examples: [{ alias: 'supplier-0099' }],
			run: ({ ledger }, { request }) => {
				requireBalance(ledger, 'fiat', request.currency, 'currency');
				return submitDestination(ledger, ledger.settlement_accounts, { ...request, status: 'Pending' });
			},
		}),
		'POST admin_funding': define({
			summary: 'Credit or debit a balance as an administrator, optionally for a proof of payment',
			request: adminFundingRequest,
			examples: [{ asset: 'NGN', amount: 75000, direction: 'credit' }],
			run: ({ ledger }, { request }) => adminFunding(ledger, request),
		}),
		'POST payouts/:id': define({
			summary: 'Set the status of a payout',
			request: z.object({ status: z.enum(PAYOUT_STATUSES) }),
			examples: [{ status: 'processing' }, { status: 'failed' }],
			run: ({ ledger }, { request, id }) => setPayoutStatus(ledger, id, request.status),
		}),
		// Not validated, so that receivers can be tested with bodies that the service never sends.
		'POST events': define({
			summary: 'Send a sample of an event of any kind, with any fields replaced',
			request: z.looseObject({ event: text }),
			examples: Object.keys(SAMPLES).map((event) => ({ event })),
			run: ({ deliveries }, { request: { event, ...fields } }) => {
				const sample: object = isEventName(event) ? SAMPLES[event] : {};
				return deliveries.add({ event, ...sample, ...fields });
			},
		}),
		'GET deliveries': define({
			summary: 'List the webhook deliveries with their attempts',
			request: last,
			run: ({ deliveries }, { request }) => ({ results: deliveries.all().slice(-request.last) }),
		}),
		'POST deliveries/:id/redeliver': define({
			summary: 'Send a delivery again',
			request: empty,
			run: ({ deliveries }, { id }) => deliveries.redeliver(id),
		}),
		'GET movements': define({
			summary: 'List the changes of balances; they add up to each balance',
			request: last,
			run: ({ ledger }, { request }) => ({ results: ledger.movements.all().slice(-request.last) }),
		}),
		'GET requests': define({
			summary: 'List the last API requests, with key and signature redacted',
			request: last,
			run: ({ requests }, { request }) => ({ results: requests.all().slice(-request.last) }),
		}),
		'POST faults': define({
			summary: 'Make the next requests to a route fail',
			request: FAULT,
			examples: [{ route: 'POST /v1/fiat_payout', status: 503 }],
			run: ({ faults }, { request }) => {
				faults.add(request);
				return request;
			},
		}),
		'POST reset': define({
			summary: 'Restore the initial state; webhook, settings and payment key header do not change',
			request: empty,
			run: async ({ reset }) => {
				await reset();
				return { status: 'reset' };
			},
		}),
	}),
);

type CredentialFields = { baseUrl: string } & SigningSettings & VerificationSettings;

/** The fields of a credential under the labels of its form. */
function byLabel(fields: CredentialFields): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(fields).map(([name, value]) => [SETTINGS[name as SettingName].label, value]),
	);
}
