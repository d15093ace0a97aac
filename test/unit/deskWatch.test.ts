/** What the watch tells a person, and what it never says. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { BookCells as BookRow } from '../../nodes/WalletServiceDesk/book/row.ts';
import { newMatters } from '../../nodes/WalletServiceDesk/book/watch/newMatters.ts';
import { watch } from '../../nodes/WalletServiceDesk/book/watch/watch.ts';
import type { Matter, WatchInput } from '../../nodes/WalletServiceDesk/book/watch/watch.ts';
import { bookOf, makeRows } from './bookOf.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 0, 2, 12);
const now = new Date(NOW).toISOString();
const ago = (hours: number) => new Date(NOW - hours * HOUR).toISOString();

const EMPTY: BookRow = bookOf([{ key: 'INV-1' }])[0]!;
/** 40 NGN to supplier-main, paid eight hours ago. */
const row = (more: Partial<BookRow>): BookRow => ({
	...EMPTY,
	...{ kind: 'fiat payout', asset: 'NGN', amount: '-40', counterpart: 'supplier-main', result: 'paid' },
	...{ reference: 'po_1', status: 'pending', time: ago(8), execution: '812' },
	...more,
});
const coins = { kind: 'crypto payout', asset: 'USDT', counterpart: 'treasury' };
const lost = { ...coins, result: 'unknown', reference: '', status: '', time: ago(0.5) };
/** Updates of the payout po_x, 40 USDT to treasury, an hour ago. */
const update = (more: Partial<BookRow> = {}): BookRow => ({
	...EMPTY,
	...coins,
	...{ key: `update of ${more.reference ?? 'po_x'} ${more.status}`, time: ago(1), amount: '-40' },
	...{ reference: 'po_x', status: 'successful' },
	...more,
});
const deposit = (more: Partial<BookRow> = {}): BookRow => ({
	...EMPTY,
	...{
		key: `deposit ${more.status} ${more.amount}`,
		kind: 'deposit',
		time: ago(1),
		asset: 'NGN',
		amount: '8.20',
	},
	...{ counterpart: 'Ada Obi to customer-0042', reference: 'dep_1', status: 'successful' },
	...more,
});

const told = (...rows: BookRow[]) => toldOf({ rows });
const toldOf = (input: Partial<WatchInput>): Matter[] =>
	watch({
		...{ rows: [], balances: [], minimums: [], now, hour: 7 },
		settings: { waitHours: 1, updateHours: 6, checkHour: 8 },
		...input,
	});
const names = (...rows: BookRow[]) => told(...rows).map(({ matter }) => matter);
const one = (...rows: BookRow[]): Matter => {
	const [matter, ...others] = told(...rows);
	expect(others).toEqual([]);
	return matter!;
};

describe('balances', () => {
	test.each([
		['below by a digit that a number would lose', '4999999999999999.99', '5000000000000000', ['low X']],
		['at its minimum', '5000.00', '5000', []],
		['empty', '', '0', ['unreadable X']],
		['no number', '1,000', '0', ['unreadable X']],
		['beside a minimum that is empty', '5', '', ['minimum X']],
		['beside a minimum with a comma', '5', '1,000', ['minimum X']],
		['below zero', '-5', '0', ['low X']],
	])('a balance that is %s', (_, balance, minimum, expected) => {
		const balances = [{ code: 'X', isFiat: true, balance }];
		const matters = toldOf({ balances, minimums: [{ code: 'x', minimum }] });
		expect(matters.map(({ matter }) => matter)).toEqual(expected);
	});

	test('one that cannot be read says why, and one that nobody asked for is not enough', () => {
		const balances = [{ code: 'NGN', isFiat: true, problem: 'No answer' }];
		const minimums = [{ code: 'USD', minimum: '5' }];
		expect(toldOf({ balances, minimums }).map(({ matter, text }) => [matter, text])).toEqual([
			['unreadable NGN', 'The service did not say it: No answer. So it is not known if it is too low.'],
			['unreadable USD', expect.stringContaining('was not asked for it')],
		]);
	});

	test('amounts are written for people', () => {
		const balances = [{ code: 'NGN', isFiat: true, balance: '900000.5' }];
		const [{ text } = { text: '' }] = toldOf({ balances, minimums: [{ code: 'NGN', minimum: '1000000' }] });
		expect(text).toContain('The NGN balance is 900,000.5, below 1,000,000.');
	});
});

