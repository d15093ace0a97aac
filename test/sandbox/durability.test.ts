import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Decimal from 'decimal.js';
import { startWebhookReceiver } from '../fixtures/webhookReceiver.ts';
import { call, control } from './client.ts';
import type { HttpResponse } from './client.ts';
import { kill, start } from './program.ts';
import type { SandboxConnection } from './client.ts';
import { until } from '../../host/until.ts';
import { randomFrom } from '../../soak/shared/random.ts';

/** Adds balances without rounding. */
const Exact = Decimal.clone({ precision: 60 });

/** `0.00…1`, at most a hundredth, and different each time. */
let calls = 0;
const nextAmount = () => `0.00${String(calls++).padStart(9, '0')}1`;

interface Call {
	route: string;
	/** With AMOUNT in it. The API takes amounts as numbers, the controls as text. */
	body: string;
	/** The field of the answer that the movement refers to. */
	id: string;
	code: string;
	/** The amount of the movement. */
	moved: (amount: string) => string;
	/** The kind of the event that follows. */
	event?: string;
}

const credit = (amount: string) => amount;
const debit = (amount: string) => `-${amount}`;
const debitWithFee = (amount: string) => amount.replace('0.0', '-0.5');

const CALLS: Call[] = [
	{
		route: 'POST /v1/fiat_payout',
		body: '{"currency":"NGN","amount":AMOUNT,"account_alias":"supplier-main"}',
		id: 'payout_id',
		code: 'NGN',
		moved: debit,
	},
	{
		route: 'POST /v1/crypto_payout',
		body: '{"coin":"USDC","amount":AMOUNT,"wallet_alias":"treasury"}',
		id: 'payout_id',
		code: 'USDC',
		moved: debitWithFee,
		event: 'crypto_payout_update',
	},
	{
		route: 'POST /v1/instant_conversion',
		body: '{"contract_id":"ic_usd_ngn","from_amount":AMOUNT}',
		id: 'transaction_id',
		code: 'USD',
		moved: debit,
	},
	{
		route: 'POST /v1/crypto_balance_update',
		body: '{"coin":"BTC","amount":AMOUNT}',
		// An adjustment has no ID: its movement refers to the coin.
		id: 'coin',
		code: 'BTC',
		moved: credit,
	},
	{
		route: 'POST deposits',
		body: '{"alias":"customer-0042","amount":"AMOUNT"}',
		id: 'id',
		code: 'NGN',
		moved: credit,
		event: 'virtual_account_credited',
	},
];

function send(sandbox: SandboxConnection, { route, body }: Call, amount: string): Promise<HttpResponse> {
	const text = body.replace('AMOUNT', amount);
	const isApi = route.includes('/v1/');
	return isApi ? call(sandbox, route, text) : control(sandbox, route, JSON.parse(text));
}

test.each([CALLS[0]!, CALLS.at(-1)!])('$route is on disk before it is answered', async (each) => {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
	const db = ['--db', join(folder, 'sandbox.db')];
	let { child, sandbox } = await start(...db);
	try {
		const { status, json } = await send(sandbox, each, '0.5');
		expect(status).toBe(200);
		await kill(child, 'SIGKILL');
		({ child, sandbox } = await start(...db));
		const { results } = (await control(sandbox, 'GET movements')).json;
		expect(results).toContainEqual(expect.objectContaining({ code: each.code, reference: json[each.id] }));
	} finally {
		await kill(child, 'SIGKILL');
		rmSync(folder, { recursive: true });
	}
});

/** Whether the customer's endpoint fails this request, so that its delivery has to be sent again. */
const fails = (index: number) => index < 1000 && index % 10 === 9;

test('a sandbox with --db that is killed three times under load loses nothing that it acknowledged', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
	const receiver = await startWebhookReceiver();
	receiver.answers.push(...Array.from({ length: 1000 }, (_, index) => (fails(index) ? 500 : 200)));
	const db = ['--db', join(folder, 'sandbox.db')];
	// The file keeps the URL and the delays too.
	const settings = ['--webhook-url', receiver.url, '--settle-after', '50', '--retry-delay', '50'];
	const movements: string[] = [];
	const events: string[] = [];
	// SEED in the environment repeats the random times of a run, which prints its seed.
	const { SEED } = process.env;
	const random = randomFrom(SEED === undefined ? undefined : Number(SEED));
	let running = await start(...db, ...settings);
	try {
		for (let killed = 0; killed < 3; killed++) {
			const { sandbox, child } = running;
			const client = async () => {
				for (;;) {
					const each = CALLS[calls % CALLS.length]!;
					const { id, code, moved, event } = each;
					const amount = nextAmount();
					// Only the kill takes an answer away.
					const answer = await send(sandbox, each, amount).catch(() => undefined);
					if (answer === undefined) return;
					expect(answer).toMatchObject({ status: 200 });
					movements.push(`${code} ${moved(amount)} ${answer.json[id]}`);
					if (event !== undefined) events.push(`${event} ${answer.json[id]}`);
				}
			};
			const wanted = movements.length + 20;
			const clients = Promise.all(Array.from({ length: 16 }, client));
			await Promise.race([clients, until('20 answers', () => movements.length > wanted || undefined)]);
			await sleep(random() * 600);
			await kill(child, 'SIGKILL');
			await clients;
			running = await start(...db);
			// A credential that was entered before the kill still works.
			const { key, secret, webhookSecret } = sandbox;
			expect(running.sandbox).toMatchObject({ key, secret, webhookSecret });
		}

		const read = async (route: string) => (await control(running.sandbox, route)).json;
		await until(
			'the deliveries and payouts',
			async () => {
				const { payouts } = (await read('GET state')) as { payouts: Array<{ status: string }> };
				const { results } = (await read('GET deliveries')) as { results: Array<{ status: string }> };
				const isDone =
					payouts.every(({ status }) => status === 'successful') &&
					results.every(({ status }) => status === 'delivered');
				return isDone || undefined;
			},
			60_000,
		);
		type Movement = { code: string; amount: string; reference: string };
		const { results } = (await read('GET movements')) as { results: Movement[] };
		const made = results.map(({ code, amount, reference }) => `${code} ${amount} ${reference}`);
		expect(new Set(made).size).toBe(made.length);
		expect(made).toEqual(expect.arrayContaining(movements));
		expect(movements.length).toBeGreaterThan(60);

		const { balances } = (await read('GET state')) as { balances: Record<string, string> };
		for (const [code, balance] of Object.entries(balances)) {
			const amounts = results.filter((movement) => movement.code === code).map(({ amount }) => amount);
			expect(`${code} ${Exact.sum(0, ...amounts).toFixed()}`).toBe(`${code} ${new Exact(balance).toFixed()}`);
		}

		const accepted = receiver.received.filter((_, index) => !fails(index));
		const arrived = accepted.map(({ body }) => {
			const { event, id } = JSON.parse(body) as { event: string; id: string };
			return `${event} ${id}`;
		});
		expect(arrived).toEqual(expect.arrayContaining(events));
		expect(events.length).toBeGreaterThan(30);
	} finally {
		await kill(running.child, 'SIGKILL');
		await receiver.stop();
		rmSync(folder, { recursive: true });
	}
}, 120_000);
