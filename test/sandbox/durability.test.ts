import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Decimal from 'decimal.js';
import { startWebhookReceiver } from '../../host/doubles/webhookReceiver.ts';
import { call, control } from '../../host/sandboxClient.ts';
import type { HttpResponse } from '../../host/sandboxClient.ts';
import { kill, start } from '../../host/sandboxProgram.ts';
import type { SandboxConnection } from '../../host/sandboxProgram.ts';
import { until } from '../../host/until.ts';

/** Exact for balances with all their digits. */
const Exact = Decimal.clone({ precision: 60 });

/** `0.00…1`, at most a hundredth, and different each time. */
let calls = 0;
const nextAmount = () => `0.00${String(calls++).padStart(9, '0')}1`;

/** Each moves an amount. Resolves with the answer, the fields of its movement, and the kind of the event that follows. */
type Call = (
	sandbox: SandboxConnection,
	amount: string,
) => { answer: Promise<HttpResponse>; id: string; moved: [code: string, amount: string]; event?: string };

const CALLS: Call[] = [
	(sandbox, amount) => ({
		answer: call(
			sandbox,
			'POST /v1/fiat_payout',
			`{"currency":"NGN","amount":${amount},"account_alias":"supplier-main"}`,
		),
		id: 'payout_id',
		moved: ['NGN', `-${amount}`],
	}),
	(sandbox, amount) => ({
		answer: call(
			sandbox,
			'POST /v1/crypto_payout',
			`{"coin":"USDC","amount":${amount},"wallet_alias":"treasury"}`,
		),
		id: 'payout_id',
		// With the fee of 0.5.
		moved: ['USDC', amount.replace('0.0', '-0.5')],
		event: 'crypto_payout_update',
	}),
	(sandbox, amount) => ({
		answer: call(
			sandbox,
			'POST /v1/instant_conversion',
			`{"contract_id":"ic_usd_ngn","from_amount":${amount}}`,
		),
		id: 'transaction_id',
		moved: ['USD', `-${amount}`],
	}),
	(sandbox, amount) => ({
		answer: control(sandbox, 'POST deposits', { alias: 'customer-0042', amount }),
		id: 'id',
		moved: ['NGN', amount],
		event: 'virtual_account_credited',
	}),
	(sandbox, amount) => ({
		answer: control(sandbox, 'POST admin_funding', { asset: 'EUR', amount, direction: 'credit' }),
		id: 'id',
		moved: ['EUR', amount],
		event: 'admin_funding',
	}),
];

test('a sandbox with --db that is killed three times under load loses nothing that it acknowledged', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
	const receiver = await startWebhookReceiver();
	// Some deliveries have to be sent again.
	receiver.answers.push(...Array.from({ length: 1000 }, (_, index) => (index % 10 === 9 ? 500 : 200)));
	const open = () =>
		start(
			...['--db', join(folder, 'sandbox.db'), '--webhook-url', receiver.url],
			...['--settle-after', '50', '--retry-delay', '50'],
		);
	const movements: string[] = [];
	const events: string[] = [];
	let running = await open();
	try {
		for (let killed = 0; killed < 3; killed++) {
			const { sandbox, child } = running;
			const client = async () => {
				for (;;) {
					const { answer, id, moved, event } = CALLS[calls % CALLS.length]!(sandbox, nextAmount());
					// Only the kill takes an answer away.
					const received = await answer.catch(() => undefined);
					if (received === undefined) return;
					expect(received).toMatchObject({ status: 200 });
					movements.push([...moved, received.json[id]].join(' '));
					if (event !== undefined) events.push(`${event} ${received.json[id]}`);
				}
			};
			const wanted = movements.length + 20;
			const clients = Promise.all(Array.from({ length: 16 }, client));
			await Promise.race([clients, until('20 answers', () => movements.length > wanted || undefined)]);
			await sleep(Math.random() * 600);
			await kill(child, 'SIGKILL');
			await clients;
			running = await open();
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

		const arrived = receiver.received.map(({ body }) => {
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
