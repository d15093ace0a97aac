/** The code of *book an event*: what each event moves, what is booked beside earlier rows, and which payouts are an alarm. */
import { bookOne, filled, judge } from '../../examples/code/bookEvent.js';
import { run as bookConversions } from '../../examples/code/convert-at-rate.movements.js';
import { movementsOf, movementsOfConversion } from '../../examples/code/movement.js';
import { outputOf } from './outputOf.ts';

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
const conversion = {
	...{ id: 1, payment_key: 'A-1/1', from_currency: 'USDT', to_currency: 'NGN', note: '', settle: '' },
	...{ from_amount: '100', to_amount: '154264.8', updatedAt: deposit.receivedAt, contract_id: 'ic' },
	state: 'converted',
};
const one = (event: object) => movementsOf(event)[0]!;

describe('what an event moves', () => {
	test.each([
		['a deposit', deposit, ['deposit', 'NGN', '8.20', 'Ada Obi to customer-0042']],
		['a deposit that is taken back', { ...deposit, amount: '-8.2' }, ['deposit', 'NGN', '-8.2']],
		['a coin deposit', coins, ['coin deposit', 'BTC', '0.1', 'w']],
		['a credit', funding, ['admin credit', 'USD', '70']],
		['a debit', { ...funding, direction: 'debit' }, ['admin debit', 'USD', '-70']],
	])('%s', (_, event, [kind, asset, amount, counterpart]) => {
		const row = one(event);
		expect(row).toMatchObject({ kind, asset, amount, problem: '', reference: event.id });
		if (counterpart) expect(row.counterpart).toBe(counterpart);
	});

	test('a payout keeps its tx hash and fee', () => {
		expect(one(update)).toMatchObject({
			...{ kind: 'coin payout', asset: 'USDT', amount: '-12.5', counterpart: 'treasury' },
			...{ txHash: 'ab', fee: '0.5', feeAsset: 'USDT', sentAmount: '12.5', status: 'successful' },
		});
	});

	test('a conversion moves two balances, and one without an answer may have', () => {
		const said = (changes: object) =>
			movementsOfConversion({ ...conversion, ...changes }).map(({ key, amount, result }) => [
				key,
				amount,
				result,
			]);
		expect(said({})).toEqual([
			['conversion:A-1/1:USDT', '-100', 'paid'],
			['conversion:A-1/1:NGN', '154264.8', 'paid'],
		]);
		for (const state of ['unknown', 'planned', 'sending'])
			expect(said({ state, to_amount: '' })).toEqual([
				['conversion:A-1/1:USDT', '-100', 'unknown'],
				['conversion:A-1/1:NGN', '', 'unknown'],
			]);
		const refused = { state: 'planned', note: 'It was not sent.' };
		for (const out of [refused, { state: 'unknown', settle: 'wasNotConverted' }])
			expect(said({ ...out, to_amount: '' }).map(([, , result]) => result)).toEqual(['notSent', 'notSent']);
	});

	test('of two rows of one conversion, the book has the one that knows more, in any order', () => {
		const rows = [
			conversion,
			{ ...conversion, state: 'unknown' },
			{ ...conversion, state: 'planned', note: 'The service said no.' },
		];
		const written = (...some: object[]) =>
			bookConversions({ $input: outputOf(...some) } as never).map(
				({ json: { asset, result } }) => [asset, result] as const,
			);
		const both = (result: string) => [
			['USDT', result],
			['NGN', result],
		];
		for (const order of [rows, rows.toReversed()]) {
			expect(written(...order)).toEqual(both('paid'));
			expect(written(...order.filter(({ state }) => state !== 'converted'))).toEqual(both('unknown'));
		}
	});

	test.each([
		['2.000,75', { ...deposit, amount: undefined, raw: { Amount: '2.000,75' } }, /: "2\.000,75"/],
		['no amount', { ...deposit, amount: undefined }, /cannot be read: null/],
		['no currency', { ...deposit, currency: undefined }, /no currency or coin/],
		['a direction that is neither', { ...funding, direction: 'sideways' }, /credit or debit/],
		['a debit with a sign', { ...funding, direction: 'debit', amount: '-70' }, /has a sign/],
		['an amount with a power', { ...deposit, amount: '1e5' }, /cannot be read/],
		['a payout without an ID', { ...update, id: undefined }, /no ID of a payout/],
	])('%s is a problem, and has no amount', (_, event, problem) => {
		expect(one(event)).toMatchObject({ amount: '', problem: expect.stringMatching(problem) });
	});

	test('other events move nothing', () => {
		expect(movementsOf({ event: 'something_new', id: '1' })).toEqual([]);
	});
});

