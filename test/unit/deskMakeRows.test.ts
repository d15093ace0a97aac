/** Rows of the book: what each event moves, what a payment says before and after it is sent, and the two sides of a conversion. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { BOOK_COLUMNS } from '../../nodes/WalletServiceDesk/book/row.ts';
import type { BookCells as BookRow } from '../../nodes/WalletServiceDesk/book/row.ts';
import { readRows } from '../../nodes/WalletServiceDesk/book/row.ts';
import { hasPaymentKey } from '../../nodes/WalletServiceDesk/book/rowKeys.ts';
import { DeskProblem } from '../../nodes/WalletServiceDesk/operation/problem.ts';
import { bookOf, makeRows } from './bookOf.ts';

const context = {
	...{ now: '2026-11-24T06:00:00.000Z', workflow: 'Pay a list', execution: '123' },
	approvedBy: 'ada@example.com',
};
const rowsOf = (...items: object[]) => makeRows(items as IDataObject[], context);
const one = (item: object) => {
	const [row, ...others] = rowsOf(item);
	expect(others).toEqual([]);
	return row!;
};

const deposit = {
	...{ event: 'virtual_account_credited', id: 'dep_1', status: 'successful', currency: 'NGN' },
	...{ amount: '8.20', accountAlias: 'customer-0042', senderAccountName: 'Ada Obi' },
	receivedAt: '2026-11-24T05:00:00.000Z',
	deliveryKey: 'virtual_account_credited:dep_1:successful',
};
const update = {
	...{ event: 'crypto_payout_update', id: 'po_1', status: 'successful', coin: 'USDT', amount: '12.5' },
	...{ walletAlias: 'treasury', fee: '0.5', feeCoin: 'USDT', txHash: 'ab', receivedAt: deposit.receivedAt },
	deliveryKey: 'crypto_payout_update:po_1:successful',
};
const funding = {
	...{ event: 'admin_funding', id: 'adm_1', status: 'successful', asset: 'USD', amount: '70' },
	direction: 'credit',
};
const coins = { event: 'crypto_received', id: 'dep_2', coin: 'btc', amount: '0.1', walletAlias: 'w' };

describe('what an event moves', () => {
	test.each([
		['a deposit', deposit, ['deposit', 'NGN', '8.20', 'Ada Obi to customer-0042']],
		['a deposit that is taken back', { ...deposit, amount: '-8.2' }, ['deposit', 'NGN', '-8.2']],
		['a crypto deposit', coins, ['crypto deposit', 'BTC', '0.1', 'w']],
		['a credit', funding, ['admin credit', 'USD', '70', 'an administrator']],
		['a debit', { ...funding, direction: 'debit' }, ['admin debit', 'USD', '-70']],
	])('%s', (_, event, [kind, asset, amount, counterpart]) => {
		const row = one(event);
		expect(row).toMatchObject({ kind, asset, amount, message: '', result: '', reference: event.id });
		if (counterpart !== undefined) expect(row.counterpart).toBe(counterpart);
	});

	test('a payout keeps its tx hash and fee, and the time when it came', () => {
		expect(one(update)).toMatchObject({
			...{ kind: 'crypto payout', asset: 'USDT', amount: '-12.5', counterpart: 'treasury' },
			...{ txHash: 'ab', fee: '0.5', feeAsset: 'USDT', status: 'successful', time: deposit.receivedAt },
			...{ workflow: 'Pay a list', execution: '123', approvedBy: '' },
		});
		expect(one(funding).time).toBe(context.now);
	});

	test.each([
		['2.000,75', { ...deposit, amount: undefined, raw: { Amount: '2.000,75' } }, /: "2\.000,75"/],
		['no amount of an item', { ...deposit, amount: null, raw: { Amount: '5 k' } }, /: "5 k"/],
		['no amount', { ...deposit, amount: undefined }, /cannot be read: null/],
		['no currency', { ...deposit, currency: undefined }, /no currency or coin/],
		['a direction that is neither', { ...funding, direction: 'sideways' }, /credit or debit/],
		['a debit with a sign', { ...funding, direction: 'debit', amount: '-70' }, /has a sign/],
		['an amount with a power', { ...deposit, amount: '1e5' }, /cannot be read/],
		['a payout without an ID', { ...update, id: undefined }, /no ID of a payout/],
	])('%s has no amount, and says why', (_, event, message) => {
		expect(one(event)).toMatchObject({ amount: '', message: expect.stringMatching(message) });
	});

	test.each([
		['in a text', { fee: null, raw: { fee: '0.1%' } }, '0.1%'],
		['with another coin', { fee: '1,5 USDT' }, '1,5 USDT'],
		['twice', { raw: { fee: ['1', '2'] } }, '["1","2"]'],
		['long', { raw: { fee: 'x'.repeat(5000) } }, `${'x'.repeat(59)}…`],
	])('a fee that cannot be read stands in the book as it came, and is named: %s', (_, sent, fee) => {
		const row = one({ ...update, fee: undefined, feeCoin: undefined, ...sent });
		expect(row).toMatchObject({ amount: '-12.5', fee, message: '' });
		const { notes } = readRows([{ ...row }]);
		expect(notes).toEqual([expect.stringMatching(/a fee that cannot be read: .* Write it as 0\.50/)]);
	});

	test.each([[{}], [{ raw: { fee: '' } }], [{ raw: { fee: null } }]])('no fee is none: %j', (sent) => {
		expect(one({ ...update, fee: undefined, ...sent })).not.toHaveProperty('fee');
	});

	test.each([
		'settlement_wallet_update',
		'settlement_account_update',
		'virtual_account_created',
		'something_new',
		'__proto__',
		'constructor',
	])('%s moves nothing', (event) => {
		expect(rowsOf({ event, id: '1', status: 'whitelisted' })).toEqual([]);
	});
});

describe('the key of an event', () => {
	test('is its delivery key and its content, so that what comes again is written over itself', () => {
		const again = { ...deposit, amount: '8.2', receivedAt: '2026-12-01T00:00:00.000Z' };
		expect(one(deposit).key).toBe('virtual_account_credited:dep_1:successful, 8.2 NGN at customer-0042');
		expect(one(again).key).toBe(one(deposit).key);
		const withoutName = { ...deposit, senderAccountName: undefined };
		expect(one(withoutName).key).toBe(one(deposit).key);
	});

	test('a later delivery adds what was not known, and one that knows less takes nothing away', () => {
		const bare = { ...update, txHash: undefined, fee: undefined, feeCoin: undefined };
		for (const order of [
			[bare, update],
			[update, bare],
		]) {
			const [row, ...others] = bookOf(rowsOf(...order));
			expect(others).toEqual([]);
			expect(row).toMatchObject({ txHash: 'ab', fee: '0.5', feeAsset: 'USDT' });
		}
	});

	test.each([
		['another amount', { amount: '8.2000000000000000001' }],
		['another currency', { currency: 'USD' }],
		['another account', { accountAlias: 'customer-0007' }],
	])('the same event with %s is a row of its own', (_, changes) => {
		expect(bookOf(rowsOf(deposit, { ...deposit, ...changes }))).toHaveLength(2);
	});

	test('two outputs of one transaction are two rows, whatever comes first and whoever books them', () => {
		const first = { ...coins, deliveryKey: 'crypto_received:dep_2:successful' };
		const outputs = [first, { ...first, walletAlias: 'v' }, { ...first, amount: '0.2' }];
		const together = rowsOf(...outputs).map(({ key }) => key);
		expect(new Set(together).size).toBe(3);
		expect(outputs.map((output) => one(output).key)).toEqual(together);
	});

	test('an event without a delivery key has its ID and status, or else its place', () => {
		expect(one({ ...funding, status: 'Successful' }).key).toBe('admin_funding:adm_1:successful, 70 USD');
		const nameless = { ...funding, id: undefined };
		const [one_, two] = rowsOf(nameless, nameless).map(({ key }) => key);
		expect([one_, two]).toEqual(['execution 123 item 0: 70 USD', 'execution 123 item 1: 70 USD']);
	});
});

const listed = {
	...{ row: 2, line: 2, paymentKey: 'Inv \u2013 7', amount: '12.50', coin: 'usdt', destination: 'treasury' },
	...{ note: 'May', problems: [] },
};
const paid = {
	...{ result: 'paid', paymentKey: 'Inv \u2013 7', coin: 'USDT', amount: '12.50', walletAlias: 'treasury' },
	...{ payout_id: 'po_1', status: 'pending' },
};
const fiat = {
	...{ result: 'paid', paymentKey: 'INV-8', amount: '1250.50', currency: 'NGN' },
	...{ accountAlias: 'supplier-main', payoutId: 'po_8', status: 'pending' },
};

describe('a payment', () => {
	test('is under way before it is sent, and has its result under the same key after it', () => {
		const before = one(listed);
		expect(before).toEqual({
			...{ key: 'INV-7', kind: 'crypto payout', time: context.now, asset: 'USDT', amount: '-12.50' },
			...{ counterpart: 'treasury', result: 'under way', message: '' },
			...{ workflow: 'Pay a list', execution: '123', approvedBy: 'ada@example.com' },
		});
		const [row, ...others] = bookOf([before, one(paid)]);
		expect(others).toEqual([]);
		expect(row).toMatchObject({ result: 'paid', reference: 'po_1', status: 'pending', amount: '-12.50' });
	});

	test('in fiat money', () => {
		expect(one(fiat)).toMatchObject({
			...{ key: 'INV-8', kind: 'fiat payout', asset: 'NGN', amount: '-1250.50', reference: 'po_8' },
			...{ counterpart: 'supplier-main', result: 'paid', message: '' },
		});
	});

	test.each(['notSent', 'rejected', 'unknown'])('that failed as %s says why', (result) => {
		const error = { message: 'No\nanswer', description: 'Look it up', outcome: result, httpStatus: 504 };
		const { payoutId, status, ...row } = { ...fiat, error, result };
		expect(one(row)).toMatchObject({ result, message: 'No answer. Look it up', key: 'INV-8' });
		expect(one({ ...row, result: undefined }).result).toBe(result);
		expect(payoutId + status).toBe('po_8pending');
	});

	test.each([
		['without a result', { error: 'Bad gateway', result: undefined }, 'Bad gateway'],
		['with a result that no payment has', { result: 'done?' }, "Its result 'done?' is none of a payment"],
	])('%s is unknown: its money may have moved', (_, changes, message) => {
		expect(one({ ...fiat, ...changes })).toMatchObject({
			result: 'unknown',
			message: expect.stringContaining(message),
		});
	});

	test('that is a dry run makes no row', () => {
		const words = ['dryRun', 'alreadyPaid', 'notSent', 'unknown', undefined];
		for (const result of words) expect(rowsOf({ ...fiat, result, dryRun: true })).toEqual([]);
		const error = { message: 'No', outcome: 'notSent' };
		expect(rowsOf({ ...fiat, error, dryRun: 'true' })).toEqual([]);
		for (const dryRun of [false, null, '', 'false'])
			expect(rowsOf({ ...fiat, result: 'paid', dryRun })).toHaveLength(1);
	});

	test('that was paid before keeps the evidence of the run that paid it', () => {
		const yesterday = { now: '2026-11-23T06:00:00.000Z', workflow: 'Pay a list', execution: '99' };
		const first = makeRows([fiat], { ...yesterday, approvedBy: 'bo@example.com' });
		const again = one({ ...fiat, result: 'alreadyPaid', alreadyPaid: true, payoutId: undefined });
		expect(again).toMatchObject({
			...{ key: first[0]!.key, result: 'alreadyPaid', execution: '123' },
			message: expect.stringContaining('This run has sent nothing'),
		});
		expect(bookOf([...first, again])).toMatchObject([
			{ result: 'paid', reference: 'po_8', status: 'pending', time: yesterday.now, execution: '99' },
			{ result: 'alreadyPaid' },
		]);
	});

	test('that was lost and then paid has no message of its loss, which keeps its row', () => {
		const lost = one({ ...fiat, result: 'unknown', error: { message: 'No answer' } });
		expect(bookOf([lost, one(fiat)])).toMatchObject([
			{ result: 'unknown', message: 'No answer' },
			{ result: 'paid', message: '' },
		]);
	});

	test.each([
		[40, '-40'],
		[1250.5, '-1250.5'],
		[1e-7, '-0.0000001'],
		['9007199254740993.01', '-9007199254740993.01'],
	])('of the amount %p has it to its last digit', (amount, booked) => {
		expect(one({ ...listed, amount })).toMatchObject({ amount: booked, message: '' });
	});

	test.each([
		'1,250',
		'1.250,50',
		'',
		'  ',
		null,
		'1e5',
		Number('9007199254740993'),
		-1,
		'-5',
		Number.NaN,
		{},
	])('of the amount %p has none, and says so', (amount) => {
		expect(one({ ...listed, amount })).toMatchObject({
			...{ amount: '', message: expect.stringMatching(/^The amount .+/) },
		});
	});

	test('without a currency keeps its amount, and says so', () => {
		const { coin, ...bare } = { ...listed, coin: '' };
		expect(one({ ...bare, coin })).toMatchObject({
			...{ asset: '', amount: '-12.50', message: 'It names no currency or coin.' },
		});
	});

	test.each([
		['destination', { paymentKey: 'A-1', amount: '5', destination: null }, { key: 'A-1', counterpart: '' }],
		['amount', { paymentKey: 'A-1', amount: undefined, destination: 'x' }, { key: 'A-1', amount: '' }],
		['key', { paymentKey: null, amount: '5', destination: null }, { amount: '-5' }],
	])('that will be refused for its %s is under way, so that a list does not stop at it', (_, item, row) => {
		expect(one({ currency: 'NGN', ...item })).toMatchObject({ result: 'under way', ...row });
	});

	test('in which nothing stands makes no row', () => {
		expect(rowsOf({ paymentKey: null, amount: null, destination: null, coin: null })).toEqual([]);
		const error = { message: "'Amount' is empty", outcome: 'notSent' };
		expect(rowsOf({ result: 'notSent', error })).toEqual([]);
		expect(() => rowsOf({ result: 'unknown', error })).toThrow('is no event, no payment');
	});

	test('of a sheet has its own columns with other meanings', () => {
		const row = one({ ...listed, result: '', id: 'customer 5', reference: 'May', status: 'ok' });
		expect(row).not.toHaveProperty('reference');
		expect(row).not.toHaveProperty('status');
	});
});

describe('the key of a payment', () => {
	test.each(['inv-7', 'INV - 7', 'INV\u20137', ' INV\u00a0-7 '])('%p is INV-7', (paymentKey) => {
		expect(one({ ...listed, paymentKey }).key).toBe('INV-7');
	});

	test('stands for its place if there is none, and is the same before it is sent and after it', () => {
		const [before] = rowsOf({ ...listed, paymentKey: '' });
		const [after] = rowsOf({ ...paid, paymentKey: undefined, amount: '12.5' });
		expect(before!.key).toBe('execution 123 item 0: 12.5 USDT at treasury');
		expect(after!.key).toBe(before!.key);
		expect([before!.key, 'INV-7', 'conversion INV-7 out'].map(hasPaymentKey)).toEqual([false, true, true]);
	});

	test('two nodes of one execution do not write over the rows of each other', () => {
		const keys = [listed, { ...listed, coin: undefined, currency: 'NGN' }].map(
			(item) => one({ ...item, paymentKey: '' }).key,
		);
		expect(new Set(keys).size).toBe(2);
	});

	test('that no payment can have is named', () => {
		const row = one({ ...listed, paymentKey: 'INV-undefined' });
		expect(row.message).toBe('Its Payment Key INV-undefined cannot be used.');
		expect(hasPaymentKey(row.key)).toBe(false);
	});
});

const conversion = {
	...{ result: 'paid', paymentKey: 'A-1', transactionId: 'tx_1', contractId: 'ic', status: 'success' },
	...{ fromAmount: '100', toAmount: '154264.8', rate: '1542.648' },
	...{ fromCurrency: 'USDT', toCurrency: 'NGN' },
};

describe('a conversion', () => {
	const said = (changes: object) =>
		rowsOf({ ...conversion, ...changes }).map(({ key, amount, result }) => [key, amount, result]);

	test('moves two balances', () => {
		expect(said({})).toEqual([
			['conversion A-1 out', '-100', 'paid'],
			['conversion A-1 in', '154264.8', 'paid'],
		]);
		for (const row of rowsOf(conversion))
			expect(row).toMatchObject({ kind: 'conversion', counterpart: 'ic', reference: 'tx_1' });
		expect(rowsOf(conversion).map(({ asset }) => asset)).toEqual(['USDT', 'NGN']);
	});

	test.each(['unknown', 'rejected'])('that is %s brings nothing that is known', (result) => {
		const error = { message: 'No answer' };
		expect(said({ result, error, toAmount: undefined, transactionId: undefined })).toEqual([
			['conversion A-1 out', '-100', result],
			['conversion A-1 in', '', result],
		]);
	});

	test('of two results of one conversion, the book has both, and a later run has rows of its own', () => {
		const lost = { ...conversion, result: 'unknown', toAmount: undefined, error: 'No answer' };
		const again = { ...conversion, result: 'alreadyPaid', toAmount: undefined, transactionId: undefined };
		const later = makeRows([again], {
			now: '2026-11-25T06:00:00.000Z',
			workflow: 'Convert',
			execution: '124',
			approvedBy: '',
		});
		const amounts = bookOf([...rowsOf(lost, conversion), ...later]).map(({ amount, result, reference }) => [
			...[amount, result, reference],
		]);
		expect(amounts).toEqual([
			['-100', 'unknown', 'tx_1'],
			['-100', 'paid', 'tx_1'],
			['', 'unknown', 'tx_1'],
			['154264.8', 'paid', 'tx_1'],
			['-100', 'alreadyPaid', ''],
			['', 'alreadyPaid', ''],
		]);
	});

	test('whose order number stands twice in a run keeps what came in', () => {
		const again = { ...conversion, result: 'alreadyPaid', toAmount: undefined, transactionId: undefined };
		const rows = bookOf(rowsOf(conversion, again)).map(({ key, amount, result }) => [key, amount, result]);
		expect(rows).toEqual([
			['conversion A-1 out', '-100', 'paid'],
			['conversion A-1 out', '-100', 'alreadyPaid'],
			['conversion A-1 in', '154264.8', 'paid'],
			['conversion A-1 in', '', 'alreadyPaid'],
		]);
	});

	test('that was made below its minimum rate says so', () => {
		const messages = rowsOf({ ...conversion, belowMinimum: true }).map(({ message }) => message);
		expect(messages).toEqual(['', 'It was converted below the minimum rate. Ask the service why.']);
	});

	test('that was looked up was made, and one without currencies asks for them', () => {
		const looked = { ...conversion, result: undefined, paymentKey: undefined, status: 'completed' };
		expect(rowsOf(looked).map(({ key, result }) => [key, result])).toEqual([
			['conversion tx_1 out', 'paid'],
			['conversion tx_1 in', 'paid'],
		]);
		for (const row of rowsOf({ ...conversion, fromCurrency: undefined, toCurrency: undefined }))
			expect(row.message).toMatch(/does not name its currency/);
	});

	test('for which no contract was good enough makes no row, and is no payout', () => {
		const refused = { result: 'notSent', paymentKey: 'A-1', amount: '100', from: 'USDT', to: 'NGN' };
		for (const more of [{}, { waiting: true }])
			expect(rowsOf({ ...refused, ...more, error: { message: 'No contract' } })).toEqual([]);
		// A payout may have an answer with such fields.
		expect(one({ ...paid, from: 'a', to: 'b', contractId: 'c' }).kind).toBe('crypto payout');
	});

	test('whose amounts cannot be read says so', () => {
		const rows = rowsOf({ ...conversion, fromAmount: '1e2', toAmount: undefined });
		expect(rows.map(({ amount }) => amount)).toEqual(['', '']);
		for (const { message } of rows) expect(message).toMatch(/cannot be read|is not known/);
	});
});

describe('an item that is nothing of all this', () => {
	test.each([
		['a contract', { contractId: 'ic', from: 'USDT', to: 'NGN', rate: '1' }, 'contractId, from, to, rate'],
		['a balance', { currency: 'NGN', balance: '5' }, 'currency, balance'],
		['a balance that was changed', { ...fiat, result: 'done', accountAlias: undefined }, 'result'],
		[
			'a row of the book',
			{ key: 'INV-7', kind: 'crypto payout', counterpart: 'x', amount: '1', result: 'paid' },
			'key',
		],
		['an error without a payment', { error: { message: 'No table' } }, 'the error: No table'],
		['empty', {}, 'no fields'],
		['of a hostile name', JSON.parse('{"__proto__": 1, "<b>\\n": 2}') as object, '__proto__, <b>'],
	])('%s is named by its number', (_, item, words) => {
		let problem: unknown;
		try {
			rowsOf(deposit, item);
		} catch (error) {
			problem = error;
		}
		expect(problem).toBeInstanceOf(DeskProblem);
		const { message, description } = problem as DeskProblem;
		expect(message).toBe('Item 1 is no event, no payment and no conversion, so it makes no row');
		expect(description).toContain(words);
	});
});

test('every row has columns of the book only, all of them text', () => {
	const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('paid', 'unknown', '5', 'INV-7'));
	const value = fc.oneof(text, fc.double(), fc.constant(null), fc.object());
	const names = [...Object.keys({ ...deposit, ...update, ...fiat, ...conversion, ...listed }), 'error'];
	const item = fc
		.dictionary(fc.constantFrom(...names), value)
		.map((some) => ({ ...some, destination: 'd', amount: some.amount ?? '' }));
	fc.assert(
		fc.property(fc.array(item, { maxLength: 3 }), (items) => {
			let rows: Array<Partial<BookRow>> = [];
			try {
				rows = makeRows(items as IDataObject[], context);
			} catch (error) {
				expect(error).toBeInstanceOf(DeskProblem);
			}
			for (const [column, cell] of rows.flatMap((row) => Object.entries(row))) {
				expect(BOOK_COLUMNS).toContain(column);
				expect(typeof cell).toBe('string');
				if (column === 'amount') expect(cell).toMatch(/^(?:-?\d+(?:\.\d+)?)?$/);
			}
		}),
	);
});
