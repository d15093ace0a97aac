/** Events and the book on a real n8n: each is booked once, and a payout that nobody here ordered is a mail at once. */
import { createCryptoPayout } from '../../sandbox/ledger/payouts.ts';
import { itemsOf, until } from '../../host/n8n/client.ts';
import type { Json } from '../../host/n8n/client.ts';
import type { Mail } from '../../host/doubles/mailbox.ts';
import { webhookUrl } from '../../host/stack.ts';
import { quiet } from '../../host/testkit/database.ts';
import { pay, payoutsMade } from '../../host/testkit/payments.ts';
import type { Payer } from '../../host/testkit/payments.ts';
import { deliver, signedHeaders } from '../../host/testkit/deliveries.ts';
import { bookRow, bookTable, paymentRows, publishBookPayer } from '../../host/testkit/book.ts';
import { changeExample, withParameters } from '../../host/testkit/workflows.ts';
import { laterSpellings, spellings } from '../fixtures/spellings.ts';
import { testExamplesOf } from './executedExamples.ts';
import { movementsIn } from './movements.ts';
import { renewForEachTest, useStack } from './setup.ts';

const stack = useStack('pay-once', 'deposit-arrives');
let payer: Payer;
beforeAll(async () => {
	payer = await publishBookPayer(stack, 'Pays for the books');
	await changeExample(stack, 'book-an-event', { 'Ten seconds': withParameters({ amount: 2 }) });
});

renewForEachTest(stack);
beforeEach(async () => {
	await stack.control('PUT', '/settings', { settleAfterMs: 100 });
	await stack.control('PUT', '/webhook', { url: webhookUrl(stack.n8n, stack.example('deposit-arrives')) });
});

let keys = 0;
const newKey = () => `BOOK-${++keys}`;

/** Waits until all that events have started is done. Returns the mails but those of each deposit. */
async function mailsInTheEnd(): Promise<Mail[]> {
	const { deliveries } = stack.sandbox.service;
	await until('all deliveries', () =>
		deliveries.all().every(({ status }) => status !== 'pending') ? true : undefined,
	);
	await quiet(stack, { withWaiting: true });
	return stack.mailbox.mails.filter(({ subject }) => !/^(Deposit|Credited):/.test(subject));
}
const subjects = async () => (await mailsInTheEnd()).map(({ subject }) => subject).sort();

const rowsWith = async (reference: unknown) =>
	(await bookTable(stack).rows()).filter((row) => row.reference === reference);

/** The service makes a payout past n8n. Its update is the same as of each other payout. */
const payPastN8n = (coin: string, amount: string) => {
	const { ledger, store } = stack.sandbox.service;
	return store.transaction(() => createCryptoPayout(ledger, { coin, amount, wallet_alias: 'treasury' }));
};

const coinPayment = (amount: string) => ({ key: newKey(), amount, coin: 'USDT', destination: 'treasury' });

async function payOne(payment: Json): Promise<Json> {
	const [row] = await pay(stack.n8n, payer, [payment]);
	return row!;
}

const update = async (id: unknown, amount: string, status: string) =>
	await stack.control('POST', '/events', {
		event: 'crypto_payout_update',
		id,
		status,
		coin: 'usdt',
		'Amount sent': amount,
		'Wallet received alias': 'treasury',
	});
const report = async (id: unknown, status: string) =>
	await stack.control('POST', `/payouts/${String(id)}`, { status });

