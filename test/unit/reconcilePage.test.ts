/** What Reconcile says: the subject, the page, and what it writes into the book. */
import type { IDataObject } from 'n8n-workflow';

import {
	COINS,
	correction,
	cryptoPayout,
	day,
	deposit,
	opening,
	payout,
	row,
	typed,
	update,
} from './bookRows.ts';
import { mornings, reconciled } from './reconcileDays.ts';

const NGN = opening('NGN', '1000000.00');
const USDT = opening('USDT', '25200.5');
const openings = [NGN, USDT, opening('KES', '5000.00')];
const calm = { NGN: '1000000.00', USDT: '25200.5', KES: '5000.00' };
const lost = (cells = {}) =>
	row({
		kind: 'fiat payout',
		asset: 'NGN',
		key: 'P1',
		amount: '-1000',
		counterpart: 'ada',
		time: day(0, 60),
		result: 'unknown',
		...cells,
	});

describe('the subject', () => {
	const subject = (rows: IDataObject[], balances: Record<string, string>, now = day(1)) =>
		reconciled(rows, balances, now).subject;

	test('counts what is reconciled, and names what is not explained with its first day and its digits', () => {
		expect(subject(openings, calm)).toBe('Balances of 2 Jan: 3 reconciled');
		const gone = [
			...openings.map((each) => ({ ...each, time: day(-3) })),
			row({ kind: 'reconciliation', asset: 'NGN', amount: '500000', time: day(-2), status: 'not explained' }),
		];
		expect(subject(gone, { ...calm, NGN: '500000.00' })).toBe(
			'Balances of 2 Jan: 2 reconciled, NGN NOT EXPLAINED since 30 Dec: -500,000.00',
		);
		expect(subject([...openings, lost()], { ...calm, NGN: '999000.00' })).toBe(
			'Balances of 2 Jan: 2 reconciled, 1 with open items',
		);
	});

	test('names what was not read, counts notes, and does not grow with the assets', () => {
		expect(subject(openings, { NGN: calm.NGN })).toBe(
			'Balances of 2 Jan: 1 reconciled, KES, USDT NOT READ'.replace('KES, USDT', 'KES and USDT'),
		);
		expect(
			subject([...openings, typed({ kind: 'payot', asset: 'NGN', amount: '1', time: day(0) })], calm),
		).toBe('Balances of 2 Jan: 3 reconciled, 1 note');
		const many = Array.from({ length: 9 }, (_, index) => opening(`AB${index}`, '5'));
		const zero = Object.fromEntries(many.map(({ asset }) => [asset, '4']));
		expect(subject(many, zero)).toMatch(
			/: AB0 NOT EXPLAINED since 2 Jan: -1.00, AB1 .*, AB2 [^,]*, 6 more NOT EXPLAINED$/,
		);
	});

	test('says that there is nothing, or that openings are new or are still missing', () => {
		expect(subject([], {})).toBe('Balances of 2 Jan: the book has no currency and no coin');
		expect(subject(payout('P1', '40', day(0)), { NGN: '5.00' })).toBe('Balances of 2 Jan: 1 new opening');
		expect(subject([lost()], { NGN: '5.00' })).toBe('Balances of 2 Jan: 1 without an opening');
	});
});

test('an asset is a small account, with what is open and what to do, and no sentence stands twice', () => {
	const rows = [
		...openings,
		...payout('P2', '40', day(0, 70)),
		...payout('P3', '1210.5', day(0, 80)),
		lost(),
	];
	const { text } = reconciled(
		[...rows, deposit('d1', '100.25', day(0, 120))],
		{ ...calm, NGN: '997849.75' },
		day(1),
	);
	for (const line of [
		'NGN: open items',
		'- Opening, 2026-01-01: 1,000,000.00',
		'- fiat payout (2): -1,250.50',
		'- deposit (1): 100.25',
		'- Expected: 998,849.75',
		'- Balance: 997,849.75',
		'- Difference: -1,000.00',
		'- fiat payout P1, -1,000.00 NGN, ada: no answer, so it may have been made, 23 hours',
	])
		expect(text.split('\n')).toContain(line);
	const sentences = text.split(/(?<=[.:])\s+/).filter((sentence) => sentence.length > 40);
	expect(new Set(sentences).size).toBe(sentences.length);
});

