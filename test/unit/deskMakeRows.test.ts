/** Rows of the book: what each event moves, what a payment says before and after it is sent, and the two sides of a conversion. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { rowsOfItem } from '../../nodes/WalletServiceDesk/book/make/makeRows.ts';
import { fold } from '../../nodes/WalletServiceDesk/book/fold.ts';
import { BOOK_COLUMNS, readRows } from '../../nodes/WalletServiceDesk/book/row.ts';
import type { BookCells } from '../../nodes/WalletServiceDesk/book/row.ts';
import { hasPaymentKey } from '../../nodes/WalletServiceDesk/book/rowKeys.ts';
import sampleItems from '../fixtures/sampleItems.json';

const context = {
	now: '2026-11-24T06:00:00.000Z',
	workflow: 'wf1 Pay a list',
	execution: '123',
	approvedBy: '',
	needsApproval: true,
};
const rowsOf = (...items: object[]): BookCells[] => rowsIn(context, ...items);
const rowsIn = (own: Partial<typeof context>, ...items: object[]): BookCells[] =>
	items.flatMap((item, place) => rowsOfItem(item as IDataObject, place, { ...context, ...own }));
const one = (item: object): BookCells => {
	const [row, ...others] = rowsOf(item);
	expect(others).toEqual([]);
	return row!;
};

const deposit = {
	event: 'virtual_account_credited',
	id: 'dep_1',
	status: 'successful',
	currency: 'NGN',
	amount: '8.20',
	accountAlias: 'customer-0042',
	senderAccountName: 'Ada Obi',
	receivedAt: '2026-11-24T05:00:00.000Z',
	deliveryKey: 'virtual_account_credited:dep_1:successful:0f0f0f0f',
};
const update = {
	event: 'crypto_payout_update',
	id: 'po_1',
	status: 'successful',
	coin: 'USDT',
	amount: '12.5',
	walletAlias: 'treasury',
	fee: '0.5',
	feeCoin: 'USDT',
	txHash: 'ab',
	receivedAt: deposit.receivedAt,
	deliveryKey: 'crypto_payout_update:po_1:successful:0f0f0f0f',
};
const funding = {
	event: 'admin_funding',
	id: 'adm_1',
	status: 'successful',
	asset: 'USD',
	amount: '70',
	direction: 'credit',
	assetClass: 'fiat',
	deliveryKey: 'admin_funding:adm_1:successful:0f0f0f0f',
};
const coins = {
	event: 'crypto_received',
	id: 'dep_2',
	coin: 'btc',
	amount: '0.1',
	walletAlias: 'w',
	walletAddress: 'bc1q',
	deliveryKey: 'crypto_received:dep_2::0f0f0f0f',
};

describe('what an event moves', () => {
	test.each([
		['a deposit', deposit, ['deposit', 'NGN', '8.20', 'customer-0042', 'Ada Obi']],
		[
			'a deposit that is taken back',
			{ ...deposit, amount: '-8.2' },
			['deposit', 'NGN', '-8.2', 'customer-0042', 'Ada Obi'],
		],
		['a crypto deposit', coins, ['crypto deposit', 'BTC', '0.1', 'w', '']],
		['one to an address', { ...coins, walletAlias: null }, ['crypto deposit', 'BTC', '0.1', 'bc1q', '']],
		['a credit', funding, ['admin credit', 'USD', '70', '', 'fiat']],
		['a debit', { ...funding, direction: 'debit' }, ['admin debit', 'USD', '-70', '', 'fiat']],
	])('%s', (_, event, [kind, asset, amount, counterpart, details]) => {
		expect(one(event)).toMatchObject({
			kind,
			asset,
			amount,
			counterpart,
			details,
			message: '',
			result: '',
			reference: event.id,
			key: event.deliveryKey,
			approvedBy: '',
		});
	});

	test('a payout keeps its tx hash and fee, and the time when it came', () => {
		expect(one(update)).toMatchObject({
			kind: 'crypto payout',
			asset: 'USDT',
			amount: '-12.5',
			counterpart: 'treasury',
			txHash: 'ab',
			fee: '0.5',
			feeAsset: 'USDT',
			status: 'successful',
			time: deposit.receivedAt,
			workflow: 'wf1 Pay a list',
			execution: '123',
			key: update.deliveryKey,
		});
		expect(one(funding).time).toBe(context.now);
	});

	test('each event of the document that moves money is one row, as the trigger hands it over', () => {
		expect(rowsOf(...sampleItems).map(({ kind, reference }) => [kind, reference])).toEqual([
			['crypto deposit', 'dep_sample_crypto'],
			['deposit', 'dep_sample_fiat'],
			['crypto payout', 'po_sample'],
			['admin credit', 'adm_sample'],
		]);
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
		expect(one({ ...update, fee: undefined, ...sent })).toMatchObject({ fee: '', feeAsset: '' });
	});

	test.each(['settlement_wallet_update', 'settlement_account_update', 'virtual_account_created'])(
		'%s moves nothing',
		(event) => {
			expect(rowsOf({ event, id: '1', status: 'whitelisted', deliveryKey: 'k' })).toEqual([]);
		},
	);
});

const listed = {
	row: 2,
	line: 2,
	paymentKey: 'Inv – 7',
	amount: '12.50',
	coin: 'usdt',
	destination: 'treasury',
	destinationDetails: 'TRC20, TXYZ',
	note: 'May',
	problems: [],
	approvedBy: 'Ada Obi',
};
const paid = {
	result: 'paid',
	paymentKey: 'Inv – 7',
	coin: 'USDT',
	amount: '12.50',
	walletAlias: 'treasury',
	payout_id: 'po_1',
	status: 'Pending',
};
const fiat = {
	result: 'paid',
	paymentKey: 'INV-8',
	amount: '1250.50',
	currency: 'NGN',
	accountAlias: 'supplier-main',
	payoutId: 'po_8',
	status: 'pending',
};

describe('a payment before it is sent', () => {
	test('is under way, with all that its row says', () => {
		expect(one(listed)).toEqual({
			key: 'Inv – 7',
			kind: 'crypto payout',
			time: context.now,
			asset: 'USDT',
			amount: '-12.50',
			counterpart: 'treasury',
			details: 'TRC20, TXYZ',
			reference: '',
			result: 'under way',
			status: '',
			txHash: '',
			fee: '',
			feeAsset: '',
			message: '',
			workflow: 'wf1 Pay a list',
			execution: '123',
			approvedBy: 'Ada Obi',
		});
	});

	test('and what became of it are one payment for all who read the book', () => {
		const result = rowsIn({ now: '2026-11-24T06:01:00.000Z' }, paid);
		const { movements } = fold(
			readRows([...rowsOf(listed), ...result].map((row) => ({ ...row }))).rows,
			'2027',
		);
		expect(movements).toMatchObject([
			{ state: 'made', amount: '-12.50', reference: 'po_1', from: context.now },
		]);
	});

	test.each([[['The amount is odd.']], ['odd'], [{}]])(
		'has no row with the problems %j, because it is not sent',
		(problems) => {
			expect(rowsOf({ ...listed, problems })).toEqual([]);
			expect(rowsOf({ row: 0, problems })).toEqual([]);
		},
	);

	test.each(['', null, 'no', '-', 'Ada Obi, no', true, ['Ada Obi']])(
		'has no row if approvedBy is %j, because it is only checked or refused',
		(approvedBy) => {
			expect(rowsOf({ ...listed, approvedBy })).toEqual([]);
			if (approvedBy) expect(rowsIn({ approvedBy: 'Ada Obi' }, { ...listed, approvedBy })).toEqual([]);
		},
	);

	test.each<[unknown, string, boolean]>([
		[2, 'Ada Obi', false],
		['2', 'Ada Obi, ADA  OBI', false],
		['two', 'Ada Obi', false],
		[2, 'Ada Obi, Ben Eze', true],
		[1, 'Ada Obi', true],
		[' 1 ', 'Ada Obi', true],
		['', 'Ada Obi', true],
	])('that needs %j people has a row after %j: %s', (approvalsNeeded, approvedBy, hasRow) => {
		expect(rowsOf({ ...listed, approvalsNeeded, approvedBy })).toHaveLength(hasRow ? 1 : 0);
	});

	test('without a name has a row where none is needed, or where the node names somebody', () => {
		const { approvedBy, ...nobody } = listed;
		expect(rowsIn({ needsApproval: false }, nobody)).toMatchObject([{ result: 'under way', approvedBy: '' }]);
		expect(rowsIn({ approvedBy }, nobody)).toMatchObject([{ approvedBy }]);
		expect(rowsIn({ needsApproval: false }, { ...nobody, approvalsNeeded: 2 })).toEqual([]);
	});

	test.each([
		['destination', { paymentKey: 'A-1', amount: '5', destination: null }, { key: 'A-1', counterpart: '' }],
		['amount', { paymentKey: 'A-1', amount: undefined, destination: 'x' }, { key: 'A-1', amount: '' }],
		['key', { paymentKey: null, amount: '5', destination: null }, { amount: '-5' }],
	])('that will be refused for its %s is under way, until its result comes', (_, item, row) => {
		expect(one({ currency: 'NGN', approvedBy: 'Ada Obi', ...item })).toMatchObject({
			result: 'under way',
			...row,
		});
	});

	test('has the columns of a sheet with other meanings', () => {
		const more = {
			id: 'customer 5',
			reference: 'May',
			status: 'ok',
			from: 'Lagos',
			to: 'Abuja',
			event: 'Fair',
		};
		expect(rowsOf({ ...listed, result: '', ...more })).toEqual(rowsOf(listed));
	});
});

describe('a payment with its result', () => {
	test('in fiat money', () => {
		expect(one(fiat)).toMatchObject({
			key: 'INV-8',
			kind: 'fiat payout',
			asset: 'NGN',
			amount: '-1250.50',
			reference: 'po_8',
			counterpart: 'supplier-main',
			result: 'paid',
			status: 'pending',
			message: '',
		});
		expect(one(paid)).toMatchObject({ kind: 'crypto payout', reference: 'po_1', status: 'pending' });
	});

	test('hands on the columns of its list, which make no conversion and no event of it', () => {
		const more = { from: 'Lagos', to: 'Abuja', event: 'Fair', deliveryKey: 'k', contractId: 'c-1' };
		for (const item of [paid, fiat, { ...fiat, result: 'notSent', accountAlias: undefined }])
			expect(rowsOf({ ...item, ...more })).toEqual(rowsOf(item));
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

	test('that was paid before says so, and has nothing of the run that paid it', () => {
		expect(one({ ...fiat, result: 'alreadyPaid', alreadyPaid: true })).toMatchObject({
			key: 'INV-8',
			result: 'alreadyPaid',
			execution: '123',
			reference: '',
			status: '',
			message: expect.stringContaining('This run has sent nothing'),
		});
	});

	test.each([
		[40, '-40'],
		[1250.5, '-1250.5'],
		[1e-7, '-0.0000001'],
		['9007199254740993.01', '-9007199254740993.01'],
	])('of the amount %p has it to its last digit', (amount, booked) => {
		expect(one({ ...fiat, amount })).toMatchObject({ amount: booked, message: '' });
	});

	const ODD_AMOUNTS = ['1,250', '1.250,50', '', '  ', null, '1e5', 2 ** 53 + 2, -1, '-5', Number.NaN, {}];
	test.each(ODD_AMOUNTS)('of the amount %p has none, and says so', (amount) => {
		expect(one({ ...fiat, amount })).toMatchObject({
			amount: '',
			message: expect.stringMatching(/^The amount .+/),
		});
	});

	test('without a currency keeps its amount, and says so', () => {
		const { currency, ...bare } = fiat;
		expect(one({ ...bare, result: 'notSent', given: currency })).toMatchObject({
			asset: '',
			amount: '-1250.50',
			message: 'It names no currency or coin.',
		});
	});

	test('that names nothing and was not sent makes no row: a workflow was started without rows', () => {
		expect(rowsOf({ paymentKey: null, amount: null, destination: null, coin: null }, {})).toEqual([]);
		const error = { message: "'Amount' is empty", outcome: 'notSent' };
		expect(rowsOf({ result: 'notSent', error })).toEqual([]);
		expect(one({ result: 'unknown', error })).toMatchObject({ kind: 'odd' });
	});
});

describe('the key of a payment', () => {
	test('stands for its place if there is none, and is the same before it is sent and after it', () => {
		const before = one({ ...listed, paymentKey: '' });
		const after = one({ ...paid, paymentKey: undefined, amount: '12.5' });
		expect(before.key).toBe('without a key: execution 123, item 1, 12.5 USDT treasury');
		expect(after.key).toBe(before.key);
		expect([before.key, '', 'INV-7'].map(hasPaymentKey)).toEqual([false, false, true]);
	});

	test('two nodes of one execution do not have one key', () => {
		const keys = [listed, { ...listed, coin: undefined, currency: 'NGN' }].map(
			(item) => one({ ...item, paymentKey: '' }).key,
		);
		expect(new Set(keys).size).toBe(2);
	});
});

/** As *Convert at Best Rate* gives it. */
const conversion = {
	result: 'paid',
	paymentKey: 'A-1',
	transactionId: 'tx_1',
	contractId: 'ic',
	status: 'success',
	fromAmount: '100',
	toAmount: '154264.8',
	rate: '1542.648',
	wantedRate: '1500',
	from: 'USDT',
	to: 'NGN',
	amount: '100',
};