describe('a movement beside the rows that are known', () => {
	const row = (changes: object = {}) => ({ id: 1, execution: '7', ...one({ ...deposit, ...changes }) });

	test('it is written once, whoever writes it again', () => {
		const first = bookOne(one(deposit), []);
		expect(first).toMatchObject({ key: deposit.deliveryKey, amount: '8.20', subject: '' });
		const again = bookOne({ ...one(deposit), amount: '8.2', time: '2026-12-01T00:00:00.000Z' }, [row()]);
		expect(again).toMatchObject({ key: first.key, amount: '8.20', time: first.time, subject: '' });
	});

	test('a later delivery adds what was not known', () => {
		const bare = { id: 1, ...one({ ...update, txHash: undefined, fee: undefined }) };
		const filled = { key: bare.key, txHash: 'ab', fee: '0.5', subject: '' };
		expect(bookOne(one(update), [bare])).toMatchObject(filled);
	});

	test.each([
		['another amount', { amount: '8.2000000000000000001' }],
		['another currency', { currency: 'USD' }],
		['another account', { accountAlias: 'customer-0007' }],
	])('the same event with %s is a row of its own, and told once', (_, changes) => {
		const other = bookOne(one({ ...deposit, ...changes }), [row()]);
		expect(other.key).toMatch(/^virtual_account_credited:dep_1:successful says: /);
		expect(other.subject).toBe('An event came again with other content: deposit dep_1');
		expect(other.text).toContain('Booked: 8.20 NGN, Ada Obi to customer-0042, successful. Now');
		const again = bookOne(one({ ...deposit, ...changes }), [row(), { ...other, id: 2 }]);
		expect(again).toMatchObject({ key: other.key, subject: '' });
	});

	test('a deposit that is successful and then reversed is told', () => {
		const deliveryKey = 'virtual_account_credited:dep_1:reversed';
		const { key, subject } = bookOne(one({ ...deposit, status: 'reversed', deliveryKey }), [row()]);
		expect([key, subject]).toEqual([deliveryKey, 'A deposit is successful and reversed']);
	});

	test('what cannot be booked is told, and asks for the amount', () => {
		const { subject, text } = bookOne(one({ ...deposit, amount: undefined }), []);
		expect(subject).toBe('An event cannot be booked: deposit dep_1');
		expect(text).toContain('write the amount into its row');
	});

	test('no text of a stranger adds a line', () => {
		const name = 'Eve\nSubject: all is well\u2028<b>';
		const { text } = bookOne(one({ ...deposit, senderAccountName: name, amount: '9' }), [row()]);
		expect(text).not.toMatch(/[\n\u2028]/);
	});
});

