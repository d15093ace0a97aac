/** The rows of the book as n8n or a person gives them, and which of them are one movement. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { assetsInBook } from '../../nodes/WalletServiceDesk/book/prove/assetsInBook.ts';
import { BOOK_COLUMNS } from '../../nodes/WalletServiceDesk/book/bookRow.ts';
import type { BookRow } from '../../nodes/WalletServiceDesk/book/bookRow.ts';
import { columnsInWords, readBookRows } from '../../nodes/WalletServiceDesk/book/readBookRows.ts';
import { utcTime } from '../../nodes/WalletServiceDesk/book/bookTime.ts';
import { movementsOf } from '../../nodes/WalletServiceDesk/book/prove/oneMovement.ts';
import type { Payment } from '../../nodes/WalletServiceDesk/book/prove/onePayment.ts';
import { at, balanceRow, coinPayout, deposit, LOST, payout, row, update } from './proofMornings.ts';

describe('rows of a Data Table', () => {
	/** As n8n gives it: null for an empty cell, and three columns of its own. */
	const item = (columns: object = {}): Record<string, unknown> & { createdAt: string } => ({
		...{ id: 1, createdAt: '2026-01-05T08:00:00.000Z', updatedAt: '2026-01-05T09:00:00.000Z' },
		...Object.fromEntries(BOOK_COLUMNS.map((column) => [column, null])),
		...{ key: 'INV-7', kind: 'fiat payout', time: '2026-01-02T07:00:00.000Z', asset: 'NGN', amount: '-40' },
		...{ counterpart: 'supplier-main', reference: 'po_7', result: 'paid', status: 'pending' },
		...columns,
	});
	const read = (...items: object[]) => readBookRows(items as IDataObject[]);
	const readOne = (columns: object) => read(item(columns));

	test('a row is read as it stands, and an empty cell is an empty text', () => {
		expect(read(item())).toEqual({
			rows: [
				row({
					...{ key: 'INV-7', kind: 'fiat payout', time: '2026-01-02T07:00:00.000Z', asset: 'NGN' },
					...{ amount: '-40', counterpart: 'supplier-main', reference: 'po_7', result: 'paid' },
					status: 'pending',
				}),
			],
			...{ notes: [], missingColumns: [] },
		});
	});

	test('other case and spaces are read', () => {
		const written = { kind: ' Fiat  Payout', result: 'Already paid ', asset: ' ngn', status: ' Successful ' };
		expect(readOne({ ...written, key: ' INV-7 ', feeAsset: 'usdt', fee: ' 0.50' })).toMatchObject({
			rows: [
				{
					...{ key: 'INV-7', kind: 'fiat payout', result: 'alreadyPaid', asset: 'NGN', status: 'successful' },
					...{ feeAsset: 'USDT', fee: '0.50' },
				},
			],
			notes: [],
		});
		for (const underWay of ['under way', 'Under Way', 'underWay', 'under_way'])
			expect(readOne({ result: underWay }).rows[0]!.result).toBe('under way');
	});

	test.each([
		['-40', '-40'],
		['40', '-40'],
		['\u221240.50', '-40.50'],
		['+40', '-40'],
		['-4e1', '-40'],
		[-40.5, '-40.5'],
	])('a payout of %j goes out, with or without its minus', (amount, read) => {
		expect(readOne({ amount })).toMatchObject({ rows: [{ amount: read }], notes: [] });
	});

	test('money that comes in keeps its sign', () => {
		expect(readOne({ kind: 'deposit', amount: '40' }).rows[0]!.amount).toBe('40');
		expect(readOne({ kind: 'conversion', amount: '154000' }).rows[0]!.amount).toBe('154000');
		expect(readOne({ kind: 'admin debit', amount: '5' }).rows[0]!.amount).toBe('-5');
	});

	test('a time may have any offset, or none, or be missing', () => {
		for (const [time, read] of [
			['2026-01-02T08:00:00+01:00', '2026-01-02T07:00:00.000Z'],
			['2026-01-02', '2026-01-02T00:00:00.000Z'],
			['2026-01-02 07:30', '2026-01-02T07:30:00.000Z'],
			['1767337200', '2026-01-02T07:00:00.000Z'],
			[new Date('2026-01-02T07:00:00Z'), '2026-01-02T07:00:00.000Z'],
			[null, '2026-01-05T08:00:00.000Z'],
		])
			expect(readOne({ time })).toMatchObject({ rows: [{ time: read }], notes: [] });
		expect(readOne({ time: null, createdAt: new Date('2026-01-05T08:00:00Z') }).rows[0]!.time).toBe(
			'2026-01-05T08:00:00.000Z',
		);
		for (const text of ['02/01/2026', 'yesterday', '9'.repeat(99)]) expect(utcTime(text)).toBe('');
	});

	test.each([
		['kind', 'payot', 'a kind that the book does not know'],
		['result', 'wasPaid', 'a result that the book does not know'],
		['amount', '1,250.50', 'an amount that cannot be read'],
		['fee', '0.5 USDT', 'a fee that cannot be read'],
		['time', '02/01/2026', 'a time that cannot be read'],
		['asset', null, 'no currency or coin'],
	])('an odd %s is named with its row, and the row stays', (column, value, says) => {
		const { rows, notes } = readOne({ [column]: value });
		expect(rows).toHaveLength(1);
		expect(notes).toEqual([expect.stringContaining(says)]);
		expect(notes[0]).toContain('INV-7');
		if (value !== null) expect(notes[0]).toContain(value);
	});

	test('one note tells of many rows, and no cell fills it', () => {
		const items = Array.from({ length: 500 }, (_, index) =>
			item({ key: `K-${index}`, kind: `${'x'.repeat(100_000)}\n<b>${index}` }),
		);
		const { rows, notes } = read(...items);
		expect([rows.length, notes.length]).toEqual([500, 1]);
		expect(notes[0]).toMatch(/^500 rows of the book have a kind .* and 497 more/);
		expect(notes[0]!.length).toBeLessThan(600);
		expect(notes[0]).not.toContain('\n');
	});

	test('columns that are missing or written in another way are named or read', () => {
		const { fee, ...withoutFee } = item();
		expect(fee).toBeNull();
		const missing = read(withoutFee);
		expect(missing.missingColumns).toEqual(['fee']);
		expect(columnsInWords(missing.missingColumns)).toEqual([
			expect.stringContaining('The book has no column fee'),
		]);
		const { amount, txHash, ...others } = item({ txHash: '0xabc' });
		expect(amount).toBe('-40');
		const renamed = read({ ...others, 'Amount ': '-40', 'TX hash': txHash });
		expect(renamed).toMatchObject({ rows: [{ amount: '-40', txHash: '0xabc' }], missingColumns: [] });
	});

	test('items that are no rows are named, and the item in place of no row is not', () => {
		expect(read({})).toEqual({ rows: [], notes: [], missingColumns: [] });
		expect(read()).toEqual({ rows: [], notes: [], missingColumns: [] });
		const { rows, notes } = read({ error: 'not found' }, item(), { subject: 'x' });
		expect(rows).toHaveLength(1);
		expect(notes).toEqual([expect.stringContaining('2 items are no rows of the book')]);
	});

	test('whatever stands in an item, it is read without an error, and each row stays', () => {
		const names = fc.constantFrom(...BOOK_COLUMNS, '__proto__', 'constructor', 'Amount', 'toString');
		const value = fc.oneof(fc.string(), fc.constant(null), fc.double(), fc.boolean(), fc.object(), fc.date());
		fc.assert(
			fc.property(fc.array(fc.dictionary(names, value), { maxLength: 5 }), (items) => {
				const { rows, notes } = read(...items);
				const noRows = /^(\d+) items? (?:is|are) no/.exec(
					notes.find((note) => / no rows? of/.test(note)) ?? '',
				);
				const empty = items.filter((each) => Object.keys(each).length === 0).length;
				expect(rows.length + Number(noRows?.[1] ?? 0) + empty).toBe(items.length);
				for (const each of rows)
					for (const column of BOOK_COLUMNS) expect(typeof each[column]).toBe('string');
			}),
		);
	});
});

