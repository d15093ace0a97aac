/**
 * Kill -9 under load: the sandbox with `--db` is killed at random moments and started again. What it acknowledged must be
 * there afterwards, once and with every digit, and every event must arrive.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { kill, start } from '../../host/sandboxProgram.ts';
import type { SandboxConnection } from '../../host/sandboxProgram.ts';
import { call, control } from '../../host/sandboxClient.ts';
import type { AnyJson } from '../../host/sandboxClient.ts';

const WORKERS = 16;
/** Longest time under load before a kill, in milliseconds. */
const LONGEST = 600;

export interface Figures {
	kills: number;
	/** Calls that were under way when a kill came, all kills together. */
	inFlight: number;
	/** Movements that were acknowledged. */
	acknowledged: number;
	/** Of these, how many are not there, or not with their digits. */
	movementsLost: number;
	/** Of these, how many are there more than once. */
	movementsTwice: number;
	/** Codes whose balance is not the sum of its movements. */
	balancesWrong: number;
	/** Events that acknowledged calls led to. */
	events: number;
	/** Of these, how many never arrived. */
	deliveriesLost: number;
	/** Deliveries that the sandbox knows, and how many of them it has not brought to an end. */
	deliveries: number;
	deliveriesOpen: number;
	/** Bodies that arrived more than once, as the document allows. */
	arrivedAgain: number;
}

/** A change of a balance that the service has said is done. */
interface Movement {
	code: string;
	amount: string;
	/** Id of what it belongs to; for an adjustment, which has none, its code. */
	reference: string;
}

interface Acknowledged {
	movements: Movement[];
	/** Kind and id. */
	events: string[];
}

/** What is done to the sandbox, each with an amount of its own. Gives what has been acknowledged. */
type Deed = (sandbox: SandboxConnection, amount: string) => Promise<Acknowledged>;

/** The answer's JSON; throws for any other than 200. */
async function accepted(answering: ReturnType<typeof call>): Promise<AnyJson> {
	const { status, text, json } = await answering;
	if (status !== 200) throw new Refused(`${status} ${text}`);
	return json;
}

/** An answer that no kill explains. */
class Refused extends Error {}

const DEEDS: Deed[] = [
	async (sandbox, amount) => {
		const body = `{"currency":"NGN","amount":${amount},"account_alias":"supplier-main"}`;
		const { payout_id } = await accepted(call(sandbox, 'POST /v1/fiat_payout', body));
		return { movements: [{ code: 'NGN', amount: `-${amount}`, reference: payout_id }], events: [] };
	},
	async (sandbox, amount) => {
		const body = `{"coin":"USDC","amount":${amount},"wallet_alias":"treasury"}`;
		const { payout_id } = await accepted(call(sandbox, 'POST /v1/crypto_payout', body));
		// With the fee of 0.5.
		const debited = amount.replace('0.0', '-0.5');
		return {
			movements: [{ code: 'USDC', amount: debited, reference: payout_id }],
			events: [`crypto_payout_update ${payout_id}`],
		};
	},
	async (sandbox, amount) => {
		const body = `{"contract_id":"ic_usd_ngn","from_amount":${amount}}`;
		const { transaction_id } = await accepted(call(sandbox, 'POST /v1/instant_conversion', body));
		return { movements: [{ code: 'USD', amount: `-${amount}`, reference: transaction_id }], events: [] };
	},
	async (sandbox, amount) => {
		const body = `{"coin":"BTC","amount":${amount}}`;
		await accepted(call(sandbox, 'POST /v1/crypto_balance_update', body));
		return { movements: [{ code: 'BTC', amount, reference: 'BTC' }], events: [] };
	},
	async (sandbox, amount) => {
		const { id } = await accepted(control(sandbox, 'POST deposits', { alias: 'customer-0042', amount }));
		return {
			movements: [{ code: 'NGN', amount, reference: id }],
			events: [`virtual_account_credited ${id}`],
		};
	},
	async (sandbox, amount) => {
		const deposit = { wallet_alias: 'deposits-usdt', coin: 'USDT', amount };
		const { id } = await accepted(control(sandbox, 'POST deposits', deposit));
		return { movements: [{ code: 'USDT', amount, reference: id }], events: [`crypto_received ${id}`] };
	},
	async (sandbox, amount) => {
		const funding = { asset: 'EUR', amount, direction: 'credit' };
		const { id } = await accepted(control(sandbox, 'POST admin_funding', funding));
		return { movements: [{ code: 'EUR', amount, reference: id }], events: [`admin_funding ${id}`] };
	},
];

