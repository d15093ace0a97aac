/** Mornings are proved by the book, and what a person must look at is told once a day. */
import { itemsOf, succeeded } from '../../host/n8n/client.ts';
import type { Json } from '../../host/n8n/client.ts';
import { bookRow, bookTable, publishBookPayer } from '../../host/testkit/book.ts';
import { failPayoutAfter, pay } from '../../host/testkit/payments.ts';
import type { Payer } from '../../host/testkit/payments.ts';
import { saveCopy, withParameters } from '../../host/testkit/workflows.ts';
import { testExamplesOf } from './executedExamples.ts';
import { awayFromMidnight, renewForEachTest, useStack } from './setup.ts';

const stack = useStack('pay-once', 'morning-proof', 'watch');
let payer: Payer;
beforeAll(async () => {
	payer = await publishBookPayer(stack, 'Pays for the books');
});

renewForEachTest(stack);
beforeEach(async () => {
	// No event comes: the rows of events are written here.
	await stack.control('PUT', '/webhook', { url: null });
	await bookTable(stack).clear();
});

let keys = 0;
const newKey = () => `PROOF-${++keys}`;
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

describe('morning proof', () => {
	const morning = () => stack.example('morning-proof').id;
	const run = async () => await stack.client.runByHand(morning(), 'Every morning');

	/** Proves all balances. Returns the mail, and what it says of each asset. */
	async function prove() {
		stack.mailbox.mails.splice(0);
		const [report] = itemsOf(succeeded(await run()), 'Prove');
		const proofs = report!.proofs as Array<Record<string, string> & { lines: string[] }>;
		const [mail] = stack.mailbox.mails;
		return { mail: mail!, of: Object.fromEntries(proofs.map((proof) => [proof.asset, proof])) };
	}
	const balances = async () => (await bookTable(stack).rows()).filter(({ kind }) => kind === 'balance');

	test('a book without rows is proved with a mail that says so', async () => {
		const { mail } = await prove();
		expect(mail.subject).toMatch(/^Proof of \d{4}-\d\d-\d\d: the book has no currency and no coin$/);
		expect(await balances()).toEqual([]);
	});

	test('the first proof starts, the next one proves each movement, with a file for the bookkeeper', async () => {
		await payOne({ key: newKey(), amount: '41', currency: 'NGN' });
		await fund('USD', '1', 'credit', true);
		const first = await prove();
		expect(first.of.NGN).toMatchObject({ verdict: 'first proof', closing: '4999959.00' });
		expect(await balances()).toMatchObject([{ asset: 'NGN', amount: '4999959.00' }, { asset: 'USD' }]);
		await payOne({ key: newKey(), amount: '1250.50', currency: 'NGN' });
		await payOne({ key: newKey(), amount: '0.125', currency: 'NGN' });
		await fund('USD', '70', 'debit', true);
		const { mail, of } = await prove();
		expect(mail.subject).toMatch(/: all proved$/);
		expect(of.NGN).toMatchObject({ opening: '4999959.00', booked: '-1250.625', verdict: 'proved' });
		expect(of.USD).toMatchObject({ booked: '-70', verdict: 'proved' });
		expect(mail.text).toContain('-1,250.625');
		const { name, content } = mail.attachments![0]!;
		expect(name).toBe('proof.csv');
		const file = content.toString();
		for (const amount of ['4999959.00', '-1250.50', '-0.125', '-70']) expect(file).toContain(amount);
		expect(await balances()).toHaveLength(4);
	});

	test('each difference has its cause in the mail, and one that no row explains is NOT EXPLAINED', async () => {
		await payOne({ key: newKey(), amount: '10', currency: 'NGN' });
		await fund('USD', '1', 'credit', true);
		await prove();
		const lost = { key: newKey(), amount: '41.5' };
		await failPayoutAfter(stack, 0, { dropAfter: true });
		expect(await payOne(lost)).toMatchObject({ result: 'unknown' });
		await fund('USD', '900.09', 'credit', false);
		const { mail, of } = await prove();
		const named = /^Proof of (\S+): USD NOT EXPLAINED since \1: 900\.09, 1 explained$/;
		expect(mail.subject).toMatch(named);
		expect(of.NGN!.verdict).toBe('explained');
		expect(of.NGN!.lines.join('\n')).toMatch(new RegExp(`${lost.key}, .* looks paid`));
		expect(of.USD).toMatchObject({ verdict: 'NOT EXPLAINED', difference: '900.09' });
		expect(mail.text).toContain('whose event did not come');
		// It stays until a person books it, and has only to know its amount.
		expect((await prove()).mail.subject).toMatch(named);
		await bookTable(stack).insert([{ kind: 'correction', asset: 'USD', amount: '900.09' }]);
		expect((await prove()).of.USD).toMatchObject({ verdict: 'proved', difference: '0' });
	});

	test('a balance that cannot be read is proved the next morning over both days, and a refused mail loses nothing', async () => {
		await payOne({ key: newKey(), amount: '1' });
		await prove();
		await payOne({ key: newKey(), amount: '10' });
		await stack.control('POST', '/faults', { route: 'POST /v1/fiat_balance', status: 503, times: 20 });
		expect((await prove()).of.NGN).toMatchObject({ verdict: 'CANNOT BE READ' });
		stack.sandbox.service.faults.clear();
		await payOne({ key: newKey(), amount: '11' });
		const before = await balances();
		stack.mailbox.faults.push('refuse', 'refuse', 'refuse');
		stack.mailbox.mails.splice(0);
		const failed = await run();
		expect(failed.status).toBe('error');
		expect(await balances()).toEqual(before);
		// As a person does: the mail is sent, and then the proof is written.
		expect((await stack.client.retry(failed.id, 'original')).status).toBe('success');
		expect(stack.mailbox.mails).toMatchObject([{ subject: expect.stringMatching(/: all proved$/) }]);
		expect(await balances()).toHaveLength(before.length + 1);
		expect((await prove()).of.NGN).toMatchObject({ booked: '0', verdict: 'proved' });
	});
});