test.each<[string, IDataObject[], string, RegExp]>([
	['what to look for', [], '999960.00', /Money is gone that no row has[^]*kind correction/],
	['what to look for, if money has come', [], '1000040.00', /a deposit or credit whose event did not come/],
	[
		'the fee of a payout that would fit',
		['1', '2', '3'].flatMap((key) => payout(key, '1000', day(0, 60))),
		'996850.00',
		/50\.00 NGN for each of 3 payouts without a fee would be the difference/,
	],
	[
		'a payout of the amount that perhaps did not leave',
		payout('P1', '40', day(0, 60)),
		'1000000.00',
		/perhaps it has not moved: fiat payout P1, -40.00 NGN/,
	],
	[
		'some equal items of one execution that are too old',
		['1', '2', '3'].map((key) => lost({ key, time: day(-4), execution: '7' })),
		'998000.00',
		/2 of 3 equal payments of execution 7 have the amount, and are open for more than three days\./,
	],
	[
		'an item that is too old',
		[lost({ time: day(-4) })],
		'999000.00',
		/open for more than three days: fiat payout P1/,
	],
	[
		'the opening that a person typed later',
		[typed({ kind: 'opening', key: 'new', asset: 'NGN', amount: '5', time: day(0, 60) })],
		'5.00',
		/a person typed after the first one does not count: new\./,
	],
	[
		'a correction that is too old',
		[correction('NGN', '-1', day(-1))],
		'5.00',
		/1 correction from before the opening does not count/,
	],
	['that no earlier reading is in the book', [lost()], '999000.00', /no earlier reading of this balance/],
	[
		'a row of the future',
		[deposit('later', '5', day(2))],
		'5.00',
		/a time after this reading do not count: virtual_account_credited:later/,
	],
	['a deposit without an amount', [deposit('d1', '', day(0))], '5.00', /What has no amount does not count/],
	[
		'items that could not be booked',
		[row({ kind: 'odd', key: 'o1', message: 'no amount', time: day(0) })],
		'5.00',
		/could not be booked: o1/,
	],
	[
		'two payments of one key',
		[lost({ result: 'paid', reference: 'a' }), lost({ result: 'paid', reference: 'b', execution: '2' })],
		'5.00',
		/More than one payment has the key, and each counts: P1/,
	],
	[
		'the word of a deposit that nobody knows',
		[deposit('d1', '5', day(0, 60), { status: 'settling' })],
		'5.00',
		/deposit d1, 5.00 NGN, Ada Obi to customer-0042: settling/,
	],
	[
		'that a person wrote a row twice',
		[1, 2].map((id) => ({ ...correction('NGN', '-5', day(0, 60)), id })),
		'999990.00',
		/stand twice, and each counts: correction/,
	],
])('the page says %s', (_name, rows, balance, says) => {
	expect(reconciled([NGN, ...rows], { NGN: balance }, day(1)).text).toMatch(says);
});

const underWay = (key: string, amount: string, execution: string) =>
	lost({ key, amount: `-${amount}`, result: 'under way', execution });

test('one payment beside some of one run: both parts are named', () => {
	const said = (rows: IDataObject[], balance: string) =>
		reconciled([NGN, ...rows], { NGN: balance }, day(1)).text;
	const part =
		'This can be a part of the difference: fiat payout A, -700.00 NGN, ada: no answer, so it may have been made.';
	const unequal = said(
		[underWay('A', '700', '8'), ...['100', '35', '41'].map((amount) => underWay(amount, amount, '9'))],
		'999165.00',
	);
	expect(unequal).toContain(part);
	expect(unequal).toMatch(
		/Some payments of one execution are the rest of the difference: fiat payout 100,[^;]*; fiat payout 35,[^;]*\.$/m,
	);
	const equal = said(
		[underWay('A', '700', '8'), ...['B', 'C', 'D'].map((key) => underWay(key, '60', '9'))],
		'999180.00',
	);
	expect(equal).toContain(part);
	expect(equal).toContain(
		'2 of 3 equal payments of execution 9 are the rest of the difference, and no row says which.',
	);
});

test('an open item beside a missing fee: the item is named, and the fee', () => {
	const rows = [
		USDT,
		...cryptoPayout('old', '10', day(-1)),
		update('po_old', '10', day(-1, 5)),
		...cryptoPayout('B', '20', day(0, 60)),
		update('po_B', '20', day(0, 65), { fee: '' }),
		deposit('d1', '500', day(0, 70), {
			kind: 'crypto deposit',
			asset: 'USDT',
			counterpart: 'w',
			status: 'pending',
			key: 'D',
		}),
	];
	const { text } = reconciled(rows, { USDT: '25679.5' }, day(1));
	expect(text).toContain(
		'This is the difference but for fees that are not reported yet: crypto deposit d1, 500.00 USDT, w: pending.',
	);
	expect(text).toContain('Missing fees of 1 crypto payout could hide 1.00 USDT at most.');
});

