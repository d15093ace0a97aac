/**
 * Deposits go from their event to the bank while the service fails and n8n is killed. A person chooses Retry, and does what the mails say
 * by what the service shows, until all is paid. Afterwards the service's own ledger is compared.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { add, canonical } from '../../api/exact/decimal.ts';
import { ageKeys } from '../../host/testkit/ageKeys.ts';
import { handOver } from '../../host/testkit/approvals.ts';
import { publishBookPayer } from '../../host/testkit/book.ts';
import { quiet } from '../../host/testkit/database.ts';
import { depositOf } from '../../host/testkit/deposits.ts';
import type { Deposit } from '../../host/testkit/deposits.ts';
import { dataTable } from '../../host/n8n/dataTable.ts';
import type { Json, StoredWorkflow } from '../../host/n8n/client.ts';
import type { Stack } from '../../host/stack.ts';
import { amountsPaid, pay } from '../../host/testkit/payments.ts';
import type { Payer } from '../../host/testkit/payments.ts';
import { withStack } from '../../host/testkit/stacks.ts';
import { changeExample, withParameters } from '../../host/testkit/workflows.ts';
import { startKeeping } from '../deliveries/situations.ts';
import { judged, type PaymentFigures, type Soak } from '../shared/figures.ts';
import { randomNumbers } from '../../host/testkit/random.ts';

const FULL = { deposits: 50, kills: 10 };
const SHORT = { deposits: 10, kills: 2 };

const FAULTS: Json[] = [
	{ dropBefore: true },
	{ dropAfter: true },
	{ malformed: true },
	{ delayMs: 900 },
	{ status: 503 },
	{ status: 422 },
];
const ROUTES = ['instant_conversion', 'fiat_payout'].map((name) => `POST /v1/${name}`);
const READS = ['GET /v1/instant_contracts', 'GET /v1/rates'];
/** A kill comes within this time after the deposits. */
const WITHIN_MS = 4000;
const MOST_ROUNDS = 12;

const sumOf = (amounts: unknown[]) => canonical(amounts.map(String).reduce((a, b) => add(a, b), '0'));

export const depositKills: Soak = async ({ short }) =>
	await withStack(startKeeping(['convert-at-rate', 'deposit-to-bank']), (stack) =>
		depositAndKill(stack, short ? SHORT : FULL),
	);

async function depositAndKill(stack: Stack, { deposits, kills }: typeof FULL): Promise<PaymentFigures> {
	const { control, example, sandbox } = stack;
	const random = randomNumbers();
	const pick = <T>(list: T[]): T => list[Math.floor(random() * list.length)]!;
	await control('POST', '/reset');
	await control('PUT', '/webhook', { url: null });
	await changeExample(stack, 'deposit-to-bank', { Wait: withParameters({ amount: 1, unit: 'seconds' }) });
	const way = example('deposit-to-bank');
	const payer = await publishBookPayer(stack, 'A person pays');
	const { ledger } = sandbox.service;
	const balance = (code: string) => ledger.balances.get(code)!.amount;
	const opening = { USDT: balance('USDT'), NGN: balance('NGN') };
	const person = new Person(stack, payer);

	const wanted: Deposit[] = [];
	const perKill = Math.ceil(deposits / kills);
	for (let killed = 0; killed < kills; killed += 1) {
		for (let count = 0; count < perKill && wanted.length < deposits; count += 1) {
			const place = wanted.length;
			const deposit = depositOf(`dep_kill_${place}`, `${10 + place}.${100 + place}`);
			wanted.push(deposit);
			if (random() < 0.4) await control('POST', '/faults', { route: pick(ROUTES), ...pick(FAULTS) });
			if (random() < 0.2) await control('POST', '/faults', { route: pick(READS), status: 500 });
			await handOver(stack, [deposit], way);
		}
		await sleep(random() * WITHIN_MS);
		await stack.restart('kill', way, example('pay-once'));
		sandbox.service.faults.clear();
		await person.retry(way);
		process.stderr.write(`${killed + 1} of ${kills} kills\n`);
	}
	const open = () => wanted.filter((deposit) => !person.isPaid(deposit));
	for (let round = 0; round < MOST_ROUNDS && open().length > 0; round += 1) {
		await quiet(stack);
		await person.retry(way);
		for (const deposit of open()) await person.bring(deposit);
	}
	await quiet(stack);

	const transactions = ledger.transactions.all();
	const paid = amountsPaid(stack).map(canonical);
	const brought = transactions.map(({ to_amount }) => canonical(to_amount));
	const isOther = (one: string, other: string) => Number(canonical(one) !== canonical(other));
	return judged(
		{
			what: `${deposits} deposits to the bank, ${kills} SIGKILLs`,
			asked: deposits,
			paid: paid.length,
			paidTwice: paid.length - new Set(paid).size,
			more: [
				`conversions: ${transactions.length}; retried: ${person.retried.size}; by hand: ${person.byHand}`,
				`mails: ${stack.mailbox.mails.length}; ${sumOf(wanted.map(({ amount }) => amount))} USDT gave ${sumOf(brought)} NGN`,
			].join('; '),
		},
		{
			'not paid in the end': open().length,
			'paid twice': paid.length - new Set(paid).size,
			'conversions more or less than deposits': Math.abs(transactions.length - deposits),
			'payouts of what no deposit brought': paid.filter((amount) => !brought.includes(amount)).length,
			'other balance of USDT': isOther(
				sumOf([balance('USDT'), ...wanted.map(({ amount }) => amount)]),
				opening.USDT,
			),
			'other balance of NGN': isOther(sumOf([balance('NGN'), ...paid]), sumOf([opening.NGN, ...brought])),
		},
	);
}