describe('an update of a payout beside its order', () => {
	const order = {
		...{ paymentKey: 'INV-7', amount: '12.50', currency: '', coin: 'USDT', destination: 'treasury' },
		...{ result: 'paid', payoutId: 'po_1', status: 'pending', time: null, createdAt: '' },
	};
	const nothing = { rows: [], withoutId: [], known: [], waited: true };
	const NOTHING = { next: 'nothing', subject: '' };
	const BOOKED = { next: 'booked', subject: '' };
	const said = (book: object, changes: object = {}) =>
		judge(one({ ...update, ...changes }), { ...nothing, ...book });

	test('as ordered, with the amount written in another way, its row has it', () => {
		expect(said({ rows: [order] })).toMatchObject(BOOKED);
		expect(said({ rows: [{ ...order, coin: 'usdt' }] })).toMatchObject({ next: 'booked' });
		// With or without its fee: the document does not say.
		for (const amount of ['12', '13']) expect(said({ rows: [order] }, { amount }).next).toBe('booked');
		// It has not waited, so it has no row of its own to remove.
		expect(said({ rows: [order], waited: false }).next).toBe('nothing');
	});

	test('an update adds what earlier ones did not say, and forgets nothing', () => {
		const known = [{ id: 1, ...one({ ...update, txHash: 'cd' }) }];
		const { txHash, fee, feeAsset } = filled(one({ ...update, fee: undefined, feeCoin: undefined }), known);
		expect([txHash, fee, feeAsset]).toEqual(['ab', '0.5', 'USDT']);
		const other = one({ ...update, id: 'po_2', txHash: undefined });
		expect(filled(other, known)).toEqual(other);
	});

	test.each([
		['amount', { amount: '12.4' }],
		['coin', { coin: 'USDC' }],
		['wallet', { walletAlias: 'treasury2' }],
	])('another %s is an alarm, once', (what, changes) => {
		const { next, subject, text } = said({ rows: [order] }, changes);
		expect([next, subject]).toEqual(['contradicts', 'ALARM: a payout is not as ordered: INV-7']);
		expect(text).toContain(`the ${what} `);
		const known = [{ id: 1, ...one({ ...update, ...changes, status: 'pending' }) }];
		expect(said({ rows: [order], known }, changes).next).toBe('nothing');
	});

	test('a payout in no row is an alarm after ten seconds, once', () => {
		expect(said({ waited: false }).next).toBe('wait');
		const subject = 'ALARM: a payout that is in no row: 12.5 USDT to treasury';
		expect(said({})).toMatchObject({ next: 'tell', subject });
		// A later update fills the row of the first, and one that comes again is that row.
		const first = { id: 1, ...one({ ...update, status: 'pending', deliveryKey: 'first' }) };
		expect(said({ known: [first] })).toMatchObject(BOOKED);
		expect(said({ known: [{ id: 1, ...one(update) }] })).toMatchObject(NOTHING);
	});

	test('an unknown row of the same amount, coin and wallet is named, and is no alarm', () => {
		const lost = { ...order, result: 'unknown', payoutId: '' };
		const others = [
			{ ...lost, paymentKey: 'INV-8', amount: '13.75' },
			{ ...lost, paymentKey: 'INV-9', destination: 'cold' },
			{ ...lost, paymentKey: 'INV-10', result: 'rejected' },
		];
		const { subject, text } = said({ withoutId: [lost, ...others] });
		expect(subject).toBe('A payment that is not known looks paid: INV-7');
		expect(text).not.toMatch(/INV-(8|9|10)/);
		expect(said({ withoutId: others }).subject).toMatch(/^ALARM/);
	});

	test('an unknown row whose payout has failed does not look paid', () => {
		const failed = { status: 'failed' };
		const withoutId = [{ ...order, result: 'unknown', payoutId: '' }];
		const pending = { id: 1, ...one({ ...update, status: 'pending', deliveryKey: 'first' }) };
		for (const known of [[], [pending]]) {
			const { next, subject, text } = said({ withoutId, known }, failed);
			expect([next, subject]).toEqual(['tell', 'A payment that is not known has failed: INV-7']);
			expect(text).toContain('Its money is not gone, or has come back.');
			expect(text).not.toContain('answer that it was paid');
		}
		// Once, and only what waits for an answer.
		const again = [pending, { id: 2, ...one({ ...update, ...failed }) }];
		expect(said({ withoutId, known: again }, failed)).toMatchObject({ next: 'nothing', subject: '' });
		const paid = [{ ...order, payoutId: '' }];
		expect(said({ withoutId: paid, known: [pending] }, failed).next).toBe('booked');
	});

	test.each(['failed', 'rejected', 'cancelled', 'reversed', 'returned'])(
		'successful, then %s is told',
		(status) => {
			const rows = [{ ...order, status: 'successful' }];
			const { next, subject, text } = said({ rows }, { status });
			expect([next, subject]).toEqual(['contradicts', `A payout is successful and ${status}`]);
			expect(text).toContain('The table keeps successful');
			expect(said({ rows: [{ ...order, status }] }).subject).toBe(`A payout is ${status} and successful`);
			// Once, also of a payout in no row.
			const again = { id: 1, ...one({ ...update, status }) };
			expect(said({ rows, known: [again] }, { status })).toMatchObject(NOTHING);
			const stray = { id: 1, ...one({ ...update, deliveryKey: 'first' }) };
			expect(said({ known: [stray] }, { status })).toMatchObject({ next: 'contradicts', subject });
		},
	);

	test('an amount that cannot be read is told once, by its movement, which stays', () => {
		expect(said({ rows: [order] }, { amount: undefined }).next).toBe('nothing');
	});
});
