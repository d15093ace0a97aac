/** The books: each event is booked once, payouts that nobody ordered are told, mornings are proved, and what waits is told. */
import { createCryptoPayout, createFiatPayout } from '../../sandbox/ledger/payouts.ts';
import { dataTable } from '../../host/n8n/dataTable.ts';
import { itemsOf, succeeded, until } from '../../host/n8n/client.ts';
import type { Json } from '../../host/n8n/client.ts';
import type { Mail } from '../../host/doubles/mailbox.ts';
import { webhookUrl } from '../../host/stack.ts';
import { queryDatabase } from '../../host/testkit/database.ts';
import { failPayoutAfter, pay, payoutsMade } from '../../host/testkit/payments.ts';
import type { Payer } from '../../host/testkit/payments.ts';
import { AT_ONCE, bookRow, paymentRows, bookTable, publishBookPayer } from '../../host/testkit/book.ts';
import { changeExample, saveCopy, withParameters } from '../../host/testkit/workflows.ts';
import { testExamplesOf } from './executedExamples.ts';
import { awayFromMidnight, renewForEachTest, useStack } from './setup.ts';

const stack = useStack('pay-once', 'deposit-to-item', 'convert-at-rate', 'morning-proof', 'watch');
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

const tableOf = (name: string) => dataTable(stack.client, name);
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

describe('morning proof', () => {
	const morning = () => stack.example('morning-proof').id;

	beforeAll(async () => {
		await changeExample(stack, 'morning-proof', { 'Half a minute': withParameters({ amount: 0 }) });
	});
	beforeEach(async () => {
		await dataTable(stack.client, 'wallet_service_proofs').clear();
		await bookTable(stack).clear();
	});

	/** Proves all balances. Returns the mail, and what it says of each asset. */
	async function prove() {
		await quiet();
		stack.mailbox.mails.splice(0);
		succeeded(await stack.client.runByHand(morning(), 'Every morning'));
		const [mail] = stack.mailbox.mails;
		const said = Object.fromEntries(
			mail!.text.split('\n\n').map((part) => [part.split(':')[0]!, part.split('\n')]),
		);
		return { mail: mail!, said };
	}
	const proofs = async () => await tableOf('wallet_service_proofs').rows();

	test('the first one starts, the next one proves each movement, with a file for the bookkeeper', async () => {
		const { mail: first } = await prove();
		expect(first.subject).toMatch(/^Morning proof \d{4}-\d\d-\d\d: 10 first proof$/);
		await payOne({ key: newKey(), amount: '1250.50', currency: 'NGN' });
		await payOne({ key: newKey(), amount: '0.125', currency: 'NGN' });
		const { payoutId } = await payOne(coinPayment('12.5'));
		await stack.control('POST', '/deposits', { alias: 'customer-0042', amount: '300.25' });
		await stack.control('POST', '/admin_funding', { asset: 'USD', amount: '70', direction: 'debit' });
		await reported(payoutId, 'successful');
		const { mail, said } = await prove();
		expect(mail.subject).toMatch(/: all proved$/);
		expect(said.NGN).toEqual([
			'NGN: proved',
			'5000000.00 before, -950.375 moved, 4999049.62 now, difference 0',
		]);
		expect(said.USDT).toEqual(['USDT: proved', '20000 before, -13.0 moved, 19987 now, difference 0']);
		expect(said.USD![1]).toBe('25000.00 before, -70 moved, 24930.00 now, difference 0');
		const { name, content } = mail.attachments![0]!;
		expect(name).toMatch(/^proof-.*\.csv$/);
		const amounts = [...content.toString().matchAll(/^"NGN",".*?",".*?","(.*?)"/gm)].map(
			([, amount]) => amount,
		);
		expect(amounts).toEqual(['5000000.00', '-1250.50', '-0.125', '300.25', '4999049.62']);
		expect((await proofs()).slice(-10)).toMatchObject(
			['NGN', 'USD', 'EUR', 'GBP', 'KES', 'GHS', 'USDT', 'USDC', 'BTC', 'ETH'].map((asset) => ({
				asset,
				verdict: 'proved',
			})),
		);
	});

	test('each difference is named by its cause, on the morning on which it is seen, and is open until it is known', async () => {
		await prove();
		// An answer was lost after the service paid, a payout was made past n8n, and an event is lost.
		const lost = { key: newKey(), amount: '41.5' };
		await failPayoutAfter(stack, 0, { dropAfter: true });
		await payOne(lost);
		const stolen = payPastN8n({ coin: 'USDT', amount: '250' });
		await until('the update', async () => ((await rowsWith(stolen.payout_id)).length > 0 ? true : undefined));
		await stack.control('PUT', '/webhook', { url: null });
		await stack.control('POST', '/admin_funding', { asset: 'USD', amount: '900.09', direction: 'credit' });
		const proved = await prove();
		let { said } = proved;
		expect(proved.mail.subject).toMatch(/: 1 NOT EXPLAINED, 2 explained, 7 proved$/);
		expect([said.NGN![0], said.NGN![2]]).toEqual([
			'NGN: explained',
			`-41.5: ${lost.key}, 41.5 NGN to supplier-main, has no answer, and looks paid. Answer that it was paid.`,
		]);
		expect(said.USDT!.join('\n')).toContain(
			`-250.5: payout ${stolen.payout_id}, 250 USDT to treasury, is in no row of payments.`,
		);
		expect(said.USD!.slice(0, 3)).toEqual([
			'USD: NOT EXPLAINED',
			expect.stringMatching(/difference 900\.09$/),
			'No row explains 900.09 USD. Look in the dashboard for a deposit or credit whose event did not come, and for a payout that came back.',
		]);
		await stack.control('PUT', '/webhook', { url: webhookUrl(stack.n8n, stack.example('deposit-to-item')) });
		const { results } = (await stack.control('GET', '/deliveries')) as { results: Array<{ id: string }> };
		await stack.control('POST', `/deliveries/${results.at(-1)!.id}/redeliver`);
		({ said } = await prove());
		expect(said.NGN!.join('\n')).toContain('has no answer. It looks paid since');
		expect(said.USD!.slice(0, 3).join('\n')).toMatch(
			/^USD: under way[^]*900\.09 USD, an administrator moved the balance before its row/,
		);
	});

	test('conversions are in the book before they are sent, and are proved', async () => {
		await prove();
		await stack.control('POST', '/faults', { route: 'POST /v1/instant_conversion', delayMs: 4000 });
		const booked = async () =>
			(await bookTable(stack).rows())
				.filter(({ kind }) => kind === 'conversion')
				.map(({ asset, amount, result }) => [asset, amount, result]);
		const converting = stack.client.runByHand(stack.example('convert-at-rate').id, 'Every 15 minutes');
		const before = await until('the rows', async () => {
			const rows = await booked();
			return rows.length === 2 ? rows : undefined;
		});
		expect(before).toEqual([
			['USDT', '-100.25', 'unknown'],
			['NGN', '', 'unknown'],
		]);
		succeeded(await converting);
		expect(await booked()).toEqual([
			['USDT', '-100.25', 'paid'],
			['NGN', '154650.462', 'paid'],
		]);
		const { mail, said } = await prove();
		expect(mail.subject).toMatch(/: all proved$/);
		expect(said.USDT![1]).toBe('20000 before, -100.25 moved, 19899.75 now, difference 0');
		expect(said.NGN![1]).toMatch(/^5000000\.00 before, 154650\.462 moved, 5154650\.46 now/);
		expect(mail.attachments![0]!.content.toString()).toContain('"conversion:A-1001/1:USDT"');
	});

	test('a balance that cannot be read says why, is proved the next morning over both days, and a refused mail loses nothing', async () => {
		await prove();
		await payOne({ key: newKey(), amount: '10' });
		// n8n reads several balances at once, in any order.
		await stack.control('POST', '/faults', { route: 'POST /v1/fiat_balance', status: 503, times: 100 });
		let { said } = await prove();
		stack.sandbox.service.faults.clear();
		expect(said.NGN![0]).toBe('NGN: CANNOT BE READ');
		expect(said.NGN![1]).toContain('The service answered 503');
		expect(said.USDT![0]).toBe('USDT: proved');
		await payOne({ key: newKey(), amount: '11' });
		stack.mailbox.faults.push('refuse');
		const before = (await proofs()).length;
		const failed = await stack.client.runByHand(morning(), 'Every morning');
		expect(failed.status).toBe('error');
		expect(await proofs()).toHaveLength(before);
		({ said } = await prove());
		expect(said.NGN).toEqual(['NGN: proved', '5000000.00 before, -21 moved, 4999979.00 now, difference 0']);
	});
});

