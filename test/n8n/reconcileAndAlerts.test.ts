/** Balances are reconciled with the book each morning, and alerts are mailed once a day. */
import { itemsOf, succeeded, until } from '../../host/n8n/client.ts';
import type { Json } from '../../host/n8n/client.ts';
import { ageBook, bookRow, bookTable, publishBookPayer } from '../../host/testkit/book.ts';
import { failPayoutAfter, pay } from '../../host/testkit/payments.ts';
import type { Payer } from '../../host/testkit/payments.ts';
import { changeExample, saveCopy, withParameters } from '../../host/testkit/workflows.ts';
import { testExamplesOf } from './executedExamples.ts';
import { awayFromMidnight, renewForEachTest, useStack } from './setup.ts';

const stack = useStack('pay-once', 'reconcile-each-morning', 'alerts-each-hour');
let payer: Payer;
beforeAll(async () => {
	payer = await publishBookPayer(stack, 'Pays for the books');
	await changeExample(stack, 'reconcile-each-morning', {
		'70 minutes': withParameters({ amount: 1, unit: 'seconds' }),
	});
});

renewForEachTest(stack);
beforeEach(async () => {
	// No event comes: the rows of events are written here.
	await stack.control('PUT', '/webhook', { url: null });
	await bookTable(stack).clear();
});

let keys = 0;
const newKey = () => `REC-${++keys}`;
const payOne = async (payment: Json) => (await pay(stack.n8n, payer, [payment]))[0]!;

const HOUR = 3_600_000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();

/** The service says that an administrator moved this much; `told`: its event came. */
async function fund(asset: string, amount: string, direction: 'credit' | 'debit', told: boolean) {
	const { id } = await stack.control('POST', '/admin_funding', { asset, amount, direction });
	const sign = direction === 'debit' ? '-' : '';
	const moved = { asset, amount: sign + amount, kind: `admin ${direction}`, counterpart: 'an administrator' };
	const row = { key: `event ${String(id)}`, reference: id, status: 'successful', time: hoursAgo(0) };
	if (told) await bookTable(stack).insert([{ ...row, ...moved }]);
}

