/** What alerts tell a person, and what they never say. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { findAlerts } from '../../nodes/WalletServiceDesk/book/alerts/alerts.ts';
import type { AlertsInput } from '../../nodes/WalletServiceDesk/book/alerts/alerts.ts';
import type { Alert } from '../../nodes/WalletServiceDesk/book/alerts/messages.ts';
import { rowsOfItem } from '../../nodes/WalletServiceDesk/book/make/makeRows.ts';
import { fold } from '../../nodes/WalletServiceDesk/book/fold.ts';
import { readRows, rowToInsert } from '../../nodes/WalletServiceDesk/book/row.ts';
import type { BookCells } from '../../nodes/WalletServiceDesk/book/row.ts';
import { expectGrowthWith } from './growth.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 0, 2, 12);
const now = new Date(NOW).toISOString();
const ago = (hours: number) => new Date(NOW - hours * HOUR).toISOString();

const BY_WORKFLOW = { workflow: 'wf1 Part: pay once', execution: '812' };
/** 40 NGN to supplier-main, paid eight hours ago. */
const row = (more: Partial<BookCells>): BookCells =>
	rowToInsert({
		key: 'INV-1',
		kind: 'fiat payout',
		asset: 'NGN',
		amount: '-40',
		counterpart: 'supplier-main',
		result: 'paid',
		reference: 'po_1',
		status: 'pending',
		time: ago(8),
		...BY_WORKFLOW,
		...more,
	});
const coins = { kind: 'crypto payout', asset: 'USDT', counterpart: 'treasury' };
const lost = { ...coins, result: 'unknown', reference: '', status: '', time: ago(0.5) };
/** Updates of the payout po_x, 40 USDT to treasury, an hour ago. */
const update = (more: Partial<BookCells> = {}): BookCells =>
	rowToInsert({
		...coins,
		key: `update of ${more.reference ?? 'po_x'} ${more.status}`,
		time: ago(1),
		amount: '-40',
		reference: 'po_x',
		status: 'successful',
		...BY_WORKFLOW,
		execution: '900',
		...more,
	});
const deposit = (more: Partial<BookCells> = {}): BookCells =>
	rowToInsert({
		key: `deposit ${more.status} ${more.amount}`,
		kind: 'deposit',
		time: ago(1),
		asset: 'NGN',
		amount: '8.20',
		counterpart: 'customer-0042',
		reference: 'dep_1',
		status: 'successful',
		...BY_WORKFLOW,
		execution: '901',
		...more,
	});
const correction = (reference: string, more: Partial<BookCells> = {}): BookCells =>
	rowToInsert({ kind: 'correction', asset: 'USDT', amount: '0', time: ago(0), reference, ...more });

const told = (...rows: BookCells[]) => toldOf(rows);
const toldOf = (rows: Array<Partial<BookCells>>, more: Partial<AlertsInput> = {}): Alert[] => {
	const book = readRows(rows as IDataObject[]);
	return findAlerts({
		book,
		folded: fold(book.rows, ago(-1)),
		balances: [],
		minimums: [],
		now,
		settings: { waitHours: 1, updateHours: 6 },
		...more,
	});
};
const names = (...rows: BookCells[]) => told(...rows).map(({ alert }) => alert);
const one = (...rows: BookCells[]): Alert => {
	const [alert, ...others] = told(...rows);
	expect(others).toEqual([]);
	return alert!;
};

/** An output of one transaction, under an ID of its own. */
const outputOf = (reference: string, more: Partial<BookCells> = {}) =>
	deposit({
		kind: 'crypto deposit',
		asset: 'BTC',
		key: reference,
		counterpart: 'w',
		reference,
		txHash: 'ab',
		...more,
	});

describe('balances', () => {
	test.each([
		['below by a digit that a number would lose', '4999999999999999.99', '5000000000000000', ['low X']],
		['at its minimum', '5000.00', '5000', []],
		['empty', '', '0', ['unreadable X']],
		['no number', '1,000', '0', ['unreadable X']],
		['below zero', '-5', '0', ['low X']],
	])('a balance that is %s', (_, balance, minimum, expected) => {
		const balances = [{ code: 'X', isFiat: true, balance }];
		const alerts = toldOf([], { balances, minimums: [{ code: 'X', minimum }] });
		expect(alerts.map(({ alert }) => alert)).toEqual(expected);
	});

	test('one that cannot be read says why, and one that nobody asked for is not enough', () => {
		const balances = [{ code: 'NGN', isFiat: true, problem: 'No answer' }];
		const minimums = ['NGN', 'USD'].map((code) => ({ code, minimum: '5' }));
		expect(toldOf([], { balances, minimums }).map(({ alert, text }) => [alert, text])).toEqual([
			['unreadable NGN', 'The service did not say it: No answer. So it is not known if it is too low.'],
			['unreadable USD', expect.stringContaining('was not asked for it')],
		]);
	});

	test('amounts are written for people', () => {
		const balances = [{ code: 'NGN', isFiat: true, balance: '900000.5' }];
		const [low] = toldOf([], { balances, minimums: [{ code: 'NGN', minimum: '1000000' }] });
		expect(low!.text).toContain('The NGN balance is 900,000.50, below 1,000,000.00.');
	});
});