test('an unordered payout is named with its fee, and never explains the difference', () => {
	const { text, balances } = reconciled([USDT, update('x1', '500', day(0, 60))], { USDT: '24699.5' }, day(1));
	expect(balances).toMatchObject([
		{ verdict: 'not explained', openItems: [{ why: 'not ordered', amount: '-501', explains: false }] },
	]);
	expect(text).toContain(
		'This has the amount: crypto payout x1, -501.00 USDT, treasury: it is not in the book as a payment',
	);
});

test('rows that contradicted each other are open for three days, and longer only beside what is not explained', () => {
	const told = (status: string, time: string) => deposit('d1', '100', time, { status });
	const rows = [NGN, told('successful', day(0, 5)), told('reversed', day(0, 9))];
	const open = (balance: string, now: string) =>
		reconciled(rows, { NGN: balance }, now).balances[0]!.openItems.map(
			({ why, amount }) => `${why} ${amount}`,
		);
	expect(open('1000000.00', day(1))).toEqual(['contradiction 100']);
	expect(open('1000000.00', day(4))).toEqual([]);
	expect(open('1000100.00', day(4))).toEqual(['contradiction 100']);
	const page = (balance: string) => reconciled(rows, { NGN: balance }, day(4)).text;
	expect(page('1000000.00')).not.toContain('contradict');
	expect(page('1000100.00')).toMatch(/its rows contradict each other, the last one says reversed, 3 days/);
	expect(reconciled(rows, { NGN: '1000000.00' }, day(4), { moveOpening: true }).rows).toMatchObject([
		{ kind: 'opening' },
		{ kind: 'reconciliation' },
	]);
});

test('missing fees: how much they could hide, and those that never came', () => {
	const seen = [...cryptoPayout('old', '10', day(-9)), update('po_old', '10', day(-9, 5), { fee: '2' })];
	const without = (key: string, time: string) => [
		...cryptoPayout(key, '10', time),
		update(`po_${key}`, '10', time, { fee: '' }),
	];
	const { text } = reconciled(
		[USDT, ...seen, ...without('A', day(3)), ...without('B', day(0, 5)), ...without('C', day(3, 1))],
		{ USDT: '25170.5' },
		day(4),
	);
	expect(text).toContain('Missing fees of 2 crypto payouts could hide 4.00 USDT at most.');
	expect(text).toContain('1 crypto payout had no fee for more than three days: B.');
});

test('what is not new since a reading is not said to be the cause, and what is new is', () => {
	const rows = [
		USDT,
		row({
			kind: 'reconciliation',
			asset: 'USDT',
			amount: '25100.5',
			time: day(1),
			reference: '-100',
			status: 'not explained',
		}),
	];
	const underWay = row({ ...COINS, key: 'C9', amount: '-70', time: day(1, 60), result: 'under way' });
	const { text, balances } = reconciled([...rows, underWay], { USDT: '25030.5' }, day(2));
	expect(balances).toMatchObject([{ verdict: 'not explained', difference: '-170.0', since: '2026-01-02' }]);
	expect(text).toContain('What is new since then can be: crypto payout C9, -70.00 USDT');
});

