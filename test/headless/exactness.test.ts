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
import { cryptoPayout } from './withNode.ts';

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
	const plenty = { code: 'USDT', amount: PLENTY, reason: 'adjustment', reference: 'USDT' } as const;
	moveBalance(sandbox.service.ledger, plenty);
});

afterAll(async () => {
	await listener?.close();
	await sandbox?.stop();
});

test('crypto payouts keep every digit of the amount, back through the webhook and the trigger', async () => {
	const sent = [...LONGEST, ...fc.sample(amount, AMOUNTS - LONGEST.length)];
	const body = '={ "coin": "USDT", "amount": {{ $json.amount }}, "wallet_alias": "treasury" }';
	const input = sent.map((text) => ({ json: { amount: text } }));
	const { items, error } = await n8n.runNode({ parameters: cryptoPayout(body), credentials, items: input });
	expect(error).toBeUndefined();
	expect(sandbox.service.requests.all().map((request) => amountIn(request.body))).toEqual(sent);
	// An undocumented response keeps a number as a number if a double holds it, so 1.50 becomes 1.5.
	expect(items[0]!.map(({ json }) => worth(json.amount))).toEqual(sent.map(worth));

	await sandbox.idle();
	const started = listener.started.flat(2);
	const updates = new Map(started.map(({ json }) => [json.id, [json.amount, json.status]]));
	const expected = sent.map((text) => [text, 'successful']);
	expect(items[0]!.map(({ json }) => updates.get(json.payoutId))).toEqual(expected);
});
