/**
 * Deposits go from their event to the bank while the service fails and n8n is killed. The same workflow then goes on at its schedule, a
 * person settles what is unknown by what the service really did, until all is paid. Afterwards the service's own ledger is compared.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { add, canonical } from '../../api/decimal.ts';
import { ageKeys } from '../../host/testkit/ageKeys.ts';
import { dataTable } from '../../host/n8n/dataTable.ts';
import type { Json, StoredWorkflow } from '../../host/n8n/client.ts';
import { webhookUrl, type Stack } from '../../host/stack.ts';
import { amountsPaid } from '../../host/testkit/payments.ts';
import { saveCopy } from '../../host/testkit/workflows.ts';
import { judged, type PaymentFigures } from '../../soak/shared/figures.ts';
import { randomFrom } from '../../soak/shared/random.ts';

/** `npm run nightly` has more. For a long run, set DEPOSITS to 50 and KILLS to 10. */
const SIZE = { deposits: Number(process.env.DEPOSITS ?? 4), kills: Number(process.env.KILLS ?? 1) };

const FAULTS: Json[] = [
	...[{ dropBefore: true }, { dropAfter: true }, { malformed: true }, { delayMs: 900 }],
	...[{ status: 503 }, { status: 500, acted: true }, { status: 422 }],
];
const ROUTES = ['instant_conversion', 'fiat_payout'].map((name) => `POST /v1/${name}`);
const READS = ['GET /v1/instant_contracts', 'GET /v1/rates', 'POST /v1/fiat_balance'];
/** A kill comes within this time after the deposits. */
const WITHIN_MS = 4000;
const MOST_ROUNDS = 40;
/** An event whose delivery failed comes again within some rounds. */
const ROUND_MS = 2000;

const sumOf = (amounts: unknown[]) => canonical(amounts.map(String).reduce((a, b) => add(a, b), '0'));

/** The stack needs the examples convert-at-rate and deposit-to-bank, and no other payments may be made meanwhile. */
export async function depositAndKill(stack: Stack): Promise<PaymentFigures> {
	const { deposits, kills } = SIZE;
	const { client, control, example, sandbox } = stack;
	const table = (name: string) => dataTable(client, `wallet_service_${name}`);
	const random = randomFrom();
	const pick = <T>(list: T[]): T => list[Math.floor(random() * list.length)]!;
	await control('POST', '/reset');
	// Its own schedule may come meanwhile, and then converts what `npm start` has ordered.
	await table('orders').clear();
	const [way, converter] = [await publishWay(stack), example('convert-at-rate')];
	await control('PUT', '/settings', { retryDelayMs: 15_000 });
	const { ledger } = sandbox.service;
	const balance = (code: string) => ledger.balances.get(code)!.amount;
	const opening = { USDT: balance('USDT'), NGN: balance('NGN') };
	const person = new Person(stack, way);
	const goOn = async () => {
		await person.act();
		await client.runByHand(way.id, 'Every 15 minutes').catch(() => undefined);
	};

	const wanted: string[] = [];
	const ids: unknown[] = [];
	const perKill = Math.ceil(deposits / kills);
	for (let killed = 0; killed < kills; killed += 1) {
		const small = { rate: '1560', fee: '0', available: `${5 + killed}.${killed}1` };
		const contract_id = 'ic_usd_ngn';
		ledger.contracts.put(contract_id, { contract_id, from: 'USDT', to: 'NGN', ...small });
		for (let count = 0; count < perKill && wanted.length < deposits; count += 1) {
			const amount = `${10 + wanted.length}.${100 + wanted.length}`;
			wanted.push(amount);
			if (random() < 0.5) await control('POST', '/faults', { route: pick(ROUTES), ...pick(FAULTS) });
			if (random() < 0.3) await control('POST', '/faults', { route: pick(READS), status: 500 });
			const deposit = { wallet_alias: 'deposits-usdt', coin: 'USDT', amount };
			ids.push((await control('POST', '/deposits', deposit)).id);
		}
		await sleep(random() * WITHIN_MS);
		await stack.restart('kill', converter, way, example('pay-once'));
		sandbox.service.faults.clear();
		await goOn();
		process.stderr.write(`${killed + 1} of ${kills} kills\n`);
	}
	const open = async () => {
		const rows = await table('deposits').rows();
		return ids.filter((id) => !rows.some(({ deposit_id, state }) => deposit_id === id && state === 'paid'));
	};
	for (let round = 0; round < MOST_ROUNDS && (await open()).length > 0; round += 1) {
		await goOn();
		await sleep(ROUND_MS);
	}

	const rows = await table('deposits').rows();
	const converted = (await table('conversions').rows()).filter(({ state }) => state === 'converted');
	const transactions = ledger.transactions.all();
	const paid = amountsPaid(stack).map(canonical).sort();
	const told = ids
		.map((id) => canonical(String(rows.find(({ deposit_id }) => deposit_id === id)?.paid_amount)))
		.sort();
	const brought = sumOf(transactions.map(({ to_amount }) => to_amount));
	const paidTwice = paid.length - new Set(paid).size;
	const isOther = (one: string, other: string) => Number(canonical(one) !== canonical(other));
	return judged(
		{
			what: `${deposits} deposits to the bank, ${kills} SIGKILLs`,
			...{ asked: deposits, paid: paid.length, paidTwice },
			more: [
				`conversions: ${transactions.length}; settled by a person: ${person.settled}; retried: ${person.retried.size}`,
				`mails: ${stack.mailbox.mails.length}; ${sumOf(wanted)} USDT gave ${brought} NGN, paid: ${sumOf(paid)} NGN`,
			].join('; '),
		},
		{
			'not paid in the end': (await open()).length,
			'payments more or less than deposits': Math.abs(new Set(paid).size - deposits),
			'amounts in the table that are not those of the service': Number(paid.join() !== told.join()),
			// The sums, to the last digit.
			'other sum that was converted': isOther(
				sumOf(transactions.map(({ from_amount }) => from_amount)),
				sumOf(wanted),
			),
			'other sum in the table of conversions': isOther(
				sumOf(converted.map(({ to_amount }) => to_amount)),
				brought,
			),
			'other balance of USDT': isOther(balance('USDT'), opening.USDT),
			'other balance of NGN': isOther(sumOf([balance('NGN'), ...paid]), sumOf([opening.NGN, brought])),
		},
	);
}

