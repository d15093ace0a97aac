/** The book is one table: which of its rows are payments, and what is read of them. */
import fc from 'fast-check';
import { paymentOf, paymentsIn } from '../../examples/code/payment.js';
import { paymentInWords } from '../../examples/code/paymentInWords.js';
import { rowInWords } from '../../examples/code/rowInWords.js';
import { parametersOf } from './exampleNodes.ts';

const row = {
	...{ id: 1, key: 'INV-7', kind: 'coin payout', asset: 'USDT', amount: '-12.50', counterpart: 'treasury' },
	...{ reference: 'po_1', result: 'paid', status: 'pending' },
};

test('a row of the book is read as its payment', () => {
	expect(paymentOf(row)).toEqual({
		...{ id: 1, paymentKey: 'INV-7', amount: '12.50', currency: '', coin: 'USDT', destination: 'treasury' },
		...{ payoutId: 'po_1', result: 'paid', status: 'pending' },
	});
	const fiat = { ...row, kind: 'fiat payout', asset: 'NGN' };
	expect(paymentOf(fiat)).toMatchObject({ currency: 'NGN', coin: '' });
	// A person may write a row without the minus.
	expect(paymentOf({ ...row, amount: '12.50' }).amount).toBe('12.50');
});

test('only a row with a result is a payment, and none of another kind', () => {
	const others = ['deposit', 'coin deposit', 'admin credit', 'admin debit', 'conversion'];
	const rows = [row, { ...row, result: '' }, ...[...others, ''].map((kind) => ({ ...row, kind }))];
	expect(paymentsIn([...rows, { error: 'not found' }]).map(({ coin }) => coin)).toEqual(['USDT', 'USDT']);
});

test('a payment and its row have the same words, and another payment has others', () => {
	const amount = fc
		.tuple(fc.bigInt({ min: 1n, max: 10n ** 20n }), fc.nat(5))
		.map(([units, zeros]) => [`${units}`, `${'0'.repeat(zeros)}${units}.${'0'.repeat(zeros)}`] as const);
	fc.assert(
		fc.property(amount, fc.boolean(), ([plain, other], isFiat) => {
			const payment = { paymentKey: 'K', amount: plain, destination: 'a' };
			const wanted = { ...payment, ...(isFiat ? { currency: 'X', coin: '' } : { currency: '', coin: 'X' }) };
			const kind = isFiat ? 'fiat payout' : 'coin payout';
			const words = rowInWords({ kind, asset: 'X', amount: `-${other}`, counterpart: 'a' });
			expect(words).toBe(paymentInWords(wanted));
			expect(words).not.toBe(paymentInWords({ ...wanted, amount: `${plain}1` }));
			expect(words).not.toBe(paymentInWords({ ...wanted, currency: wanted.coin, coin: wanted.currency }));
		}),
	);
});

test('whoever comes first makes the same table', () => {
	const files = ['pay-once', 'book-an-event', 'convert-at-rate', 'payout-by-chat'];
	const columns = files.map((file) => parametersOf(file, 'Book'));
	expect(columns[0]).toMatchObject({
		tableName: 'wallet_service_book',
		options: { createIfNotExists: true },
	});
	for (const other of columns) expect(other).toEqual(columns[0]);
});
