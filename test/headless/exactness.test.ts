/**
 * Amounts keep every digit on their way: parameter, request, answer, webhook, trigger. `npm run soak -- payoutFaults` checks them on
 * a real n8n.
 */
import fc from 'fast-check';
import { moveBalance } from '../../sandbox/ledger/ledger.ts';
import { amount, amountIn, worth } from '../../soak/shared/amounts.ts';
import { startSandbox, type Sandbox } from '../../sandbox/server.ts';
import { headless, type Listener } from './harness.ts';
import { PLENTY } from '../../host/testkit/payments.ts';
import { cryptoPayout, PAYOUT } from './withNode.ts';

const RUNS = 2;
const AMOUNTS_IN_A_RUN = 100;

const n8n = headless();
let sandbox: Sandbox;
let listener: Listener;
let credentials: Record<string, string>;

beforeAll(async () => {
	const webhookSecret = 'only-for-this-run';
	listener = await n8n.listen({
		type: 'walletServiceTrigger',
		parameters: { events: ['crypto_payout_update'], verification: 'credential', options: {} },
		credentials: { webhookSecret },
	});
	sandbox = await startSandbox({
		webhookUrl: listener.url,
		webhookSecret,
		settleAfterMs: 0,
		// The log holds every request of a run.
		requestLogLength: AMOUNTS_IN_A_RUN,
	});
	credentials = { baseUrl: sandbox.url, apiKey: sandbox.key, signatureSecret: sandbox.secret };
	const { ledger } = sandbox.service;
	for (const code of ['NGN', 'USDT'])
		moveBalance(ledger, { code, amount: PLENTY, reason: 'adjustment', reference: code });
});

afterAll(async () => {
	await listener?.close();
	await sandbox?.stop();
});

const amounts = fc.array(amount, { minLength: AMOUNTS_IN_A_RUN, maxLength: AMOUNTS_IN_A_RUN });

/** Does not shrink: the failure names the amounts that differ. */
async function forAmounts(check: (amounts: string[]) => Promise<void>) {
	await fc.assert(fc.asyncProperty(amounts, check), { numRuns: RUNS, endOnFailure: true });
}

/** The text of the amount in each request body, in the order of the requests. */
const amountsSent = () => sandbox.service.requests.all().map(({ body }) => amountIn(body));

test('fiat payouts keep every digit of the amount', async () => {
	await forAmounts(async (sent) => {
		const { items, error } = await n8n.runNode({
			parameters: { ...PAYOUT, account_alias: 'supplier-main' },
			credentials,
			items: sent.map((text) => ({ json: { amount: text } })),
		});
		expect(error).toBeUndefined();
		expect(amountsSent()).toEqual(sent);
		expect(items.flat().map(({ json }) => json.amount)).toEqual(sent);
	});
});

test('crypto payouts keep every digit of the amount, back through the webhook and the trigger', async () => {
	await forAmounts(async (sent) => {
		const { items, error } = await n8n.runNode({
			parameters: cryptoPayout(
				'={ "coin": "USDT", "amount": {{ $json.amount }}, "wallet_alias": "treasury" }',
			),
			credentials,
			items: sent.map((text) => ({ json: { amount: text } })),
		});
		expect(error).toBeUndefined();
		expect(amountsSent()).toEqual(sent);
		// An undocumented response keeps a number as a number if a double holds it, so 1.50 becomes 1.5.
		expect(items.flat().map(({ json }) => worth(json.amount))).toEqual(sent.map(worth));

		await sandbox.idle();
		const updates = new Map(
			listener.started
				.splice(0)
				.flatMap((outputs) => outputs.flat())
				.map(({ json }) => [json.id, [json.amount, json.status]]),
		);
		expect(items.flat().map(({ json }) => updates.get(json.payoutId))).toEqual(
			sent.map((text) => [text, 'successful']),
		);
	});
});
