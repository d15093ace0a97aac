/** Which rows of the book are one movement, and which of them counts: nodes/WalletServiceDesk/book/fold.ts. */
import type { IDataObject } from 'n8n-workflow';

import { fold } from '../../nodes/WalletServiceDesk/book/fold.ts';
import type { Movement } from '../../nodes/WalletServiceDesk/book/movement.ts';
import {
	at,
	COINS,
	correction,
	cryptoPayout,
	day,
	deposit,
	payout,
	read,
	row,
	typed,
	update,
} from './bookRows.ts';
import type { Cells } from './bookRows.ts';

const NOW = day(30);
const folded = (...items: Array<IDataObject | IDataObject[]>) => fold(read(items.flat()), NOW);

/** State, amount and the minute from which it counts. */
const said = ({ state, amount, from }: Movement) =>
	[state, amount, ...(state === 'made' ? [(Date.parse(from) - Date.parse(at(0))) / 60_000] : [])].join(' ');
const movements = (...items: Array<IDataObject | IDataObject[]>) => folded(...items).movements.map(said);

/** One row of the payment INV-7, 40 NGN, in a run. */
const of = (result: string, minute: number, execution: string, cells: Cells = {}): IDataObject =>
	row({
		key: 'INV-7',
		kind: 'fiat payout',
		asset: 'NGN',
		amount: '-40',
		counterpart: 'supplier-main',
		time: at(minute),
		result,
		execution,
		...cells,
	});
const byPerson = (result: string, minute: number, cells: Cells = {}): IDataObject =>
	of(result, minute, '', { workflow: '', ...cells });
const lost = [of('under way', 0, '1'), of('unknown', 5, '1')];