/** A customer's endpoint that counts each body it took, and fails one body in ten the first time. */
async function startCounter(): Promise<{ url: string; taken: Map<string, number>; stop: () => void }> {
	const taken = new Map<string, number>();
	const failed = new Set<string>();
	let requests = 0;
	const server = createServer((incoming, outgoing) => {
		let body = '';
		incoming.on('data', (chunk) => (body += chunk));
		incoming.on('end', () => {
			requests += 1;
			const fails = requests % 10 === 0 && !failed.has(body);
			if (fails) failed.add(body);
			else taken.set(body, (taken.get(body) ?? 0) + 1);
			outgoing.writeHead(fails ? 500 : 200).end();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const stop = () => {
		server.close();
		server.closeAllConnections();
	};
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, taken, stop };
}

/** Kills the sandbox so many times under load, and counts what is left of what it said. */
export async function killUnderLoad(kills: number): Promise<Figures> {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
	const counter = await startCounter();
	const args = ['--db', join(folder, 'sandbox.db'), '--webhook-url', counter.url];
	const open = () => start(...args, '--settle-after', '50', '--retry-delay', '50');
	const acknowledged: Acknowledged[] = [];
	let [calls, inFlight] = [0, 0];
	let running = await open();
	try {
		for (let killed = 0; killed < kills; killed++) {
			const { sandbox, child } = running;
			let loading = true;
			const work = async () => {
				while (loading) {
					const deed = DEEDS[calls % DEEDS.length];
					// One hundredth at most, and like no other.
					const amount = `0.00${String(calls++).padStart(9, '0')}1`;
					try {
						acknowledged.push(await deed(sandbox, amount));
					} catch (error) {
						if (error instanceof Refused) throw error;
						// Refused is what began after the kill.
						if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') inFlight += 1;
						return;
					}
				}
			};
			const workers = Promise.all(Array.from({ length: WORKERS }, work));
			await sleep(Math.random() * LONGEST);
			await kill(child, 'SIGKILL');
			loading = false;
			await workers;
			running = await open();
		}
		return { kills, inFlight, ...(await compare(running.sandbox, acknowledged, counter.taken)) };
	} finally {
		await kill(running.child, 'SIGKILL');
		counter.stop();
		rmSync(folder, { recursive: true });
	}
}

async function compare(
	sandbox: SandboxConnection,
	acknowledged: Acknowledged[],
	taken: Map<string, number>,
): Promise<Omit<Figures, 'kills' | 'inFlight'>> {
	let deliveries: AnyJson[] = [];
	let payouts: AnyJson[] = [];
	const open = () => deliveries.filter(({ status }) => status !== 'delivered').length;
	for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(200)) {
		payouts = (await control(sandbox, 'GET state')).json.payouts;
		deliveries = (await control(sandbox, 'GET deliveries')).json.results;
		if (open() === 0 && payouts.every(({ status }) => status === 'successful')) break;
	}
	const { balances } = (await control(sandbox, 'GET state')).json;
	const found: Movement[] = (await control(sandbox, 'GET movements')).json.results;

	const name = ({ code, amount, reference }: Movement) => `${code} ${amount} ${reference}`;
	const count = new Map<string, number>();
	for (const movement of found) count.set(name(movement), (count.get(name(movement)) ?? 0) + 1);
	const movements = acknowledged.flatMap((each) => each.movements.map(name));

	const units = (decimal: string) => {
		const [, sign, whole, fraction = ''] = /^(-?)(\d+)\.?(\d*)$/.exec(decimal)!;
		return BigInt(`${sign}${whole}${fraction.padEnd(30, '0')}`);
	};
	const sums = new Map<string, bigint>();
	for (const { code, amount } of found) sums.set(code, (sums.get(code) ?? 0n) + units(amount));
	const wrong = Object.entries<string>(balances).filter(
		([code, balance]) => units(balance) !== (sums.get(code) ?? 0n),
	);

	const arrived = new Set(
		[...taken.keys()].map((body) => {
			const { event, id } = JSON.parse(body);
			return `${event} ${id}`;
		}),
	);
	const events = acknowledged.flatMap((each) => each.events);
	return {
		acknowledged: movements.length,
		movementsLost: movements.filter((movement) => !count.has(movement)).length,
		movementsTwice: movements.filter((movement) => (count.get(movement) ?? 0) > 1).length,
		balancesWrong: wrong.length,
		events: events.length,
		deliveriesLost: events.filter((event) => !arrived.has(event)).length,
		deliveries: deliveries.length,
		deliveriesOpen: open(),
		arrivedAgain: [...taken.values()].filter((times) => times > 1).length,
	};
}

/** Figures of which the target is 0. */
const LOSSES = [
	'movementsLost',
	'movementsTwice',
	'balancesWrong',
	'deliveriesLost',
	'deliveriesOpen',
] as const;

export async function run({ short }: { short: boolean }): Promise<void> {
	const figures = await killUnderLoad(short ? 3 : 20);
	console.log('Sandbox with --db, killed with SIGKILL under load');
	console.table(figures);
	const missed = LOSSES.filter((name) => figures[name] !== 0);
	if (missed.length > 0) throw new Error(`Not 0, as they should be: ${missed.join(', ')}`);
}