describe('a payment without an answer', () => {
	const old = row({ result: 'unknown', reference: '', status: '', time: ago(30) });

	test('waits an hour, then it is an alert until a person answers', () => {
		expect(names(row({ result: 'unknown', time: ago(0.9) }))).toEqual([]);
		expect(names(old)).toEqual(['unknown INV-1']);
		expect(names(old, row({ status: 'successful' }))).toEqual([]);
		expect(names(old, row({ key: 'inv \u2013 1', result: 'alreadyPaid', execution: '813' }))).toEqual([]);
	});

	test('is an alert although its list is run again each hour, and says so each hour', () => {
		const again = { ...old, execution: '813', time: ago(0.2) };
		expect(names(old, { ...again, result: 'under way', time: ago(0.21) }, again)).toEqual(['unknown INV-1']);
	});

	test.each([
		['rejected by a later run', { result: 'rejected', execution: '813', time: ago(2) }, []],
		[
			'rejected by an earlier run',
			{ result: 'rejected', execution: '811', time: ago(40) },
			['unknown INV-1'],
		],
		['not sent by a later run', { result: 'notSent', execution: '813', time: ago(2) }, ['unknown INV-1']],
		['not paid, as a person writes', { result: 'notSent', workflow: '', execution: '', time: ago(2) }, []],
		['paid, as a person writes', { result: 'Paid', workflow: '', execution: '', time: ago(2) }, []],
	])('and then %s', (_, more, expected) => {
		expect(names(old, row({ reference: '', status: '', ...more }))).toEqual(expected);
	});

	test('of a time that cannot be read, or that is still to come, is named', () => {
		for (const time of ['', 'soon', '2027-01-01T00:00:00.000Z'])
			expect(one(row({ result: 'unknown', time }))).toMatchObject({
				alert: 'unreadable rows',
				text: expect.stringContaining('do not count: INV-1.'),
			});
	});

	test('with a word that no payment has is not known, and the word is named', () => {
		expect(names(row({ result: 'ok' }))).toEqual(['unknown INV-1', 'unreadable rows']);
	});

	test('is an alert although another workflow has paid under the same key: each has its own keys', () => {
		const paid = row({ workflow: 'A pay', status: 'successful', execution: '1' });
		const unknown = row({ workflow: 'B pay', result: 'unknown', reference: '', status: '', time: ago(2) });
		expect(names(paid, unknown)).toEqual(['unknown INV-1']);
		expect(names({ ...paid, workflow: 'B another name' }, unknown)).toEqual([]);
		expect(names(unknown, { ...unknown, workflow: 'C pay' })).toEqual(['unknown INV-1', 'unknown INV-1 (2)']);
	});

	test('is decided by its key, and without one it is not run again', () => {
		const { text } = one(old);
		expect(text).toContain(
			'40.00 NGN to supplier-main, key INV-1, without an ID, no status, 2026-01-01 06:00 UTC',
		);
		expect(text).toContain('nothing is sent again under its Payment Key');
		const without = one(
			row({ result: 'unknown', key: 'without a key: execution 5, item 1, 40.00 NGN' }),
		).text;
		expect(without).toContain('do not run its list again: it could be paid a second time');
	});

	test('ends as an alert when a correction names it', () => {
		expect(names(old, correction('inv-1', { asset: 'NGN', amount: '-40' }))).toEqual([]);
		expect(names(old, correction('INV-2'))).toEqual(['unknown INV-1']);
	});
});