const ONE_PAYMENT: Array<[story: string, rows: IDataObject[], expected: string[]]> = [
	['paid, from its row before it was sent', payout('A', '40', at(0)), ['made -40 0']],
	['only its result', [of('paid', 5, '1')], ['made -40 5']],
	['under way', [of('under way', 0, '1')], ['no answer -40']],
	['unknown', lost, ['no answer -40']],
	['rejected', [of('under way', 0, '1'), of('rejected', 1, '1')], ['not made -40']],
	['unknown, then refused by a later run', [...lost, of('rejected', 60, '2')], ['not made -40']],
	[
		'unknown, then held by a limit',
		[...lost, of('under way', 60, '2'), of('notSent', 61, '2')],
		['no answer -40'],
	],
	['unknown, and held in the same run', [...lost, of('notSent', 6, '1')], ['no answer -40']],
	['under way, then held in its run', [of('under way', 0, '1'), of('notSent', 1, '1')], ['not made -40']],
	['held, and only then under way', [of('notSent', 0, '1'), of('under way', 9, '2')], ['no answer -40']],
	[
		'unknown, then found paid',
		[...lost, of('under way', 60, '2'), of('alreadyPaid', 61, '2')],
		['made -40 0'],
	],
	[
		'found paid, and nobody says when',
		[of('under way', 60, '2'), of('alreadyPaid', 61, '2')],
		['paid before -40'],
	],
	[
		'a run that sent nothing does not say when',
		[of('under way', 0, '1'), of('notSent', 1, '1'), of('alreadyPaid', 61, '2')],
		['paid before -40'],
	],
	['a person says that it was paid', [...lost, byPerson('paid', 600)], ['made -40 0']],
	['a person says that it was not paid', [...lost, byPerson('notSent', 600)], ['not made -40']],
	[
		'a person, and then a run that pays',
		[...lost, byPerson('notSent', 60), of('paid', 90, '2')],
		['made -40 90'],
	],
	[
		'a person, and then a run without an answer',
		[...lost, byPerson('notSent', 60), of('unknown', 90, '2')],
		['no answer -40'],
	],
	[
		'a person writes the ID, and no amount',
		[...lost, byPerson('paid', 9, { amount: '', reference: 'po_7' })],
		['made -40 0'],
	],
	[
		'a person writes the key in another way',
		[...lost, byPerson('Paid', 9, { key: ' inv–7 ' })],
		['made -40 0'],
	],
	['a payment of a person alone', [byPerson('paid', 9)], ['made -40 9']],
	[
		'a run that began later does not say when it was paid before',
		[of('alreadyPaid', 10, '2'), of('under way', 20, '3')],
		['paid before -40'],
	],
	['a dry run', [of('dryRun', 0, '1')], ['not made -40']],
	['a word that nobody knows', [of('perhaps', 0, '1')], ['no answer -40']],
	['a payout of a person without a result', [byPerson('', 0)], ['no answer -40']],
	['paid beats a later refusal', [of('paid', 0, '1'), of('rejected', 9, '2')], ['made -40 0']],
	[
		'the same payment by a renamed workflow',
		[...lost, of('paid', 90, '2', { workflow: 'wf1 renamed' })],
		['made -40 90'],
	],
	[
		'another workflow with the same key',
		[...lost, of('paid', 90, '2', { workflow: 'wf9 a copy' })],
		['no answer -40', 'made -40 90'],
	],
	[
		'two references under one key',
		[of('paid', 0, '1', { reference: 'po_1' }), of('paid', 9, '2', { reference: 'po_2' })],
		['made -40 0', 'made -40 9'],
	],
	[
		'a row without a reference belongs to the payment of its execution',
		[
			of('paid', 5, '1', { reference: 'po_1' }),
			of('under way', 8, '2'),
			of('paid', 9, '2', { reference: 'po_2' }),
			of('under way', 0, '1'),
		],
		['made -40 0', 'made -40 8'],
	],
	[
		'rows of two keys and one reference',
		[of('paid', 0, '1', { reference: 'x' }), byPerson('paid', 9, { key: 'K', reference: 'x' })],
		['made -40 0'],
	],
	[
		'a person decides a key of two workflows: the payment without an answer is meant',
		[
			...payout('K', '40', at(0)),
			...[of('under way', 5, '2'), of('unknown', 6, '2')].map((each) => ({
				...each,
				key: 'K',
				workflow: 'wf9 x',
			})),
			byPerson('paid', 9, { key: 'K', amount: '' }),
		],
		['made -40 0', 'made -40 5'],
	],
	[
		'a person decides a key of two workflows: the payment of the amount is meant',
		[
			of('unknown', 0, '1'),
			of('unknown', 5, '2', { workflow: 'wf9 x', amount: '-70' }),
			byPerson('paid', 9, { amount: '70.00' }),
		],
		['no answer -40', 'made -70.00 5'],
	],
	[
		'a person decides a key of two workflows twice: one payment is meant',
		[
			of('unknown', 0, '1'),
			of('unknown', 5, '2', { workflow: 'wf9 x' }),
			...[9, 10].map((minute) => byPerson('paid', minute, { amount: '' })),
		],
		['made -40 0', 'no answer -40'],
	],
	[
		'a person denies a run, and the next one has no answer and is then found paid',
		[...lost, byPerson('notSent', 60), of('unknown', 90, '2'), of('alreadyPaid', 95, '3')],
		['made -40 90'],
	],
	[
		'rows that name nothing',
		[byPerson('paid', 0, { key: '' }), byPerson('paid', 9, { key: '' })],
		['made -40 0', 'made -40 9'],
	],
];

test.each(ONE_PAYMENT)('a payment: %s', (_story, rows, expected) => {
	expect(movements(rows)).toEqual(expected);
	expect(movements(rows.toReversed())).toEqual(expected);
	expect(movements([...rows, ...rows])).toEqual(expected);
});

const crypto = (key: string, minute: number, cells: Cells = {}) =>
	row({ ...COINS, key, amount: '-20', time: at(minute), result: 'unknown', ...cells });

