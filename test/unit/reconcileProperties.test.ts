/** What holds of Reconcile whatever a book has: by random books, and by large ones. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { add, subtract } from '../../api/exact/decimal.ts';
import {
	at,
	COINS,
	correction,
	cryptoPayout,
	DAY,
	day,
	deposit,
	opening,
	payout,
	row,
	typed,
	update,
} from './bookRows.ts';
import { expectGrowthWith } from './growth.ts';
import { mornings, reconciled } from './reconcileDays.ts';
import type { Morning } from './reconcileDays.ts';

/** What happens in a book, with amounts that repeat, as those of real lists do. `moves`: what it does to the balance of USDT. */
interface Event {
	rows: IDataObject[];
	moves: string;
}

const AMOUNTS = ['100', '100.00', '250', '1000', '0.5'];

/** Events that the book tells of completely. `minute`: within the two days before the reading. */
const told = (kind: number, amount: string, minute: number, id: number): Event => {
	const [key, time, later] = [`K${id}`, at(minute), at(minute + 30)];
	const [out, paid] = [`-${amount}`, cryptoPayout(key, amount, time)];
	const income = { ...COINS, kind: 'crypto deposit', counterpart: `w${id}` };
	const events: Event[] = [
		{ rows: [...paid, update(`po_${key}`, amount, later)], moves: add(out, '-1') },
		{ rows: [...paid, update(`po_${key}`, amount, later, { status: 'failed', fee: '' })], moves: '0' },
		{ rows: [deposit(key, amount, time, income)], moves: amount },
		{
			rows: [
				deposit(key, amount, time, income),
				deposit(key, amount, later, { ...income, status: 'reversed' }),
			],
			moves: '0',
		},
		{
			rows: [
				deposit(key, amount, time, { ...income, status: 'pending' }),
				deposit(key, amount, later, income),
			],
			moves: amount,
		},
		{ rows: cryptoPayout(key, amount, time, { result: 'rejected' }), moves: '0' },
		{
			rows: [
				row({
					kind: 'admin debit',
					asset: 'USDT',
					key,
					reference: key,
					amount: out,
					time,
					status: 'successful',
				}),
			],
			moves: out,
		},
		{
			rows: [
				...cryptoPayout(key, amount, time, { result: 'unknown', reference: '', execution: key }),
				update(`lost_${key}`, amount, later),
			],
			moves: add(out, '-1'),
		},
		{
			rows: [
				row({
					kind: 'conversion',
					asset: 'USDT',
					key,
					reference: `itx_${key}`,
					amount,
					time,
					result: 'paid',
				}),
			],
			moves: amount,
		},
	];
	return events[kind % events.length]!;
};

/** The place of such a deposit among the events. */
const TAKEN_BACK = 3;

const events = fc.array(
	fc.tuple(fc.nat(8), fc.constantFrom(...AMOUNTS), fc.integer({ min: 60, max: 2 * DAY - 60 })),
	{ maxLength: 25 },
);
/** A wallet of its own for each payout, so that nothing but its amount and wallet says whose update it is. */
const bookOf = (drawn: Array<[number, string, number]>) =>
	drawn.map(([kind, amount, minute], id) => told(kind, amount, minute, id));
const rowsOf = (all: Event[]) => [opening('USDT', '100000'), ...all.flatMap(({ rows }) => rows)];
const balanceOf = (all: Event[]) => all.reduce((sum, { moves }) => add(sum, moves), '100000');
const NOW = day(2);

test('a complete book is reconciled, and what vanishes beside it is not explained, to the last digit', () => {
	fc.assert(
		fc.property(events, fc.constantFrom('100', '0.000001', '1', '77777'), (drawn, loss) => {
			// Without deposits that are taken back: two final words are an open item.
			const all = bookOf(drawn.filter(([kind]) => kind !== TAKEN_BACK));
			const balance = balanceOf(all);
			const [calm] = reconciled(rowsOf(all), { USDT: balance }, NOW).balances;
			expect(calm).toMatchObject({ verdict: 'reconciled', openItems: [] });
			const [robbed] = reconciled(rowsOf(all), { USDT: subtract(balance, loss) }, NOW).balances;
			expect([robbed!.verdict, Number(robbed!.difference)]).toEqual(['not explained', -Number(loss)]);
		}),
	);
});

