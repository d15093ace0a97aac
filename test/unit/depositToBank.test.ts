/** Which deposits go to the bank, what is converted and paid of them, and what a person reads. */
import { readDeposit } from '../../examples/code/deposit-to-bank.deposit.js';
import { payable, wayOf } from '../../examples/code/deposit-to-bank.way.js';
import { nodeOf } from './exampleNodes.ts';

type Deposit = Parameters<typeof wayOf>[0];

const SETTINGS = {
	...{ wallets: 'shop, deposits-usdt', coin: 'USDT', toCurrency: 'NGN', payTo: 'supplier-main' },
	...{ minimumRate: '1500', depositFee: 'takenOff', payoutPlaces: '2' },
};
const EVENT = {
	...{ id: 'dep_1', status: 'successful', walletAlias: 'deposits-usdt', coin: 'USDT', amount: '250.50' },
	fee: '0',
};
const DEPOSIT: Deposit = {
	...{ deposit_id: 'dep_1', wallet: 'deposits-usdt', coin: 'USDT', amount: '250.5', to_currency: 'NGN' },
	...{ pay_to: 'supplier-main', minimum_rate: '1500', state: 'open', told: '' },
};

describe('a deposit that arrives', () => {
	const read = (event: Record<string, unknown>, settings = {}, known: Deposit[] = []) =>
		readDeposit({ ...EVENT, ...event }, { ...SETTINGS, ...settings }, known);

	test('is added once, and goes on if it is there', () => {
		expect(read({})).toEqual({
			...{ next: 'add', deposit_id: 'dep_1', wallet: 'deposits-usdt', coin: 'USDT', amount: '250.5' },
			...{ to_currency: 'NGN', pay_to: 'supplier-main', minimum_rate: '1500' },
		});
		expect(read({}, {}, [DEPOSIT])).toEqual({ next: 'go on', deposit_id: 'dep_1' });
	});

	test.each([
		[{ fee: '0.5', feeCoin: 'USDT' }, {}, '250'],
		[{ fee: '0.50' }, { depositFee: 'included' }, '250.5'],
		[{ fee: undefined }, {}, '250.5'],
		[{}, { coin: ' usdt' }, '250.5'],
		[{ amount: '0.123456789012345678', fee: '0.000000000000000001' }, {}, '0.123456789012345677'],
	])('of which the fee is taken off or not: %j %j', (event, settings, amount) => {
		expect(read(event, settings)).toMatchObject({ next: 'add', amount });
	});

	test.each([
		...['Deposits-USDT', undefined, ''].map((walletAlias) => ({ walletAlias })),
		...[{ coin: 'USDC' }, { status: 'pending' }, { status: 'failed' }, { status: undefined }],
	])('is left alone with %j', (event) => {
		const text = expect.stringContaining('Nothing was converted or paid.');
		expect(read(event)).toEqual({ next: 'nothing', text });
	});

	test('is told if it is taken back on its way', () => {
		const text = expect.stringContaining('has the status reversed now. To stop it, write cancelled');
		expect(read({ status: 'reversed' }, {}, [DEPOSIT])).toMatchObject({ next: 'tell', text });
	});

	test('goes on once, also if its row is there twice', () => {
		expect(nodeOf('deposit-to-bank', 'Claimed?').executeOnce).toBe(true);
	});

	test.each<[event: object, settings?: object]>([
		...['', 'Депозит', 17].map((id): [object] => [{ id }]),
		...[undefined, '-250', '0.00', '1e3'].map((amount): [object] => [{ amount }]),
		...['250.5', '300', 'n/a'].map((fee): [object] => [{ fee }]),
		[{ fee: '1', feeCoin: 'TRX' }],
		// The trigger leaves out what it cannot read.
		[{ fee: undefined, raw: { fee: '1,50 USDT' } }],
		[{}, { depositFee: '' }],
		[{}, { minimumRate: '0' }],
		[{}, { payoutPlaces: 'two' }],
	])('is told to a person with %j %j', (event, settings = {}) => {
		const text = expect.stringContaining('Look it up');
		expect(read({ ...event }, settings)).toMatchObject({ next: 'tell', text });
	});

	test('is told to a person if an earlier event with its ID had another amount, coin or wallet', () => {
		for (const other of [{ amount: '250' }, { coin: 'USDC' }, { wallet: 'shop' }])
			expect(read({}, {}, [{ ...DEPOSIT, ...other }])).toMatchObject({ next: 'tell' });
	});
});

test.each([
	['9007199254740993.999', '2', '9007199254740993.99'],
	['0.99', '0', '0'],
	['', '2', ''],
])('of %j, a payout with at most %s decimal places is %j', (amount, places, paid) => {
	expect(payable(amount, places)).toBe(paid);
});

describe('the way of a deposit', () => {
	const converted = { state: 'converted', to_amount: '386433.324', text: 'Converted 250.5 USDT.' };
	const way = (said: Record<string, unknown>, paid?: Record<string, unknown>) =>
		wayOf(DEPOSIT, said, paid, '2');

	test('ends with one mail that tells all of it', () => {
		expect(way(converted, { result: 'paid', payoutId: 'po_1' })).toEqual({
			...{ state: 'paid', told: 'paid', payout_id: 'po_1', paid_amount: '386433.32' },
			subject: 'Paid to the bank: 250.5 USDT, deposit dep_1',
			text: [
				'Deposit dep_1: 250.5 USDT for deposits-usdt',
				'Converted 250.5 USDT.',
				'0.004 NGN stay in the wallet: a payout has 2 decimal places.',
				'Paid 386433.32 NGN to supplier-main, as po_1.',
			].join('\n'),
		});
		expect(way(converted, { result: 'alreadyPaid' })).toMatchObject({ state: 'paid' });
	});

	const rejected = { result: 'rejected', message: 'No.' };
	const unclear = { result: 'unknown', message: 'Who knows.' };
	const unanswered = { state: 'unknown', why: 'No answer.', text: 'Look' };
	const boom = { error: { message: 'boom' } };

	test.each<[what: string, told: string, says: RegExp, answers: [said: object, paid?: object]]>([
		['a rate below the floor', 'waits', /minimum_rate \(now 1500\)/, [{ state: '', text: 'Waits' }]],
		['a failed conversion', 'conversion failed', /cancelled/, [{ state: 'failed', text: 'Too much' }]],
		['an unknown conversion', 'conversion unknown No answer.', /Nothing is sent/, [unanswered]],
		['a workflow that failed', 'conversion not run', /boom/, [boom]],
		['a workflow that gave nothing', 'conversion not run', /gave nothing/, [{}]],
		['a refused payout', 'not paid', /Not paid: 386433.32 NGN .* No\./, [converted, rejected]],
		['a payout beyond a limit', 'not paid', /cancelled/, [converted, { ...rejected, result: 'notSent' }]],
		['an unknown payout', 'payout unknown', /not known .* Who knows\./, [converted, unclear]],
		['no payout', 'payout unknown', /not known/, [converted]],
		['a dry run of the payout', 'payout unknown', /not known/, [converted, { result: 'dryRun' }]],
		['a payment workflow that failed', 'payout unknown', /boom/, [converted, boom]],
	])('stays open after %s', (_, told, says, [said, paid]) => {
		const { state, told: now, text, paid_amount } = way({ ...said }, paid && { ...paid });
		expect([state, now, paid_amount]).toEqual(['open', told, '']);
		expect(text).toMatch(says);
	});
});