describe('reconcile each morning', () => {
	const morning = () => stack.example('reconcile-each-morning').id;
	const run = async () => await stack.client.runByHand(morning(), 'Every morning');

	/** Reconciles all balances. Returns the mail, and what it says of each asset. */
	async function reconcile() {
		stack.mailbox.mails.splice(0);
		const [report] = itemsOf(succeeded(await run()), 'Reconcile');
		const balances = report!.balances as Array<Record<string, string> & { lines: string[] }>;
		const [mail] = stack.mailbox.mails;
		return { mail: mail!, of: Object.fromEntries(balances.map((balance) => [balance.asset, balance])) };
	}
	const written = async () =>
		(await bookTable(stack).rows<Record<string, string>>())
			.filter(({ kind }) => ['opening', 'reconciliation'].includes(kind!))
			.map(({ kind, asset, amount, status }) => [kind, asset, amount, status].join(' ').trim());
	/** Pays and funds, and takes the openings an hour later. */
	async function open() {
		await payOne({ key: newKey(), amount: '41', currency: 'NGN' });
		await fund('USD', '1', 'credit', true);
		ageBook(stack, 61);
		return await reconcile();
	}

	test('what moved within the last hour is waited for once, and the mail says if it still is so young', async () => {
		await payOne({ key: newKey(), amount: '41', currency: 'NGN' });
		const execution = succeeded(await run());
		expect(execution.data.resultData.runData['70 minutes']).toHaveLength(1);
		expect(execution.data.resultData.runData.Young).toHaveLength(2);
		expect(stack.mailbox.mails.at(-1)!.text).toContain('A row is not an hour old.');
		ageBook(stack, 61);
		const later = succeeded(await run());
		expect(later.data.resultData.runData['70 minutes']).toBeUndefined();
		expect(stack.mailbox.mails.at(-1)!.text).not.toContain('not an hour old');
	});

	test('rows are read from 40 days before the first opening on, by the time at which they were inserted', async () => {
		const typed = (key: string, amount: string) => ({ key, kind: 'correction', asset: 'NGN', amount });
		await bookTable(stack).insert([typed('too old', '1')]);
		ageBook(stack, 2 * 24 * 60);
		await bookTable(stack).insert([typed('old', '2')]);
		ageBook(stack, 39 * 24 * 60);
		expect((await reconcile()).of.NGN).toMatchObject({ verdict: 'reconciled' });
		await run();
		const read = itemsOf(succeeded(await run()), 'Rows since then').map(({ key }) => key);
		expect(read).toEqual(expect.arrayContaining(['old', expect.stringMatching(/^opening NGN/)]));
		expect(read).not.toContain('too old');
	});

	test('a book without rows is a mail, too', async () => {
		const { mail } = await reconcile();
		expect(mail.subject).toMatch(/^Balances of \d+ \w{3}: the book has no currency and no coin$/);
		expect(await written()).toEqual([]);
	});

	test('the first reading is the opening, the next one counts each movement, with a file for the bookkeeper', async () => {
		const first = await open();
		expect(first.mail.subject).toMatch(/: 2 new openings$/);
		expect(first.of.NGN).toMatchObject({ verdict: 'reconciled', opening: '4999959.00' });
		expect(await written()).toEqual(
			expect.arrayContaining(['opening NGN 4999959.00', 'reconciliation NGN 4999959.00 reconciled']),
		);
		await payOne({ key: newKey(), amount: '1250.50', currency: 'NGN' });
		await payOne({ key: newKey(), amount: '0.125', currency: 'NGN' });
		await fund('USD', '70', 'debit', true);
		const { mail, of } = await reconcile();
		expect(mail.subject).toMatch(/: 2 reconciled$/);
		expect(of.NGN).toMatchObject({ opening: '4999959.00', booked: '-1250.625', verdict: 'reconciled' });
		expect(of.USD).toMatchObject({ booked: '-70', verdict: 'reconciled' });
		expect(mail.text).toContain('fiat payout (2): -1,250.625');
		const { name, content } = mail.attachments![0]!;
		expect(name).toBe('statement.csv');
		const file = content.toString();
		for (const amount of ['4999959.00', '-1250.50', '-0.125', '-70']) expect(file).toContain(amount);
		expect(await written()).toHaveLength(6);
	});

	test('an open item is named in the mail, and what no row explains is NOT EXPLAINED until a person books it', async () => {
		await open();
		const lost = { key: newKey(), amount: '41.5' };
		await failPayoutAfter(stack, 0, { dropAfter: true });
		expect(await payOne(lost)).toMatchObject({ result: 'unknown' });
		await fund('USD', '900.09', 'credit', false);
		const { mail, of } = await reconcile();
		const named = /: USD NOT EXPLAINED since \d+ \w{3}: 900\.09, 1 with open items$/;
		expect(mail.subject).toMatch(named);
		expect(of.NGN!.verdict).toBe('open items');
		expect(of.NGN!.lines.join('\n')).toMatch(
			new RegExp(`This is the difference: fiat payout ${lost.key}, -41.5`),
		);
		expect(of.USD).toMatchObject({ verdict: 'not explained', difference: '900.09' });
		expect(mail.text).toContain('whose event did not come');
		expect((await reconcile()).mail.subject).toMatch(named);
		// A person has only to know its amount.
		await bookTable(stack).insert([{ kind: 'correction', asset: 'USD', amount: '900.09' }]);
		expect((await reconcile()).of.USD).toMatchObject({ verdict: 'reconciled', difference: '0.00' });
	});

	test('a balance that cannot be read is read the next morning, and a refused mail loses nothing', async () => {
		await open();
		await payOne({ key: newKey(), amount: '10' });
		await stack.control('POST', '/faults', { route: 'POST /v1/fiat_balance', status: 503, times: 40 });
		const { mail, of } = await reconcile();
		expect(of.NGN).toMatchObject({ verdict: 'not read' });
		expect(mail.subject).toMatch(/: NGN and USD NOT READ$/);
		stack.sandbox.service.faults.clear();
		await payOne({ key: newKey(), amount: '11' });
		const before = await written();
		stack.mailbox.faults.push('refuse', 'refuse', 'refuse');
		stack.mailbox.mails.splice(0);
		const failed = await run();
		expect(failed.status).toBe('error');
		expect(await written()).toEqual(before);
		// As a person does: the mail is sent, and then the rows are written. What succeeds is not saved.
		await stack.client.rest('POST', `/executions/${failed.id}/retry`, { loadWorkflow: false });
		const rows = await until('the rows of the reading', async () => {
			const all = await written();
			return all.length > before.length ? all : undefined;
		});
		expect(rows).toHaveLength(before.length + 2);
		expect(stack.mailbox.mails).toMatchObject([{ subject: expect.stringMatching(/: 2 reconciled$/) }]);
		expect((await reconcile()).of.NGN).toMatchObject({ booked: '-21', verdict: 'reconciled' });
	});
});