/** Rows of the table have numbers, and rows that stand twice have two. Of what people type, each row counts. */
const twice = (items: IDataObject[]) =>
	[...items, ...items.filter(({ workflow }) => workflow !== '')].map((item, index) => ({
		...item,
		id: index + 1,
	}));

/** Books in which something is open, too: under way, late, lost or gone. */
const open = fc.tuple(
	events,
	fc.array(fc.constantFrom(...AMOUNTS), { maxLength: 4 }),
	fc.constantFrom('0', '-100', '-1', '250', '-1000', '-333'),
);
const openRows = (drawn: Array<[number, string, number]>, underWay: string[]) => [
	...rowsOf(bookOf(drawn)),
	...underWay.map((amount, index) =>
		row({ ...COINS, key: `U${index}`, amount: `-${amount}`, time: day(2, -5), result: 'under way' }),
	),
	correction('USDT', '5', day(1)),
	row({
		kind: 'reconciliation',
		asset: 'USDT',
		amount: '99990',
		time: day(1),
		reference: '-10',
		status: 'not explained',
	}),
];

test('rows in any order, and rows that stand twice, give the same answer', () => {
	fc.assert(
		fc.property(
			open.chain(([drawn, underWay, gone]) => {
				const rows = openRows(drawn, underWay);
				return fc.tuple(
					fc.constant(rows),
					fc.shuffledSubarray(rows, { minLength: rows.length }),
					fc.constant(add(balanceOf(bookOf(drawn)), gone)),
				);
			}),
			([rows, shuffled, balance]) => {
				const answer = (items: IDataObject[]) => {
					const { subject, balances, rows: inserted } = reconciled(items, { USDT: balance }, NOW);
					return { subject, balances, inserted };
				};
				const expected = answer(rows);
				expect(answer(shuffled)).toEqual(expected);
				expect(answer(twice(shuffled))).toEqual(expected);
			},
		),
	);
});

test('the same rows, balances and time give the same answer on another day, and nothing is changed', () => {
	fc.assert(
		fc.property(open, ([drawn, underWay, gone]) => {
			const [rows, balance] = [openRows(drawn, underWay), add(balanceOf(bookOf(drawn)), gone)];
			const before = JSON.stringify(rows);
			const onDay = (now: string) => {
				jest.useFakeTimers({ now: new Date(now) });
				return reconciled(rows, { USDT: balance }, NOW);
			};
			expect(onDay('2031-05-05T05:05:05Z')).toEqual(onDay(NOW));
			expect(JSON.stringify(rows)).toBe(before);
		}),
		{ numRuns: 30 },
	);
	jest.useRealTimers();
});

test('whatever stands in the rows, there is an answer', () => {
	const cell = fc.oneof(
		fc.string(),
		fc.constantFrom('', '-5', '1e99', 'paid', 'opening', 'correction', 'crypto payout', 'USDT', day(1)),
	);
	const columns = [
		'key',
		'kind',
		'time',
		'asset',
		'amount',
		'counterpart',
		'details',
		'reference',
		'result',
		'status',
		'fee',
		'feeAsset',
	] as const;
	const rows = fc.array(
		fc.record(Object.fromEntries(columns.map((column) => [column, cell])), { requiredKeys: [] }),
		{ maxLength: 12 },
	);
	fc.assert(
		fc.property(rows, fc.oneof(cell, fc.constant('100')), (drawn, balance) => {
			const items = drawn.map((cells) => typed(cells));
			const { balances, subject } = reconciled([...items, opening('USDT', '100')], { USDT: balance }, NOW);
			expect(subject).toMatch(/^Balances of 3 Jan: ./);
			expect(balances.length).toBeGreaterThan(0);
		}),
	);
});

test('with a payout each ten minutes but for the last hour and a half, the opening is taken on the first day', () => {
	const sent = Array.from({ length: 135 }, (_, index) => {
		const [key, time] = [`K${index}`, at(index * 10)];
		return [...cryptoPayout(key, '20', time), update(`po_${key}`, '20', at(index * 10 + 5), { fee: '' })];
	}).flat();
	const read = (time: string) => reconciled(sent, { USDT: '5000' }, time).balances[0];
	expect(read(at(1340 + 90))).toMatchObject({ verdict: 'reconciled', opening: '5000' });
	expect(read(at(1340 + 59))).toMatchObject({ verdict: 'no opening', opening: '' });
});