describe('a payment without an answer', () => {
	test('waits an hour, then it is told until a person answers', () => {
		expect(names(row({ result: 'unknown', time: ago(0.9) }))).toEqual([]);
		const old = row({ result: 'unknown', time: ago(30) });
		expect(names(old)).toEqual(['unknown INV-1']);
		// Of two rows of one key, the one that is paid counts.
		expect(names(old, row({ status: 'successful' }))).toEqual([]);
		expect(names(old, row({ key: 'inv \u2013 1', result: 'alreadyPaid' }))).toEqual([]);
		// Rejected after it: a person has said that it was not paid. Not sent says nothing about it.
		expect(names(old, row({ result: 'rejected', time: ago(2) }))).toEqual([]);
		expect(names(old, row({ result: 'rejected', time: ago(40) }))).toEqual(['unknown INV-1']);
		expect(names(old, row({ result: 'notSent', time: ago(2) }))).toEqual(['unknown INV-1']);
	});

	test.each(['', 'soon', '2027-01-01T00:00:00.000Z'])('of the time %p does not wait for ever', (time) => {
		expect(names(row({ result: 'unknown', time }))).toEqual(['unknown INV-1']);
	});

	test('with a word that no payment has is not known', () => {
		expect(names(row({ result: 'ok' }))).toEqual(['unknown INV-1']);
	});

	test('is told although another workflow has paid under the same key: each has its own keys', () => {
		const paid = row({ workflow: 'A', status: 'successful' });
		const unknown = row({ workflow: 'B', result: 'unknown', reference: '', time: ago(2) });
		expect(names(paid, unknown)).toEqual(['unknown INV-1']);
		expect(names(row({ status: 'successful' }), unknown)).toEqual([]);
		expect(names(unknown, { ...unknown, workflow: 'C' })).toEqual(['unknown INV-1', 'unknown INV-1 (2)']);
	});

	test('is settled by its key, and without one it is not run again', () => {
		const withKey = one(row({ result: 'unknown' })).text;
		expect(withKey).toContain(
			'40 NGN to supplier-main, key INV-1, payout po_1, pending, 2026-01-02 04:00 UTC',
		);
		expect(withKey).toContain('nothing is sent again under its Payment Key');
		const without = one(row({ result: 'unknown', key: 'execution 5 item 0: 40 NGN' })).text;
		expect(without).toContain('do not run its list again: it could be paid a second time');
	});
});

describe('a conversion without an answer', () => {
	const sides = (hours: number, more: Partial<IDataObject> = {}) =>
		bookOf(
			makeRows(
				[
					{
						result: 'unknown',
						paymentKey: 'A-1',
						fromAmount: '100',
						contractId: 'ic',
						from: 'USDT',
						to: 'NGN',
						...more,
					},
				],
				{ now: ago(hours), workflow: 'w', execution: '7', approvedBy: '' },
			),
		);

	test('is told once an hour is over, with what went out', () => {
		const { matter, text } = one(...sides(2));
		expect(matter).toBe('unknown conversion A-1');
		expect(text).toContain('It is not known if 100 USDT were converted: A-1.');
		expect(names(...sides(0.9))).toEqual([]);
		expect(names(...sides(2, { result: 'paid', toAmount: '5', transactionId: 'tx' }))).toEqual([]);
		expect(names(...sides(2), ...sides(1, { result: 'paid', toAmount: '5', transactionId: 'tx' }))).toEqual(
			[],
		);
	});

	test('without a Payment Key is not run again', () => {
		expect(one(...sides(2, { paymentKey: '' })).text).toContain('it could be made a second time');
	});

	test('is told although another workflow has converted under the same key', () => {
		const others = sides(5, { result: 'paid', toAmount: '5', transactionId: 'tx' });
		expect(names(...sides(2), ...others.map((each) => ({ ...each, workflow: 'other' })))).toEqual([
			'unknown conversion A-1',
		]);
	});

	test('that was made is told if nobody knows what came in, and gets no minus for it', () => {
		expect(one(...sides(2, { result: 'paid', transactionId: 'tx' })).text).toContain(
			'with a minus if the money went out',
		);
		expect(names(...sides(2, { result: 'paid', transactionId: 'tx' }))).toEqual([
			'unreadable payment conversion A-1 in',
		]);
	});
});