describe('alerts each hour', () => {
	const row = (key: number, amount: string, more: Json) =>
		bookRow({
			paymentKey: `W-${key}`,
			amount,
			currency: 'NGN',
			destination: 'supplier-main',
			time: hoursAgo(8),
			message: '',
			execution: '1',
			workflow: 'wf1 Part: pay once',
			result: 'paid',
			status: 'pending',
			payoutId: `po_w${key}`,
			...more,
		});
	const look = async ({ id } = stack.example('alerts-each-hour')) => {
		stack.mailbox.mails.splice(0);
		const execution = succeeded(await stack.client.runByHand(id, 'Every hour'));
		return { mails: stack.mailbox.mails.map(({ subject, text }) => ({ subject, text })), execution };
	};

	test('one mail for what is new, and each alert once a day', async () => {
		await awayFromMidnight();
		await bookTable(stack).fill([
			row(1, '41.5', { result: 'unknown', payoutId: '', status: '', time: hoursAgo(9) }),
			row(2, '10.125', {}),
			row(5, '9', { currency: '', coin: 'USDT', destination: 'treasury' }),
		]);
		const workflow = await saveCopy(stack.client, stack.example('alerts-each-hour'), 'Alerts of a test', {});
		const { mails, execution } = await look(workflow);
		expect(itemsOf(execution, 'Once a day').map(({ alert }) => alert)).toEqual([
			'unknown W-1',
			'silent W-5',
			'low GHS',
		]);
		expect(mails).toEqual([
			{
				subject: 'Alerts (3): It is not known if this was paid: W-1',
				text: expect.stringMatching(/W-1[^]*\n\n[^]*W-5[^]*\n\nThe GHS balance is 0\.00, below 100\./),
			},
		]);
		expect((await look(workflow)).mails).toEqual([]);
		await stack.control('POST', '/faults', { route: 'POST /v1/coin_balance', status: 503, times: 20 });
		expect((await look(workflow)).mails).toEqual([
			{
				subject: 'Alerts (1): The USDT balance cannot be read',
				text: expect.stringContaining('The service answered 503'),
			},
		]);
	});

	test('a correction ends the alert of what it books', async () => {
		const stolen = {
			...row(6, '9', { coin: 'USDT', destination: 'treasury', result: '' }),
			time: hoursAgo(1),
		};
		await bookTable(stack).fill([stolen]);
		const workflow = await saveCopy(stack.client, stack.example('alerts-each-hour'), 'Alerts till booked', {
			'Once a day': withParameters({ dedupeValue: '={{ $execution.id }} {{ $json.alert }}' }),
		});
		const subjects = async () => (await look(workflow)).mails.map(({ subject }) => subject);
		expect(await subjects()).toEqual(['Alerts (2): ALARM: a payout that nobody ordered: po_w6']);
		await bookTable(stack).insert([
			{ kind: 'correction', asset: 'USDT', amount: '-9', reference: 'po_w6', message: 'Asked the service' },
		]);
		expect(await subjects()).toEqual(['Alerts (1): The GHS balance is low']);
	});

	test('a book without rows gives low balances only, and rows of 41 days ago are not read', async () => {
		expect(itemsOf((await look()).execution, 'Find alerts').map(({ alert }) => alert)).toEqual(['low GHS']);
		await bookTable(stack).fill([row(7, '41.5', { result: 'unknown', payoutId: '', status: '' })]);
		ageBook(stack, 41 * 24 * 60);
		expect(itemsOf((await look()).execution, 'Find alerts').map(({ alert }) => alert)).toEqual(['low GHS']);
	});

	test('a list that ended in the middle is a mail with the number of its execution, and what to choose', async () => {
		const time = hoursAgo(1.9);
		const open = { result: 'under way', payoutId: '', status: '', execution: '812', time };
		await bookTable(stack).fill([
			row(1, '41.5', { execution: '812', time, status: 'successful' }),
			row(2, '10.125', open),
			row(3, '9', open),
		]);
		const workflow = await saveCopy(stack.client, stack.example('alerts-each-hour'), 'Alerts of a list', {});
		const { mails } = await look(workflow);
		expect(mails).toHaveLength(1);
		const { text } = mails[0]!;
		expect(text).toContain('2 payments of execution 812 are still under way');
		expect(text).toContain('Open execution 812 under Executions.');
		expect(text).toContain('choose Retry');
		expect(text).toMatch(/W-2[^]*W-3/);
	});
});

testExamplesOf('n8n/reconcileAndAlerts', stack);