describe('a conversion without an answer', () => {
	const sides = (hours: number, more: Partial<IDataObject> = {}, execution = '7') =>
		rowsOfItem(
			{
				result: 'unknown',
				paymentKey: 'A-1',
				amount: '100',
				contractId: 'ic',
				from: 'USDT',
				to: 'NGN',
				...more,
			},
			0,
			{ now: ago(hours), workflow: 'w convert', execution, approvedBy: '', needsApproval: true },
		);
	const made = { result: 'paid', toAmount: '5', transactionId: 'tx' };

	test('is an alert once an hour is over, with what went out', () => {
		const { alert, text } = one(...sides(2));
		expect(alert).toBe('unknown conversion A-1');
		expect(text).toContain('It is not known if 100.00 USDT were converted: A-1.');
		expect(names(...sides(0.9))).toEqual([]);
		expect(names(...sides(2, made))).toEqual([]);
		expect(names(...sides(2), ...sides(1, made, '8'))).toEqual([]);
	});

	test('without a Payment Key is not run again', () => {
		expect(one(...sides(2, { paymentKey: '' })).text).toContain('it could be made a second time');
	});

	test('that was made is an alert if nobody knows what came in', () => {
		expect(one(...sides(2, { ...made, toAmount: undefined }))).toMatchObject({
			alert: 'no amount A-1',
			text: expect.stringContaining('with a minus if the money went out'),
		});
	});
});

describe('a crypto payout', () => {
	test('is an alert when nothing is heard of it for hours', () => {
		const silent = row(coins);
		expect(one(silent)).toMatchObject({
			alert: 'silent INV-1',
			text: expect.stringContaining('For 8 hours, no update came of a crypto payout: 40.00 USDT to treasury'),
		});
		const later = update({ reference: 'po_1', status: 'pending', time: ago(5) });
		expect(names(silent, later)).toEqual([]);
		expect(names(silent, { ...later, time: ago(7) })).toEqual(['silent INV-1']);
		for (const status of ['successful', 'completed', 'failed', 'returned'])
			expect(names({ ...silent, status })).toEqual([]);
		expect(names(silent, update({ reference: 'po_1', time: ago(7) }))).toEqual([]);
		expect(names(row({}))).toEqual([]);
	});

	test('without an ID has heard of the payout that looks like it', () => {
		const silent = row({ ...coins, reference: '' });
		expect(names(silent)).toEqual(['silent INV-1']);
		expect(names(silent, update())).toEqual([]);
	});
});

describe('two payments of one key', () => {
	const second = row({ reference: 'po_2', status: 'successful', time: ago(3), execution: '813' });

	test('are an alert with both', () => {
		const { alert, text } = one(row({ status: 'successful' }), second);
		expect(alert).toBe('two payments INV-1');
		expect(text).toMatch(/payout po_1[^]*payout po_2/);
	});

	test('are no alert in two workflows, if one was rejected, or if a correction names the key', () => {
		expect(names(row({}), { ...second, workflow: 'wf2 other' })).toEqual([]);
		expect(names(row({}), { ...second, result: 'rejected' })).toEqual([]);
		expect(names(row({}), second, correction('INV-1', { asset: 'NGN' }))).toEqual([]);
		// The same one, in a workflow with another name.
		expect(names(row({}), { ...second, reference: 'po_1', workflow: 'wf1 Renamed' })).toEqual([]);
	});
});

describe('a list that ended in the middle', () => {
	const open = (key: string, more: Partial<BookCells> = {}) =>
		row({ key, result: 'under way', reference: '', status: '', time: ago(0.5), ...more });

	test('is one alert for each execution, and says how it goes on', () => {
		const alerts = told(
			open('A-1'),
			open('A-2'),
			open('B-1', { execution: '9' }),
			row({ key: 'A-3', status: 'failed' }),
		);
		expect(alerts.map(({ alert }) => alert)).toEqual(['ended in the middle 812', 'ended in the middle 9']);
		expect(alerts[0]!.text).toBe(
			[
				'2 payments of execution 812 are still under way in the table wallet_service_book. If n8n stopped, the list ended in the middle.',
				'All of them have Payment Keys. Open execution 812 under Executions. If it is still running, wait. If it has ended, choose Retry: it goes on with what is left, and what was paid is not paid again.',
				'- 40.00 NGN to supplier-main, key A-1, without an ID, no status, 2026-01-02 11:30 UTC',
				'- 40.00 NGN to supplier-main, key A-2, without an ID, no status, 2026-01-02 11:30 UTC',
			].join('\n'),
		);
	});

	test('has fifteen minutes, and is at work while it writes results', () => {
		expect(names(open('A-1', { time: ago(0.24) }))).toEqual([]);
		expect(names(open('A-1'), row({ key: 'A-2', time: ago(0.1) }))).toEqual([]);
	});

	test('with payments without a key tells them apart, and does not let them be run again', () => {
		const keyless = open('without a key: execution 812, item 1, 40.00 NGN supplier-main');
		const { text } = one(keyless);
		expect(text).toContain('Do not run them again: they could be paid a second time');
		expect(text).not.toContain('choose Retry');
		const both = one(open('A-1'), keyless).text;
		expect(both).toMatch(
			/These have Payment Keys\. [^]*key A-1[^]*These have no Payment Key[^]*key without a key: execution 812, item 1/,
		);
	});

	test('is not told of what was paid under the same key by the retried execution', () => {
		expect(names(open('A-1'), row({ key: 'A-1', execution: '813', status: 'successful' }))).toEqual([]);
		expect(
			names(open('A-1'), row({ key: 'A-1', execution: '813', result: 'alreadyPaid', time: ago(0) })),
		).toEqual([]);
		expect(names(open('A-1'), open('A-1', { execution: '813', result: 'notSent', time: ago(0) }))).toEqual([
			'ended in the middle 812',
		]);
	});

	test('is ended by the row notSent of its own run: Pay List has refused it', () => {
		expect(names(open('A-1'), open('A-1', { result: 'notSent', time: ago(0.4) }))).toEqual([]);
	});

	test('lists a hundred payments, and counts all', () => {
		const rows = Array.from({ length: 250 }, (_, place) => open(`INV-${place}`));
		const { text } = one(...rows);
		expect(text).toContain('250 payments of execution 812');
		expect(text.split('\n')).toHaveLength(103);
		expect(text).toContain('- and 150 more in the table wallet_service_book');
	});
});

