/** The payments of a run are checked against each other. */
import { getOperation } from '../../api/catalog.ts';
import { checkPayments } from '../../nodes/WalletService/payments/checkAll.ts';
import { readPayment } from '../../nodes/WalletService/input/readChange.ts';
import { totalOfExecution } from '../../nodes/WalletService/payments/guards/executionTotal.ts';
import { Journal } from '../../nodes/WalletService/payments/guards/journal.ts';
import { expectGrowthWith } from './growth.ts';

const PAYOUT = getOperation('fiatWallet.createPayout');

const payoutOf = (given: { amount: string; paymentKey?: string }) => {
	const parameters = { currency: 'NGN', account_alias: 'supplier-main', ...given };
	const value = (name: string) => (parameters as Record<string, unknown>)[name];
	return readPayment(PAYOUT, { value, expression: value, evaluate: (text) => text }, false);
};
const keyOf = (compared: string) => ({ written: compared.toUpperCase(), compared, sent: compared });
/** Payouts of 1, 2, 3, … with these keys. */
const payoutsOf = (keys: string[]) =>
	new Map(keys.map((paymentKey, item) => [item, payoutOf({ amount: String(item + 1), paymentKey })]));
const journal = () => new Journal({}, { executionId: '1', runIndex: 0 });

test('payments that differ must not have one key, in any spelling', () => {
	const payments = payoutsOf(['INV-1', 'inv – 1', 'INV-2']);
	checkPayments(payments, journal());
	const message = "'Payment Key' INV-1 stands for different payments in items 1 to 2";
	expect(payments.get(0)!.issues).toMatchObject([{ message, about: 'key' }]);
	expect(payments.get(1)!.issues).toHaveLength(1);
	expect(payments.get(2)!.issues).toEqual([]);
});

test('the time to compare keys grows with the number of items, and not with its square', async () =>
	await expectGrowthWith(1000, (count) => {
		const keys = Array.from({ length: count }, (_, item) => (item % 2 ? `INV-${item}` : 'INV-A'));
		const payments = payoutsOf(keys);
		return () => checkPayments(payments, journal());
	}));

describe('the total of an execution counts', () => {
	/** Item 0 of this amount and key had an entry of 5 NGN, item 1 of 1000 had none, and item 7 of 100 is not in this run. */
	const total = (item: { amount: string; paymentKey: string }, before: object, repeated: number[] = []) => {
		const entries = journal();
		const money = { amount: '5', currency: 'NGN' };
		const entry = { itemIndex: 0, route: PAYOUT.route, money, result: { ok: true as const, items: [] } };
		entries.set(0, { ...entry, ...before });
		entries.set(7, { ...entry, money: { ...money, amount: '100' } });
		const payments = new Map([item, { amount: '1000' }].map((each, index) => [index, payoutOf(each)]));
		const { amount, units } = totalOfExecution(payments, new Set(repeated), entries);
		return [amount, [...units]];
	};

	const item = (amount: string, paymentKey: string) => ({ amount, paymentKey });

	test.each([
		['under one key what it would pay now, if that is more', item('8', 'a'), { key: keyOf('a') }, '1108'],
		['under one key what it may have paid, if that is more', item('3', 'a'), { key: keyOf('a') }, '1105'],
		['under one key one of two equal amounts', item('5', 'a'), { key: keyOf('a') }, '1105'],
		[
			'under another key what it has paid, because it is not sent again',
			item('8', 'a'),
			{ key: keyOf('b') },
			'1105',
		],
		['that had no key what it has paid', item('8', 'a'), {}, '1105'],
	])('of an item %s', (_, now, before, sum) => {
		expect(total(now, before)).toEqual([sum, ['NGN']]);
	});

	test('both amounts of an item if they cannot be compared', () => {
		const inDollars = { key: keyOf('a'), money: { amount: '5', currency: 'USD' } };
		expect(total(item('8', 'a'), inDollars)).toEqual(['1113', ['NGN', 'USD']]);
		expect(total(item('8', 'a'), { key: keyOf('a'), money: { currency: 'NGN' } })).toEqual([
			undefined,
			['NGN'],
		]);
	});

	test('no item that repeats an earlier one', () => {
		expect(total(item('8', 'a'), { key: keyOf('a') }, [1])).toEqual(['108', ['NGN']]);
	});
});