describe('bars', () => {
	test('the last reading of each of fourteen days, the day of what is not explained in another colour', () => {
		const days = Array.from({ length: 20 }, (_, index) => ({
			balance: index < 10 ? '1000000.00' : '250000.00',
		}));
		const { html, text } = mornings('NGN', [NGN], days).at(-1)!;
		const bars = [
			...html.matchAll(/width:(\d+)%;border-collapse:collapse"><tr><td style="[^"]*background:(#\w+)"/g),
		];
		expect(bars.map(([, percent]) => percent)).toEqual([...Array(4).fill('100'), ...Array(10).fill('25')]);
		expect(new Set(bars.map(([, , colour]) => colour)).size).toBe(2);
		expect(html).toContain('Red: not explained.');
		expect(text.match(/^- \d+ Jan: 1,000,000.00 NGN$/gm)).toHaveLength(4);
		expect(text.match(/^- \d+ Jan: 250,000.00 NGN, not explained$/gm)).toHaveLength(10);
	});

	test('a balance of zero or less has no bar', () => {
		const { html } = mornings(
			'NGN',
			[opening('NGN', '0.00')],
			[{ balance: '0.00' }, { balance: '-5.00' }],
		).at(-1)!;
		expect(html).not.toContain('border-collapse:collapse"><tr><td style="height');
	});
});

describe('rows to insert', () => {
	const columns = ({ kind, asset, amount, reference, status, details }: Record<string, string>) =>
		[kind, asset, amount, reference, status, details].filter((cell) => cell !== '').join(' ');
	const rowsOf = (items: IDataObject[], balances: Record<string, string>, settings = {}, now = day(1)) =>
		reconciled(items, balances, now, settings).rows;

	test('what the reading found, and the first opening', () => {
		expect(rowsOf([NGN], { NGN: '999960.00' }).map(columns)).toEqual([
			'reconciliation NGN 999960.00 -40.00 not explained fiat',
		]);
		const rows = rowsOf(cryptoPayout('C', '1', day(0)), { USDT: '5' });
		expect(rows.map(columns)).toEqual(['opening USDT 5 crypto', 'reconciliation USDT 5 0 reconciled crypto']);
		expect(rows[0]).toMatchObject({
			key: `opening USDT ${day(1)}`,
			time: day(1),
			workflow: 'wf3 reconcile',
			execution: '900',
		});
		expect(new Set(Object.keys(rows[0]!))).toEqual(new Set(Object.keys(NGN)));
	});

	test('none of a balance that was not read', () => {
		expect(rowsOf([NGN], {})).toEqual([]);
	});

	test.each<[string, IDataObject[], string]>([
		['a payment under way', [lost({ result: 'under way' })], 'no opening'],
		['a payment without an answer', [lost()], 'no opening'],
		['a payment of the last hour', payout('P1', '40', day(1, -59)), 'no opening'],
		['a payment of an hour ago', payout('P1', '40', day(1, -60)), 'reconciled'],
		[
			'a payment that was refused just now',
			payout('P1', '40', day(1, -5), { result: 'rejected' }).concat(payout('P0', '4', day(0))),
			'reconciled',
		],
		['a pending deposit', [deposit('d1', '5', day(0), { status: 'pending' })], 'no opening'],
		['a deposit just now', [deposit('d1', '5', day(1, -5))], 'reconciled'],
		[
			'a payment just now whose key was held yesterday',
			[lost({ result: 'notSent' }), ...payout('P1', '1000', day(1, -5), { execution: '2' })],
			'no opening',
		],
		[
			'a payment without an answer that a correction books',
			[lost(), correction('NGN', '-1000', day(0, 90), 'P1')],
			'reconciled',
		],
		[
			'a payment without an answer, and the opening of a person',
			[lost(), typed({ kind: 'opening', asset: 'NGN', amount: '5', time: day(0) })],
			'reconciled',
		],
	])('the opening of a book that has %s', (_name, items, verdict) => {
		const { balances, rows } = reconciled(items, { NGN: '5.00' }, day(1));
		expect(balances).toMatchObject([{ asset: 'NGN', verdict }]);
		const isTaken = verdict === 'reconciled' && !items.some(({ kind }) => kind === 'opening');
		expect(rows.some(({ kind }) => kind === 'opening')).toBe(isTaken);
		expect(rows.at(-1)).toMatchObject({ kind: 'reconciliation', status: verdict, amount: '5.00' });
	});

	test('what keeps the opening is named', () => {
		const items = [
			...payout('P1', '40', day(1, -5)),
			lost({ key: 'P2' }),
			deposit('d1', '5', day(0), { status: 'pending' }),
		];
		const { text } = reconciled(items, { NGN: '5.00' }, day(1));
		for (const words of [
			'fiat payout P1, -40.00 NGN, supplier-main: younger than an hour',
			'P2, -1,000.00 NGN, ada: no answer',
			'd1, 5.00 NGN, Ada Obi to customer-0042: pending',
		])
			expect(text).toContain(words);
	});

	test('a payment in another coin, whose fee is on its way, keeps the opening of the coin of the fee', () => {
		const items = [
			deposit('d1', '5', day(0), { kind: 'crypto deposit', asset: 'TRX', counterpart: 'w' }),
			...cryptoPayout('P1', '40', day(1, -5), { fee: '1', feeAsset: 'TRX' }),
		];
		const verdictAt = (now: string) =>
			reconciled(items, { TRX: '5' }, now).balances.find(({ asset }) => asset === 'TRX')?.verdict;
		expect(verdictAt(day(1))).toBe('no opening');
		expect(verdictAt(day(1, 60))).toBe('reconciled');
	});

	test('a person types an opening of an older time behind that of a workflow: it does not count, and is named', () => {
		const openingAt = (days: number, id: number, cells = {}) => ({
			...opening('NGN', '1000000.00', day(days), cells),
			id,
		});
		const mine = { key: 'mine', workflow: '', execution: '' };
		const typedLater = [openingAt(3, 1), openingAt(0, 2, mine)];
		const [told] = reconciled(typedLater, { NGN: '1000000.00' }, day(4)).balances;
		expect(told).toMatchObject({ openedAt: day(3), verdict: 'reconciled' });
		expect(told!.lines.join()).toContain('does not count: mine.');
		// The first one of all is taken, and a workflow moves it.
		const moved = [openingAt(0, 1, mine), openingAt(3, 2)];
		expect(reconciled(moved, { NGN: '1000000.00' }, day(4)).balances).toMatchObject([{ lines: [] }]);
	});

	test('a correction that counted before the opening was moved is not named each day, and one that came too late is', () => {
		const openings = [0, 3].map((days) => opening('NGN', '1000000.00', day(days)));
		const linesOf = (...rows: IDataObject[]) =>
			reconciled([...openings, ...rows], { NGN: '1000000.00' }, day(4)).balances[0]!.lines;
		expect(linesOf(correction('NGN', '-50', day(1)))).toEqual([]);
		const late = { ...correction('NGN', '-50', day(1)), key: 'late', createdAt: day(3, 60) };
		expect(linesOf(late)).toEqual(['1 correction from before the opening does not count: late.']);
		expect(linesOf({ ...correction('NGN', '-50', day(-1)), key: 'old' })).toEqual([
			'1 correction from before the opening does not count: old.',
		]);
	});

	test('an asset that only the settings name is opened, too', () => {
		const rows = rowsOf([], { KES: '7.00' }, { assets: [{ code: 'KES', isFiat: true }] });
		expect(rows.map(columns)).toEqual([
			'opening KES 7.00 fiat',
			'reconciliation KES 7.00 0.00 reconciled fiat',
		]);
	});

	test.each<[string, IDataObject[], string, boolean]>([
		['reconciled', payout('P1', '40', day(0, 60)), '999960.00', true],
		['not explained', payout('P1', '40', day(0, 60)), '999000.00', false],
		['reconciled with something open', [lost()], '1000000.00', false],
		['reconciled with a payment of the last hour', payout('P1', '40', day(1, -5)), '999960.00', false],
		[
			'reconciled with a payment of the last hour whose key was held before',
			[lost({ amount: '-40', result: 'notSent' }), ...payout('P1', '40', day(1, -5), { execution: '2' })],
			'999960.00',
			false,
		],
	])('Move Opening, at a reading that is %s', (_name, items, balance, moves) => {
		const rows = rowsOf([NGN, ...items], { NGN: balance }, { moveOpening: true });
		expect(rows.some(({ kind }) => kind === 'opening')).toBe(moves);
		// Behind it, what is older counts no more.
		if (!moves) return;
		const [later] = reconciled(
			[NGN, ...items, ...rows.map((each) => ({ ...each }))],
			{ NGN: '999950.00' },
			day(2),
		).balances;
		expect(later).toMatchObject({ opening: balance, booked: '0', difference: '-10.00', openedAt: day(1) });
	});
});

test('a code that is a currency and a coin is refused by its name', () => {
	const both = [NGN, ...payout('P1', '40', day(0)), ...cryptoPayout('C', '1', day(0), { asset: 'NGN' })];
	const { balances, text, rows } = reconciled(both, { NGN: '5.00' }, day(1));
	expect(balances).toMatchObject([{ asset: 'NGN', verdict: 'not read', difference: '' }]);
	expect(text).toContain('NGN is a currency in some rows and a coin in others');
	expect(rows).toEqual([]);
});

test('no text of a row can add a tag, a line or an expression, and none can fill a mail', () => {
	const hostile = '<img src=x onerror="a()">{{ $json }}`$&\\\n- Balance: 9';
	const rows = Array.from({ length: 300 }, (_, index) =>
		lost({
			key: `${index}${hostile}`,
			counterpart: hostile.repeat(99),
			execution: `${index}`,
			amount: `-${index}.01`,
		}),
	);
	const strange = [
		typed({ kind: hostile, asset: hostile, key: hostile, amount: hostile, time: hostile }),
		lost({ asset: hostile }),
	];
	const { html, text, subject } = reconciled([NGN, ...rows, ...strange], { NGN: '5.00' }, day(1));
	const withoutTags = html.replaceAll(/<\/?(?:div|h2|p|ul|li|table|tr|td|b|br\/)(?: style="[^"<>]*")?>/g, '');
	expect(withoutTags).not.toMatch(/[<>"'`{}\\$\n]/);
	expect(text.split('\n')).not.toContain('- Balance: 9');
	expect(subject).not.toMatch(/[\n]/);
	expect(subject.length).toBeLessThan(300);
	expect(text.length).toBeLessThan(60_000);
});