const UPDATES: Array<[story: string, rows: IDataObject[], expected: string[]]> = [
	[
		'an update of its reference',
		[...cryptoPayout('A', '20', at(0)), update('po_A', '20', at(9))],
		['made -20 0'],
	],
	['a success decides', [crypto('A', 0), update('po_1', '20', at(9))], ['made -20 0']],
	[
		'a failure decides',
		[crypto('A', 0), update('po_1', '20', at(9), { status: 'failed' })],
		['not made -20'],
	],
	['its fee is in its amount', [crypto('A', 0), update('po_1', '21', at(9))], ['made -20 0']],
	[
		'another spelling of the wallet',
		[crypto('A', 0), update('po_1', '20.00', at(9), { counterpart: 'Treasury ' })],
		['made -20 0'],
	],
	[
		'the oldest of two',
		[crypto('A', 0), crypto('B', 1), update('po_1', '20', at(9))],
		['made -20 0', 'no answer -20'],
	],
	[
		'two updates of two payments',
		[crypto('A', 0), crypto('B', 1), update('po_1', '20', at(9)), update('po_2', '20', at(9))],
		['made -20 0', 'made -20 1'],
	],
	[
		'a third of two',
		[crypto('A', 0), ...['1', '2'].map((id) => update(id, '20', at(9)))],
		['made -20 0', 'not ordered -20'],
	],
	['after seven days', [crypto('A', 0), update('po_1', '20', day(7))], ['made -20 0']],
	[
		'after more than seven days',
		[crypto('A', 0), update('po_1', '20', day(7, 1))],
		['no answer -20', 'not ordered -20'],
	],
	['an hour before its row', [crypto('A', 60), update('po_1', '20', at(0))], ['made -20 60']],
	[
		'more than an hour before its row',
		[crypto('A', 61), update('po_1', '20', at(0))],
		['not ordered -20', 'no answer -20'],
	],
	[
		'of a payment that was refused',
		[crypto('A', 0, { result: 'rejected' }), update('1', '20', at(9))],
		['not made -20', 'not ordered -20'],
	],
	[
		'of a payment that a person denied',
		[
			crypto('A', 0),
			typed({ kind: 'crypto payout', key: 'A', result: 'notSent', time: at(5) }),
			update('1', '20', at(9)),
		],
		['not made -20'],
	],
	[
		'of a payment that may have been made, before one that a person denied',
		[
			crypto('A', 0),
			typed({ kind: 'crypto payout', key: 'A', result: 'notSent', time: at(5) }),
			crypto('B', 6),
			update('1', '20', at(9)),
		],
		['not made -20', 'made -20 6'],
	],
	[
		'of a payment that a person wrote as not sent, and that no run sent',
		[crypto('A', 0, { workflow: '', execution: '', result: 'notSent' }), update('1', '20', at(9))],
		['not made -20', 'not ordered -20'],
	],
	[
		'of another wallet',
		[crypto('A', 0), update('1', '20', at(9), { counterpart: 'x' })],
		['no answer -20', 'not ordered -20'],
	],
];

test.each(UPDATES)('an update: %s', (_story, rows, expected) => {
	expect(movements(rows)).toEqual(expected);
	expect(movements(rows.toReversed())).toEqual(expected);
	expect(movements([...rows, ...rows])).toEqual(expected);
});

/** The same without words: state, amount, what comes back, and what contradicts. */
const parts = (...items: Array<IDataObject | IDataObject[]>) =>
	folded(...items).movements.map(({ state, amount, back, others }) => [
		state,
		amount,
		back?.amount ?? '',
		...others.map((part) => part.amount),
	]);

const told = (status: string, minute: number, amount = '100', cells: Cells = {}) =>
	deposit('d1', amount, at(minute), { status, ...cells });
const bitcoin = (amount: string, cells: Cells = {}) =>
	deposit('tx1', amount, at(0), {
		kind: 'crypto deposit',
		asset: 'BTC',
		counterpart: 'w',
		key: `k${amount}`,
		...cells,
	});