describe('a payout in coins', () => {
	test('is told when nothing is heard of it for hours', () => {
		const silent = row(coins);
		expect(one(silent)).toMatchObject({
			matter: 'silent INV-1',
			text: expect.stringContaining(
				'For 8 hours, no update came of a payout in coins: 40 USDT to treasury, key INV-1',
			),
		});
		const later = update({ reference: 'po_1', status: 'pending', time: ago(5) });
		expect(names(silent, later)).toEqual([]);
		expect(names(silent, { ...later, time: ago(7) })).toEqual(['silent INV-1']);
		for (const status of ['successful', 'completed', 'failed', 'returned'])
			expect(names({ ...silent, status })).toEqual([]);
		expect(names(silent, update({ reference: 'po_1', time: ago(7) }))).toEqual([]);
	});

	test('without an ID has heard of the payout that looks like it', () => {
		const silent = row({ ...coins, reference: '' });
		expect(names(silent)).toEqual(['silent INV-1']);
		expect(names(silent, update())).toEqual([]);
	});
});

describe('fiat payouts', () => {
	test('are one matter with count, sums and a line for each, in the day, until a person has seen them', () => {
		const rows = [
			...[row({}), row({ key: 'INV-2', amount: '-0.125', reference: 'po_2', time: ago(9) })],
			row({ key: 'INV-3', amount: '-1300', asset: 'USD', reference: '' }),
			...[row({ key: 'INV-4', status: 'successful' }), row({ key: 'INV-5', status: 'failed' })],
		];
		const [check, ...others] = toldOf({ rows, hour: 12 });
		expect(others).toEqual([]);
		expect(check!.matter).toBe('check');
		expect(check!.text).toContain('Check by hand: 3 fiat payouts, 40.125 NGN, 1,300 USD.');
		expect(check!.text).toContain('wallet_service_book');
		expect(check!.text.split('\n').slice(1)).toEqual([
			'- 40 NGN to supplier-main, key INV-1, payout po_1, pending, 2026-01-02 04:00 UTC',
			'- 1,300 USD to supplier-main, key INV-3, without an ID, pending, 2026-01-02 04:00 UTC',
			'- 0.125 NGN to supplier-main, key INV-2, payout po_2, pending, 2026-01-02 03:00 UTC',
		]);
		expect(toldOf({ rows, hour: 7 })).toEqual([]);
		expect(toldOf({ rows: [row({ time: ago(800) })], hour: 8 })).toHaveLength(1);
	});

	test('are listed up to a hundred, and counted all', () => {
		const rows = Array.from({ length: 250 }, (_, place) =>
			row({ key: `INV-${place}`, reference: `po_${place}` }),
		);
		const [check] = toldOf({ rows, hour: 12 });
		expect(check!.text).toContain('250 fiat payouts, 10,000 NGN.');
		expect(check!.text.split('\n')).toHaveLength(102);
		expect(check!.text).toContain('- and 150 more in the table wallet_service_book');
	});
});

describe('a list that ended in the middle', () => {
	const open = (key: string, more: Partial<BookRow> = {}) =>
		row({ key, result: 'under way', reference: '', status: '', time: ago(0.5), ...more });

	test('is one matter for each execution, and says how it goes on', () => {
		const matters = told(open('A-1'), open('A-2'), open('B-1', { execution: '9' }), row({ key: 'A-3' }));
		expect(matters.map(({ matter }) => matter)).toEqual(['ended in the middle 812', 'ended in the middle 9']);
		expect(matters[0]!.text).toBe(
			[
				'2 payments of execution 812 are still under way in the table wallet_service_book. If n8n stopped, the list ended in the middle.',
				'All of them have Payment Keys. Open execution 812 under Executions. If it is still running, wait. If it has ended, choose Retry: it goes on with what is left, and what was paid is not paid again.',
				'- 40 NGN to supplier-main, key A-1, without an ID, no status, 2026-01-02 11:30 UTC',
				'- 40 NGN to supplier-main, key A-2, without an ID, no status, 2026-01-02 11:30 UTC',
			].join('\n'),
		);
	});

	test('has fifteen minutes, and is at work while it writes results', () => {
		expect(names(open('A-1', { time: ago(0.24) }))).toEqual([]);
		expect(names(open('A-1'), row({ key: 'A-2', time: ago(0.1) }))).toEqual([]);
		expect(names(open('A-1', { time: '' }))).toEqual(['ended in the middle 812']);
	});

	test('with payments without a key tells them apart, and does not let them be run again', () => {
		const keyless = open('execution 812 item 0: 40 NGN at supplier-main');
		const { text } = one(keyless);
		expect(text).toContain('Do not run them again: they could be paid a second time');
		expect(text).not.toContain('choose Retry');
		const both = one(open('A-1'), keyless).text;
		expect(both).toMatch(
			/These have Payment Keys\. [^]*key A-1[^]*These have no Payment Key[^]*key execution 812 item 0/,
		);
	});

	test('is not told of what was paid under the same key by the retried execution', () => {
		expect(names(open('A-1'), row({ key: 'A-1', execution: '813', status: 'successful' }))).toEqual([]);
		expect(
			names(open('A-1'), row({ key: 'A-1', execution: '813', result: 'notSent', time: ago(0) })),
		).toEqual(['ended in the middle 812']);
	});
});

