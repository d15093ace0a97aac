/** The examples that hand payments over, on a real n8n: from their triggers to their mails and rows. */
import { dataTable } from '../../host/n8n/dataTable.ts';
import { itemsOf, succeeded } from '../../host/n8n/client.ts';
import type { Json } from '../../host/n8n/client.ts';
import { ageKeys } from '../../host/testkit/ageKeys.ts';
import { paymentRows } from '../../host/testkit/book.ts';
import { amountsPaid, failPayoutAfter, payoutsMade } from '../../host/testkit/payments.ts';
import { testExamplesOf } from './executedExamples.ts';
import { renewForEachTest, useStack } from './setup.ts';

const stack = useStack('payouts-from-list', 'payouts-from-table');
renewForEachTest(stack);

const run = async (example: string, trigger: string) =>
	succeeded(await stack.client.runByHand(stack.example(example).id, trigger));

const paidNow = () => payoutsMade(stack).map(({ amount, destination }) => `${amount} ${destination}`);

/** The results of the payments that an execution made or did not make. */
const resultsOf = (items: Json[]) => items.map(({ result }) => result);

describe('payouts from a list', () => {
	const payList = async () => itemsOf(await run('payouts-from-list', 'Start'), 'Pay once');

	test('payouts from a list pays three once: the second click says so and sends nothing', async () => {
		expect(resultsOf(await payList())).toEqual(['paid', 'paid', 'paid']);
		const payouts = ['1250.50 supplier-main', '75.25 supplier-usd', '12.50 treasury'];
		expect(paidNow()).toEqual(payouts);
		expect(await paymentRows(stack)).toMatchObject([
			{ paymentKey: 'INV-1001', amount: '1250.50', currency: 'NGN', result: 'paid' },
			{ paymentKey: 'INV-1002', amount: '75.25', currency: 'USD', result: 'paid' },
			{ paymentKey: 'INV-1003', amount: '12.50', coin: 'USDT', result: 'paid' },
		]);
		expect(resultsOf(await payList())).toEqual(['alreadyPaid', 'alreadyPaid', 'alreadyPaid']);
		expect(paidNow()).toEqual(payouts);
	});
});

describe('payouts from a table', () => {
	const table = () => dataTable(stack.client, 'wallet_service_payouts');
	const click = () => run('payouts-from-table', 'Every morning');
	let bills = 0;
	/** A row with a key of its own. Payments of tests are often the same. */
	const row = (amount: string, more: Json = {}): Json => ({
		...{ paymentKey: `BILL-${++bills}`, amount, currency: 'NGN', destination: 'supplier-main', again: 'yes' },
		...more,
	});
	const said = async () => (await table().rows()).map(({ result, message }) => [result, message]);

	test('payouts from a table pays the rows that npm start put there at the first click', async () => {
		await click();
		expect(await said()).toEqual([
			['paid', ''],
			['paid', ''],
		]);
		expect(stack.mailbox.mails).toMatchObject([
			{ to: ['finance@example.com'], subject: 'Payouts from the table: paid' },
		]);
		expect(paidNow()).toEqual(['310.40 supplier-main', '31.05 supplier-usd']);
		stack.mailbox.mails.splice(0);
		await click();
		expect(stack.mailbox.mails).toEqual([]);
	});

	test('payouts from a table writes what became of each row, and the next click pays only what was corrected', async () => {
		const twice = row('12');
		await table().fill([
			row('30', { destination: 'nobody' }),
			row('31', { currency: 'USD', destination: 'supplier-usd' }),
			row('1,250.50'),
			row('9', { currency: '', coin: 'USDT', destination: 'treasury' }),
			twice,
			{ ...twice, amount: '13' },
			row('', { note: 'without an amount' }),
			row('14', { paymentKey: '' }),
			// The second account is under review.
			row('15', { destination: 'supplier-new' }),
			row('16'),
		]);
		await click();
		const anySentence = expect.stringMatching(/\w+ /);
		expect(await said()).toEqual([
			['notSent', "'nobody' is not one of 'Allowed Aliases'"],
			['paid', ''],
			['notSent', expect.stringContaining('1,250.50')],
			['paid', ''],
			['paid', ''],
			['notSent', anySentence],
			['notSent', anySentence],
			[null, null],
			['rejected', expect.stringContaining('supplier-new')],
			['paid', ''],
		]);
		const [mail] = stack.mailbox.mails;
		expect(mail).toMatchObject({ subject: 'Payouts from the table: notSent, paid, rejected' });
		expect(mail!.text).toContain('Rows: 10.');
		const paid = ['31 supplier-usd', '9 treasury', '12 supplier-main', '16 supplier-main'];
		expect(paidNow()).toEqual(paid);
		const [first] = await table().rows();
		await table().update({ id: first!.id }, { destination: 'supplier-main' });
		await click();
		expect((await said())[0]).toEqual(['paid', '']);
		expect(paidNow()).toEqual([...paid, '30 supplier-main']);
	});

	test('payouts from a table leaves what has no answer alone until a person has decided in the row', async () => {
		await table().fill([row('41'), row('42')]);
		await failPayoutAfter(stack, 0, { dropBefore: true });
		await click();
		expect(await said()).toEqual([
			['unknown', expect.stringMatching(/\w+ /)],
			['paid', ''],
		]);
		expect(stack.mailbox.mails).toMatchObject([{ subject: 'Payouts from the table: unknown, paid' }]);
		await click();
		expect((await said())[0]![0]).toBe('unknown');
		expect(amountsPaid(stack)).toEqual(['42']);
		await ageKeys(stack);
		const [first] = await table().rows();
		await table().update({ id: first!.id }, { decision: 'wasNotPaid' });
		await click();
		await click();
		expect((await said())[0]).toEqual(['paid', '']);
		expect(amountsPaid(stack)).toEqual(['42', '41']);
	});

	test('payouts from a table pays a key once, also if its result is gone', async () => {
		const bill = row('51');
		await table().fill([bill]);
		await click();
		await table().fill([bill, bill, row('52')]);
		await click();
		expect((await said()).map(([result]) => result)).toEqual(['alreadyPaid', 'alreadyPaid', 'paid']);
		expect(amountsPaid(stack)).toEqual(['51', '52']);
	});
});

testExamplesOf('n8n/payouts', stack);
