/**
 * Stories that a book-keeper tells right: rows, balances and times, and what each morning says. The expected values are worked out by
 * hand from the stories. The opening is 1,000,000 NGN or 100,000 USDT on day 0, and a morning is at 06:00.
 */
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
import type { Morning, Settings } from './reconcileDays.ts';

export interface Story {
	name: string;
	asset?: 'NGN' | 'USDT' | 'TRX';
	before?: IDataObject[];
	days: Morning[];
	/** For each morning: verdict, difference, and the first day of what is not explained. */
	expected: string[];
	settings?: Settings;
}

const NGN = [opening('NGN', '1000000.00')];
const USDT = [opening('USDT', '100000')];
export const openingsOf = ({ asset = 'NGN', before }: Story): IDataObject[] =>
	before ?? (asset === 'NGN' ? NGN : USDT);

const fiat = { kind: 'fiat payout', asset: 'NGN', counterpart: 'ada' };
const underWay = (key: string, amount: string, time: string, cells = {}) =>
	row({ ...fiat, key, amount: `-${amount}`, time, result: 'under way', ...cells });
const lost = (key: string, amount: string, time: string, cells = {}) => [
	underWay(key, amount, time, cells),
	underWay(key, amount, time, { ...cells, result: 'unknown' }),
];
const decided = (key: string, result: string, time: string, cells = {}) =>
	typed({ ...fiat, key, result, time, ...cells });
const lostCoins = (key: string, amount: string, time: string, cells = {}) =>
	lost(key, amount, time, { ...COINS, ...cells });
/** A payout of USDT 10, a day before the opening, whose fee was 1. */
const seenFee = [...cryptoPayout('old', '10', day(-1)), update('po_old', '10', day(-1, 5))];
/** Twelve of them, with a fee of 1 to 2.1. */
const seenFees = Array.from({ length: 12 }, (_, index) => [
	...cryptoPayout(`o${index}`, '10', day(-1)),
	update(`po_o${index}`, '10', day(-1, 9), { fee: `${index < 10 ? 1 : 2}.${index % 10}` }),
]).flat();
const many = (count: number, make: (index: number) => IDataObject | IDataObject[]) =>
	Array.from({ length: count }, (_, index) => make(index)).flat();
const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);
const gone = (times: number): Morning[] => Array.from({ length: times }, () => ({ balance: '500000.00' }));

export const NINE: Story[] = [
	{
		name: '500,000 NGN vanish, and nobody does anything',
		days: gone(9),
		expected: Array.from({ length: 9 }, () => 'not explained -500000.00 2026-01-02'),
	},
	{
		name: 'two salaries of 1,000 are under way at the reading, and 1,000 are stolen; next day both are paid',
		days: [
			{
				rows: [underWay('S1', '1000', day(1, -1)), underWay('S2', '1000', day(1, -1))],
				balance: '999000.00',
			},
			{
				rows: ['S1', 'S2'].map((key) => underWay(key, '1000', day(1, 1), { result: 'paid', reference: key })),
				balance: '997000.00',
			},
		],
		expected: ['open items -1000.00', 'not explained -1000.00 2026-01-03'],
	},
	{
		name: 'a payout of 10,000 USDT is under way, and 1,000 are gone; the fee was always 1',
		asset: 'USDT',
		before: [...USDT, ...seenFee],
		days: [
			{ rows: [underWay('C1', '10000', day(1, -1), COINS)], balance: '99000' },
			{
				rows: [
					underWay('C1', '10000', day(1, 1), { ...COINS, result: 'paid', reference: 'c1' }),
					update('c1', '10000', day(1, 9)),
				],
				balance: '88999',
			},
		],
		expected: ['not explained -1000 2026-01-02', 'not explained -1000 2026-01-02'],
	},
	{
		name: '100 are gone on day 1; on day 2 a payout of 100 does not leave',
		days: [{ balance: '999900.00' }, { rows: payout('P1', '100', day(1, 60)), balance: '999900.00' }],
		expected: ['not explained -100.00 2026-01-02', 'reconciled 0.00'],
	},
	{
		name: 'a deposit is pending and in the balance; then it has failed, and the money stays',
		days: [
			{ rows: [deposit('d1', '5000', day(0, 60), { status: 'pending' })], balance: '1005000.00' },
			{ rows: [deposit('d1', '5000', day(1, 60), { status: 'failed' })], balance: '1005000.00' },
		],
		expected: ['open items 5000.00', 'not explained 5000.00 2026-01-03'],
	},
	{
		name: 'a deposit comes a second before the reading, and its row a second after it',
		days: [
			{ balance: '1005000.00' },
			{ rows: [deposit('d1', '5000', day(1, 1 / 60))], balance: '1005000.00' },
		],
		expected: ['not explained 5000.00 2026-01-02', 'reconciled 0.00'],
	},
	{
		name: 'three payouts to banks; the bank takes 50 each, and the service reports no fee',
		days: [{ rows: many(3, (index) => payout(`P${index}`, '1000', day(0, 60))), balance: '996850.00' }],
		expected: ['not explained -150.00 2026-01-02'],
	},
	{
		name: 'an order of yesterday has no answer; today somebody decides that it was paid',
		days: [
			{ rows: lost('P1', '1000', day(0, 60)), balance: '999000.00' },
			{ rows: [decided('P1', 'paid', day(1, 60))], balance: '999000.00' },
		],
		expected: ['open items -1000.00', 'reconciled 0.00'],
	},
	{
		name: 'a payout that nobody ordered, with its fee',
		asset: 'USDT',
		days: [
			{ rows: [update('x1', '500', day(0, 60))], balance: '99499' },
			{ balance: '99499' },
			{ rows: [correction('USDT', '-501', day(2, 60), 'x1')], balance: '99499' },
		],
		expected: ['not explained -501 2026-01-02', 'not explained -501 2026-01-02', 'reconciled 0'],
	},
];