test('each event that moves money is a row, once, with its sign and every digit', async () => {
	const made: Json[] = [];
	const happens = async (path: string, fields: Json) => made.push(await stack.control('POST', path, fields));
	await happens('/deposits', { alias: 'customer-0042', amount: '1234.567890123456789' });
	await happens('/deposits', { wallet_alias: 'deposits-usdt', coin: 'USDT', amount: '250.75' });
	await happens('/admin_funding', { asset: 'USD', amount: '70', direction: 'credit' });
	await happens('/admin_funding', { asset: 'ETH', amount: '0.5', direction: 'debit' });
	expect(await subjects()).toEqual([]);
	const inserted = async () =>
		(await bookTable(stack).rows()).filter(({ reference }) => made.some(({ id }) => id === reference));
	const movements = async () =>
		movementsIn(await inserted())
			.map(({ kind, asset, amount, counterpart, state }) => [kind, asset, amount, counterpart, state])
			.sort();
	const expected = [
		['admin credit', 'USD', '70', '', 'made'],
		['admin debit', 'ETH', '-0.5', '', 'made'],
		['crypto deposit', 'USDT', '250.75', 'deposits-usdt', 'made'],
		['deposit', 'NGN', '1234.567890123456789', 'customer-0042', 'made'],
	];
	expect(await movements()).toEqual(expected);
	expect(await inserted()).toHaveLength(4);
	// The service repeats its events after hours, when the trigger may have forgotten them.
	const { id } = stack.example('book-an-event');
	for (const execution of await stack.client.executionsWithData(id))
		await stack.client.ended(
			await stack.client.startByHand(id, 'When called', itemsOf(execution, 'When called')),
		);
	await mailsInTheEnd();
	expect((await inserted()).length).toBeGreaterThan(4);
	expect(await movements()).toEqual(expected);
});

test('an update before, while and after pay once writes its row is no alarm, and leaves the row as it is', async () => {
	await stack.control('PUT', '/settings', { settleAfterMs: null });
	const payment = coinPayment('12.5');
	const { payoutId } = await payOne(payment);
	for (const status of ['processing', 'successful']) await report(payoutId, status);
	expect(await subjects()).toEqual([]);
	const rows = await rowsWith(payoutId);
	expect(rows.filter(({ result }) => result)).toMatchObject([{ key: payment.key, result: 'paid' }]);
	expect(rows.filter(({ result }) => !result).map(({ status }) => status)).toContain('successful');

	const order = (key: string, amount: string, more: Json): Json =>
		bookRow({ paymentKey: key, amount, coin: 'USDT', destination: 'treasury', ...more });
	const time = new Date().toISOString();
	// The answer is still on its way.
	await bookTable(stack).insert([order(newKey(), '13.5', { result: 'under way', time })]);
	await update('po-under-way', '13.5', 'processing');
	// No row is there when it arrives, but within the ten seconds.
	await update('po-early', '14.5', 'processing');
	await until('the update', async () => ((await rowsWith('po-early')).length > 0 ? true : undefined));
	const paid = { result: 'paid', payoutId: 'po-early', status: 'pending', time };
	await bookTable(stack).insert([order(newKey(), '14.5', paid)]);
	expect(await subjects()).toEqual([]);
});

test('an event in twenty spellings is one execution, a later fee a second one, and the book has one payment', async () => {
	await stack.control('PUT', '/settings', { settleAfterMs: null });
	const { payoutId } = await payOne(coinPayment('25.5'));
	await mailsInTheEnd();
	const { id } = stack.example('deposit-arrives');
	const url = webhookUrl(stack.n8n, stack.example('deposit-arrives'));
	const before = (await stack.client.executions(id)).length;
	const send = async (body: string) =>
		(await deliver(url, body, signedHeaders(body, stack.sandbox.webhookSecret))).answer;
	const answers = await Promise.all(spellings(String(payoutId)).map(send));
	expect(answers.filter((answer) => !(answer as Json).duplicate)).toEqual([{ ok: true }]);
	expect(answers).toHaveLength(20);
	expect(await subjects()).toEqual([]);
	expect(await stack.client.executions(id)).toHaveLength(before + 1);

	const [withFee] = laterSpellings(String(payoutId));
	expect([await send(withFee), await send(withFee)]).toEqual([{ ok: true }, { ok: true, duplicate: true }]);
	expect(await subjects()).toEqual([]);
	expect(await stack.client.executions(id)).toHaveLength(before + 2);
	const payments = (await paymentRows(stack)).filter((row) => row.payoutId === payoutId);
	expect(payments).toMatchObject([{ result: 'paid', amount: '25.5' }]);
	const updates = (await rowsWith(payoutId)).filter(({ result }) => !result);
	expect(updates.map(({ amount, fee }) => [Number(amount), fee])).toEqual([
		[-25.5, ''],
		[-25.5, '0.5'],
	]);
});