describe('watch', () => {
	const row = (key: number, amount: string, more: Json) =>
		bookRow({
			...{ paymentKey: `W-${key}`, amount, currency: 'NGN', destination: 'supplier-main' },
			...{ time: hoursAgo(8), message: '', execution: '1', workflow: 'Part: pay once' },
			...{ result: 'paid', status: 'pending', payoutId: `po_w${key}` },
			...more,
		});
	const look = async ({ id } = stack.example('watch')) => {
		stack.mailbox.mails.splice(0);
		const execution = succeeded(await stack.client.runByHand(id, 'Every hour'));
		return { mails: stack.mailbox.mails.map(({ subject, text }) => ({ subject, text })), execution };
	};

	test('one mail for what is new, and each matter once a day', async () => {
		await awayFromMidnight();
		await bookTable(stack).fill([
			row(1, '41.5', { result: 'unknown', payoutId: '', status: '' }),
			row(2, '10.125', {}),
			row(5, '9', { currency: '', coin: 'USDT', destination: 'treasury' }),
		]);
		const workflow = await saveCopy(stack.client, stack.example('watch'), 'Watch from midnight on', {
			Watch: withParameters({ options: { checkHour: 0 } }),
		});
		const { mails, execution } = await look(workflow);
		expect(itemsOf(execution, 'Once a day').map(({ matter }) => matter)).toEqual([
			...['unknown W-1', 'silent W-5', 'check', 'low GHS'],
		]);
		expect(mails).toEqual([
			{
				subject: 'Watch (4): It is not known if this was paid: W-1',
				text: expect.stringMatching(
					/W-1[^]*\n\n[^]*W-5[^]*\n\n[^]*10\.125 NGN[^]*\n\nThe GHS balance is 0\.00, below 100\./,
				),
			},
		]);
		expect((await look(workflow)).mails).toEqual([]);
		await stack.control('POST', '/faults', { route: 'POST /v1/coin_balance', status: 503, times: 20 });
		expect((await look(workflow)).mails).toEqual([
			{
				subject: 'Watch (1): The USDT balance cannot be read',
				text: expect.stringContaining('The service answered 503'),
			},
		]);
	});

	test('a book without rows gives low balances only', async () => {
		const { execution } = await look();
		expect(itemsOf(execution, 'Watch').map(({ matter }) => matter)).toEqual(['low GHS']);
	});

	test('a list that ended in the middle is told with the number of its execution, and what to choose', async () => {
		const time = hoursAgo(1.9);
		const open = { result: 'under way', payoutId: '', status: '', execution: '812', time };
		await bookTable(stack).fill([
			row(1, '41.5', { execution: '812', time, status: 'successful' }),
			row(2, '10.125', open),
			row(3, '9', open),
		]);
		const workflow = await saveCopy(stack.client, stack.example('watch'), 'Watch a list', {});
		const { mails } = await look(workflow);
		expect(mails).toHaveLength(1);
		const { text } = mails[0]!;
		expect(text).toContain('2 payments of execution 812 are still under way');
		expect(text).toContain('Open execution 812 under Executions.');
		expect(text).toContain('choose Retry');
		expect(text).toMatch(/W-2[^]*W-3/);
	});
});

testExamplesOf('n8n/proofAndWatch', stack);