describe('which rows are one movement', () => {
	const paymentsIn = (rows: BookRow[]) =>
		movementsOf(rows).filter((movement): movement is Payment => movement.is === 'payment');

	test('only a row with a result is a payment, and none of another kind', () => {
		const paid = coinPayout();
		const others = ['deposit', 'coin deposit', 'admin credit', 'admin debit'];
		const rows = [
			...[paid, { ...paid, result: '', key: 'update' }],
			...others.map((kind) => ({ ...paid, kind, key: kind })),
			...['', 'payot'].map((kind) => ({ ...paid, kind, key: `odd ${kind}`, reference: '' })),
		];
		expect(paymentsIn(rows).map(({ row: { kind } }) => kind)).toEqual(['coin payout', '', 'payot']);
		// The service sends no updates of fiat payouts, so this is a payment that a person has written.
		expect(paymentsIn([payout({ result: '' })])).toHaveLength(1);
	});

	test('each row is part of one movement, wherever it stands', () => {
		const [coin, lost] = [coinPayout(), coinPayout({ ...LOST, amount: '7' })];
		const rows = [
			...[
				coin,
				update(coin),
				update(coin, { status: 'failed' }),
				lost,
				update({ ...lost, reference: 'po_l' }),
			],
			...[update(coinPayout({ amount: '3' })), deposit(), payout(), payout({ key: '', reference: '' })],
			...[row({ kind: 'deposit' }), row({ kind: 'deposit' }), balanceRow('NGN')],
		];
		const names = (of: BookRow[]) =>
			movementsOf(of)
				.map(({ name }) => name)
				.sort();
		expect(movementsOf(rows)).toHaveLength(8);
		fc.assert(
			fc.property(fc.shuffledSubarray(rows, { minLength: rows.length }), (shuffled) =>
				expect(names(shuffled)).toEqual(names(rows)),
			),
			{ numRuns: 20 },
		);
	});

	test('a key is compared as payments compare it', () => {
		const rows = ['INV-7', 'inv-7', ' INV - 7', 'INV\u20137'].map((key) => payout({ ...LOST, key }));
		expect(paymentsIn(rows)).toHaveLength(1);
		expect(paymentsIn([payout({ key: 'INV-7' }), payout({ key: 'INV-8' })])).toHaveLength(2);
	});

	test('the ID of the service is one payment, and a row without one belongs to its key and workflow', () => {
		const paid = payout({ key: 'K', reference: 'po_k', workflow: 'A' });
		const without = { ...paid, ...LOST };
		expect(paymentsIn([without, paid])).toMatchObject([{ row: { result: 'paid' }, reference: 'po_k' }]);
		const ofAnother = { ...without, workflow: 'B' };
		expect(paymentsIn([paid, ofAnother]).map((each) => each.row.result)).toEqual(['paid', 'unknown']);
		const copied = paymentsIn([paid, { ...paid, key: 'K2' }]);
		expect(copied).toMatchObject([{ remarks: [expect.stringContaining('stands under 2 keys')] }]);
	});

	test('of rows that say different things, "perhaps sent" is never hidden', () => {
		const order = ['paid', 'alreadyPaid', 'unknown', 'notSent'];
		for (const [index, result] of order.entries()) {
			const rows = order.slice(index).map((each) => payout({ key: 'K', reference: '', result: each }));
			expect(paymentsIn(rows.toReversed()).map((each) => each.row.result)).toEqual([result]);
		}
		const odd = paymentsIn([payout({ ...LOST, key: 'K' }), payout({ ...LOST, key: 'K', amount: '41' })]);
		expect(odd).toMatchObject([{ remarks: [expect.stringContaining('stands in the book more than once')] }]);
		const spelled = { ...LOST, key: 'K', counterpart: 'Supplier-Main ' };
		expect(paymentsIn([payout({ ...LOST, key: 'K' }), payout(spelled)])).toMatchObject([{ remarks: [] }]);
	});

	test('two payments without a key and without an ID are two', () => {
		const rows = [1, 2].map((minute) => payout({ ...LOST, key: '', time: at(0, minute) }));
		expect(paymentsIn(rows)).toHaveLength(2);
	});

	test('an update finds the payment whose answer was lost by its amount and wallet, and only one', () => {
		const lost = [1, 2].map((minute) => coinPayout({ ...LOST, time: at(0, minute) }));
		const told = (columns: Partial<BookRow>) => update(coinPayout({ reference: 'po_x' }), columns);
		for (const amount of ['-40', '-40.0', '-39.5', '-40.5'])
			expect(paymentsIn([...lost, told({ amount })]).map(({ reference }) => reference)).toEqual(['po_x', '']);
		for (const other of [
			{ amount: '-41' },
			{ counterpart: 'cold' },
			{ asset: 'USDC' },
			// An update of a payout long before.
			{ time: at(-8) },
		])
			expect(paymentsIn([...lost, told(other)]).map(({ reference }) => reference)).toEqual(['', '']);
	});
});