describe('a conversion', () => {
	const said = (changes: object) =>
		rowsOf({ ...conversion, ...changes }).map(({ asset, amount, result }) => [asset, amount, result]);

	test('moves two balances', () => {
		expect(said({})).toEqual([
			['USDT', '-100', 'paid'],
			['NGN', '154264.8', 'paid'],
		]);
		for (const row of rowsOf(conversion))
			expect(row).toMatchObject({
				kind: 'conversion',
				key: 'A-1',
				counterpart: 'ic',
				reference: 'tx_1',
				status: 'success',
			});
	});

	test('with the answer as it came is the same', () => {
		const { transactionId, fromAmount, toAmount, ...rest } = conversion;
		const raw = { transaction_id: transactionId, from_amount: fromAmount, to_amount: Number(toAmount) };
		expect(rowsOf({ ...rest, ...raw })).toEqual(rowsOf(conversion));
	});

	test.each(['unknown', 'rejected', 'alreadyPaid'])('that is %s brings nothing that is known', (result) => {
		const error = result === 'alreadyPaid' ? undefined : { message: 'No answer' };
		const bare = {
			transactionId: undefined,
			contractId: undefined,
			fromAmount: undefined,
			toAmount: undefined,
		};
		expect(said({ ...bare, result, error })).toEqual([
			['USDT', '-100', result],
			['NGN', '', result],
		]);
	});

	test('that was made below its minimum rate says so', () => {
		const messages = rowsOf({ ...conversion, belowMinimum: true }).map(({ message }) => message);
		expect(messages).toEqual(['', 'It was converted below the minimum rate. Ask the service why.']);
	});

	test('by a contract names no currencies, and asks for them', () => {
		const rows = rowsOf({ ...conversion, from: undefined, to: undefined, amount: undefined });
		expect(rows.map(({ amount }) => amount)).toEqual(['-100', '154264.8']);
		for (const { message } of rows) expect(message).toMatch(/does not name its currency/);
	});

	test('for which no contract was good enough makes no row', () => {
		const refused = { result: 'notSent', paymentKey: 'A-1', amount: '100', from: 'USDT', to: 'NGN' };
		for (const more of [{}, { waiting: true }])
			expect(rowsOf({ ...refused, ...more, error: { message: 'No contract' } })).toEqual([]);
	});

	test('whose amounts cannot be read says so', () => {
		const rows = rowsOf({ ...conversion, fromAmount: '1e2', toAmount: undefined });
		expect(rows.map(({ amount }) => amount)).toEqual(['', '']);
		for (const { message } of rows) expect(message).toMatch(/cannot be read|is not known/);
	});
});