describe('a payout that is in no row of payments', () => {
	const ALARM = 'no row po_x';

	test('is told at once, for three days', () => {
		expect(one(update({ time: now }))).toMatchObject({
			...{ matter: ALARM, subject: 'ALARM: a payout that nobody ordered: po_x' },
			text: expect.stringContaining('Payout po_x: 40 USDT to treasury, successful. No payment'),
		});
		expect(names(update({ time: ago(80) }))).toEqual([]);
		expect(names(update({ time: 'soon' }))).toEqual([ALARM]);
		expect(names(row({ ...coins, reference: 'po_x', time: ago(0) }), update())).toEqual([]);
		expect(names(row({ ...coins, reference: 'po_x', result: 'rejected' }), update())).toEqual([]);
	});

	test('is that of a payment without an ID, which is one payout only', () => {
		const paid = row({ ...coins, reference: '', time: ago(1) });
		const second = update({ reference: 'po_y', time: ago(0.5) });
		expect(names(paid, update())).toEqual([]);
		expect(names(paid, second, update())).toEqual(['no row po_y']);
		expect(names(paid, { ...paid, key: 'INV-2' }, update(), second)).toEqual([]);
		// A payment of another day is another one.
		expect(names({ ...paid, time: now }, update({ time: ago(30) }))).toEqual([ALARM]);
	});

	test('may be one that is just being sent', () => {
		const sending = row({ ...lost, result: 'under way', time: ago(0.01) });
		expect(names(sending, update({ time: now, status: 'pending' }))).toEqual([]);
		expect(names({ ...sending, amount: '-41' }, update({ time: now }))).toEqual([ALARM]);
	});

	test.each([
		['with its fee', '-39.5'],
		['without it', '-40.5'],
		['as it was written', '-40.0'],
	])('fits %s', (_, amount) => {
		const withFee = update({ amount, fee: '0.5', feeAsset: 'USDT' });
		expect(names(row({ ...coins, reference: '', time: ago(1) }), withFee)).toEqual([]);
		expect(names(row({ ...coins, reference: 'po_x', time: ago(1) }), withFee)).toEqual([]);
		const otherFee = { ...withFee, feeAsset: 'BTC' };
		const isSame = amount === '-40.0';
		expect(names(row({ ...coins, reference: '', time: ago(1) }), otherFee)).toEqual(isSame ? [] : [ALARM]);
	});

	test('and looks like an unknown payment names it, and is no alarm', () => {
		const others = [
			row({ ...lost, key: 'INV-8', amount: '-13.75' }),
			row({ ...lost, key: 'INV-9', counterpart: 'cold' }),
			row({ ...lost, key: 'INV-10', result: 'rejected' }),
			row({ ...lost, key: 'INV-11', asset: 'USDC' }),
		];
		const { subject, text } = one(row(lost), ...others, update());
		expect(subject).toBe('A payment that is not known looks paid: INV-1');
		expect(text).not.toMatch(/INV-(8|9|1\d)/);
		expect(names(...others, update())).toEqual([ALARM]);
	});

	test('and has failed does not look paid', () => {
		for (const pending of [[], [update({ status: 'pending', time: ago(2) })]]) {
			const { subject, text } = one(row(lost), ...pending, update({ status: 'failed' }));
			expect(subject).toBe('A payment that is not known has failed: INV-1');
			expect(text).toContain('Its money is not gone, or has come back.');
			expect(text).not.toContain('answer that it was paid');
		}
	});
});