test('1,000 payouts without a fee, and 500 that are stolen on day 200: told on day 200', () => {
	const paid = (index: number) =>
		Array.from({ length: 5 }, (__, place) => {
			const [key, minute] = [`K${index}-${place}`, place * 10];
			const later = update(`po_${key}`, '20', day(index, 65 + minute), { fee: '' });
			return [...cryptoPayout(key, '20', day(index, 60 + minute)), later];
		}).flat();
	const days = Array.from({ length: 201 }, (_, index) => paid(index));
	// The balance is read each morning of the last days: what was read before says nothing else.
	const read = [1, 100, 198, 199, 200, 201].map((index, place, all): Morning => {
		const balance = 100_000 - index * 100 - (index >= 200 ? 500 : 0);
		return { rows: days.slice(all[place - 1] ?? 0, index), balance: String(balance), time: day(index) };
	});
	const told = mornings('USDT', [opening('USDT', '100000')], read).map((each) => each.told);
	expect(told.slice(0, 4).map(({ verdict }) => verdict)).toEqual(Array(4).fill('reconciled'));
	const gone = { verdict: 'not explained', difference: '-500', since: day(200).slice(0, 10) };
	expect(told.slice(4)).toMatchObject([gone, gone]);
});

describe('time grows with the rows', () => {
	const payouts = (count: number) =>
		Array.from({ length: count / 2 }, (_, index) =>
			payout(`K${index}`, `${10 + (index % 90)}`, at(index)),
		).flat();
	const lost = (count: number, cells: (index: number) => object = () => ({})) =>
		Array.from({ length: count }, (_, index) =>
			row({
				...COINS,
				key: `L${index}`,
				amount: `-${1 + (index % 7)}`,
				time: at(index % 1000),
				result: 'unknown',
				...cells(index),
			}),
		);

	test.each<[string, (count: number) => IDataObject[]]>([
		['payouts', payouts],
		['payments without an answer', lost],
		[
			'payments without an answer, each of a run',
			(count) => lost(count, (index) => ({ execution: `${Math.floor(index / 12)}`, amount: `-${index}.5` })),
		],
		['rows of one key', (count) => lost(count, () => ({ key: 'K' }))],
		[
			'rows of one key with as many references',
			(count) => lost(count, (index) => ({ key: 'K', reference: `r${index}` })),
		],
		['rows of one ID', (count) => lost(count, (index) => ({ reference: 'r', execution: `${index}` }))],
		['rows of one time', (count) => lost(count, () => ({ time: at(0) }))],
		[
			'lost answers and updates of one amount',
			(count) => [
				...lost(count / 2, () => ({ amount: '-5' })),
				...Array.from({ length: count / 2 }, (_, index) => update(`u${index}`, '5', at(index % 1000))),
			],
		],
		[
			'outputs of one transaction',
			(count) =>
				Array.from({ length: count }, (_, index) =>
					deposit('tx', `${index}`, at(index % 1000), {
						kind: 'crypto deposit',
						asset: 'USDT',
						counterpart: 'w',
					}),
				),
		],
		[
			'corrections',
			(count) =>
				Array.from({ length: count }, (_, index) => correction('USDT', '1', at(index % 1000), `L${index}`)),
		],
		[
			'readings that were not explained',
			(count) =>
				Array.from({ length: count }, (_, index) =>
					row({
						kind: 'reconciliation',
						asset: 'USDT',
						amount: '5',
						time: at(index),
						reference: '-1',
						status: 'not explained',
					}),
				),
		],
		['as many assets as rows', (count) => lost(count / 10, (index) => ({ asset: `A${index}` }))],
		[
			'rows that nobody can read',
			(count) =>
				Array.from({ length: count }, (_, index) =>
					typed({ key: `${index}`, kind: 'x', time: 'y', amount: 'z' }),
				),
		],
	])(
		'%s',
		async (_, make) =>
			await expectGrowthWith(2500, (count) => {
				const items = [opening('USDT', '100000'), opening('NGN', '1000000.00'), ...make(count)];
				return () => reconciled(items, { USDT: '99000', NGN: '5.00' }, day(40));
			}),
	);
});