/** Does what the mails and the list of executions say, by what the service shows. */
class Person {
	byHand = 0;
	readonly retried = new Set<string>();
	readonly #stack: Stack;
	readonly #payer: Payer;

	constructor(stack: Stack, payer: Payer) {
		this.#stack = stack;
		this.#payer = payer;
	}

	/** What the service shows of a deposit: what its conversion brought. */
	#brought({ amount }: Deposit): string | undefined {
		const all = this.#stack.sandbox.service.ledger.transactions.all();
		return all.find(({ from_amount }) => canonical(from_amount) === canonical(amount))?.to_amount;
	}

	isPaid(deposit: Deposit): boolean {
		const brought = this.#brought(deposit);
		return brought !== undefined && amountsPaid(this.#stack).map(canonical).includes(canonical(brought));
	}

	/** Chooses Retry for each execution that was killed or failed, as n8n lists them. */
	async retry(way: StoredWorkflow): Promise<void> {
		const { client } = this.#stack;
		for (const { id, status } of await client.executions(way.id)) {
			if (!['crashed', 'error'].includes(status) || this.retried.has(id)) continue;
			this.retried.add(id);
			await client.retry(id, 'original').catch(() => undefined);
		}
	}

	/** A deposit that is not paid although nothing runs: the service shows how far it came. */
	async bring(deposit: Deposit): Promise<void> {
		this.byHand += 1;
		await ageKeys(this.#stack);
		const way = this.#stack.example('deposit-to-bank');
		if (this.#brought(deposit) === undefined) await handOver(this.#stack, [deposit], way);
		await quiet(this.#stack);
		if (this.#brought(deposit) === undefined) await this.#convert(deposit);
		const amount = this.#brought(deposit);
		if (amount === undefined || this.isPaid(deposit)) return;
		await pay(this.#stack.n8n, this.#payer, [{ key: deposit.id, amount, decision: 'wasNotPaid' }]);
	}

	/** Its key stays unknown, so a person puts it into the table of orders under another one. */
	async #convert({ id, amount }: Deposit): Promise<void> {
		const { client, example } = this.#stack;
		const order = { order_number: `${id}-by-hand`, from: 'USDT', to: 'NGN', amount, minimum_rate: '1500' };
		const empty = { decision: '', result: '', received: '', message: '' };
		await dataTable(client, 'wallet_service_orders').fill([{ ...order, ...empty }]);
		await client.runByHand(example('convert-at-rate').id, 'Every 15 minutes');
	}
}