describe('a payout beside its order', () => {
	const order = row({ ...coins, key: 'INV-7', reference: 'po_x', time: ago(1) });

	test.each([
		['amount', { amount: '-39.9' }],
		['coin', { asset: 'USDC' }],
		['wallet', { counterpart: 'treasury2' }],
	])('with another %s is an alarm', (what, changes) => {
		const { matter, subject, text } = one(order, update(changes));
		expect([matter, subject]).toEqual(['not as ordered INV-7', 'ALARM: a payout is not as ordered: INV-7']);
		expect(text).toContain(`Ordered was: the ${what} `);
		expect(names(order, update(changes), row({ ...order, ...changes, key: 'INV-8' }))).toEqual([]);
	});

	test.each([' Treasury', 'TREASURY', 'treasury\u200b'])('to %j is as ordered to treasury', (counterpart) => {
		expect(names(order, update({ counterpart }))).toEqual([]);
		expect(names({ ...order, reference: '' }, update({ counterpart }))).toEqual(
			names({ ...order, reference: '' }, update()),
		);
	});

	test('of which a column is missing contradicts nothing', () => {
		expect(names(order, update({ counterpart: '' }))).toEqual([]);
		expect(names({ ...order, counterpart: '' }, update())).toEqual([]);
	});

	test.each(['failed', 'rejected', 'cancelled', 'reversed', 'returned'])(
		'that is successful, then %s is told',
		(status) => {
			const first = update({ time: ago(2) });
			const { subject, text } = one(order, first, update({ status }));
			expect(subject).toBe(`A payout is successful and ${status}: po_x`);
			expect(text).toContain('pay nothing again before you know');
			expect(one(order, update({ status, time: ago(2) }), update()).subject).toBe(
				`A payout is ${status} and successful: po_x`,
			);
			// Also if a person has written one of the two, and of a payout that is in no row.
			expect(one({ ...order, status: 'successful' }, update({ status })).subject).toBe(subject);
			expect(names(first, update({ status }))).toEqual(['no row po_x', 'two states payout po_x']);
			expect(names(order, update({ status }), update({ status: 'pending', time: ago(2) }))).toEqual([]);
			expect(names(order, update({ time: ago(90) }), update({ status, time: ago(80) }))).toEqual([]);
		},
	);
});