const salaries = (result: string, time: string) =>
	many(30, (index) => underWay(`S${index}`, '1000', time, { result, execution: '7' }));
const unequal = many(5, (index) =>
	underWay(`U${index}`, String(1000 + index * 110), day(1, -600), { execution: '8' }),
);

/** A payout whose fee is missing, and one of 500 that costs 1, comes back by its rows, and has not come. */
const lateFee = [...cryptoPayout('B', '20', day(0, 60)), update('po_B', '20', day(0, 65), { fee: '' })];
const failedLater = [
	...cryptoPayout('C', '500', day(0, 70)),
	update('po_C', '500', day(0, 75)),
	update('po_C', '500', day(0, 90), { status: 'failed', fee: '' }),
];
/** One payment of a run, three unequal ones of another run, and so many that are each of a run of their own. */
const besideRun = (others: number) => [
	underWay('A', '700', day(1, -600), { execution: '8' }),
	...['100', '35', '41'].map((amount) => underWay(amount, amount, day(1, -600), { execution: '9' })),
	...many(others, (index) =>
		underWay(`O${index}`, String(5000 + index), day(1, -600), { execution: `o${index}` }),
	),
];

export const OURS: Story[] = [
	{
		name: 'nothing happens',
		days: [{ balance: '1000000.00' }, { balance: '1000000.00' }],
		expected: ['reconciled 0.00', 'reconciled 0.00'],
	},
	{
		name: 'a bank takes 50 a payout, and the setting says so',
		days: [{ rows: many(3, (index) => payout(`P${index}`, '1000', day(0, 60))), balance: '996850.00' }],
		settings: { feeOfPayout: { NGN: '50' } },
		expected: ['reconciled 0.00'],
	},
	{
		name: 'the fee of one payout is typed into a row',
		days: [
			{
				rows: [
					...payout('P1', '1000', day(0, 60)),
					typed({ ...fiat, reference: 'po_P1', fee: '50', time: day(0, 90) }),
				],
				balance: '998950.00',
			},
		],
		expected: ['reconciled 0.00'],
	},
	{
		name: 'a fee comes a day late',
		asset: 'USDT',
		before: [...USDT, ...seenFee],
		days: [
			{ rows: cryptoPayout('C1', '20', day(0, 60)), balance: '99979' },
			{ rows: [update('po_C1', '20', day(1, 60))], balance: '99979' },
		],
		expected: ['open items -1', 'reconciled 0'],
	},
	{
		name: 'a fee never comes: open for three days',
		asset: 'USDT',
		before: [...USDT, ...seenFee],
		days: [
			{
				rows: [...cryptoPayout('C1', '20', day(0, 60)), update('po_C1', '20', day(0, 65), { fee: '' })],
				balance: '99979',
			},
			{ balance: '99979' },
			{ balance: '99979' },
			{ balance: '99979' },
		],
		expected: ['open items -1', 'open items -1', 'open items -1', 'not explained -1 2026-01-05'],
	},
	{
		name: 'more digits are gone beside a missing fee than twelve fees had',
		asset: 'USDT',
		before: [...USDT, ...seenFees],
		days: [
			{ rows: cryptoPayout('C1', '20', day(0, 60)), balance: '99978.999999' },
			{ balance: '99978.99' },
			{ balance: '99978.8' },
		],
		expected: ['not explained -1.000001 2026-01-02', 'not explained -1.01 2026-01-02', 'open items -1.2'],
	},
	{
		name: 'no fee was ever reported: a missing one explains nothing',
		asset: 'USDT',
		days: [
			{
				rows: [...cryptoPayout('C1', '20', day(0, 60)), update('po_C1', '20', day(0, 65), { fee: '' })],
				balance: '99979',
			},
		],
		expected: ['not explained -1 2026-01-02'],
	},
	{
		name: 'a loss that is smaller than any fee that was seen is no fee; a fee of 0 is none',
		asset: 'USDT',
		before: [
			...USDT,
			...seenFee,
			...cryptoPayout('free', '10', day(-1)),
			update('po_free', '10', day(-1, 5), { fee: '0' }),
		],
		days: [{ rows: lateFee, balance: '99979.999999' }],
		expected: ['not explained -0.000001 2026-01-02'],
	},
	{
		name: 'an open item and a missing fee together are the difference',
		asset: 'USDT',
		before: [...USDT, ...seenFee],
		days: [{ rows: [...lateFee, ...failedLater], balance: '99478' }],
		expected: ['open items -501'],
	},
	{
		name: 'an open item, and more is gone beside it than a missing fee can be',
		asset: 'USDT',
		before: [...USDT, ...seenFee],
		days: [{ rows: [...lateFee, ...failedLater], balance: '99477.999999' }],
		expected: ['not explained -501.000001 2026-01-02'],
	},
	{
		name: 'an open item, and less is gone than it has',
		asset: 'USDT',
		before: [...USDT, ...seenFee],
		days: [{ rows: [...lateFee, ...failedLater], balance: '99479.5' }],
		expected: ['not explained -499.5 2026-01-02'],
	},
	{
		name: 'the service takes fees out of the amount',
		asset: 'USDT',
		days: [
			{
				rows: [...cryptoPayout('C1', '20', day(0, 60)), update('po_C1', '20', day(0, 65))],
				balance: '99980',
			},
		],
		settings: { feesOnTop: false },
		expected: ['reconciled 0'],
	},
	{
		name: 'a fee in another coin',
		asset: 'USDT',
		days: [
			{
				rows: [
					...cryptoPayout('C1', '20', day(0, 60)),
					update('po_C1', '20', day(0, 65), { fee: '3', feeAsset: 'TRX' }),
				],
				balance: '99980',
			},
		],
		expected: ['reconciled 0'],
	},
	{
		name: 'n8n stopped in a list of thirty equal salaries, and eleven left',
		days: [
			{ rows: salaries('under way', day(1, -600)), balance: '989000.00' },
			{ rows: salaries('paid', day(1, 60)).slice(0, 11), balance: '989000.00' },
		],
		expected: ['open items -11000.00', 'reconciled 0.00'],
	},
	{
		name: 'n8n stopped in a list of five unequal ones, and two left',
		days: [{ rows: unequal, balance: '997780.00' }],
		expected: ['open items -2220.00'],
	},
	{
		name: 'n8n stopped in a list of thirteen unequal ones, and two left: so many sets are not tried',
		days: [
			{
				rows: many(13, (index) =>
					underWay(`U${index}`, String(1000 + index * index), day(1, -600), { execution: '8' }),
				),
				balance: '997975.00',
			},
		],
		expected: ['not explained -2025.00 2026-01-02'],
	},
	{
		name: 'one payment is open beside some of one run',
		days: [{ rows: besideRun(0), balance: '999165.00' }],
		expected: ['open items -835.00'],
	},
	{
		name: 'one payment is open beside some of one run, among fifty open items',
		days: [{ rows: besideRun(46), balance: '999165.00' }],
		expected: ['open items -835.00'],
	},
	{
		name: 'one payment is open beside some of one run, among more than fifty: so many sums are not tried',
		days: [{ rows: besideRun(47), balance: '999165.00' }],
		expected: ['not explained -835.00 2026-01-02'],
	},
	{
		name: 'one payment is open beside some of one run, and a fee is missing, too: no such sum is tried',
		asset: 'USDT',
		before: [...USDT, ...seenFee],
		days: [
			{
				rows: [...lateFee, ...besideRun(0).map((each) => ({ ...each, ...COINS }))],
				balance: '99144.5',
			},
		],
		expected: ['not explained -835.5 2026-01-02'],
	},
	{
		name: 'some of one run left, and a fee is missing',
		asset: 'USDT',
		before: [...USDT, ...seenFee],
		days: [
			{
				rows: [...lateFee, ...besideRun(0).map((each) => ({ ...each, ...COINS }))],
				balance: '99844.5',
			},
		],
		expected: ['open items -135.5'],
	},
	{
		name: 'two crypto payments of two runs have no answer, and both left with their fees',
		asset: 'USDT',
		before: [...USDT, ...seenFee],
		days: [
			{
				rows: ['1', '2'].flatMap((key) => lostCoins(key, `${key}0`, day(0, 60), { execution: key })),
				balance: '99968',
			},
		],
		expected: ['open items -32'],
	},
	{
		name: 'a coin that shows fewer digits than its deposit: what is gone is no rounding',
		asset: 'USDT',
		days: [
			{
				rows: [
					deposit('d1', '0.25', day(0, 60), { kind: 'crypto deposit', asset: 'USDT', counterpart: 'w' }),
				],
				balance: '100000.2',
			},
		],
		expected: ['not explained -0.05 2026-01-02'],
	},
	...[
		{ name: 'cuts its balance off', balance: '1000000.00', expected: 'reconciled -0.006' },
		{ name: 'rounds its balance', balance: '1000000.01', expected: 'reconciled 0.004' },
		{ name: 'misses two last digits', balance: '999999.98', expected: 'not explained -0.026 2026-01-02' },
		{ name: 'has two too many', balance: '1000000.03', expected: 'not explained 0.024 2026-01-02' },
	].map(({ name, balance, expected }) => ({
		name: `one deposit has a digit more than the currency, and the service ${name}`,
		days: [{ rows: [deposit('d1', '0.006', day(0, 60))], balance }],
		expected: [expected],
	})),
	{
		name: 'each of four deposits has a digit more, and the service rounds each of them',
		days: [
			{ rows: many(4, (index) => deposit(`d${index}`, '0.005', day(0, 60))), balance: '1000000.04' },
			{ balance: '1000000.05' },
		],
		expected: ['reconciled 0.020', 'not explained 0.030 2026-01-03'],
	},
	{
		name: 'no movement has more digits than the balance, and one last digit is gone',
		days: [{ rows: [deposit('d1', '0.06', day(0, 60))], balance: '1000000.05' }],
		expected: ['not explained -0.01 2026-01-02'],
	},
	{
		name: 'two payments of two runs left: no such set is tried',
		days: [
			{
				rows: ['1', '2', '3'].map((execution) =>
					underWay(`R${execution}`, `${execution}00`, day(1, -600), { execution }),
				),
				balance: '999600.00',
			},
		],
		expected: ['not explained -400.00 2026-01-02'],
	},
	{
		name: 'all open items together are the difference',
		days: [
			{
				rows: [
					...['1', '2', '3'].map((execution) =>
						underWay(`R${execution}`, `${execution}00`, day(1, -600), { execution }),
					),
					deposit('d1', '50', day(0, 60), { status: 'pending' }),
				],
				balance: '999450.00',
			},
		],
		expected: ['open items -550.00'],
	},
	{
		name: 'a payment without an answer explains for three days',
		days: [
			{ rows: lost('P1', '1000', day(0, 60)), balance: '999000.00' },
			{ balance: '999000.00' },
			{ balance: '999000.00' },
			{ balance: '999000.00' },
		],
		expected: [
			'open items -1000.00',
			'open items -1000.00',
			'open items -1000.00',
			'not explained -1000.00 2026-01-05',
		],
	},
	{
		name: 'a person decides that it was not paid, and the money is gone',
		days: [
			{ rows: lost('P1', '1000', day(0, 60)), balance: '999000.00' },
			{ rows: [decided('P1', 'notSent', day(1, 60))], balance: '999000.00' },
		],
		expected: ['open items -1000.00', 'not explained -1000.00 2026-01-03'],
	},
	{
		name: 'a payment without an answer is found paid by the next run',
		days: [
			{
				rows: [
					...lost('P1', '1000', day(0, 60)),
					underWay('P1', '1000', day(0, 90), { execution: '2' }),
					underWay('P1', '1000', day(0, 91), { execution: '2', result: 'alreadyPaid' }),
				],
				balance: '999000.00',
			},
		],
		expected: ['reconciled 0.00'],
	},
	{
		name: 'a payment has no answer of two runs, and a person calls it paid: it counts from the first of them',
		days: [
			// Beside it, 30 are gone, and booked on the next day.
			{ rows: [underWay('P1', '500', day(0, 60))], balance: '999470.00' },
			{
				rows: [
					...lost('P1', '500', day(1, 60), { execution: '2' }),
					decided('P1', 'paid', day(1, 120)),
					correction('NGN', '-30', day(1, 130)),
					...lost('P2', '700', day(2, -300), { execution: '3' }),
				],
				balance: '998770.00',
			},
		],
		expected: ['not explained -530.00 2026-01-02', 'open items -700.00'],
	},
	{
		name: 'a payment is found paid, and no row says when',
		days: [
			{
				rows: [underWay('P1', '1000', day(0, 91), { execution: '2', result: 'alreadyPaid' })],
				balance: '999000.00',
			},
			{ balance: '1000000.00' },
		],
		expected: ['open items -1000.00', 'reconciled 0.00'],
	},
	{
		name: 'a crypto payment without an answer left with its fee, and its update decides',
		asset: 'USDT',
		before: [...USDT, ...seenFee],
		days: [
			{ rows: lostCoins('C1', '20', day(0, 60)), balance: '99979' },
			{ rows: [update('c1', '20', day(1, 60))], balance: '99979' },
		],
		expected: ['open items -21', 'reconciled 0'],
	},
	{
		name: 'a crypto payment without an answer has failed',
		asset: 'USDT',
		days: [
			{
				rows: [
					...lostCoins('C1', '20', day(0, 60)),
					update('c1', '20', day(0, 90), { status: 'failed', fee: '' }),
				],
				balance: '100000',
			},
		],
		expected: ['reconciled 0'],
	},
	{
		name: 'a crypto payout is paid by its row, and has not left',
		asset: 'USDT',
		days: [
			{ rows: cryptoPayout('C1', '20', day(0, 60)), balance: '100000' },
			{ rows: [update('po_C1', '20', day(1, 60))], balance: '99979' },
		],
		expected: ['open items 20', 'reconciled 0'],
	},
	{
		name: 'a fiat payout is paid by its row, and has not left',
		days: [{ rows: payout('P1', '40', day(0, 60)), balance: '1000000.00' }, { balance: '999960.00' }],
		expected: ['not explained 40.00 2026-01-02', 'reconciled 0.00'],
	},
	{
		name: 'a crypto payout fails and comes back',
		asset: 'USDT',
		days: [
			{ rows: cryptoPayout('C1', '20', day(0, 60)), balance: '99980' },
			{ rows: [update('po_C1', '20', day(1, 60), { status: 'failed', fee: '' })], balance: '100000' },
		],
		expected: ['reconciled 0', 'reconciled 0'],
	},
	{
		name: 'a payout was successful and then failed, and the money did not come back',
		asset: 'USDT',
		days: [
			{
				rows: [
					...cryptoPayout('C1', '20', day(0, 60)),
					update('po_C1', '20', day(0, 70), { fee: '0' }),
					update('po_C1', '20', day(0, 90), { status: 'failed', fee: '' }),
				],
				balance: '99980',
			},
			{ balance: '99980' },
			{ balance: '99980' },
			{ balance: '99980' },
		],
		expected: ['open items -20', 'open items -20', 'open items -20', 'not explained -20 2026-01-05'],
	},
	{
		name: 'a fiat payout comes back, and a person writes that it failed',
		days: [
			{ rows: payout('P1', '40', day(0, 60)), balance: '1000000.00' },
			{
				rows: [typed({ ...fiat, reference: 'po_P1', status: 'failed', time: day(0, 600) })],
				balance: '1000000.00',
			},
		],
		expected: ['not explained 40.00 2026-01-02', 'reconciled 0.00'],
	},
	{
		name: 'a deposit is taken back',
		days: [
			{ rows: [deposit('d1', '100', day(0, 60))], balance: '1000100.00' },
			{ rows: [deposit('d1', '100', day(1, 60), { status: 'reversed' })], balance: '1000000.00' },
		],
		expected: ['reconciled 0.00', 'reconciled 0.00'],
	},
	{
		name: 'a part of a deposit is taken back',
		days: [
			{
				rows: [deposit('d1', '100', day(0, 60)), deposit('d1', '30', day(0, 90), { status: 'reversed' })],
				balance: '1000070.00',
			},
		],
		expected: ['reconciled 0.00'],
	},
	{
		name: 'a pending deposit counts once it is successful, and an event comes twice',
		days: [
			{ rows: [deposit('d1', '100', day(0, 60), { status: 'pending' })], balance: '1000000.00' },
			{ rows: [deposit('d1', '100', day(1, 60)), deposit('d1', '100', day(1, 61))], balance: '1000100.00' },
		],
		expected: ['reconciled 0.00', 'reconciled 0.00'],
	},
	{
		name: 'two outputs of one transaction pay one wallet',
		asset: 'USDT',
		days: [
			{
				rows: ['10', '25'].map((amount) =>
					deposit('tx', amount, day(0, 60), { kind: 'crypto deposit', asset: 'USDT', counterpart: 'w' }),
				),
				balance: '100035',
			},
		],
		expected: ['reconciled 0'],
	},
	{
		name: 'an event that was lost is booked two days later',
		days: [
			{ balance: '1000100.00' },
			{ balance: '1000100.00' },
			{ rows: [correction('NGN', '100', day(0, 60))], balance: '1000100.00' },
		],
		expected: ['not explained 100.00 2026-01-02', 'not explained 100.00 2026-01-02', 'reconciled 0.00'],
	},
	{
		name: 'a loss that stood is not explained by a payment that began later',
		days: [...gone(2), { rows: [underWay('P1', '500000', day(2, 60))], balance: '500000.00' }],
		expected: [
			'not explained -500000.00 2026-01-02',
			'not explained -500000.00 2026-01-02',
			'not explained -500000.00 2026-01-02',
		],
	},
	{
		name: 'a payment that began after a loss is not its cause on any later day, old as it becomes',
		days: [
			{ balance: '999000.00' },
			{ rows: lost('A', '1000', day(1, 360)), balance: '999000.00' },
			...times(4, { balance: '999000.00' }),
		],
		expected: times(6, 'not explained -1000.00 2026-01-02'),
	},
	{
		name: 'a deposit that became pending after money had come is not its cause on any later day',
		days: [
			{ balance: '1005000.00' },
			{ rows: [deposit('d1', '5000', day(1, 360), { status: 'pending' })], balance: '1005000.00' },
			...times(2, { balance: '1005000.00' }),
		],
		expected: times(4, 'not explained 5000.00 2026-01-02'),
	},
	{
		name: 'the run of a payment that is unknown began after a loss; one before it was held',
		days: [
			{ rows: [underWay('A', '1000', day(0, 360), { result: 'notSent' })], balance: '999000.00' },
			{ rows: lost('A', '1000', day(1, 360), { execution: '2' }), balance: '999000.00' },
		],
		expected: times(2, 'not explained -1000.00 2026-01-02'),
	},
	{
		name: 'the run of a payment that is unknown began after a loss; a person denied the one before it',
		days: [
			{
				rows: [...lost('A', '1000', day(0, 60)), decided('A', 'notSent', day(0, 120))],
				balance: '999000.00',
			},
			{ rows: lost('A', '1000', day(1, 360), { execution: '2' }), balance: '999000.00' },
		],
		expected: times(2, 'not explained -1000.00 2026-01-02'),
	},
	{
		name: 'a deposit of the day before a loss is contradicted after it',
		days: [
			{ rows: [deposit('d1', '1000', day(0, 360))], balance: '1000000.00' },
			{ rows: [deposit('d1', '1000', day(1, 360), { status: 'charged_back' })], balance: '1000000.00' },
		],
		expected: times(2, 'not explained -1000.00 2026-01-02'),
	},
	{
		name: 'a person has deleted the opening to begin anew: the days of the old series are not counted',
		before: [
			...[1, 2].map((days) =>
				row({
					kind: 'reconciliation',
					asset: 'NGN',
					amount: '999000.00',
					time: day(days),
					status: 'not explained',
				}),
			),
			typed({ kind: 'opening', asset: 'NGN', amount: '999000', time: day(2, 60) }),
		],
		days: [{ balance: '998000.00', time: day(3) }],
		expected: ['not explained -1000.00 2026-01-04'],
	},
	{
		name: 'a loss that a correction booked, and a payment of its amount that is under way then',
		days: [
			...gone(1),
			{
				rows: [correction('NGN', '-500000', day(1, 60)), underWay('P1', '500000', day(1, 90))],
				balance: '0.00',
			},
		],
		expected: ['not explained -500000.00 2026-01-02', 'open items -500000.00'],
	},
	{
		name: 'a late row explains what stood, and a new payment is under way',
		days: [
			{ balance: '999960.00' },
			{ rows: [...payout('P1', '40', day(0, 60)), underWay('P2', '70', day(1, 60))], balance: '999890.00' },
		],
		expected: ['not explained -40.00 2026-01-02', 'open items -70.00'],
	},
	{
		name: '3 vanish among fees that are not reported: told when those are in, whatever is missing then',
		asset: 'USDT',
		before: [...USDT, ...seenFee],
		days: [
			{ rows: ['1', '2', '3', '4'].flatMap((key) => cryptoPayout(key, '20', day(0, 60))), balance: '99916' },
			{
				rows: [
					...['1', '2', '3', '4'].map((key) => update(`po_${key}`, '20', day(1, 60), { fee: '0.25' })),
					...['5', '6', '7', '8'].flatMap((key) => cryptoPayout(key, '20', day(1, 60))),
				],
				balance: '99835',
			},
		],
		expected: ['open items -4', 'not explained -4.00 2026-01-03'],
	},
	{
		name: 'a loss is booked, and the fee that was missing beside it is missing beside a new one',
		asset: 'USDT',
		before: [...USDT, ...seenFee],
		days: [
			{ rows: cryptoPayout('1', '20', day(0, 60)), balance: '98979' },
			{
				rows: [correction('USDT', '-1000', day(1, 60)), ...cryptoPayout('2', '20', day(1, 90))],
				balance: '98958',
			},
		],
		expected: ['not explained -1001 2026-01-02', 'open items -2'],
	},
	{
		name: 'what stood has come by a late event, and a payment without an answer has gone',
		asset: 'USDT',
		before: [...USDT, ...seenFee],
		days: [
			{ balance: '100005' },
			{
				rows: [
					deposit('d1', '5', day(1, 60), { kind: 'crypto deposit', asset: 'USDT', counterpart: 'w' }),
					...lostCoins('C1', '20', day(1, 90)),
				],
				balance: '99985',
			},
		],
		expected: ['not explained 5 2026-01-02', 'open items -20'],
	},
	{
		name: 'what stood has gone by a late event, and a fee is missing the same way',
		asset: 'USDT',
		before: [...USDT, ...seenFee],
		days: [
			{ balance: '99960' },
			{
				rows: [
					row({
						kind: 'admin debit',
						asset: 'USDT',
						key: 'a',
						reference: 'a',
						amount: '-40',
						time: day(1, 60),
						status: 'successful',
					}),
					...cryptoPayout('C1', '20', day(1, 90)),
				],
				balance: '99939',
			},
		],
		expected: ['not explained -40 2026-01-02', 'open items -1'],
	},
	{
		name: 'what was under way at a reading was not paid and is back, and another payment is under way',
		days: [
			{ rows: [underWay('P1', '1000', day(1, -5))], balance: '999000.00' },
			{
				rows: [decided('P1', 'notSent', day(1, 60)), underWay('P2', '2000', day(2, -5))],
				balance: '998000.00',
			},
		],
		expected: ['open items -1000.00', 'open items -2000.00'],
	},
	{
		name: 'a deposit of the very time of the opening is in it',
		days: [{ rows: [deposit('d1', '5', day(0))], balance: '1000000.00' }],
		expected: ['reconciled 0.00'],
	},
	{
		name: 'a correction names a payment without an answer, and a second loss of its amount is no open item',
		days: [
			{
				rows: [...lost('P1', '1000', day(0, 60)), correction('NGN', '-1000', day(0, 90), 'P1')],
				balance: '999000.00',
			},
			{ balance: '998000.00' },
		],
		expected: ['reconciled 0.00', 'not explained -1000.00 2026-01-03'],
	},
	{
		name: 'a correction of another currency, or from before a payment, does not end it',
		days: [
			{
				rows: [
					correction('NGN', '-5', day(0, 30), 'salary'),
					correction('USDT', '-1', day(0, 90), 'salary'),
					...lost('salary', '1000', day(0, 60)),
				],
				balance: '998995.00',
			},
		],
		expected: ['open items -1000.00'],
	},
	{
		name: 'a correction from before a run does not end it, though it knows the key',
		days: [
			{
				rows: [
					underWay('salary', '1000', day(0, 10), { result: 'notSent' }),
					correction('NGN', '-5', day(0, 30), 'salary'),
					...lost('salary', '1000', day(0, 60), { execution: '2' }),
				],
				balance: '998995.00',
			},
		],
		expected: ['open items -1000.00'],
	},
	{
		name: 'a correction of a time before the opening ends nothing that began since, whenever it was written',
		days: [
			{
				rows: [
					...lost('A', '1000', day(0, 60)),
					{ ...correction('NGN', '-1000', day(-9), 'A'), createdAt: day(0, 90) },
				],
				balance: '999000.00',
			},
		],
		expected: ['open items -1000.00'],
	},
	{
		name: 'a key of two workflows: the correction books the payment of its amount, and the other one stays open',
		days: [
			{
				rows: [
					...lost('K', '100', day(0, 60)),
					...lost('K', '70', day(0, 70), { workflow: 'wf9 x' }),
					correction('NGN', '-100', day(0, 90), 'K'),
				],
				balance: '999900.00',
			},
			{ balance: '999830.00' },
		],
		expected: ['reconciled 0.00', 'open items -70.00'],
	},
	{
		name: 'a person said that a payment was not sent, and the service says that it was',
		asset: 'USDT',
		days: [
			{
				rows: [
					...lostCoins('A', '100', day(0, 60)),
					decided('A', 'notSent', day(0, 90), { ...COINS }),
					update('x', '100', day(0, 120)),
				],
				balance: '99899',
			},
		],
		expected: ['open items -101'],
	},
	{
		name: 'a list that is run again each day, and is held by its keys, makes nothing younger',
		days: [
			{ rows: lost('A', '100', day(0, 60)), balance: '999900.00' },
			...[1, 2, 3].map((days) => ({
				rows: [
					underWay('A', '100', day(days, 60), { execution: `r${days}` }),
					underWay('A', '100', day(days, 61), { execution: `r${days}`, result: 'notSent' }),
				],
				balance: '999900.00',
			})),
		],
		expected: [...times(3, 'open items -100.00'), 'not explained -100.00 2026-01-05'],
	},
	{
		name: 'a payment from before the book is found paid each day, and its amount vanishes later',
		days: [
			...[0, 1, 2, 3].map((days) => ({
				rows: [underWay('A', '1000', day(days, 60), { execution: `${days}`, result: 'alreadyPaid' })],
				balance: '1000000.00',
			})),
			{ balance: '999000.00' },
		],
		expected: [...times(4, 'reconciled 0.00'), 'not explained -1000.00 2026-01-06'],
	},
	{
		name: 'an output of a transaction has come, and a larger one has failed',
		asset: 'USDT',
		days: [
			{
				rows: [
					deposit('tx', '5', day(0, 60), { kind: 'crypto deposit', asset: 'USDT', counterpart: 'w' }),
					deposit('tx', '7', day(0, 61), {
						kind: 'crypto deposit',
						asset: 'USDT',
						counterpart: 'w',
						status: 'failed',
					}),
				],
				balance: '100005',
			},
		],
		expected: ['reconciled 0'],
	},
	{
		name: 'fees in another coin: one that is late is open there, and no loss beside it',
		asset: 'TRX',
		before: [
			opening('TRX', '1000'),
			...cryptoPayout('old', '10', day(-1)),
			update('po_old', '10', day(-1, 5), { fee: '3', feeAsset: 'TRX' }),
		],
		days: [
			{
				rows: [...cryptoPayout('C1', '20', day(0, 60)), update('po_C1', '20', day(0, 65), { fee: '' })],
				balance: '997',
			},
			{ balance: '996' },
		],
		expected: ['open items -3', 'not explained -4 2026-01-03'],
	},
	{
		name: 'fees in another coin: a payout in the first coin has none that is missing',
		asset: 'USDT',
		before: [
			...USDT,
			...cryptoPayout('old', '10', day(-1)),
			update('po_old', '10', day(-1, 5), { fee: '3', feeAsset: 'TRX' }),
		],
		days: [
			{
				rows: [...cryptoPayout('C1', '20', day(0, 60)), update('po_C1', '20', day(0, 65), { fee: '' })],
				balance: '99977',
			},
		],
		expected: ['not explained -3 2026-01-02'],
	},
	{
		name: 'a person types an opening with more digits than the service shows: a deposit is still rounded',
		asset: 'USDT',
		before: [typed({ kind: 'opening', asset: 'USDT', amount: '100000.00000000', time: day(0) })],
		days: [
			{
				rows: [
					deposit('d1', '1.00000049', day(0, 60), {
						kind: 'crypto deposit',
						asset: 'USDT',
						counterpart: 'w',
					}),
				],
				balance: '100001',
			},
		],
		expected: ['reconciled -0.00000049'],
	},
	{
		name: 'a loss is half booked',
		days: [...gone(1), { rows: [correction('NGN', '-200000', day(1, 60))], balance: '500000.00' }],
		expected: ['not explained -500000.00 2026-01-02', 'not explained -300000.00 2026-01-02'],
	},
	{
		name: 'what vanished is back, and vanishes again',
		days: [...gone(1), { balance: '1000000.00' }, ...gone(1)],
		expected: [
			'not explained -500000.00 2026-01-02',
			'reconciled 0.00',
			'not explained -500000.00 2026-01-04',
		],
	},
	{
		name: 'a correction from before the opening does not count',
		days: [{ rows: [correction('NGN', '-100', day(-1))], balance: '1000000.00' }],
		expected: ['reconciled 0.00'],
	},
	{
		name: 'two conversions without an answer, and one was made',
		asset: 'USDT',
		days: [
			{
				rows: ['F1', 'F2'].flatMap((key) => [
					row({
						kind: 'conversion',
						key,
						asset: 'USDT',
						amount: '-100',
						time: day(0, 60),
						result: 'unknown',
						execution: key,
					}),
					row({ kind: 'conversion', key, asset: 'NGN', time: day(0, 60), result: 'unknown', execution: key }),
				]),
				balance: '99900',
			},
		],
		expected: ['open items -100'],
	},
	{
		name: 'a conversion brings more digits than the balance shows',
		days: [
			{
				rows: [
					row({
						kind: 'conversion',
						key: 'F1',
						reference: 'itx',
						asset: 'NGN',
						amount: '154000.1234',
						time: day(0, 60),
						result: 'paid',
					}),
				],
				balance: '1154000.12',
			},
		],
		expected: ['reconciled -0.0034'],
	},
	{
		name: 'a cent is gone',
		days: [{ rows: payout('P1', '40', day(0, 60)), balance: '999959.99' }],
		expected: ['not explained -0.01 2026-01-02'],
	},
	{
		name: 'a person types a new opening to hide a loss',
		days: [
			...gone(1),
			{
				rows: [typed({ kind: 'opening', asset: 'NGN', amount: '500000', time: day(1, 60) })],
				balance: '500000.00',
			},
		],
		expected: ['not explained -500000.00 2026-01-02', 'not explained -500000.00 2026-01-02'],
	},
	{
		name: 'the day of the workflow is another one than that of UTC',
		days: [
			{ balance: '1000000.00', time: '2026-01-02T22:30:00.000Z' },
			{ balance: '999999.00', time: '2026-01-02T23:30:00.000Z' },
		],
		settings: { timeZone: 'Africa/Lagos' },
		expected: ['reconciled 0.00', 'not explained -1.00 2026-01-03'],
	},
];
