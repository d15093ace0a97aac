/** Amounts go out and come back digit for digit: parameter, request, answer, webhook, trigger. */
import fc from 'fast-check';
import { adjustBalance, requireBalance } from '../../sandbox/ledger/balances.ts';
import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { headless } from './harness.ts';
import type { Listener } from './harness.ts';

jest.setTimeout(300_000);

const RUNS = 20;
const AMOUNTS_IN_A_RUN = 500;

const n8n = headless();
let sandbox: Sandbox;
let listener: Listener;
let credentials: Record<string, string>;

beforeAll(async () => {
	const webhookSecret = 'only-for-this-run';
	listener = await n8n.listen({
		type: 'walletServiceTrigger',
		parameters: { events: ['crypto_payout_update'], verification: 'credential', options: {} },
		credentials: { webhookVerification: 'hmac', webhookSecret },
	});
	sandbox = await startSandbox({
		webhookUrl: listener.url,
		webhookSecret,
		settleAfterMs: 0,
		// It holds one run: what it forgot could not be checked.
		requestLogLength: AMOUNTS_IN_A_RUN,
	});
	credentials = { baseUrl: sandbox.url, apiKey: sandbox.key, signatureSecret: sandbox.secret };
	const { ledger } = sandbox.service;
	for (const [kind, code] of [
		['fiat', 'NGN'],
		['crypto', 'USDT'],
	] as const)
		adjustBalance(ledger, requireBalance(ledger, kind, code, 'code'), `1${'0'.repeat(45)}`);
});

afterAll(async () => {
	await listener?.close();
	await sandbox?.stop();
});

const digit = fc.integer({ min: 0, max: 9 });

/** Plain decimals above zero of up to 38 digits, trailing zeros included: 7, 0.10, 90071992547409931234.500. */
const amount = fc
	.tuple(fc.array(digit, { minLength: 1, maxLength: 38, size: 'max' }), fc.nat())
	.filter(([digits]) => digits.some((each) => each > 0))
	.map(([digits, place]) => {
		const text = digits.join('');
		const point = place % text.length;
		const whole = text.slice(0, text.length - point).replace(/^0+(?=\d)/, '');
		return point === 0 ? whole : `${whole}.${text.slice(-point)}`;
	});
const amounts = fc.array(amount, { minLength: AMOUNTS_IN_A_RUN, maxLength: AMOUNTS_IN_A_RUN });

/** 20 × 500 amounts. Not shrunk: the amounts that differ are named as they are. */
async function forTenThousand(check: (amounts: string[]) => Promise<void>) {
	await fc.assert(fc.asyncProperty(amounts, check), { numRuns: RUNS, endOnFailure: true });
}

/** The text of the amount in each request body, in the order of the requests. */
const amountsSent = () =>
	sandbox.service.requests.all().map(({ body }) => /"amount":([^,}]*)[,}]/.exec(body)?.[1]);

/** What a number is worth, however it is written: 150.0 and 1.5e2 are 15e1. */
function worth(written: unknown): string {
	const [mantissa, exponent = '0'] = String(written).split('e');
	const [whole, fraction = ''] = mantissa.split('.');
	const digits = (whole + fraction).replace(/^0+/, '');
	const significant = digits.replace(/0+$/, '');
	return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

test('10,000 amounts of fiat payouts', async () => {
	await forTenThousand(async (sent) => {
		const { items, error } = await n8n.runNode({
			parameters: {
				resource: 'fiatWallet',
				operation: 'createPayout',
				currency: 'NGN',
				amount: '={{ $json.amount }}',
				account_alias: 'supplier-main',
			},
			credentials,
			items: sent.map((text) => ({ json: { amount: text } })),
		});
		expect(error).toBeUndefined();
		expect(amountsSent()).toEqual(sent);
		expect(items[0].map(({ json }) => json.amount)).toEqual(sent);
	});
});

test('10,000 amounts of crypto payouts, back through the webhook and the trigger', async () => {
	await forTenThousand(async (sent) => {
		const { items, error } = await n8n.runNode({
			parameters: {
				resource: 'cryptoWallet',
				operation: 'createPayout',
				requestBody: '={ "coin": "USDT", "amount": {{ $json.amount }}, "wallet_alias": "treasury" }',
			},
			credentials,
			items: sent.map((text) => ({ json: { amount: text } })),
		});
		expect(error).toBeUndefined();
		expect(amountsSent()).toEqual(sent);
		// A response that is not shown keeps its numbers as numbers where a double holds them: 1.50 is 1.5 there.
		expect(items[0].map(({ json }) => worth(json.amount))).toEqual(sent.map(worth));

		await sandbox.idle();
		const updates = new Map(
			listener.started.splice(0).map(([[{ json }]]) => [json.id, [json.amount, json.status]]),
		);
		expect(items[0].map(({ json }) => updates.get(json.payout_id))).toEqual(
			sent.map((text) => [text, 'successful']),
		);
	});
});