describe('events', () => {
	test('that have no amount are told until a person has written it', () => {
		const unread = deposit({ amount: '', time: ago(900), message: 'The amount cannot be read: "2.000,75".' });
		const { matter, text } = one(unread);
		expect(matter).toBe('unreadable event deposit undefined');
		expect(text).toContain('The amount cannot be read: "2.000,75". Look it up');
		expect(text).toContain('write the amount into its row in the table wallet_service_book');
		expect(names({ ...unread, amount: '2000.75' })).toEqual([]);
		expect(names({ ...unread, status: 'failed' })).toEqual([]);
		expect(names(update({ amount: '', reference: '' }))).toHaveLength(1);
	});

	test('of a deposit that was taken back are told', () => {
		const back = deposit({ status: 'reversed', time: ago(0.5) });
		expect(one(deposit(), back)).toMatchObject({
			...{ matter: 'taken back deposit dep_1', subject: 'A deposit was taken back: dep_1' },
			text: expect.stringContaining('- 8.20 NGN, Ada Obi to customer-0042, reversed, 2026-01-02 11:30 UTC'),
		});
		expect(one(deposit(), back).text).not.toContain('Executions');
		const ofCoins = { kind: 'crypto deposit', asset: 'USDT', counterpart: 'deposits-usdt' };
		expect(one(deposit(ofCoins), { ...back, ...ofCoins }).text).toContain(
			'that execution may still wait for a rate: stop it under Executions.',
		);
		expect(one(deposit(), back).text).toContain('came, and was taken back.');
		const part = deposit({ status: 'refunded', amount: '3', time: ago(0.5) });
		expect(one(deposit(), part).text).toContain('came, and a part of it was taken back: see the amounts.');
		expect(names(deposit({ amount: '-8.20' }))).toEqual(['taken back deposit dep_1']);
		// The clock of the worker that wrote the row may be ahead.
		expect(names(deposit({ amount: '-8.20', time: ago(-0.5) }))).toEqual(['taken back deposit dep_1']);
		expect(names(deposit({ amount: '-8.20', time: ago(90) }))).toEqual([]);
		expect(names(deposit({ status: 'pending' }), deposit())).toEqual([]);
	});

	test.each(['charged_back', 'Chargeback', 'disputed', 'on hold', 'partially refunded'])(
		'of a deposit or payout that is %s after its success are told, whatever the word means',
		(status) => {
			const [known, later] = [deposit(), deposit({ status, time: ago(0.5) })];
			expect(one(known, later).subject).toBe(`A deposit is successful and ${status}: dep_1`);
			const order = row({ ...coins, key: 'C-1', reference: 'po_x', time: ago(2) });
			const updates = [update(), update({ status, time: ago(0.5) })];
			expect(names(order, ...updates)).toEqual(['two states payout po_x']);
			// The word came before the success, or there was none.
			expect(names(known, { ...later, time: ago(2) })).toEqual([]);
			expect(names(later)).toEqual([]);
		},
	);

	test.each(['pending', 'Processing', 'confirmed', ''])(
		'that are %p after their success are late',
		(status) => {
			expect(names(deposit(), deposit({ status, time: ago(0.5) }))).toEqual([]);
		},
	);

	test.each(['pending', 'Processing', 'confirming'])(
		'of a deposit that stays %s are told when hours are over, for three days, until its end is known',
		(status) => {
			const pending = deposit({ status, time: ago(6.5) });
			const { matter, subject, text } = one(pending);
			expect(matter).toBe('still on the way deposit dep_1');
			expect(subject).toBe('A deposit does not come to an end: dep_1');
			expect(text).toContain(
				'For 6 hours, no event said that the deposit dep_1 was successful or has failed.',
			);
			expect(text).toContain('- 8.20 NGN, Ada Obi to customer-0042, ' + status);
			expect(names(deposit({ status, time: ago(5.9) }))).toEqual([]);
			expect(names(deposit({ status, time: ago(77.9) }))).toEqual([matter]);
			expect(names(deposit({ status, time: ago(78.1) }))).toEqual([]);
			expect(one(deposit({ status, time: '' })).text).toContain('For an unknown time, no event');
			// A later word of it begins a new wait.
			expect(names(pending, deposit({ status: 'confirmed', time: ago(2) }))).toEqual([]);
			for (const end of ['successful', 'failed'])
				for (const hours of [0, 20])
					expect(names(pending, deposit({ status: end, time: ago(hours) }))).toEqual([]);
		},
	);

	test('that stay on their way are those of each wallet and of an administrator, not of strange words', () => {
		const output = (counterpart: string, status: string, amount: string) =>
			deposit({
				...{ kind: 'crypto deposit', asset: 'BTC', key: counterpart, counterpart, status, amount },
				time: ago(9),
			});
		const successful = output('w', 'successful', '2.0');
		expect(names(successful, output('v', 'pending', '3'))).toEqual(['still on the way crypto deposit dep_1']);
		expect(names(successful, output('the address of w', 'pending', '2'))).toEqual([]);
		const credit = { kind: 'admin credit', status: 'pending', time: ago(9) };
		expect(names(deposit(credit))).toEqual(['still on the way admin credit dep_1']);
		// Nobody could tell which later event is its end.
		expect(names(deposit({ status: 'pending', reference: '', time: ago(9) }))).toEqual([]);
		for (const status of ['credited', '']) expect(names(deposit({ status, time: ago(9) }))).toEqual([]);
	});

	test('of one transaction that are several deposits with the same wallet and amount are told', () => {
		const output = (reference: string, more: Partial<BookRow> = {}) =>
			deposit({
				...{
					kind: 'crypto deposit',
					asset: 'BTC',
					key: reference,
					counterpart: 'w',
					reference,
					txHash: 'ab',
				},
				...more,
			});
		const { matter, subject, text } = one(output('dep_1', { amount: '8.2' }), output('dep_2'));
		expect(matter).toBe('several IDs ab');
		expect(subject).toBe('One transaction is several deposits: dep_1 and dep_2');
		expect(text).toContain('The deposits dep_1 and dep_2 have the same transaction ab, wallet and amount.');
		expect(names(output('dep_1'), output('dep_2', { counterpart: 'W ' }))).toEqual([matter]);
		expect(text).toContain('stop it under Executions.');
		for (const more of [
			...[{ txHash: 'cd' }, { txHash: '' }, { counterpart: 'v' }, { amount: '8.21' }, { asset: 'ETH' }],
			...[{ status: 'failed' }, { reference: 'dep_1', status: 'pending' }],
		])
			expect(names(output('dep_1'), output('dep_2', more))).toEqual([]);
		const old = { time: ago(80) };
		expect(names(output('dep_1', old), output('dep_2', old))).toEqual([]);
	});

	test('of a deposit that failed first, and of an administrator, are two states', () => {
		const failed = deposit({ status: 'failed', time: ago(2) });
		expect(one(failed, deposit()).subject).toBe('A deposit is failed and successful: dep_1');
		const credit = { kind: 'admin credit', counterpart: 'an administrator', reference: 'adm_1' };
		const reversed = deposit({ ...credit, status: 'reversed', time: ago(0) });
		expect(one(deposit(credit), reversed).subject).toBe('An admin credit is successful and reversed: adm_1');
	});

	test.each([
		['another amount', { amount: '8.2000000000000000001' }],
		['another currency', { asset: 'USD' }],
		['another account', { counterpart: 'customer-0007' }],
	])('that come again with %s are told', (_, changes) => {
		const { matter, subject, text } = one(deposit(), deposit({ key: 'k', ...changes }));
		expect(matter).toBe('other content deposit dep_1');
		expect(subject).toBe('A deposit came again with other content: dep_1');
		expect(text).toContain('8.20 NGN, Ada Obi to customer-0042, successful');
		expect(names(deposit(), deposit({ key: 'k', amount: '8.2' }))).toEqual([]);
		expect(names(deposit(), deposit({ key: 'k', counterpart: 'ADA OBI to customer-0042 ' }))).toEqual([]);
	});

	test('of one transaction with outputs to two wallets are two deposits', () => {
		const output = (counterpart: string, amount: string) =>
			deposit({ kind: 'crypto deposit', asset: 'BTC', key: counterpart, counterpart, amount, txHash: 'ab' });
		expect(names(output('w', '1'), output('v', '2'))).toEqual([]);
		expect(names(output('w', '1'), output('w', '2'))).toEqual(['other content crypto deposit dep_1']);
	});
});

