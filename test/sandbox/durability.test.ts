import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Decimal from 'decimal.js';
import { startWebhookReceiver } from '../fixtures/webhookReceiver.ts';
import { call, control } from './client.ts';
import { kill, start } from './program.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { until } from '../../host/until.ts';
import { randomNumbers } from '../../host/testkit/random.ts';

/** Adds balances without rounding. */
const Exact = Decimal.clone({ precision: 60 });

/** `0.00…1`, at most a hundredth, and different each time. */
let calls = 0;
const nextAmount = () => `0.00${String(calls++).padStart(9, '0')}1`;

/** A payout of USDC costs 0.5 more. */
const withFee = (amount: string) => amount.replace('0.0', '0.5');

/**
 * Route and body, with AMOUNT in it; the field of the answer that the movement refers to (an adjustment has no ID); the
 * movement; the event. The API takes amounts as numbers, the controls as text.
 */
type Call = [route: string, body: string, id: string, moved: (amount: string) => string, event?: string];
const FIAT = '{"currency":"NGN","amount":AMOUNT,"account_alias":"supplier-main"}';
const COINS = '{"coin":"USDC","amount":AMOUNT,"wallet_alias":"treasury"}';
const CONVERSION = '{"contract_id":"ic_usd_ngn","from_amount":AMOUNT}';
const DEPOSIT = '{"alias":"customer-0042","amount":"AMOUNT"}';
const CALLS: Call[] = [
	['/v1/fiat_payout', FIAT, 'payout_id', (paid) => `NGN -${paid}`],
	['/v1/crypto_payout', COINS, 'payout_id', (paid) => `USDC -${withFee(paid)}`, 'crypto_payout_update'],
	['/v1/instant_conversion', CONVERSION, 'transaction_id', (paid) => `USD -${paid}`],
	['/v1/crypto_balance_update', '{"coin":"BTC","amount":AMOUNT}', 'coin', (added) => `BTC ${added}`],
	['deposits', DEPOSIT, 'id', (added) => `NGN ${added}`, 'virtual_account_credited'],
];

/**
 * The requests that the customer's endpoint fails, so that their deliveries have to be sent again. There are three, because the service
 * gives up a delivery that fails four times.
 */
const FAILED = [9, 29, 49];
const fails = (index: number) => FAILED.includes(index);

const folder = temporaryFolder();

test('a sandbox with --db that is killed three times under load loses nothing that it acknowledged', async () => {
	const receiver = await startWebhookReceiver();
	receiver.answers.push(...Array.from({ length: 50 }, (_, index) => (fails(index) ? 500 : 200)));
	const db = ['--db', join(folder, 'sandbox.db')];
	const movements: string[] = [];
	const events: string[] = [];
	const random = randomNumbers();
	// The file keeps the URL and the delays too.
	let running = await start(...db, '--webhook-url', receiver.url, '--settle-after', '50');
	await control(running.sandbox, 'PUT settings', { retryDelayMs: 50 });
	try {
		for (let killed = 0; killed < 3; killed++) {
			const { sandbox, child } = running;
			const client = async () => {
				for (;;) {
					const [route, template, id, moved, event] = CALLS[calls % CALLS.length]!;
					const amount = nextAmount();
					const body = template.replace('AMOUNT', amount);
					const sent = route.startsWith('/v1/')
						? call(sandbox, `POST ${route}`, body)
						: control(sandbox, `POST ${route}`, JSON.parse(body));
					// Only the kill takes an answer away.
					const answer = await sent.catch(() => undefined);
					if (answer === undefined) return;
					expect(answer).toMatchObject({ status: 200 });
					movements.push(`${moved(amount)} ${answer.json[id]}`);
					if (event !== undefined) events.push(`${event} ${answer.json[id]}`);
				}
			};
			const wanted = movements.length + 20;
			const clients = Promise.all(Array.from({ length: 16 }, client));
			await Promise.race([clients, until('20 answers', () => movements.length > wanted)]);
			await sleep(random() * 600);
			await kill(child, 'SIGKILL');
			await clients;
			running = await start(...db);
			// A credential that was entered before the kill still works.
			const { key, secret, webhookSecret } = sandbox;
			expect(running.sandbox).toMatchObject({ key, secret, webhookSecret });
		}

		const read = async (route: string) => (await control(running.sandbox, route)).json;
		let open: unknown[] = [];
		const openIn = (list: Array<{ status: string }>, status: string) =>
			list.filter((each) => each.status !== status);
		const isDone = async () => {
			const { payouts } = await read('GET state');
			const { results } = await read('GET deliveries');
			open = [...openIn(payouts, 'successful'), ...openIn(results, 'delivered')];
			return open.length === 0;
		};
		await until(() => `the deliveries and payouts, of which are open: ${JSON.stringify(open)}`, isDone);

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
		const arrived = accepted.map(({ body }) => JSON.parse(body) as Record<string, string>);
		expect(arrived.map(({ event, id }) => `${event} ${id}`)).toEqual(expect.arrayContaining(events));
		expect(events.length).toBeGreaterThan(30);
	} finally {
		await kill(running.child, 'SIGKILL');
		await receiver.stop();
	}
});
