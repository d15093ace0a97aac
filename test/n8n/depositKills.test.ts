/**
 * Deposits go from their event to the bank while the service fails and n8n is killed. The same workflow then goes on at its schedule, a
 * person settles what is unknown by what the service really did, until all is paid. Afterwards the service's own ledger is compared.
 * DEPOSITS=50 and KILLS=10 in the environment make a longer run, which prints its figures.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { add, canonical } from '../../api/decimal.ts';
import type { Json } from '../../host/n8n/client.ts';
import { dataTable } from '../../host/n8n/dataTable.ts';
import { startTemporaryStack, webhookUrl } from '../../host/stack.ts';
import { elementAt } from '../../host/testkit/lists.ts';
import { amountsPaid } from '../../host/testkit/payments.ts';
import { saveCopy } from '../../host/testkit/workflows.ts';
import { randomFrom } from '../../soak/shared/random.ts';
import { useOwnStack } from './setup.ts';

jest.setTimeout(900_000);

const stack = useOwnStack(() => startTemporaryStack({ examples: ['convert-at-rate', 'deposit-to-bank'] }));

const [DEPOSITS, KILLS] = [Number(process.env.DEPOSITS ?? 10), Number(process.env.KILLS ?? 2)];

const FAULTS: Json[] = [
	...[{ dropBefore: true }, { dropAfter: true }, { malformed: true }, { delayMs: 900 }],
	...[{ status: 503 }, { status: 500, acted: true }, { status: 422 }],
];
const ROUTES = ['instant_conversion', 'fiat_payout'].map((name) => `POST /v1/${name}`);
const READS = ['GET /v1/instant_contracts', 'GET /v1/rates', 'POST /v1/fiat_balance'];
const SCHEDULE = 'Every 15 minutes';
/** A kill comes within this time after the deposits. */
const WITHIN_MS = 4000;
const MOST_ROUNDS = 40;

const table = (name: string) => dataTable(stack.client, `wallet_service_${name}`);