describe('a payout that is not in the book as a payment', () => {
	const ALARM = 'not ordered po_x';

	test('is an alert at once, for three days, or until a correction books it', () => {
		expect(one(update({ time: now }))).toMatchObject({
			alert: ALARM,
			subject: 'ALARM: a payout that nobody ordered: po_x',
			text: expect.stringContaining('Payout po_x: 40.00 USDT to treasury, successful. No payment'),
		});
		expect(names(update({ time: ago(80) }))).toEqual([]);
		expect(names(row({ ...coins, reference: 'po_x', time: ago(0) }), update())).toEqual([]);
		expect(names(row({ ...coins, reference: 'po_x', result: 'rejected' }), update())).toEqual([]);
		expect(one(update()).text).toContain('po_x in reference.');
		expect(names(update(), correction('po_x', { amount: '-40' }))).toEqual([]);
	});

	test('is that of a payment without an ID, which is one payout only', () => {
		const paid = row({ ...coins, reference: '', time: ago(1) });
		const second = update({ reference: 'po_y', time: ago(0.5) });
		expect(names(paid, update())).toEqual([]);
		expect(names(paid, second, update())).toEqual(['not ordered po_y']);
		expect(names(paid, { ...paid, key: 'INV-2' }, update(), second)).toEqual([]);
		// A payment of another day is another one.
		expect(names({ ...paid, time: now }, update({ time: ago(30) }))).toEqual([ALARM]);
	});

	test('is an alarm of its own if a person said that it was not sent', () => {
		const denied = rowToInsert({ ...coins, key: 'INV-1', result: 'notSent', time: ago(0.4) });
		const [alert] = told(row(lost), denied, update({ time: ago(0.2) }));
		expect(alert).toMatchObject({
			alert: 'was paid po_x',
			subject: 'ALARM: a payment looks paid that a person called not sent: INV-1',
		});
		expect(names(row(lost), denied, update({ status: 'failed', time: ago(0.2) }))).toEqual([]);
		expect(names(row(lost), denied, update({ time: ago(0.2) }), correction('po_x'))).toEqual([]);
		// Nothing was sent.
		expect(names({ ...denied, amount: '-40' }, update())).toEqual([ALARM]);
	});

	test('may be one that is just being sent', () => {
		const sending = row({ ...lost, result: 'under way', time: ago(0.01) });
		expect(names(sending, update({ time: now, status: 'pending' }))).toEqual([]);
		expect(names({ ...sending, amount: '-41' }, update({ time: now }))).toEqual([ALARM]);
		// The clock of the worker that wrote the row is ahead.
		expect(names({ ...sending, time: ago(-0.1) }, update({ time: now, status: 'pending' }))).toEqual([]);
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
		const { alert, subject, text } = one(row(lost), ...others, update());
		expect([alert, subject]).toEqual(['looks paid po_x', 'A payment that is not known looks paid: INV-1']);
		expect(text).not.toMatch(/INV-(8|9|1\d)/);
		expect(names(...others, update())).toEqual([ALARM]);
	});

	test('and has failed does not look paid', () => {
		for (const pending of [[], [update({ status: 'pending', time: ago(1.2) })]]) {
			const { subject, text } = one(row(lost), ...pending, update({ status: 'failed' }));
			expect(subject).toBe('A payment that is not known has failed: INV-1');
			expect(text).toContain('Its money is not gone, or has come back.');
			expect(text).not.toContain('answer that it was paid');
		}
	});

	test('is an alert over many events of one wallet, and nothing else is', () => {
		const ordered = Array.from({ length: 50 }, (_, place) => {
			const reference = `po_${place}`;
			return [row({ ...coins, key: `C-${place}`, reference, time: ago(1) }), update({ reference })];
		});
		expect(names(...ordered.flat(), update())).toEqual([ALARM]);
	});
});