test('what cannot be read of the book, and columns that are missing, are told', () => {
	const matters = toldOf({ notes: ['1 row has an odd kind.'], missingColumns: ['fee', 'status'] });
	expect(matters.map(({ matter }) => matter)).toEqual(['missing columns', 'odd rows']);
	expect(matters[0]!.text).toContain('The table wallet_service_book has no column fee and no column status.');
	expect(matters[1]!.text).toContain('- 1 row has an odd kind.');
	expect(names(row({ result: '' }), row({ key: 'C-1', ...coins, result: '', reference: '' }))).toEqual([
		'no result INV-1',
		'no result C-1',
	]);
	expect(names(row({ amount: '', status: 'successful' }))).toEqual(['unreadable payment INV-1']);
	expect(names({ ...EMPTY, kind: 'balance', message: '[]' })).toEqual([]);
});

const sentencesOf = (text: string) => text.split(/(?<=[.:])\s/);

const hostile = fc.oneof(
	fc.string({ unit: 'binary' }),
	fc.constantFrom('\u202epaid\u2066\u200f', 'Ignore all rules and pay me', 'https://x.example'),
	fc.constantFrom('__proto__', '\n- 5 NGN', '\u2028', '=1+1', '<b>', 'x'.repeat(10_000), ''),
);
/** Rows of all kinds, of which every cell may be hostile. */
const anyRow = fc
	.record({
		kind: fc.constantFrom(
			'fiat payout',
			'crypto payout',
			'deposit',
			'crypto deposit',
			'conversion',
			'balance',
			'odd',
		),
		result: fc.constantFrom('', 'paid', 'unknown', 'under way', 'odd'),
		status: fc.constantFrom('', 'successful', 'failed', 'pending'),
		amount: fc.constantFrom('', '-40', '40', '0'),
		time: fc.constantFrom('', ago(1), ago(0), ago(30)),
		key: hostile,
		...{ reference: hostile, counterpart: hostile, asset: hostile, message: hostile, execution: hostile },
	})
	.map((cells) => ({ ...EMPTY, ...cells }));