const FINALS: Array<[story: string, rows: IDataObject[], expected: string[][]]> = [
	['pending', [told('pending', 0)], [['pending', '100', '']]],
	['a word that nobody knows', [told('settling', 0)], [['pending', '100', '']]],
	['pending, then successful', [told('pending', 0), told('successful', 9)], [['made', '100', '']]],
	['pending, then failed', [told('pending', 0), told('failed', 9)], [['not made', '100', '']]],
	[
		'successful, then reversed',
		[told('successful', 0), told('reversed', 9)],
		[['made', '100', '-100', '100']],
	],
	['a part was reversed', [told('successful', 0), told('reversed', 9, '30')], [['made', '100', '-30', '30']]],
	['failed, then successful', [told('failed', 0), told('successful', 9)], [['made', '100', '', '-100']]],
	[
		'a success that comes again behind a failure',
		[told('successful', 0), told('failed', 5), told('successful', 9)],
		[['made', '100', '-100', '100']],
	],
	['charged back', [told('successful', 0), told('charged_back', 9)], [['made', '100', '', '-100']]],
	['another amount', [told('successful', 0), told('successful', 9, '120')], [['made', '100', '', '20']]],
	[
		'an amount that nobody can read, then a person',
		[
			told('successful', 0, 'x'),
			typed({ kind: 'deposit', reference: 'd1', asset: 'NGN', amount: '100', time: at(9) }),
		],
		[['made', '100', '']],
	],
	[
		'two outputs for one wallet',
		[bitcoin('1'), bitcoin('2')],
		[
			['made', '1', ''],
			['made', '2', ''],
		],
	],
	[
		'an output for each wallet',
		[bitcoin('1'), bitcoin('1', { counterpart: 'v' })],
		[
			['made', '1', ''],
			['made', '1', ''],
		],
	],
	[
		'a part of an output comes back',
		[bitcoin('2'), bitcoin('1', { status: 'reversed', time: at(9) })],
		[['made', '2', '-1', '1']],
	],
	[
		'a larger amount that has failed is no part of the output that came',
		[bitcoin('5'), bitcoin('7', { status: 'failed', time: at(9) })],
		[
			['made', '5', ''],
			['not made', '7', ''],
		],
	],
	[
		'a payout that a person denied is successful',
		[
			crypto('A', 0),
			typed({ kind: 'crypto payout', key: 'A', result: 'notSent', time: at(5) }),
			update('1', '20', at(9)),
		],
		[['not made', '-20', '', '-20']],
	],
	[
		'a payout fails and comes back',
		[...cryptoPayout('A', '20', at(0)), update('po_A', '20', at(9), { status: 'failed' })],
		[['made', '-20', '20']],
	],
	[
		'a payout that was successful fails',
		[
			...cryptoPayout('A', '20', at(0)),
			update('po_A', '20', at(5)),
			update('po_A', '20', at(9), { status: 'failed' }),
		],
		[['made', '-20', '20', '-20']],
	],
	[
		'a payout that was refused is successful',
		[...cryptoPayout('A', '20', at(0), { result: 'rejected' }), update('po_A', '20', at(5))],
		[['not made', '-20', '', '-20']],
	],
	[
		'both sides of a conversion',
		['-100', '154000'].map((amount) =>
			row({
				kind: 'conversion',
				key: 'FX',
				reference: 'itx',
				asset: amount === '-100' ? 'USDT' : 'NGN',
				amount,
				result: 'paid',
				time: at(0),
			}),
		),
		[
			['made', '154000', ''],
			['made', '-100', ''],
		],
	],
];

test.each(FINALS)('a final state: %s', (_story, rows, expected) => {
	expect(parts(rows)).toEqual(expected);
	expect(parts(rows.toReversed())).toEqual(expected);
});

test('the newest fee counts, and a filled cell beats an empty one', () => {
	const {
		movements: [one],
	} = folded(
		cryptoPayout('A', '20', at(0)),
		update('po_A', '20', at(3), { fee: '0.5', txHash: '0xab' }),
		update('po_A', '20', at(9), { fee: '0.7', feeAsset: '', txHash: '' }),
	);
	expect(one).toMatchObject({
		name: 'A',
		reference: 'po_A',
		fee: '0.7',
		feeAsset: 'USDT',
		txHash: '0xab',
		final: 'successful',
	});
});

test('a fee that comes late with a state that is not final does not count', () => {
	const rows = [
		...cryptoPayout('A', '20', at(0)),
		update('po_A', '20', at(3), { status: 'pending', fee: '0' }),
		update('po_A', '20', at(5)),
		update('po_A', '20', at(9), { status: 'pending', fee: '0' }),
	];
	const feeOf = (...more: IDataObject[]) => folded(rows, more).movements[0]!.fee;
	expect(feeOf()).toBe('1');
	expect(feeOf(typed({ kind: 'crypto payout', reference: 'po_A', fee: '1.5', time: at(20) }))).toBe('1.5');
	expect(folded(rows.slice(0, 3)).movements[0]!.fee).toBe('0');
});