/** The order of a deposit has the deposit's ID in capital letters. */
const isOf = (orderNumber: unknown, depositId: unknown) => orderNumber === String(depositId).toUpperCase();

/** Publishes both workflows. What a killed execution worked on is taken over at once. */
async function publishWay({ client, control, example, n8n }: Stack): Promise<StoredWorkflow> {
	await client.publish(example('convert-at-rate'));
	const hurry = (parameters: Json) =>
		JSON.parse(JSON.stringify(parameters).replace('"value":"10"', '"value":"0.02"')) as Json;
	const way = await saveCopy(client, example('deposit-to-bank'), 'From deposit to bank, hurried', {
		Settings: ({ parameters }) => ({ parameters: hurry(parameters) }),
	});
	await client.publish(way);
	await control('PUT', '/webhook', { url: webhookUrl(n8n, way) });
	return way;
}

/** Does what the mails and the list of executions say. */
class Person {
	settled = 0;
	readonly retried = new Set<string>();
	readonly #stack: Stack;
	readonly #way: StoredWorkflow;

	constructor(stack: Stack, way: StoredWorkflow) {
		this.#stack = stack;
		this.#way = way;
	}

	async act(): Promise<void> {
		// On a busy machine, n8n starts for longer than the service repeats an event.
		const { deliveries } = this.#stack.sandbox.service;
		for (const { id, status } of deliveries.all()) if (status === 'failed') deliveries.redeliver(id);
		await this.#retry();
		await this.#settleConversions();
		await this.#settlePayouts();
	}

	#table(name: string) {
		return dataTable(this.#stack.client, `wallet_service_${name}`);
	}

	async #retry(): Promise<void> {
		const { client } = this.#stack;
		for (const { id, status } of await client.executions(this.#way.id)) {
			if (!['crashed', 'error'].includes(status) || this.retried.has(id)) continue;
			this.retried.add(id);
			await client.retry(id, 'original').catch(() => undefined);
		}
	}

	async #settleConversions(): Promise<void> {
		const deposits = await this.#table('deposits').rows();
		const asked = deposits.filter(({ told }) => String(told).startsWith('conversion unknown'));
		const rows = await this.#table('conversions').rows();
		const used = new Set(rows.map(({ transaction_id }) => transaction_id));
		for (const { payment_key, state, from_amount, order_number } of rows) {
			if (state === 'converted' || !asked.some(({ deposit_id }) => isOf(order_number, deposit_id))) continue;
			const found = this.#stack.sandbox.service.ledger.transactions
				.all()
				.find((made) => made.from_amount === from_amount && !used.has(made.transaction_id));
			used.add(found?.transaction_id);
			const word = found ? { transaction_id: found.transaction_id } : { settle: 'wasNotConverted' };
			await this.#table('conversions').update({ payment_key }, word);
			this.settled += 1;
		}
	}

	async #settlePayouts(): Promise<void> {
		await ageKeys(this.#stack);
		const paid = amountsPaid(this.#stack).map(canonical);
		for (const { key, amount, result } of await this.#table('book').rows()) {
			if (result !== 'unknown') continue;
			const isPaid = paid.includes(canonical(String(amount).replace('-', '')));
			await this.#table('book').update({ key }, { settle: isPaid ? 'wasPaid' : 'wasNotPaid' });
			this.settled += 1;
		}
	}
}