test('a payout that is successful and then reversed is one mail', async () => {
	const { payoutId } = await payOne(coinPayment('14.5'));
	await report(payoutId, 'successful');
	await mailsInTheEnd();
	for (let times = 0; times < 2; times += 1) await update(payoutId, '14.5', 'reversed');
	expect(await subjects()).toEqual([`A payout is successful and reversed: ${String(payoutId)}`]);
});

test('a crypto deposit that is taken back is one mail, with the execution that may still wait for its rate', async () => {
	const coins = { wallet_alias: 'deposits-usdt', coin: 'USDT', amount: '250.75' };
	const { id, tx_hash } = await stack.control('POST', '/deposits', coins);
	expect(await subjects()).toEqual([]);
	for (let times = 0; times < 2; times += 1)
		await stack.control('POST', '/events', {
			event: 'crypto_received',
			id,
			tx_hash,
			status: 'reversed',
			coin: 'USDT',
			Amount: '250.75',
			wallet_alias: 'deposits-usdt',
		});
	expect(await subjects()).toEqual([`A crypto deposit was taken back: ${String(id)}`]);
	const [{ text }] = (await mailsInTheEnd()) as [Mail];
	expect(text).toContain('may still wait for a rate: stop it under Executions.');
});

test('payouts that nobody here ordered are one mail each, and one whose answer was lost by its key', async () => {
	await stack.control('PUT', '/settings', { settleAfterMs: null });
	const stolen = [payPastN8n('USDT', '250'), payPastN8n('BTC', '0.01')].map(({ payout_id }) => payout_id);
	const ours = await payOne(coinPayment('33'));
	const lost = coinPayment('61.25');
	await stack.control('POST', '/faults', { route: 'POST /v1/crypto_payout', dropAfter: true });
	expect(await payOne(lost)).toMatchObject({ result: 'unknown' });
	const ids = [...stolen, ours.payoutId, payoutsMade(stack).at(-1)!.payout_id];
	// Both updates of each arrive within the ten seconds.
	for (const status of ['processing', 'successful']) await Promise.all(ids.map((id) => report(id, status)));
	expect(await subjects()).toEqual(
		[
			`A payment that is not known looks paid: ${lost.key}`,
			...stolen.map((id) => `ALARM: a payout that nobody ordered: ${id}`),
		].sort(),
	);
	const texts = (await mailsInTheEnd()).map(({ text }) => text).join('\n');
	expect(texts).toContain(`Payout ${stolen[0]}: 250.00 USDT to treasury`);

	// A second payout that looks like the lost one was ordered by nobody.
	stack.mailbox.mails.splice(0);
	const again = payPastN8n('USDT', '61.25').payout_id;
	await report(again, 'processing');
	expect(await subjects()).toEqual([`ALARM: a payout that nobody ordered: ${again}`]);
});

test('over fifty events of one wallet, a payout that nobody ordered is one mail within two minutes', async () => {
	await stack.control('PUT', '/settings', { settleAfterMs: null });
	const time = new Date().toISOString();
	const orders = Array.from({ length: 50 }, (_, place) => ({
		id: `po-many-${place}`,
		amount: `${place + 100}.5`,
	}));
	await bookTable(stack).insert(
		orders.map(({ id, amount }) =>
			bookRow({
				paymentKey: newKey(),
				amount,
				coin: 'USDT',
				destination: 'Treasury',
				result: 'paid',
				time,
				payoutId: id,
				workflow: 'wf1 pay',
				execution: '1',
			}),
		),
	);
	const began = Date.now();
	await Promise.all([
		...orders.map(async ({ id, amount }) => await update(id, amount, 'successful')),
		...['processing', 'successful'].map(async (status) => await update('po-stranger', '99', status)),
	]);
	expect(await subjects()).toEqual(['ALARM: a payout that nobody ordered: po-stranger']);
	expect(Date.now() - began).toBeLessThan(120_000);
});

test('a part that is started by hand, without an event, books nothing', async () => {
	const before = await bookTable(stack).rows();
	const { id } = stack.example('book-an-event');
	expect((await stack.client.runByHand(id, 'When called')).status).toBe('success');
	expect(await bookTable(stack).rows()).toEqual(before);
});

testExamplesOf('n8n/events', stack);