describe('the assets of the book', () => {
	const assetsOf = (...rows: BookRow[]) => assetsInBook(rows).map(({ code, isFiat }) => [code, isFiat]);

	test('kinds say which are currencies, and payments that were not made say nothing', () => {
		const rows = [payout(), coinPayout(), payout({ asset: 'NAIRA', result: 'rejected' })];
		expect(assetsOf(...rows, row({ kind: 'admin credit', asset: '' }))).toEqual([
			['NGN', true],
			['USDT', false],
		]);
		expect(assetsOf(payout({ asset: 'KES', result: 'unknown' }))).toEqual([['KES', true]]);
	});

	test('an asset of no such kind is a currency if its code is one, and fees have assets too', () => {
		const credits = ['GHS', 'BTC'].map((asset) => row({ kind: 'admin credit', asset, amount: '5' }));
		expect(assetsOf(...credits, update(coinPayout(), { feeAsset: 'TRX' }))).toEqual([
			['BTC', false],
			['GHS', true],
			['TRX', false],
			['USDT', false],
		]);
	});

	test('of an asset that stands in both, most rows decide, and the rows of proofs too', () => {
		expect(assetsOf(payout(), payout(), coinPayout({ asset: 'NGN' }))).toEqual([['NGN', true]]);
		const proof = row({ kind: 'balance', asset: 'XYZ', amount: '5', counterpart: 'fiat wallet' });
		expect(assetsOf(proof)).toEqual([['XYZ', true]]);
	});
});