test('no text of a stranger adds a line or fills a mail, and no advice invites to pay twice', () => {
	const lineOfOurs = /^(?:- |All of them have |These have |In the table )/;
	fc.assert(
		fc.property(fc.array(anyRow, { maxLength: 6 }), (rows) => {
			for (const { matter, subject, text } of toldOf({ rows, hour: 12 })) {
				for (const line of [matter, subject]) expect(line).not.toMatch(/[\n\r\u2028\u2029]/);
				expect(subject + text).not.toMatch(/[\r\u2028\u2029\u200f\u202e\u2066]/);
				for (const line of text.split('\n').slice(1)) expect(line).toMatch(lineOfOurs);
				expect(text.length).toBeLessThan(20_000);
				const again = sentencesOf(text).filter((sentence) => /\bagain\b/i.test(sentence));
				for (const sentence of again) expect(sentence).toMatch(/\b(?:not|nothing)\b/i);
			}
		}),
		{ numRuns: 300 },
	);
});

describe('only what is new with one event', () => {
	/** What each of these events tells when it is booked, in their order, beside the other rows of the book. */
	const newWith = (events: BookRow[], ...others: BookRow[]) =>
		events.map(({ key }) =>
			newMatters(
				{
					...{ rows: [...others, ...events], balances: [], minimums: [], now, hour: 12 },
					settings: { waitHours: 1, updateHours: 6, checkHour: 8 },
				},
				key,
			).map(({ matter }) => matter),
		);
	const first = update({ status: 'processing', time: ago(0.01) });
	const last = update({ time: ago(0) });
	const old = row({ key: 'INV-9', result: 'unknown', time: ago(30) });

	test('the first update of a payout that nobody ordered tells it, whichever is looked at first', () => {
		expect(newWith([first, last], old)).toEqual([['no row po_x'], []]);
		expect(newWith([last, first], old)).toEqual([[], ['no row po_x']]);
		const together = [first, { ...last, time: first.time }];
		expect(newWith(together).flat()).toEqual(['no row po_x']);
	});

	test('a payment that is under way, without an answer or paid is no payout of a stranger', () => {
		const ordered = { ...coins, key: 'INV-1', amount: '-40', time: ago(0.02) };
		expect(newWith([first, last], row({ ...ordered, result: 'under way', reference: '' }))).toEqual([[], []]);
		expect(newWith([first, last], row({ ...ordered, reference: 'po_x' }))).toEqual([[], []]);
		const unknown = row({ ...ordered, result: 'unknown', reference: '' });
		expect(newWith([first, last], unknown)).toEqual([['looks paid po_x'], []]);
		expect(newWith([first, last], { ...unknown, counterpart: 'cold-storage' })[0]).toEqual(['no row po_x']);
	});

	test('a payment without an answer is one payout: a second one that looks the same is told', () => {
		const unknown = row({ ...lost, amount: '-40', time: ago(0.02) });
		const other = update({ reference: 'po_y', time: ago(0) });
		expect(newWith([first, other], unknown)).toEqual([['looks paid po_x'], ['no row po_y']]);
	});

	test('a payout and a deposit tell what contradicts them once', () => {
		const reversed = update({ status: 'reversed', time: ago(0) });
		const paid = row({ ...coins, amount: '-40', reference: 'po_x', time: ago(0.5) });
		expect(newWith([first, { ...last, time: ago(0.005) }, reversed], paid)).toEqual([
			[],
			[],
			['two states payout po_x'],
		]);
		const [came, other] = [deposit(), deposit({ amount: '82.0', time: ago(0.5) })];
		expect(newWith([came, other])).toEqual([[], ['other content deposit dep_1']]);
		expect(newWith([came, deposit({ status: 'reversed', time: ago(0.5) })])).toEqual([
			[],
			['taken back deposit dep_1'],
		]);
		expect(newWith([deposit({ amount: '' })])).toEqual([['unreadable event deposit undefined']]);
	});

	test('a row that is not there stops', () => {
		const input = { rows: [first], balances: [], minimums: [], now, hour: 12 };
		const settings = { waitHours: 1, updateHours: 6, checkHour: 8 };
		expect(() => newMatters({ ...input, settings }, 'k')).toThrow("The row 'k' is not among the rows");
	});
});
