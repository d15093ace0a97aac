/** The payments of a run are checked against each other. */
import { getOperation } from '../../api/catalog.ts';
import { checkPayments } from '../../nodes/WalletService/payments/checkAll.ts';
import { readPayment } from '../../nodes/WalletService/input/readChange.ts';
import { Journal } from '../../nodes/WalletService/payments/guards/journal.ts';

const PAYOUT = getOperation('fiatWallet.createPayout');

/** Payouts of 1, 2, 3, … with these keys. */
const payoutsOf = (keys: string[]) => {
	const payments = keys.map((paymentKey, item) => {
		const amount = String(item + 1);
		const parameters = { currency: 'NGN', amount, account_alias: 'supplier-main', paymentKey };
		const value = (name: string) => (parameters as Record<string, unknown>)[name];
		return readPayment(PAYOUT, { value, expression: value, evaluate: (text) => text }, false);
	});
	return new Map(payments.entries());
};
const journal = () => new Journal({}, { executionId: '1', runIndex: 0 });

test('payments that differ must not have one key, in any spelling', () => {
	const payments = payoutsOf(['INV-1', 'inv – 1', 'INV-2']);
	checkPayments(payments, journal());
	const message = "'Payment Key' INV-1 stands for different payments in items 0 to 1";
	expect(payments.get(0)!.issues).toMatchObject([{ message, about: 'key' }]);
	expect(payments.get(1)!.issues).toHaveLength(1);
	expect(payments.get(2)!.issues).toEqual([]);
});

test('the time to compare keys grows with the number of items, and not with its square', () => {
	/** Processor time, because other tests run at the same time. */
	const timeOf = (count: number) => {
		const payments = payoutsOf(
			Array.from({ length: count }, (_, item) => (item % 2 ? `INV-${item}` : 'INV-A')),
		);
		const begun = process.cpuUsage();
		checkPayments(payments, journal());
		const { user, system } = process.cpuUsage(begun);
		return user + system;
	};
	const shortestTimeOf = (count: number) => Math.min(...[1, 2, 3].map(() => timeOf(count)));
	// Eight times as many take 64 times as long if the time grows with the square.
	expect(shortestTimeOf(8000) / shortestTimeOf(1000)).toBeLessThan(25);
});