describe('an item that is nothing of all this', () => {
	test.each([
		['a contract', { contractId: 'ic', from: 'USDT', to: 'NGN', rate: '1' }, '"contractId":"ic"'],
		['a balance', { currency: 'NGN', balance: '5' }, '{"currency":"NGN","balance":"5"}'],
		['a balance that was changed', { ...fiat, result: 'done', accountAlias: undefined }, '"done"'],
		['a row of the book', { ...one(fiat) }, '"kind":"fiat payout"'],
		['an error without a payment', { error: { message: 'No table' } }, 'No table'],
		[
			'an event of a kind that nobody knows',
			{ event: 'something_new', id: '1', deliveryKey: 'k' },
			'something_new',
		],
		['an event of a hostile kind', { event: '__proto__', deliveryKey: 'k' }, '__proto__'],
		['an event without a delivery key', { ...deposit, deliveryKey: undefined }, 'dep_1'],
		['of a hostile name', JSON.parse('{"__proto__": 1, "<b>\\n": 2}') as object, '"<b>\\n":2'],
		['too long', { text: 'x'.repeat(5000) }, 'x…'],
	])('%s is a row of the kind odd, and the others are made', (_, item, words) => {
		const [, odd, ...others] = rowsOf(deposit, item, fiat);
		expect(others.map(({ key }) => key)).toEqual(['INV-8']);
		expect(odd).toMatchObject({
			key: 'without a key: execution 123, item 2',
			kind: 'odd',
			time: context.now,
			amount: '',
			message: expect.stringMatching(/^No event, no payment and no conversion: ./),
			workflow: context.workflow,
			execution: '123',
		});
		expect(odd!.message).toContain(words);
		expect(odd!.message.length).toBeLessThan(1100);
	});
});

test('every row has the columns of the book and no others, all of them text', () => {
	const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('paid', 'unknown', '5', 'INV-7'));
	const value = fc.oneof(text, fc.double(), fc.constant(null), fc.object());
	const names = [...Object.keys({ ...deposit, ...update, ...fiat, ...conversion, ...listed }), 'error'];
	const event = fc.constantFrom(deposit.event, update.event, funding.event);
	const item = fc
		.tuple(fc.dictionary(fc.constantFrom(...names), value), fc.option(event, { nil: undefined }))
		.map(([some, name]) => ({ ...some, ...(name !== undefined && { event: name, deliveryKey: 'k' }) }));
	fc.assert(
		fc.property(fc.array(item, { maxLength: 3 }), (items) => {
			for (const row of rowsOf(...items)) {
				expect(Object.keys(row)).toEqual(BOOK_COLUMNS);
				for (const cell of Object.values(row)) expect(typeof cell).toBe('string');
				expect(row.amount).toMatch(/^(?:-?\d+(?:\.\d+)?)?$/);
				expect(row.time).not.toBe('');
			}
		}),
	);
});
