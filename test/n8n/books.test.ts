/** The books: each event is booked once, and payouts that nobody ordered are told. */
import { createCryptoPayout, createFiatPayout } from '../../sandbox/ledger/payouts.ts';
import { itemsOf, succeeded, until } from '../../host/n8n/client.ts';
import type { Json } from '../../host/n8n/client.ts';
import type { Mail } from '../../host/doubles/mailbox.ts';
import { webhookUrl } from '../../host/stack.ts';
import { queryDatabase } from '../../host/testkit/database.ts';
import { pay, payoutsMade } from '../../host/testkit/payments.ts';
import type { Payer } from '../../host/testkit/payments.ts';
import { AT_ONCE, bookRow, paymentRows, bookTable, publishBookPayer } from '../../host/testkit/book.ts';
import { changeExample, withParameters } from '../../host/testkit/workflows.ts';
import { testExamplesOf } from './executedExamples.ts';
import { renewForEachTest, useStack } from './setup.ts';

const stack = useStack('pay-once', 'deposit-to-item');
let payer: Payer;
beforeAll(async () => {
	payer = await publishBookPayer(stack, 'Pays for the books');
	await changeExample(stack, 'pay-once', AT_ONCE);
	await changeExample(stack, 'book-an-event', { 'Ten seconds': withParameters({ amount: 2 }) });
});

renewForEachTest(stack);
beforeEach(async () => {
	await stack.control('PUT', '/settings', { settleAfterMs: 100 });
	await stack.control('PUT', '/webhook', { url: webhookUrl(stack.n8n, stack.example('deposit-to-item')) });
});

let keys = 0;
const newKey = () => `BOOK-${++keys}`;

/** Waits until all that events have started is done. Returns the mails but those of each event. */
async function quiet(): Promise<Mail[]> {
	const { deliveries } = stack.sandbox.service;
	await until('all deliveries', () =>
		deliveries.all().every(({ status }) => status !== 'pending') ? true : undefined,
	);
	await until('the end of all executions', () => {
		const sql = `SELECT id FROM execution_entity WHERE status IN ('new', 'running')`;
		return queryDatabase(stack, sql).length === 0 || undefined;
	});
	return stack.mailbox.mails.filter(({ subject }) => !/^(Deposit|Payout \w+):/.test(subject));
}

const rowsWith = async (reference: unknown) =>
	(await bookTable(stack).rows()).filter((row) => row.reference === reference);
/** Waits until an update has filled the row of its payout. */
const reported = async (payoutId: unknown, status: string) =>
	await until('the update', async () =>
		(await rowsWith(payoutId)).some((row) => row.sentAmount && row.status === status) ? true : undefined,
	);

/** The service makes a payout past n8n. Its update is the same as of each other payout. */
const payPastN8n = (order: { coin: string; amount: string } | { currency: string; amount: string }) => {
	const { ledger, store } = stack.sandbox.service;
	return store.transaction(() =>
		'coin' in order
			? createCryptoPayout(ledger, { ...order, wallet_alias: 'treasury' })
			: createFiatPayout(ledger, { ...order, account_alias: 'supplier-main' }),
	);
};

const coinPayment = (amount: string) => ({ key: newKey(), amount, coin: 'USDT', destination: 'treasury' });

async function payOne(payment: Json): Promise<Json> {
	const [row] = await pay(stack.n8n, payer, [payment]);
	return row!;
}

const rowOf = async (key: string) => (await paymentRows(stack)).find(({ paymentKey }) => paymentKey === key)!;

const send = async (fields: Json) => await stack.control('POST', '/events', fields);
const update = async (id: unknown, status: string, more: Json = {}) =>
	await send({ event: 'crypto_payout_update', id, status, ...more });