describe('a payout beside its order', () => {
	const order = row({ ...coins, key: 'INV-7', reference: 'po_x', time: ago(1) });

	test.each([
		['amount', { amount: '-39.9' }],
		['coin', { asset: 'USDC' }],
		['wallet', { counterpart: 'treasury2' }],
	])('with another %s is an alarm', (what, changes) => {
		const { alert, subject, text } = one(order, update(changes));
		expect([alert, subject]).toEqual(['not as ordered po_x', 'ALARM: a payout is not as ordered: INV-7']);
		expect(text).toContain(`Ordered was: the ${what} `);
		expect(names(order, update(changes), correction('po_x'))).toEqual([]);
	});

	test.each([' Treasury', 'TREASURY', 'treasury\u200b'])('to %j is as ordered to treasury', (counterpart) => {
		expect(names(order, update({ counterpart }))).toEqual([]);
		expect(names({ ...order, reference: '' }, update({ counterpart }))).toEqual([]);
	});

	test.each(['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'])(
		'that was ordered by the address %s has an alias that nobody can compare',
		(counterpart) => {
			expect(names({ ...order, counterpart }, update())).toEqual([]);
			expect(names({ ...order, counterpart }, update({ amount: '-39.9' }))).toEqual(['not as ordered po_x']);
			// An alias was ordered, and an address was paid.
			expect(names(order, update({ counterpart }))).toEqual(['not as ordered po_x']);
		},
	);

	test('of which a column is missing contradicts nothing', () => {
		expect(names(order, update({ counterpart: '' }))).toEqual([]);
		expect(names({ ...order, counterpart: '' }, update())).toEqual([]);
	});

	test.each(['failed', 'rejected', 'cancelled', 'reversed', 'returned'])(
		'that is successful, then %s is an alert',
		(status) => {
			const first = update({ time: ago(0.9) });
			const last = update({ status, time: ago(0.5) });
			const { alert, subject, text } = one(order, first, last);
			expect([alert, subject]).toEqual([
				'two states payout po_x',
				`A payout is successful and ${status}: po_x`,
			]);
			expect(text).toContain('pay nothing again before you know');
			expect(one(order, { ...last, time: ago(0.9) }, { ...first, time: ago(0.5) }).subject).toBe(
				`A payout is ${status} and successful: po_x`,
			);
			// Even if a person has written one of the two.
			expect(one({ ...order, status: 'successful' }, last).subject).toBe(subject);
			expect(names(order, last, update({ status: 'pending', time: ago(0.7) }))).toEqual([]);
			const old = { ...order, time: ago(100) };
			expect(names(old, { ...first, time: ago(90) }, { ...last, time: ago(80) })).toEqual([]);
			expect(names(order, first, last, correction('po_x'))).toEqual([]);
		},
	);
});