test('each deposit is paid once through faults and kills, and the sums are those of the service', async () => {
	const [deposits, kills] = [DEPOSITS, KILLS];
	const { client, control, example, sandbox } = stack;
	const { ledger } = sandbox.service;
	const random = randomFrom();
	const pick = <T>(list: T[]): T => elementAt(list, Math.floor(random() * list.length));
	const converter = example('convert-at-rate');
	// Its own schedule may come within this test, and then converts what `npm start` has ordered.
	await table('orders').clear();
	await client.publish(converter);
	// What a killed execution worked on is taken over at once.
	const hurry = (parameters: Json) =>
		JSON.parse(JSON.stringify(parameters).replace('"value":"10"', '"value":"0.02"')) as Json;
	const way = await saveCopy(client, example('deposit-to-bank'), 'From deposit to bank, hurried', {
		Settings: ({ parameters }) => ({ parameters: hurry(parameters) }),
	});
	await client.publish(way);
	await control('PUT', '/webhook', { url: webhookUrl(stack.n8n, way) });
	await control('PUT', '/settings', { retryDelayMs: 15_000 });
	const schedule = () => client.runByHand(way.id, SCHEDULE);
	const opening = { USDT: ledger.balances.get('USDT')!.amount, NGN: ledger.balances.get('NGN')!.amount };

	const wanted: string[] = [];
	const ids: string[] = [];
	const retried = new Set<string>();
	let settled = 0;
	/** A person does what the mails and the list of executions say. */
	const person = async () => {
		const ended = await client.executions(way.id);
		for (const { id } of ended.filter(({ status }) => status === 'crashed' || status === 'error')) {
			if (retried.has(id)) continue;
			retried.add(id);
			await client.retry(id, 'original').catch(() => undefined);
		}
		const rows = await table('deposits').rows();
		const asked = rows.filter(({ told }) => String(told).startsWith('conversion unknown'));
		const book = await table('conversions').rows();
		const used = new Set(book.map(({ transaction_id }) => transaction_id));
		for (const row of book) {
			const isAsked = asked.some(({ deposit_id }) => String(deposit_id).toUpperCase() === row.order_number);
			if (row.state === 'converted' || !isAsked) continue;
			const found = ledger.transactions
				.all()
				.find(
					({ from_amount, transaction_id }) => from_amount === row.from_amount && !used.has(transaction_id),
				);
			used.add(found?.transaction_id);
			const word = found ? { transaction_id: found.transaction_id } : { settle: 'wasNotConverted' };
			await table('conversions').update({ payment_key: row.payment_key }, word);
			settled += 1;
		}
		for (const { key, amount, result } of await table('book').rows())
			if (result === 'unknown') {
				const isPaid = amountsPaid(stack)
					.map(canonical)
					.includes(canonical(String(amount).replace('-', '')));
				await table('book').update({ key }, { settle: isPaid ? 'wasPaid' : 'wasNotPaid' });
				settled += 1;
			}
	};

	const perKill = Math.ceil(deposits / kills);
	for (let killed = 0; killed < kills; killed += 1) {
		const fee = '0';
		const small = { from: 'USDT', to: 'NGN', rate: '1560', fee, available: `${5 + killed}.${killed}1` };
		ledger.contracts.put('ic_usd_ngn', { contract_id: 'ic_usd_ngn', ...small });
		for (let count = 0; count < perKill && wanted.length < deposits; count += 1) {
			const amount = `${10 + wanted.length}.${100 + wanted.length}`;
			wanted.push(amount);
			if (random() < 0.5) await control('POST', '/faults', { route: pick(ROUTES), ...pick(FAULTS) });
			if (random() < 0.3) await control('POST', '/faults', { route: pick(READS), status: 500 });
			ids.push(
				(await control('POST', '/deposits', { wallet_alias: 'deposits-usdt', coin: 'USDT', amount }))
					.id as string,
			);
		}
		await sleep(random() * WITHIN_MS);
		await stack.restart('kill', converter, way, example('pay-once'));
		sandbox.service.faults.clear();
		await person();
		await schedule().catch(() => undefined);
		process.stderr.write(`${killed + 1} of ${kills} kills\n`);
	}
	const open = async () => {
		const rows = await table('deposits').rows();
		return ids.filter((id) => !rows.some(({ deposit_id, state }) => deposit_id === id && state === 'paid'));
	};
	for (let round = 0; round < MOST_ROUNDS && (await open()).length > 0; round += 1) {
		await person();
		await schedule().catch(() => undefined);
		await sleep(500);
	}

	const rows = await table('deposits').rows();
	const conversions = (await table('conversions').rows()).filter(({ state }) => state === 'converted');
	const sum = (amounts: unknown[]) => amounts.map(String).reduce((a, b) => add(a, b), '0');
	const transactions = ledger.transactions.all();
	const paid = amountsPaid(stack).map(canonical);
	const payoutOf = (id: string) =>
		canonical(String(rows.find(({ deposit_id }) => deposit_id === id)?.paid_amount));
	const brought = sum(transactions.map(({ to_amount }) => to_amount));
	process.stderr.write(
		`${deposits} deposits, ${kills} kills: ${transactions.length} conversions, settled by a person: ${settled}, ` +
			`retried: ${retried.size}, mails: ${stack.mailbox.mails.length}, ` +
			`converted ${sum(wanted)} USDT to ${brought} NGN, paid ${sum(paid)} NGN\n`,
	);
	expect(await open()).toEqual([]);
	expect(ids.map(payoutOf).sort()).toEqual([...paid].sort());
	expect(new Set(paid).size).toBe(deposits);
	// The sums, to the last digit.
	expect(canonical(sum(transactions.map(({ from_amount }) => from_amount)))).toBe(canonical(sum(wanted)));
	expect(canonical(sum(conversions.map(({ to_amount }) => to_amount)))).toBe(canonical(brought));
	expect(canonical(ledger.balances.get('USDT')!.amount)).toBe(canonical(opening.USDT));
	expect(canonical(add(ledger.balances.get('NGN')!.amount, sum(paid)))).toBe(
		canonical(add(opening.NGN, brought)),
	);
});