describe('book an event', () => {
	test('each event that moves money is a row, once, with its sign and every digit', async () => {
		const asset = async (path: string, fields: Json) => await stack.control('POST', path, fields);
		const made = [
			await asset('/deposits', { alias: 'customer-0042', amount: '1234.567890123456789' }),
			await asset('/deposits', { wallet_alias: 'deposits-usdt', coin: 'USDT', amount: '250.75' }),
			await asset('/admin_funding', { asset: 'USD', amount: '70', direction: 'credit' }),
			await asset('/admin_funding', { asset: 'ETH', amount: '0.5', direction: 'debit' }),
		];
		const coin = made[1]!;
		await quiet();
		const rows = async () =>
			(await bookTable(stack).rows())
				.filter(({ reference }) => made.some(({ id }) => id === reference))
				.map(({ kind, asset, amount, counterpart, status }) => [kind, asset, amount, counterpart, status])
				.sort();
		const expected = [
			['admin credit', 'USD', '70', 'an administrator', 'successful'],
			['admin debit', 'ETH', '-0.5', 'an administrator', 'successful'],
			['coin deposit', 'USDT', '250.75', 'deposits-usdt', 'successful'],
			['deposit', 'NGN', '1234.567890123456789', 'Ada Obi to customer-0042', 'successful'],
		];
		expect(await rows()).toEqual(expected);
		expect((await rowsWith(coin.id))[0]).toMatchObject({
			txHash: coin.tx_hash,
			execution: expect.any(String),
		});
		// The service repeats its events after hours, when the trigger may have forgotten them.
		const { id } = stack.example('book-an-event');
		for (const execution of await stack.client.executions(id))
			await stack.client.ended(
				await stack.client.startByHand(id, 'An event', itemsOf(execution, 'An event')),
			);
		await quiet();
		expect(await rows()).toEqual(expected);
	});

	test('an event that cannot be read, and one that comes again with other content, go to a person', async () => {
		await send({ event: 'virtual_account_credited', id: 'dep_b1', Amount: '2.000,75' });
		await send({ event: 'virtual_account_credited', id: 'dep_b2', Amount: '8.20' });
		await quiet();
		await send({ event: 'virtual_account_credited', id: 'dep_b2', Amount: '82.0' });
		await send({ event: 'virtual_account_credited', id: 'dep_b2', Amount: '8.20', status: 'reversed' });
		const subjects = (await quiet()).map(({ subject }) => subject);
		expect(subjects.sort()).toEqual([
			'A deposit is successful and reversed',
			'An event came again with other content: deposit dep_b2',
			'An event cannot be booked: deposit dep_b1',
		]);
		expect((await rowsWith('dep_b2')).map(({ amount, status }) => [amount, status]).sort()).toEqual([
			['8.20', 'reversed'],
			['8.20', 'successful'],
			['82.0', 'successful'],
		]);
	});

	test('an update fills in the status of the row, also before its row is there; a final word stays', async () => {
		const payment = coinPayment('12.5');
		const { payoutId } = await payOne(payment);
		await until('the status', async () =>
			(await rowOf(payment.key)).status === 'successful' ? true : undefined,
		);
		await quiet();
		expect(await rowsWith(payoutId)).toMatchObject([
			{
				...{ key: payment.key, kind: 'coin payout', amount: '-12.5', sentAmount: '12.5', fee: '0.5' },
				...{ feeAsset: 'USDT', counterpart: 'treasury', result: 'paid', status: 'successful' },
			},
		]);
		expect((await rowsWith(payoutId))[0]!.txHash).toMatch(/^[0-9a-f]{64}$/);
		const facts = { coin: 'usdt', 'Amount sent': '12.5', 'Wallet received alias': 'treasury' };
		for (const status of ['processing', 'awaiting_network']) await update(payoutId, status, facts);
		expect(await quiet()).toEqual([]);
		expect((await rowOf(payment.key)).status).toBe('successful');
		await update(payoutId, 'reversed', facts);
		const [mail, ...others] = await quiet();
		expect([mail?.subject, others]).toEqual(['A payout is successful and reversed', []]);
		expect(mail!.text).toContain(`Payout ${String(payoutId)} with payment key ${payment.key}`);
		// The proof and the watch read rows that changed lately.
		expect((await rowOf(payment.key)).message).toBe(mail!.text);
		// The row keeps the first word, and the other one is a row of its own.
		expect((await rowsWith(payoutId)).map(({ key, status }) => [key, status])).toEqual([
			[payment.key, 'successful'],
			[`crypto_payout_update:${String(payoutId)}:reversed`, 'reversed'],
		]);

		const early = newKey();
		const facts2 = { ...facts, 'Amount sent': '7' };
		await update(`po-${early}`, 'successful', facts2);
		await until('a row of its own', async () => (await rowsWith(`po-${early}`)).length > 0);
		await bookTable(stack).insert([
			bookRow({
				...{ paymentKey: early, result: 'paid', payoutId: `po-${early}`, status: 'pending', amount: '7' },
				...{ coin: 'USDT', destination: 'treasury' },
			}),
		]);
		expect(await quiet()).toHaveLength(1);
		expect(
			(await rowsWith(`po-${early}`)).map(({ key, status, sentAmount }) => [key, status, sentAmount]),
		).toEqual([[early, 'successful', '7']]);
	});

	test('payouts that nobody here made are told, one mail each, one without an answer by its row, and those of pay once are not', async () => {
		await stack.control('PUT', '/settings', { settleAfterMs: null });
		const stolen = [payPastN8n({ coin: 'USDT', amount: '250' }), payPastN8n({ coin: 'BTC', amount: '0.01' })];
		const ours = await payOne(coinPayment('33'));
		const lost = coinPayment('61.25');
		await stack.control('POST', '/faults', { route: 'POST /v1/crypto_payout', dropAfter: true });
		expect(await payOne(lost)).toMatchObject({ result: 'unknown' });
		const ids = [...stolen.map(({ payout_id }) => payout_id), ours.payoutId as string];
		ids.push(payoutsMade(stack).at(-1)!.payout_id);
		for (const status of ['processing', 'successful']) {
			for (const id of ids) await stack.control('POST', `/payouts/${id}`, { status });
			await quiet();
		}
		const mails = await quiet();
		expect(mails.map(({ subject }) => subject).sort()).toEqual([
			`A payment that is not known looks paid: ${lost.key}`,
			'ALARM: a payout that is in no row: 0.01 BTC to treasury',
			'ALARM: a payout that is in no row: 250 USDT to treasury',
		]);
		expect(mails.map(({ text }) => text).join()).toContain(
			`Payout ${stolen[0]!.payout_id}: 250 USDT to treasury`,
		);
	});
});

testExamplesOf('n8n/books', stack);