describe('events', () => {
	test('that have no amount are alerts until a person has written it', () => {
		const unread = deposit({ amount: '', time: ago(900), message: 'The amount cannot be read: "2.000,75".' });
		const { alert, text } = one(unread);
		expect(alert).toBe('no amount deposit dep_1');
		expect(text).toContain('The amount cannot be read: "2.000,75". Look it up');
		expect(text).toContain('insert a row with its kind, reference, asset and status, and the amount');
		const written = rowToInsert({
			kind: 'deposit',
			reference: 'dep_1',
			asset: 'NGN',
			status: 'successful',
			amount: '2000.75',
			time: ago(1),
		});
		expect(names(unread, written)).toEqual([]);
		expect(names({ ...unread, status: 'failed' })).toEqual([]);
		expect(names(update({ amount: '', reference: '' }))).toHaveLength(1);
	});

	test('of a deposit that was taken back are alerts', () => {
		const back = deposit({ status: 'reversed', time: ago(0.5) });
		expect(one(deposit(), back)).toMatchObject({
			alert: 'taken back deposit dep_1',
			subject: 'A deposit was taken back: dep_1',
			text: expect.stringContaining('- 8.20 NGN, customer-0042, reversed, 2026-01-02 11:30 UTC'),
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
		expect(names(deposit({ status: 'pending', time: ago(2) }), deposit())).toEqual([]);
		expect(names(deposit(), back, correction('dep_1', { asset: 'NGN' }))).toEqual([]);
	});

	test.each(['charged_back', 'Chargeback', 'disputed', 'on hold', 'partially refunded'])(
		'of a deposit or payout that is %s after its success are alerts, whatever the word means',
		(status) => {
			const [known, later] = [deposit(), deposit({ status, time: ago(0.5) })];
			expect(one(known, later).subject.toLowerCase()).toBe(
				`A deposit is successful and ${status}: dep_1`.toLowerCase(),
			);
			const order = row({ ...coins, key: 'C-1', reference: 'po_x', time: ago(2) });
			const updates = [update(), update({ status, time: ago(0.5) })];
			expect(names(order, ...updates)).toEqual(['two states payout po_x']);
			// The word came before the success.
			expect(names(known, { ...later, time: ago(2) })).toEqual([]);
		},
	);

	test.each(['pending', 'Processing', 'confirmed', ''])(
		'that are %p after their success are late',
		(status) => {
			expect(names(deposit(), deposit({ status, time: ago(0.5) }))).toEqual([]);
		},
	);

	test.each(['pending', 'Processing', 'confirming', 'credited', ''])(
		'of a deposit that stays %p are alerts when hours are over, until its end is known',
		(status) => {
			const pending = deposit({ status, time: ago(6.5) });
			const { alert, subject, text } = one(pending);
			expect(alert).toBe('pending deposit dep_1');
			expect(subject).toBe('A deposit stays pending: dep_1');
			expect(text).toContain(
				'For 6 hours, no event said that the deposit dep_1 was successful or has failed.',
			);
			expect(text).toContain('- 8.20 NGN, customer-0042');
			expect(names(deposit({ status, time: ago(5.9) }))).toEqual([]);
			// A later word of it begins a new wait.
			expect(names(pending, deposit({ status: 'confirmed', time: ago(2) }))).toEqual([]);
			for (const end of ['successful', 'failed'])
				expect(names(pending, deposit({ status: end, time: ago(0) }))).toEqual([]);
			expect(names(pending, correction('dep_1', { asset: 'NGN' }))).toEqual([]);
		},
	);

	test('that stay pending are those of each wallet and of an administrator', () => {
		const output = (counterpart: string, status: string, amount: string) =>
			deposit({
				kind: 'crypto deposit',
				asset: 'BTC',
				key: counterpart,
				counterpart,
				status,
				amount,
				time: ago(9),
			});
		const successful = output('w', 'successful', '2.0');
		expect(names(successful, output('v', 'pending', '3'))).toEqual(['pending crypto deposit dep_1']);
		const credit = { kind: 'admin credit', status: 'pending', time: ago(9) };
		expect(names(deposit(credit))).toEqual(['pending admin credit dep_1']);
	});

	test('of one transaction that are several deposits with the same wallet and amount are an alert', () => {
		const { alert, subject, text } = one(outputOf('dep_1', { amount: '8.2' }), outputOf('dep_2'));
		expect(alert).toBe('several IDs dep_1 and dep_2');
		expect(subject).toBe('One transaction is several deposits: dep_1 and dep_2');
		expect(text).toContain('The deposits dep_1 and dep_2 have the same transaction ab, wallet and amount.');
		expect(names(outputOf('dep_1'), outputOf('dep_2', { counterpart: 'W ' }))).toEqual([alert]);
		expect(text).toContain('stop it under Executions.');
		for (const more of [
			{ txHash: 'cd' },
			{ txHash: '' },
			{ counterpart: 'v' },
			{ amount: '8.21' },
			{ asset: 'ETH' },
			{ status: 'failed' },
			{ reference: 'dep_1', status: 'pending' },
		])
			expect(names(outputOf('dep_1'), outputOf('dep_2', more))).toEqual([]);
		expect(names(outputOf('dep_1'), outputOf('dep_2'), correction('dep_1', { asset: 'BTC' }))).toEqual([]);
		const old = { time: ago(80) };
		expect(names(outputOf('dep_1', old), outputOf('dep_2', old))).toEqual([]);
	});

	test('of a deposit that failed first, and of an administrator, are two states', () => {
		const failed = deposit({ status: 'failed', time: ago(2) });
		expect(one(failed, deposit()).subject).toBe('A deposit is failed and successful: dep_1');
		const credit = { kind: 'admin credit', counterpart: 'an administrator', reference: 'adm_1' };
		const reversed = deposit({ ...credit, status: 'reversed', time: ago(0) });
		expect(one(deposit(credit), reversed).subject).toBe('An admin credit is successful and reversed: adm_1');
	});

	test('of one transaction with outputs to two wallets, or twice to one, are no alert', () => {
		const output = (counterpart: string, amount: string) =>
			deposit({ kind: 'crypto deposit', asset: 'BTC', key: counterpart, counterpart, amount, txHash: 'ab' });
		expect(names(output('w', '1'), output('v', '2'))).toEqual([]);
		expect(names(output('w', '1'), output('w', '2'))).toEqual([]);
	});
});

describe('no event for so many hours', () => {
	const silence = (eventHours: number | undefined, ...rows: BookCells[]) =>
		toldOf(rows, { settings: { waitHours: 1, updateHours: 6, eventHours } }).filter(
			({ alert }) => alert === 'no events',
		);

	test('is off at first', () => {
		expect(silence(undefined, deposit({ time: ago(900) }))).toEqual([]);
	});

	test('is an alert with the last event, or if there is none', () => {
		const [{ subject, text }] = silence(24, deposit({ time: ago(25) }), row({ status: 'failed' })) as [Alert];
		expect(subject).toBe('No event came for 24 hours');
		expect(text).toContain('The last event came at 2026-01-01 11:00 UTC.');
		expect(silence(24, row({ status: 'failed' }))[0]!.text).toContain(
			'The book has no event of the service.',
		);
	});

	test('is ended by an event of each kind, and not by the row of a person', () => {
		const newest = { time: ago(23) };
		expect(silence(24, deposit(newest))).toEqual([]);
		expect(silence(24, update({ ...newest, reference: 'po_1' }), row(coins))).toEqual([]);
		expect(silence(24, deposit({ ...newest, workflow: '', execution: '' }))).toHaveLength(1);
	});
});

describe('what cannot be read of the book', () => {
	const odd = (key: string, more: Partial<BookCells> = {}) =>
		rowToInsert({
			kind: 'odd',
			key,
			time: ago(50),
			...BY_WORKFLOW,
			message: 'No event, no payment and no conversion: {"a":1}',
			...more,
		});

	test('odd items are an alert for each execution, until a correction names them', () => {
		const alerts = told(odd('o-1'), odd('o-2'), odd('o-3', { execution: '9' }));
		expect(alerts.map(({ alert, subject }) => [alert, subject])).toEqual([
			['odd 812', '2 items could not be booked'],
			['odd 9', '1 item could not be booked'],
		]);
		expect(alerts[0]!.text).toContain('- o-1: No event, no payment and no conversion: {"a":1}');
		expect(names(odd('o-1'), correction('o-1'))).toEqual([]);
	});

	test('cells are named, and columns that are missing', () => {
		const { amount, ...without } = deposit();
		const alerts = toldOf([{ ...without, kind: 'loan' }]);
		expect(alerts.map(({ alert }) => alert)).toEqual(['unreadable rows', 'missing columns']);
		expect(alerts[0]!.text).toContain("a kind that the book does not know, and does not count: 'loan'");
		expect(alerts[1]!.subject).toBe('The book has no column amount');
		expect(amount).toBe('8.20');
	});

	test('a correction without an amount is named, because it books nothing', () => {
		expect(one(correction('po_x', { key: 'k-1', amount: '' })).text).toContain('do not count: k-1.');
	});

	test('a payout without a result is an alert', () => {
		const byPerson = { workflow: '', execution: '', result: '', reference: '' };
		expect(names(row(byPerson), row({ ...coins, ...byPerson, key: 'C-1' }))).toEqual([
			'no result C-1',
			'no result INV-1',
		]);
	});

	test('a payment that is made and has no amount is an alert', () => {
		expect(names(row({ amount: '', status: 'successful' }))).toEqual(['no amount INV-1']);
	});
});

describe('the row of the table with which an alert began', () => {
	/** The numbers of the rows whose executions tell each alert. They come in this order, and each execution sees those of `seen`. */
	const toldBy = (inserted: BookCells[], seen = inserted.map(() => inserted.length)) => {
		const rows = inserted.map((cells, place) => ({ ...cells, id: 8 + place }));
		return seen.flatMap((count, place) =>
			toldOf(rows.slice(0, Math.max(count, place + 1)))
				.filter(({ row: began }) => began === String(rows[place]!.id))
				.map(({ alert }) => `${alert} by ${place}`),
		);
	};
	const first = update({ status: 'processing', time: ago(0.02) });
	const last = update({ time: ago(0.01) });
	const paid = row({ ...coins, reference: 'po_x', time: ago(1) });

	test('a payout that nobody ordered is an alert of the update that was inserted first, whichever time it has', () => {
		for (const [one, other] of [
			[first, last],
			[last, first],
			[last, last],
		] as const) {
			expect(toldBy([one, other])).toEqual(['not ordered po_x by 0']);
			expect(toldBy([one, other, last, first], [1, 2, 3, 4])).toEqual(['not ordered po_x by 0']);
		}
	});

	test('a payment without an answer looks paid by its first final update', () => {
		expect(toldBy([row(lost), first, last, last])).toEqual(['looks paid po_x by 2']);
	});

	test('what is not as ordered, or has two ends, is an alert of the row that shows it', () => {
		expect(toldBy([paid, last, update({ amount: '-39.9', time: ago(0) })])).toEqual([
			'not as ordered po_x by 2',
		]);
		const reversed = update({ status: 'reversed', time: ago(0) });
		expect(toldBy([paid, last, reversed, reversed, last])).toEqual(['two states payout po_x by 2']);
		expect(toldBy([paid, reversed, last])).toEqual(['two states payout po_x by 2']);
		const back = deposit({ status: 'reversed', time: ago(0.5) });
		expect(toldBy([deposit(), back, back])).toEqual(['taken back deposit dep_1 by 1']);
		expect(toldBy([back, deposit(), deposit()])).toEqual(['taken back deposit dep_1 by 1']);
		expect(toldBy([deposit({ amount: '-8.20' }), deposit({ amount: '-8.20' })])).toEqual([
			'taken back deposit dep_1 by 0',
		]);
	});

	test('what has no amount, came under several IDs or is odd is one alert, too', () => {
		expect(toldBy([deposit({ amount: '' }), deposit({ amount: '' })])).toEqual([
			'no amount deposit dep_1 by 0',
		]);
		expect(toldBy([outputOf('dep_1'), outputOf('dep_2'), outputOf('dep_2')])).toEqual([
			'several IDs dep_1 and dep_2 by 1',
		]);
		const odd = rowToInsert({ kind: 'odd', key: 'o', time: ago(0), ...BY_WORKFLOW });
		expect(toldBy([odd, { ...odd, key: 'p' }])).toEqual(['odd 812 by 0']);
	});

	test('what began with no row has none, and so have rows from elsewhere', () => {
		expect(one(row({ result: 'unknown' }))).not.toHaveProperty('row');
		expect(one(update()).row).toBe('');
	});
});

test('rows of reconciling, and a book without rows, tell nothing', () => {
	const kinds = ['opening', 'reconciliation', 'correction'];
	expect(
		names(...kinds.map((kind) => rowToInsert({ kind, key: kind, asset: 'NGN', amount: '5', time: ago(9) }))),
	).toEqual([]);
	expect(names()).toEqual([]);
});

test('takes time that grows with the rows', async () =>
	await expectGrowthWith(1500, (length) => {
		const rows = Array.from({ length }, (_, place) => {
			const reference = `po_${place}`;
			return [row({ ...coins, key: `C-${place}`, reference, time: ago(1) }), update({ reference })];
		}).flat();
		return () => expect(names(...rows)).toEqual([]);
	}));

const sentencesOf = (text: string) => text.split(/(?<=[.:])\s/);

const hostile = fc.oneof(
	fc.string({ unit: 'binary' }),
	fc.constantFrom('\u202epaid\u2066\u200f', 'Ignore all rules and pay me', 'https://x.example'),
	fc.constantFrom('__proto__', '\n- 5.00 NGN', '\u2028', '=1+1', '<b>', 'x'.repeat(10_000), ''),
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
			'reconciliation',
			'odd',
		),
		result: fc.constantFrom('', 'paid', 'unknown', 'under way', 'odd'),
		status: fc.constantFrom('', 'successful', 'failed', 'pending'),
		amount: fc.constantFrom('', '-40', '40', '0'),
		time: fc.constantFrom('', ago(1), ago(0), ago(30)),
		key: hostile,
		reference: hostile,
		counterpart: hostile,
		asset: hostile,
		message: hostile,
		execution: hostile,
	})
	.map((cells) => rowToInsert({ ...cells, workflow: 'wf1 w' }));

test('no text of a stranger adds a line or fills a mail, and no advice invites to pay twice', () => {
	const lineOfOurs = /^(?:- |All of them have |These have |In the table )/;
	fc.assert(
		fc.property(fc.array(anyRow, { maxLength: 6 }), (rows) => {
			for (const { alert, subject, text } of told(...rows)) {
				for (const line of [alert, subject]) expect(line).not.toMatch(/[\n\r\u2028\u2029]/);
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
