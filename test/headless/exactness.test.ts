/**
 * Amounts keep every digit on their way: parameter, request, answer, webhook, trigger. `npm run soak -- payoutFaults` checks them on
 * a real n8n.
 */
import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { moveBalance } from '../../sandbox/ledger/ledger.ts';
import { amount, amountIn, worth } from '../../soak/shared/amounts.ts';
import { startSandbox, type Sandbox } from '../../sandbox/http/server.ts';
import { headless, type Listener } from './harness.ts';
import { PLENTY } from '../../host/testkit/payments.ts';
import { cryptoPayout, PAYOUT } from './withNode.ts';

/** The longest amounts, and those by chance. */
const LONGEST = ['9'.repeat(38), `0.${'7'.repeat(36)}0`];
const AMOUNTS = 100;

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
	// The log holds every request of a run.
	const log = { requestLogLength: AMOUNTS };
	sandbox = await startSandbox({ webhookUrl: listener.url, webhookSecret, settleAfterMs: 0, ...log });
	credentials = { baseUrl: sandbox.url, apiKey: sandbox.key, signatureSecret: sandbox.secret };
	const { ledger } = sandbox.service;
	for (const code of ['NGN', 'USDT'])
		moveBalance(ledger, { code, amount: PLENTY, reason: 'adjustment', reference: code });
});

afterAll(async () => {
	await listener?.close();
	await sandbox?.stop();
});

const length = AMOUNTS - LONGEST.length;
const amounts = fc
	.array(amount, { minLength: length, maxLength: length })
	.map((random) => [...LONGEST, ...random]);

/** Runs once and does not shrink: the failure names the amounts that differ. */
async function forAmounts(check: (amounts: string[]) => Promise<void>) {
	await fc.assert(fc.asyncProperty(amounts, check), { numRuns: 1, endOnFailure: true });
}

/** Pays these amounts. The requests have their texts. Returns the items. */
async function pay(parameters: object, amounts: string[]) {
	const input = amounts.map((text) => ({ json: { amount: text } }));
	const setup = { parameters: parameters as INodeParameters, credentials, items: input };
	const { items, error } = await n8n.runNode(setup);
	expect(error).toBeUndefined();
	expect(sandbox.service.requests.all().map(({ body }) => amountIn(body))).toEqual(amounts);
	return items.flat();
}

test('fiat payouts keep every digit of the amount', async () => {
	await forAmounts(async (sent) => {
		const items = await pay({ ...PAYOUT, account_alias: 'supplier-main' }, sent);
		expect(items.map(({ json }) => json.amount)).toEqual(sent);
	});
});

test('crypto payouts keep every digit of the amount, back through the webhook and the trigger', async () => {
	await forAmounts(async (sent) => {
		const body = '={ "coin": "USDT", "amount": {{ $json.amount }}, "wallet_alias": "treasury" }';
		const items = await pay(cryptoPayout(body), sent);
		// An undocumented response keeps a number as a number if a double holds it, so 1.50 becomes 1.5.
		expect(items.map(({ json }) => worth(json.amount))).toEqual(sent.map(worth));

		await sandbox.idle();
		const started = listener.started.splice(0).flat(2);
		const updates = new Map(started.map(({ json }) => [json.id, [json.amount, json.status]]));
		const expected = sent.map((text) => [text, 'successful']);
		expect(items.map(({ json }) => updates.get(json.payoutId))).toEqual(expected);
	});
});