test('a run that a key or a limit held makes nothing newer', () => {
	const newestOf = (...rows: IDataObject[]) => folded(rows).movements[0]!.newest;
	const held = [1, 2].flatMap((days) => [
		of('under way', days * 1440, `${days}`, { execution: `held ${days}` }),
		of(days === 1 ? 'notSent' : 'alreadyPaid', days * 1440 + 1, '', { execution: `held ${days}` }),
	]);
	expect(newestOf(...lost, held[0]!, held[1]!)).toBe(at(5));
	expect(newestOf(...lost, ...held)).toBe(at(5));
	// Nothing else says anything of it: it is as old as its first word.
	expect(newestOf(of('alreadyPaid', 0, '1'), of('alreadyPaid', 1440, '2'))).toBe(at(0));
	expect(newestOf(...lost, of('unknown', 1440, '2'))).toBe(at(1440));
});

describe('a correction', () => {
	const booked = (...items: Array<IDataObject | IDataObject[]>) =>
		folded(...items).movements.map(({ corrections }) => corrections.map(({ amount }) => amount));
	const first = of('unknown', 0, '1', { amount: '-100' });
	const second = of('unknown', 5, '2', { amount: '-70', workflow: 'wf9 x' });

	test.each<[string, IDataObject[], string[][]]>([
		['of the amount of the first', [correction('NGN', '-100', at(60), 'INV-7')], [['-100'], []]],
		['of the amount of the second', [correction('NGN', '-70', at(60), 'INV-7')], [[], ['-70']]],
		['of another amount: the oldest', [correction('NGN', '-5', at(60), 'INV-7')], [['-5'], []]],
		['of each', [60, 61].map((minute) => correction('NGN', '-5', at(minute), 'INV-7')), [['-5'], ['-5']]],
		['of another currency', [correction('USDT', '-100', at(60), 'INV-7')], [[], []]],
		['from between them', [correction('NGN', '-70', at(2), 'INV-7')], [['-70'], []]],
		['from before them', [correction('NGN', '-100', at(-60), 'INV-7')], [[], []]],
		[
			'of a time before them, and written later',
			[{ ...correction('NGN', '-100', at(-60), 'INV-7'), createdAt: at(60) }],
			[['-100'], []],
		],
	])('books one payment of a key that two workflows have: %s', (_name, rows, expected) => {
		expect(booked(first, second, ...rows)).toEqual(expected);
		expect(booked(...rows.toReversed(), second, first)).toEqual(expected);
	});
});

test('a correction belongs to what its reference names, by key or ID', () => {
	const rows = [cryptoPayout('A', '20', at(0)), deposit('d1', '5', at(0))];
	const { movements: all } = folded(
		...rows,
		correction('USDT', '-20', at(9), 'a'),
		correction('NGN', '5', at(9), 'd1'),
	);
	expect(all.map(({ corrections }) => corrections.map(({ amount }) => amount))).toEqual([['-20'], ['5']]);
});

test('rows that count nothing are named', () => {
	const rows = [
		typed({ kind: 'deposit', asset: 'NGN', amount: '1', time: day(31) }),
		typed({ kind: 'deposit', asset: 'NGN', amount: '1' }),
		typed({ kind: 'deposit', asset: 'NGN', amount: '1,5', time: day(1) }),
		typed({ kind: 'bank fee', asset: 'NGN', amount: '1', time: day(1) }),
		typed({ kind: 'correction', asset: 'NGN', time: day(1) }),
	];
	expect(folded(rows).notCounted.map(({ row: { place }, why }) => [place, why])).toEqual([
		[1, 'future'],
		[2, 'time'],
		[4, 'kind'],
		[5, 'amount'],
		[3, 'amount'],
	]);
});

test('two payments of one key are named, and not those of two workflows', () => {
	const pair = (workflow: string) => [
		of('paid', 0, '1', { reference: 'po_1', workflow: 'wf1 x' }),
		of('paid', 9, '2', { reference: 'po_2', workflow }),
	];
	expect(
		folded(pair('wf1 renamed')).sharedKeys.map((same) => same.map(({ reference }) => reference)),
	).toEqual([['po_1', 'po_2']]);
	expect(folded(pair('wf2 x')).sharedKeys).toEqual([]);
});