test('watch: one mail for what is new, and each matter once a day', async () => {
	await awayFromMidnight();
	const old = new Date(Date.now() - 8 * 3_600_000).toISOString();
	const row = (key: number, amount: string, more: Json) =>
		bookRow({
			...{ paymentKey: `W-${key}`, amount, currency: 'NGN', destination: 'treasury', time: old },
			...{ settle: '', message: '', execution: '1', workflow: '', result: 'paid', status: 'pending' },
			...{ payoutId: `po_w${key}` },
			...more,
		});
	const table = bookTable(stack);
	await table.fill([
		row(1, '41.5', { result: 'unknown', payoutId: '', status: '' }),
		row(2, '10.125', {}),
		row(5, '9', { currency: '', coin: 'USDT' }),
	]);
	const workflow = await saveCopy(stack.client, stack.example('watch'), 'Watch at each hour', {
		'What to watch': ({ parameters }) => ({
			parameters: {
				...parameters,
				jsonOutput: String(parameters.jsonOutput)
					.replace('"checkHour": 8', '"checkHour": 0')
					.replace('"updateHours": 6', '"updateHours": 0'),
			},
		}),
	});
	const look = async (which = workflow) => {
		stack.mailbox.mails.splice(0);
		const execution = succeeded(await stack.client.runByHand(which.id, 'Every hour'));
		return { mails: stack.mailbox.mails.map(({ subject, text }) => ({ subject, text })), execution };
	};
	const { mails, execution } = await look();
	expect(itemsOf(execution, 'Once a day').map(({ alarm }) => alarm)).toEqual([
		'low GHS',
		'unknown W-1',
		'silent W-5',
		'check',
	]);
	expect(mails).toEqual([
		{
			subject: 'Watch: 4 matters',
			text: expect.stringMatching(
				/^The GHS balance is 0\.00, below 0\.01\.\n\n[^]*Check by hand: 1 fiat payout of the last 30 days, 10\.125 NGN\./,
			),
		},
	]);
	expect((await look()).mails).toEqual([]);
	await stack.control('POST', '/faults', { route: 'POST /v1/coin_balance', status: 503 });
	expect((await look()).mails).toEqual([
		{
			subject: 'Watch: unreadable USDT',
			text: expect.stringContaining('The USDT balance cannot be read: The service answered 503'),
		},
	]);
	// The example itself.
	await look(stack.example('watch'));
});

testExamplesOf('n8n/books', stack);
